import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runDuet } from '../in-process.js'
import { type NotesServer, notesServer, secret, type Written } from './notes-server.js'

let server: NotesServer

beforeEach(() => void vi.stubEnv('DUET_API_KEY', secret))
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

/** The findings of a run against the server, as `kind operation`. */
async function findings(...args: string[]): Promise<string[]> {
  const { out } = await run('--format', 'json', ...args)
  const report: { findings: { kind: string; operation: string }[] } = JSON.parse(out)
  return report.findings.map(({ kind, operation }) => `${kind} ${operation}`)
}

function run(...args: string[]): ReturnType<typeof runDuet> {
  return runDuet(tmpdir(), ['test', server.url, '--seed', '1', '--rate', '9999', ...args])
}

it('finds nothing on a server that does what its document says', async () => {
  server = await notesServer()
  const { code, out, err } = await run('--unsafe')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('3 operations: 3 called, 3 reached success.')
})

it('says loudly that nothing was tested if no call succeeds', async () => {
  vi.stubEnv('DUET_API_KEY', '')
  server = await notesServer()
  expect(await run()).toMatchObject({
    code: 3,
    err: 'NOTHING WAS TESTED: no valid call succeeded. For 2 of 3 operations: it needs a credential: DUET_API_KEY.\n',
  })
})

it.each<[string, (written: Written, request: IncomingMessage, url: URL) => void, string[]]>([
  [
    'a status that the document does not declare',
    (written, _, url) => {
      if (written.status === 200 && url.pathname === '/notes/7') written.status = 203
    },
    ['undeclared-status notes.get'],
  ],
  [
    'a result that its schema refuses',
    (written, _, url) => {
      if (url.pathname === '/notes/7') written.body = '{"id":"7","text":"Milk"}'
    },
    ['body-invalid notes.get'],
  ],
  [
    'a body that is not JSON',
    (written, _, url) => {
      if (url.pathname === '/notes/7') written.body = '{"id":7'
    },
    ['body-invalid notes.get'],
  ],
  [
    'an empty body where the document has one',
    (written, _, url) => {
      if (url.pathname === '/notes/7') written.body = ''
    },
    ['body-invalid notes.get'],
  ],
  [
    'a media type that the document does not declare',
    (written, _, url) => {
      if (url.pathname === '/notes/7') written.headers['content-type'] = 'text/plain'
    },
    ['wrong-content-type notes.get'],
  ],
  [
    'a missing header',
    (written) => {
      delete written.headers['x-total']
    },
    ['header-missing notes.list'],
  ],
  [
    'a header of another type',
    (written) => {
      if (written.headers['x-total']) written.headers['x-total'] = 'many'
    },
    ['header-invalid notes.list'],
  ],
  [
    'a call that is accepted though its limit is too large',
    (written, _, url) => {
      if (Number(url.searchParams.get('limit')) > 50) Object.assign(written, list)
    },
    ['invalid-call-accepted notes.list'],
  ],
  [
    'a call that is accepted though its order is none of the enum',
    (written, _, url) => {
      if (!['asc', 'desc', null].includes(url.searchParams.get('order'))) Object.assign(written, list)
    },
    ['invalid-call-accepted notes.list'],
  ],
  [
    'a call that is refused though the document allows its limit',
    (written, _, url) => {
      if (url.searchParams.get('limit') === '50') written.status = 400
    },
    ['valid-call-refused notes.list'],
  ],
  [
    'a call that is accepted without a credential',
    (written, request, url) => {
      if (url.pathname === '/notes' && request.headers['x-api-key'] === undefined)
        Object.assign(written, list)
    },
    ['unauthenticated-call-accepted notes.list'],
  ],
  [
    'a server that fails on a value that it should refuse',
    (written, _, url) => {
      if (written.status === 400 && url.searchParams.has('limit')) written.status = 500
    },
    ['server-error notes.list'],
  ],
])('finds %s', async (_, spoil, expected) => {
  server = await notesServer(spoil)
  expect(await findings()).toEqual(expected)
})

it('says loudly that nothing was tested if no call succeeds', async () => {
  vi.stubEnv('DUET_API_KEY', '')
  server = await notesServer()
  expect(await run()).toMatchObject({
    code: 3,
    err: 'NOTHING WAS TESTED: no valid call succeeded. For 2 of 3 operations: it needs a credential: DUET_API_KEY.\n',
  })
})

