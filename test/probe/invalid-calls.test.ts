import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runDuet } from '../in-process.js'

const whole = { type: 'integer' }
/** Bodies, and what a server must refuse that takes everything. */
const bodies: Record<string, [schema: object, refused: string[]]> = {
  closed: [
    { type: 'object', properties: { a: whole }, additionalProperties: false },
    ['params against additionalProperties false'],
  ],
  open: [{ type: 'object', properties: { a: whole, b: { type: 'integer', readOnly: true } } }, []],
  unevaluated: [
    { allOf: [{ type: 'object', properties: { a: whole } }], unevaluatedProperties: false },
    ['params against unevaluatedProperties false'],
  ],
  exclusive: [
    {
      type: 'object',
      properties: { a: whole, b: whole },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    ['params against oneOf'],
  ],
  dependent: [
    { type: 'object', properties: { a: whole, b: whole }, dependentRequired: { a: ['b'] } },
    ['params against dependentRequired {"a":["b"]}'],
  ],
  map: [
    {
      ...{ type: 'object', additionalProperties: whole, minProperties: 1 },
      propertyNames: { pattern: '^[a-z]+$' },
    },
    [
      'params against additionalProperties {"type":"integer"}',
      'params against minProperties 1',
      'params against propertyNames',
    ],
  ],
  untyped: [
    { type: 'object', properties: { a: { enum: ['x', 'y'] }, b: { const: 'v' } } },
    ['/a against enum ["x","y"]', '/b against const "v"'],
  ],
  items: [
    {
      type: 'array',
      items: { type: 'object', required: ['q'], properties: { q: { ...whole, minimum: 1 } } },
    },
    ['/body/0/q against minimum 1', '/body/0/q of another type than integer', '/body/0/q, which is required'],
  ],
}
const bodyOf = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })
const query = {
  name: 'l',
  ...{ in: 'query', required: true, schema: { type: 'array', minItems: 1, items: { ...whole, minimum: 3 } } },
}

it('sends calls that break each keyword of the document, and none that a server may take', async () => {
  const responses = { 200: { description: 'Fine' } }
  const posts = Object.entries(bodies).map(([name, [schema]]) => [
    `/${name}`,
    { post: { operationId: `${name}.post`, requestBody: bodyOf(schema), responses } },
  ])
  const paths = {
    ...Object.fromEntries(posts),
    '/query': { get: { operationId: 'query.get', parameters: [query], responses } },
  }
  const bodiesOf = new Map<string, string[]>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { url = '' } = request
      bodiesOf.set(url, [...(bodiesOf.get(url) ?? []), body])
      const isDeclared = request.method === (url.startsWith('/query') ? 'GET' : 'POST')
      response.writeHead(isDeclared ? 200 : 405).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cwd = mkdtempSync(join(tmpdir(), 'duet-test-'))
  try {
    const document = { openapi: '3.1.0', info: { title: 'All', version: '1.0.0' }, paths }
    writeFileSync(join(cwd, 'api.json'), JSON.stringify(document))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const fixed = ['--unsafe', '--rate', '9999', '--seed', '1', '--format', 'json']
    const { out } = await runDuet(cwd, ['test', url, '--spec', 'api.json', ...fixed])
    const findings: { operation: string; message: string }[] = JSON.parse(out).findings
    const messagesOf = (name: string) =>
      findings.flatMap(({ operation, message }) =>
        operation.startsWith(`${name}.`) && !message.includes('with a body') ? [message] : [],
      )
    for (const [name, [, refused]] of Object.entries(bodies))
      for (const part of refused) expect(messagesOf(name), name).toContainEqual(expect.stringContaining(part))
    expect(messagesOf('query')).toContainEqual(expect.stringContaining('/l/0 against minimum 3'))
    // An open object may have any member, and a query any parameter. A read-only member may be ignored.
    expect(messagesOf('open')).toEqual([
      'The server accepts a call with /a of another type than integer: it answers 200',
    ])
    expect(messagesOf('query').join()).not.toContain('additionalProperties')
    expect(bodiesOf.get('/open')?.join()).toContain('"b":')
  } finally {
    server.close()
    rmSync(cwd, { recursive: true })
  }
})
