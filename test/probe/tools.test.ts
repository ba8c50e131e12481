import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type Served, serveNode } from '../../runtime/fixtures/serve.js'
import { runDuet } from '../in-process.js'
import { toolsApi } from '../mcp/service.js'
import { type Passing, type PassingService, spoilingProxy } from './spoiling-proxy.js'

// `duet test` over MCP, on the tools of test/mcp/tools.yaml.

let served: Served
let proxy: PassingService | undefined
let cwd: string

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-tools-'))
  // One that always fails.
  writeFileSync(join(cwd, 'all.yaml'), 'operations: { faults.get: { skip: true } }')
  served = await serveNode(await toolsApi())
})
beforeEach(() => void vi.stubEnv('DUET_KEY', 'good'))
afterEach(async () => {
  vi.unstubAllEnvs()
  await proxy?.close()
  proxy = undefined
})
afterAll(async () => {
  await served.close()
  rmSync(cwd, { recursive: true })
})

const document = fileURLToPath(new URL('../mcp/tools.yaml', import.meta.url))

/** The operations that a test spoils are enough to see it. `clients.get` takes its numbers from `clients.list`. */
function callOnly(...spoiled: string[]): void {
  const called = spoiled.includes('clients.get') ? ['clients.list', ...spoiled] : spoiled
  const names = [...readFileSync(document, 'utf8').matchAll(/operationId: (\S+)/g)].map(
    ([, name]) => name ?? '',
  )
  const skipped = names.filter((name) => !called.includes(name)).map((name) => `${name}: { skip: true }`)
  writeFileSync(join(cwd, 'data.yaml'), `operations: { ${skipped.join(', ')} }`)
}

async function run(url: string, ...args: string[]) {
  return runDuet(cwd, [
    ...['test', url, '--spec', document, '--seed', '1', '--rate', '9999'],
    ...(args.includes('--data') ? args : ['--data', 'data.yaml', ...args]),
  ])
}

async function report(url: string, ...args: string[]) {
  const { out, err } = await run(url, ...args, '--format', 'json')
  expect(err).toBe('')
  return JSON.parse(out) as {
    protocols: string[]
    findings: { kind: string; operation: string; protocol: string; message: string; fingerprint: string }[]
  }
}

/** The findings over MCP of a run against the api with a fault. */
async function findings(spoil: Fault): Promise<string[]> {
  proxy = await spoilingProxy(`http://127.0.0.1:${served.port}`, {
    asked: (url, body) => {
      call = body === '' ? {} : (JSON.parse(body).params ?? {})
      return url
    },
    answered: (passing, _, { pathname }) => {
      if (pathname !== '/mcp' || call.name === undefined) return
      const envelope = JSON.parse(passing.body)
      spoil(envelope, call, passing)
      if (passing.status === 200) passing.body = JSON.stringify(envelope)
    },
  })
  const found = (await report(proxy.url, '--protocol', 'mcp')).findings
  return found
    .filter(({ protocol }) => protocol === 'mcp')
    .map(({ kind, operation, message }) => `${kind} ${operation}: ${message}`)
}