it.each<[string, (written: Written, request: IncomingMessage, url: URL) => void, string[]]>([
  [
    'a body that is accepted though it is not JSON',
    (written, { method, headers }, { pathname }) => {
      const isJson = headers['content-type'] === 'application/json' && headers['content-length'] === '1'
      if (method === 'POST' && pathname === '/notes' && isJson) written.status = 201
    },
    ['invalid-call-accepted notes.create'],
  ],
  [
    'a body that is accepted though its media type is another one',
    (written) => {
      if (written.status === 415) written.status = 201
    },
    ['invalid-call-accepted notes.create'],
  ],
  [
    'a method that is accepted though the document does not have it',
    (written, { method }, { pathname }) => {
      if (method === 'PUT' && pathname === '/notes') written.status = 204
    },
    ['invalid-call-accepted notes.list'],
  ],
  [
    'a server that fails on a method that it does not have',
    (written, { method }, { pathname }) => {
      if (method === 'DELETE' && pathname === '/notes/7') written.status = 500
    },
    ['server-error notes.get'],
  ],
])('finds %s, with --unsafe', async (_, spoil, expected) => {
  server = await notesServer(spoil)
  expect(await findings('--unsafe')).toEqual(expected)
})

it('takes a value of another format for no fault, whether it is accepted or refused, unless the server fails', async () => {
  const since: string[] = []
  const refused = new Set<number>()
  server = await notesServer((written, _, { searchParams }) => {
    if (searchParams.get('since') !== '2026-02-30') return
    since.push('2026-02-30')
    for (const status of refused) written.status = status
  })
  expect(await findings()).toEqual([])
  refused.add(400)
  expect(await findings()).toEqual([])
  expect(since).toHaveLength(2)
  refused.clear()
  refused.add(500)
  expect(await findings()).toEqual(['server-error notes.list'])
})

it.each([
  ['slow', 60, ['slow-response notes.get'], ['--slow', '50']],
  ['missing', Number.POSITIVE_INFINITY, ['no-response notes.get'], ['--timeout', '0.3']],
  ['cut off', 'cut', ['no-response notes.get'], []],
] as const)('finds a response that is %s', async (_, after, expected, args) => {
  let count = 0
  server = await notesServer((written, __, { pathname }) => {
    if (pathname === '/notes/7') count += 1
    if (pathname === '/notes/7' && count === 2) written.after = after
  })
  // A busy machine answers others slowly, too.
  expect(await findings(...args)).toEqual(expect.arrayContaining([...expected]))
  count = 0
  if (after === 60) expect(await findings()).toEqual([])
})

const list: Written = {
  status: 200,
  headers: { 'content-type': 'application/json', 'x-total': '0' },
  body: '[]',
}

it.each<[string, (written: Written, request: IncomingMessage) => void]>([
  [
    'that nothing has this id',
    (written, request) => {
      if (request.url?.startsWith('/notes/')) written.status = 404
    },
  ],
  [
    'that it is busy',
    (() => {
      let count = 0
      return (written: Written) => {
        count += 1
        if (count === 3) Object.assign(written, { status: 429, headers: { 'retry-after': '0' } })
      }
    })(),
  ],
])('takes no answer for a finding that says %s', async (_, spoil) => {
  server = await notesServer(spoil)
  expect(await findings()).toEqual([])
})

it('sends no unsafe method without --unsafe, and none that the data file leaves out', async () => {
  server = await notesServer()
  await run()
  expect(server.requests.filter((request) => !request.startsWith('GET '))).toEqual([])
  expect(server.requests.length).toBeGreaterThan(10)
  await run('--unsafe')
  expect(server.requests.filter((request) => request.startsWith('POST '))).not.toEqual([])
})

it('sends the same calls for the same seed', async () => {
  server = await notesServer()
  await run('--unsafe')
  const first = server.requests.slice()
  await run('--unsafe')
  expect(server.requests.slice(first.length)).toEqual(first)
})

it.each(['text', 'json', 'junit', 'sarif'])(
  'shows no credential as %s, although the server repeats it',
  async (format) => {
    server = await notesServer((written, { headers }) => {
      if (written.status === 200 && headers['x-api-key'] !== undefined) {
        written.status = 203
        written.body = JSON.stringify({
          key: headers['x-api-key'],
          said: `X-Api-Key: ${headers['x-api-key']}`,
        })
      }
    })
    const { out, err } = await run('--format', format, '--spec', 'nowhere.yaml').then(() =>
      run('--format', format),
    )
    expect(out).toContain('DUET_API_KEY')
    expect(out + err).not.toContain(secret)
  },
)

it('ends at the first finding with --fail-fast', async () => {
  server = await notesServer((written) => {
    if (written.status === 200 && !written.body.startsWith('openapi')) written.status = 203
  })
  expect(await findings('--fail-fast')).toEqual(['undeclared-status notes.list'])
})

it('keeps the name of a header that has the text of a credential', async () => {
  vi.stubEnv('DUET_API_KEY', 'key')
  server = await notesServer((written) => {
    if (!written.body.startsWith('openapi')) written.status = 203
  })
  const { out } = await run('--format', 'json')
  const { findings }: { findings: { curl: string }[] } = JSON.parse(out)
  expect(findings[0]?.curl).toContain('-H "x-api-key: $DUET_API_KEY"')
})
