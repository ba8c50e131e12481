import { expect, it } from 'vitest'
import { serveNode } from '../../runtime/fixtures/serve.js'
import { toolsApi } from '../mcp/service.js'
import type { Passing } from './spoiling-proxy.js'
import { toolsRun } from './tools-run.js'

// `duet test` over MCP, on the tools of test/mcp/tools.yaml.

const { url, write, duet, callOnly, run, report, spoiled } = toolsRun()

/** The findings over MCP of a run against the api with a fault. */
async function findings(spoil: Fault): Promise<string[]> {
  const target = await spoiled({
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
  const found = (await report(target, '--protocol', 'mcp')).findings
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
  // faults.get always fails.
  write('all.yaml', 'operations: { faults.get: { skip: true } }')
  const { protocols, findings } = await report(url(), ...['--unsafe', '--data', 'all.yaml'])
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

it('reads responses over MCP that come as events', async () => {
  const messages: string[] = []
  const target = await spoiled({
    answered: (passing, _, { pathname }) => {
      if (pathname !== '/mcp') return
      const notification = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
      const spoilt = passing.body.replace('A simple text', 'Another').replace('"name":"Ann"', '"name":7')
      if (spoilt.includes('"name":7')) messages.push(spoilt)
      passing.type = 'text/event-stream'
      passing.body = `:\r\n\r\ndata: ${notification}\n\nevent: message\ndata: ${spoilt}\n\n`
    },
  })
  const { protocols, findings } = await report(target, '--protocol', 'mcp')
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
  const target = await spoiled({
    answered: (passing, _, { pathname }) => {
      if (pathname === '/mcp' && passing.body.includes('A simple text')) passing.status = 500
    },
  })
  const { findings } = await report(target)
  const [found] = findings.filter(({ protocol }) => protocol === 'mcp')
  const sarif = JSON.parse((await run(target, '--format', 'sarif')).out)
  const results: { ruleId: string; properties: { protocol: string; curl: string } }[] = sarif.runs[0].results
  const result = results.find(({ properties }) => properties.protocol === 'mcp')
  expect(result).toMatchObject({
    ruleId: 'server-error',
    partialFingerprints: { 'duetTest/v1': found?.fingerprint },
  })
  expect(result?.properties.curl).toContain('"method":"tools/call"')
  const name = 'server-error over mcp: The server fails with 500, on a call with valid params'
  expect((await run(target, '--format', 'junit')).out).toContain(`name="${name}"`)
  const waiver = { fingerprint: found?.fingerprint, owner: 'Ada', reason: 'known', expires: '2999-12-31' }
  write('waivers.yaml', JSON.stringify([waiver]))
  const waived = await report(target, '--waivers', 'waivers.yaml')
  expect(waived.findings.find(({ protocol }) => protocol === 'mcp')).toMatchObject({
    waiver: { owner: 'Ada' },
  })
  const junit = (await run(target, '--waivers', 'waivers.yaml', '--format', 'junit')).out
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
  expect((await run(`${url()}/elsewhere`, '--protocol', 'mcp')).err).toBe(
    `${url()}/elsewhere/mcp does not answer tools/list over MCP.\n`,
  )
  write(
    'plain.yaml',
    'openapi: 3.1.0\ninfo: { title: Plain, version: 1.0.0 }\npaths: { /a: { get: { responses: { 200: { description: A } } } } }\n',
  )
  const plain = await duet('test', url(), '--spec', 'plain.yaml', '--protocol', 'mcp')
  expect(plain.err).toBe('The document has no tools (x-mcp), so nothing can be called over MCP.\n')
})