interface Call {
  readonly name?: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

interface Envelope {
  jsonrpc?: string
  result?: {
    resultType?: string
    isError?: boolean
    content: object[]
    structuredContent?: Record<string, unknown>
  }
  error?: object
}

/** Changes a response of MCP. */
type Fault = (envelope: Envelope, call: Call, passing: Passing) => void

// The proxy answers one request at a time.
let call: Call = {}

it('calls tools over MCP, and finds nothing on a service that does what its document says', async () => {
  const { protocols, findings } = await report(
    `http://127.0.0.1:${served.port}`,
    ...['--unsafe', '--data', 'all.yaml'],
  )
  expect(protocols).toEqual(['REST', 'MCP'])
  expect(findings.filter(({ protocol }) => protocol === 'mcp')).toEqual([])
})

it.each<[string, Fault, string[]]>([
  [
    'a result that its schema refuses',
    ({ result }, { name }) => {
      if (name === 'clients_get' && result?.structuredContent?.name === 'Ann')
        result.structuredContent = { id: 1 }
    },
    [
      "body-invalid clients.get: The result over MCP is invalid: must have required property 'name'",
      'protocols-differ clients.get: A call with valid params has different results over REST and over MCP',
    ],
  ],
  [
    'a result without structured content',
    ({ result }, { name }) => {
      if (name === 'clients_list' && result?.isError !== true) delete result?.structuredContent
    },
    [
      'body-invalid clients.list: The result over MCP has no structured content, although its tool has an output schema',
    ],
  ],
  [
    'another result than over REST',
    ({ result }, { name }) => {
      if (name === 'clients_get' && result?.structuredContent?.name === 'Ann')
        result.structuredContent = { id: 1, name: 'Eve' }
    },
    ['protocols-differ clients.get: A call with valid params has different results over REST and over MCP'],
  ],
  [
    'a call that is accepted though its argument is invalid',
    ({ result }, { name }) => {
      if (name !== 'clients_get' || result?.isError !== true) return
      delete result.isError
      result.structuredContent = { id: 1, name: 'Ann' }
    },
    [
      'invalid-call-accepted clients.get: The server accepts a call with /id of another type than integer: it answers a result',
      'protocols-differ clients.get: A call with /id of another type than integer gets 400 validation_failed over REST and a result over MCP',
    ],
  ],
  [
    'a tool that the server does not have',
    (envelope, { name }) => {
      if (name !== 'test_simple_text') return
      delete envelope.result
      envelope.error = { code: -32602, message: 'Unknown tool' }
    },
    [
      'valid-call-refused texts.get: The server has no such tool over MCP',
      'protocols-differ texts.get: A call with valid params gets 200 over REST and unknown_operation over MCP',
    ],
  ],
  [
    'a response that is none',
    (envelope, { name }) => {
      if (name === 'test_simple_text') delete envelope.jsonrpc
    },
    ["envelope-invalid texts.get: The response over MCP has no jsonrpc '2.0'"],
  ],
  [
    'a server that fails',
    (_, { name }, passing) => {
      if (name === 'test_simple_text') passing.status = 500
    },
    ['server-error texts.get: The server fails with 500, on a call with valid params'],
  ],
  [
    'a code that the catalogue does not have',
    ({ result }, { name }) => {
      if (name === 'clients_get' && result?.isError === true)
        result.structuredContent = { ...result.structuredContent, code: 'odd' }
    },
    [
      "undeclared-code clients.get: The server answers with the code odd, which is not in the document's catalogue",
      'protocols-differ clients.get: A call with /id of another type than integer gets validation_failed over REST and odd over MCP',
    ],
  ],
  [
    'a protocol that answers with pages alone',
    (_, __, passing) => {
      passing.status = 203
      passing.body = '<!doctype html>'
    },
    ['envelope-invalid texts.get: The response over MCP is not JSON'],
  ],
  [
    'a server that has no method for calls of tools',
    (envelope, { name }, passing) => {
      if (name !== 'clients_list') return
      passing.status = 404
      delete envelope.result
      envelope.error = { code: -32_601, message: 'Method not found' }
      passing.body = JSON.stringify(envelope)
    },
    [
      'valid-call-refused clients.list: The server has no such tool over MCP',
      'protocols-differ clients.list: A call with /order "name" gets 200 over REST and unknown_operation over MCP',
    ],
  ],
  [
    'a call that is accepted without a credential',
    (envelope, { name }, passing) => {
      if (name !== 'clients_get' || passing.status !== 401) return
      passing.status = 200
      delete envelope.error
      envelope.result = { resultType: 'complete', content: [], structuredContent: { id: 1, name: 'Ann' } }
    },
    [
      'unauthenticated-call-accepted clients.get: The server accepts a call without a credential: it answers a result',
      'protocols-differ clients.get: A call without a credential gets 401 unauthenticated over REST and a result over MCP',
    ],
  ],
])('finds %s', async (_, spoil, expected) => {
  callOnly(...expected.map((finding) => /^\S+ ([^:]+)/.exec(finding)?.[1] ?? ''))
  expect(await findings(spoil)).toEqual(expected)
})

/** The service, with another list of tools. */
async function listing(change: (tools: Listed[]) => Listed[]): Promise<string[]> {
  proxy = await spoilingProxy(`http://127.0.0.1:${served.port}`, {
    answered: (passing, _, { pathname }) => {
      if (pathname !== '/mcp' || !passing.body.includes('"tools":')) return
      const envelope = JSON.parse(passing.body)
      envelope.result.tools = change(envelope.result.tools)
      passing.body = JSON.stringify(envelope)
    },
  })
  const found = (await report(proxy.url, '--protocol', 'mcp', '--cases', '1')).findings
  return found
    .filter(({ kind }) => kind.startsWith('tool-'))
    .map(({ kind, operation, message }) => `${kind} ${operation}: ${message}`)
}

interface Listed {
  readonly name: string
  readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] }
}

it.each<[string, (tool: Listed) => Listed[], string[]]>([
  [
    'misses a tool',
    (tool) => (tool.name === 'clients_get' ? [] : [tool]),
    ['tool-missing clients.get: tools/list has no clients_get, the tool of clients.get'],
  ],
  [
    'has another tool',
    (tool) => (tool.name === 'clients_get' ? [tool, { ...tool, name: 'clients_find' }] : [tool]),
    ['tool-undeclared clients_find: tools/list has clients_find, which is no tool of the document'],
  ],
  [
    'has a narrower schema',
    (tool) =>
      tool.name === 'clients_list'
        ? [withProperties(tool, { limit: { type: 'integer', maximum: 9 } })]
        : [tool],
    [
      'tool-differs clients.list: The input schema of clients_list refuses arguments that the document allows: {"limit":10}',
    ],
  ],
  [
    'has a wider schema',
    (tool) => (tool.name === 'clients_get' ? [withProperties(tool, { id: {} })] : [tool]),
    [
      'tool-differs clients.get: The input schema of clients_get accepts arguments that the document forbids: {"id":null}',
    ],
  ],
  [
    'writes a schema in another way, and leaves it open',
    (tool) => {
      const { inputSchema, ...others } = tool
      const { additionalProperties: _, ...open } = inputSchema as Listed['inputSchema'] & JsonSchema
      return [{ ...others, inputSchema: { allOf: [open] } as unknown as Listed['inputSchema'] }]
    },
    [],
  ],
])('compares the list of a server that %s', async (_, change, expected) => {
  expect(await listing((tools) => tools.flatMap(change))).toEqual(expected)
})

