import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { curlOf, curlOfEnvelope } from './curl.js'

const envelope = { jsonrpc: '2.0', id: 1, method: 'a', params: {} }

describe('a call as a command line', () => {
  it('has no more quotes than its address needs', () => {
    expect(curlOf({ url: '/clients?limit=101' })).toBe('curl "$BASE_URL/clients?limit=101"')
    expect(curlOf({ url: '/clients?of=$HOME' })).toBe(`curl "$BASE_URL"'/clients?of=$HOME'`)
    expect(curlOf({ url: 'https://example.com/a?b=c' })).toBe(`curl 'https://example.com/a?b=c'`)
  })

  it.each([
    [{ 'x-api-key': 'any' }, '"x-api-key: $API_KEY"'],
    [{ key: 'any' }, '"key: $KEY"'],
    [{ 'x-app-secret': 'any' }, '"x-app-secret: $APP_SECRET"'],
    [{ path: 'any' }, '"path: $API_KEY"'],
    [{ authorization: 'Bearer any' }, '"authorization: Bearer $TOKEN"'],
    [{ authorization: 'basic any' }, '"authorization: basic $CREDENTIALS"'],
    [{ cookie: 'sessionToken=any' }, '"cookie: sessionToken=$SESSION_TOKEN"'],
    [{ authorization: '$(date) any' }, `'authorization: $(date) '"$TOKEN"`],
  ])('says over both protocols what to fill in for %j', (headers: Record<string, string>, shown) => {
    const credentials = { headers, query: '' }
    expect(curlOf({ url: '/a', headers: { ...headers, accept: 'any' } }, credentials)).toBe(
      `curl "$BASE_URL/a" -H ${shown} -H 'accept: any'`,
    )
    expect(curlOfEnvelope(envelope, credentials)).toContain(`curl "$BASE_URL/" -H ${shown} -H 'Content-`)
  })

  it('says it of credentials in the query', () => {
    const credentials = { headers: {}, query: 'token=any&api_key=any' }
    expect(curlOf({ url: '/a?b=1&token=any&api_key=any' }, credentials)).toBe(
      'curl "$BASE_URL/a?b=1&token=$TOKEN&api_key=$API_KEY"',
    )
    expect(curlOfEnvelope(envelope, credentials)).toContain('curl "$BASE_URL/?token=$TOKEN&api_key=$API_KEY"')
  })

  it('is read by a shell as what is meant, whatever stands in it', () => {
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
          const headers = { 'x-app-key': `${secret} any`, note: header }
          const credentials = { headers: { 'x-app-key': headers['x-app-key'] }, query: 'k=any' }
          const url = `/${path}?k=any`
          const isGlob = /[[\]{}]/.test(url)
          const key = `x-app-key: ${secret} <app key>`
          lines.push(curlOf({ method: 'POST', url, headers, body }, credentials))
          meant.push([
            ...(isGlob ? ['-g'] : []),
            ...['-X', 'POST', `<base>/${path}?k=<api key>`, '-H', key, '-H', `note: ${header}`],
            ...['--data-raw', body],
          ])
          const called = { ...envelope, params: { [header]: body } }
          lines.push(curlOfEnvelope(called, credentials))
          meant.push([
            ...['<base>/?k=<api key>', '-H', key, '-H', 'Content-Type: application/json'],
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
