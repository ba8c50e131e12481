import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { curlOf, curlOfEnvelope } from './curl.js'

const envelope = { jsonrpc: '2.0', id: 1, method: 'a', params: {} }

describe('a call as a command line', () => {
  it('has only the quotes that its address needs', () => {
    expect(curlOf({ url: '/clients?limit=101' })).toBe('curl "$BASE_URL/clients?limit=101"')
    expect(curlOf({ url: '/clients?of=$HOME' })).toBe(`curl "$BASE_URL"'/clients?of=$HOME'`)
    expect(curlOf({ url: 'https://example.com/a?b=c' })).toBe(`curl 'https://example.com/a?b=c'`)
  })

  it('asks for the head alone by an option of its own: after -X HEAD curl waits for a body', () => {
    expect(curlOf({ method: 'HEAD', url: '/a' })).toBe('curl --head "$BASE_URL/a"')
  })

  it.each([
    [{ 'x-api-key': '$API_KEY' }, '"x-api-key: $API_KEY"'],
    [{ 'x-app-secret': '$APP_SECRET' }, '"x-app-secret: $APP_SECRET"'],
    [{ path: '$API_KEY' }, '"path: $API_KEY"'],
    [{ authorization: 'Bearer $TOKEN' }, '"authorization: Bearer $TOKEN"'],
    [{ authorization: 'basic $CREDENTIALS' }, '"authorization: basic $CREDENTIALS"'],
    [{ cookie: 'sessionToken=$SESSION_TOKEN' }, '"cookie: sessionToken=$SESSION_TOKEN"'],
    [{ authorization: '$(date) $TOKEN' }, `'authorization: $(date) '"$TOKEN"`],
  ])('says over both protocols what to fill in for %j', (headers: Record<string, string>, shown) => {
    const credentials = { headers, query: '' }
    expect(curlOf({ url: '/a', headers: { ...headers, accept: 'any' } }, credentials)).toBe(
      `curl "$BASE_URL/a" -H ${shown} -H 'accept: any'`,
    )
    expect(curlOfEnvelope(envelope, credentials)).toContain(`curl "$BASE_URL/" -H ${shown} -H 'Content-`)
  })

  it('sends an empty header', () => {
    expect(curlOf({ url: '/a', headers: { 'x-a': '' } })).toBe(`curl "$BASE_URL/a" -H 'x-a;'`)
  })

  it('keeps other cookies next to the credential', () => {
    const credentials = { headers: { cookie: 'a=$API_KEY; b=$B_TOKEN' }, query: '' }
    expect(curlOf({ url: '/a', headers: { cookie: 'a=$API_KEY; b=$B_TOKEN; c=1' } }, credentials)).toBe(
      'curl "$BASE_URL/a" -H "cookie: a=$API_KEY; b=$B_TOKEN; c=1"',
    )
  })

  it('pipes a body with characters that a line cannot show', () => {
    const call = { method: 'POST', url: '/a', headers: {}, body: '--p\r\n\\\t\0\u202e--p--' }
    const escaped = String.raw`--p\r\n\\\t\0000\0342\0200\0256--p--`
    expect(curlOf(call)).toBe(`printf '%b' '${escaped}' | curl -X POST "$BASE_URL/a" --data-binary @-`)
    const script = `curl() { cat; }\n${curlOf(call)}`
    expect(spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout).toBe(call.body)
  })

  it('reads credentials in the query from variables', () => {
    const credentials = { headers: {}, query: 'token=$TOKEN&api_key=$API_KEY' }
    expect(curlOf({ url: '/a?b=1&token=$TOKEN&api_key=$API_KEY' }, credentials)).toBe(
      'curl "$BASE_URL/a?b=1" -G --data-urlencode "token=$TOKEN" --data-urlencode "api_key=$API_KEY"',
    )
    expect(curlOfEnvelope(envelope, credentials)).toContain(
      'curl "$BASE_URL/" --url-query "token=$TOKEN" --url-query "api_key=$API_KEY"',
    )
    expect(curlOfEnvelope(envelope, undefined, ' ', '/v1/')).toContain('curl "$BASE_URL/v1/" -H ')
  })

  it('is read by a shell as intended, whatever it contains', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...'$`"\'\\!{}[]*?~#&;|<>() %=-aB7é', '$(id)', '${', '$API_KEY', 'any'),
      maxLength: 12,
    })
    const calls = fc.array(fc.record({ path: hostile, header: hostile, body: hostile, secret: hostile }), {
      minLength: 60,
      maxLength: 60,
    })
    fc.assert(
      fc.property(calls, (all) => {
        const lines: string[] = []
        const meant: string[][] = []
        for (const { path, header, body, secret } of all) {
          const headers = { 'x-app-key': `${secret} $APP_KEY`, note: header }
          const credentials = { headers: { 'x-app-key': headers['x-app-key'] }, query: 'k=$API_KEY' }
          const url = `/${path}?k=$API_KEY`
          const isGlob = /[[\]{}]/.test(url)
          const key = `x-app-key: ${secret} <app key>`
          lines.push(curlOf({ method: 'POST', url, headers, body }, credentials))
          meant.push([
            ...(isGlob ? ['-g'] : []),
            ...[
              '-X',
              'POST',
              `<base>/${path}`,
              '--url-query',
              'k=<api key>',
              '-H',
              key,
              '-H',
              header.trim() === '' ? 'note;' : `note: ${header}`,
            ],
            ...['--data-raw', body],
          ])
          const called = { ...envelope, params: { [header]: body } }
          lines.push(curlOfEnvelope(called, credentials))
          meant.push([
            ...['<base>/', '--url-query', 'k=<api key>', '-H', key, '-H', 'Content-Type: application/json'],
            ...['--data-raw', JSON.stringify(called)],
          ])
        }
        expect(readBy('sh', lines)).toEqual(meant)
      }),
      { numRuns: 10 },
    )
  })
})

/** The arguments that a shell calls curl with, line by line. */
function readBy(shell: string, lines: readonly string[]): string[][] {
  const script = [`curl() { printf '%s\\0' "$@"; printf '\\n\\0'; }`, ...lines].join('\n')
  const env = { BASE_URL: '<base>', API_KEY: '<api key>', APP_KEY: '<app key>' }
  const { stdout, stderr } = spawnSync(shell, ['-c', script], { encoding: 'utf8', env })
  expect(stderr).toBe('')
  const calls = stdout.split('\n\0').slice(0, -1)
  return calls.map((call) => call.split('\0').slice(0, -1))
}