interface JsonSchema {
  readonly additionalProperties?: boolean
}

function withProperties(tool: Listed, properties: object): Listed {
  const { inputSchema } = tool
  return {
    ...tool,
    inputSchema: { ...inputSchema, properties: { ...inputSchema.properties, ...properties } },
  }
}

it('reads responses over MCP that come as events', async () => {
  const messages: string[] = []
  proxy = await spoilingProxy(`http://127.0.0.1:${served.port}`, {
    answered: (passing, _, { pathname }) => {
      if (pathname !== '/mcp') return
      const notification = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
      const spoilt = passing.body.replace('A simple text', 'Another').replace('"name":"Ann"', '"name":7')
      if (spoilt.includes('"name":7')) messages.push(spoilt)
      passing.type = 'text/event-stream'
      passing.body = `:\r\n\r\ndata: ${notification}\n\nevent: message\ndata: ${spoilt}\n\n`
    },
  })
  const { protocols, findings } = await report(proxy.url, '--protocol', 'mcp')
  expect(protocols).toEqual(['REST', 'MCP'])
  expect(messages).not.toEqual([])
  expect(
    findings
      .filter(({ protocol }) => protocol === 'mcp')
      .map(({ kind, operation }) => `${kind} ${operation}`),
  ).toEqual(expect.arrayContaining(['body-invalid clients.list', 'body-invalid clients.get']))
})

it('waives findings over MCP, and has them as JUnit and SARIF', async () => {
  callOnly('texts.get')
  proxy = await spoilingProxy(`http://127.0.0.1:${served.port}`, {
    answered: (passing, _, { pathname }) => {
      if (pathname === '/mcp' && passing.body.includes('A simple text')) passing.status = 500
    },
  })
  const { findings } = await report(proxy.url)
  const [found] = findings.filter(({ protocol }) => protocol === 'mcp')
  const sarif = JSON.parse((await run(proxy.url, '--format', 'sarif')).out)
  const results: { ruleId: string; properties: { protocol: string; curl: string } }[] = sarif.runs[0].results
  const result = results.find(({ properties }) => properties.protocol === 'mcp')
  expect(result).toMatchObject({
    ruleId: 'server-error',
    partialFingerprints: { 'duetTest/v1': found?.fingerprint },
  })
  expect(result?.properties.curl).toContain('"method":"tools/call"')
  const name = 'server-error over mcp: The server fails with 500, on a call with valid params'
  expect((await run(proxy.url, '--format', 'junit')).out).toContain(`name="${name}"`)
  const waiver = { fingerprint: found?.fingerprint, owner: 'Ada', reason: 'known', expires: '2999-12-31' }
  writeFileSync(join(cwd, 'waivers.yaml'), JSON.stringify([waiver]))
  const waived = await report(proxy.url, '--waivers', 'waivers.yaml')
  expect(waived.findings.find(({ protocol }) => protocol === 'mcp')).toMatchObject({
    waiver: { owner: 'Ada' },
  })
  const junit = (await run(proxy.url, '--waivers', 'waivers.yaml', '--format', 'junit')).out
  expect(junit).toContain('<skipped message="waived: known (Ada, until 2999-12-31)"/>')
})

it('calls tools through the tool that calls every operation, if agents do not see each', async () => {
  callOnly('clients.get', 'clients.list', 'texts.get')
  const large = await serveNode(await toolsApi('\nx-mcp: { maxBytes: 1 }\n'))
  try {
    const { protocols, findings } = await report(`http://127.0.0.1:${large.port}`)
    expect(protocols).toEqual(['REST', 'MCP'])
    expect(findings.filter(({ protocol }) => protocol === 'mcp')).toEqual([])
  } finally {
    await large.close()
  }
})

it('says that the server does not speak MCP, or that the document has no tools', async () => {
  callOnly()
  const url = `http://127.0.0.1:${served.port}`
  expect((await run(`${url}/elsewhere`, '--protocol', 'mcp')).err).toBe(
    `${url}/elsewhere/mcp does not answer tools/list over MCP.\n`,
  )
  writeFileSync(
    join(cwd, 'plain.yaml'),
    'openapi: 3.1.0\ninfo: { title: Plain, version: 1.0.0 }\npaths: { /a: { get: { responses: { 200: { description: A } } } } }\n',
  )
  const plain = await runDuet(cwd, ['test', url, '--spec', 'plain.yaml', '--protocol', 'mcp'])
  expect(plain.err).toBe('The document has no tools (x-mcp), so nothing can be called over MCP.\n')
})
