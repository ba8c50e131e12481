import { describe, expect, it } from 'vitest'
import { contractOf } from '../generator/mock/contract.js'
import { served, serveNode } from '../runtime/fixtures/serve.js'
import { createApiOf } from '../runtime/index.js'
import { generate } from './scenarios/scenario.js'

// A present body must have its required members: over both protocols and in process.

const document = `
paths:
  /notes:
    post:
      x-rpc-method: notes.add
      parameters: [{ name: draft, in: query, schema: { type: boolean } }]
      requestBody:
        content:
          application/json: &note
            schema:
              type: object
              required: [id, text]
              properties:
                id: { type: integer, readOnly: true }
                text: { type: string, x-rpc-param: words }
                colour: { type: string, default: red }
          application/x-www-form-urlencoded: *note
          multipart/form-data: *note
      responses: { '200': { description: Added, content: { application/json: { schema: {} } } } }
`

type Params = Record<string, unknown>

const api = generate(document)
  .then(({ files }) => contractOf(files))
  .then((contract) =>
    createApiOf<never, unknown, unknown, string>(contract, {
      handlers: { notes: { add: (params: unknown) => params } },
    } as never),
  )

/** The outcome of each way to call: the params of the handler, or the pointers of the violations. */
async function answers({ draft, ...fields }: Params): Promise<Record<string, unknown>> {
  const server = await served(serveNode(await api))
  const { words, ...others } = fields
  const sent = { ...others, ...(words !== undefined && { text: words }) }
  const target = `/notes${draft === undefined ? '' : `?draft=${draft}`}`
  const post = (body?: unknown, headers = {}) => server.ask(target, { method: 'POST', headers, body })
  const form = new URLSearchParams(Object.entries(sent).map(([name, value]) => [name, String(value)]))
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
  const parts = [...form].map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
  const params = { ...(draft !== undefined && { draft }), ...fields }
  const called = await server.rpc({ jsonrpc: '2.0', id: 1, method: 'notes.add', params })
  const inProcess = (await api)
    .call('notes.add' as never, structuredClone(params) as never)
    .catch((problem: { violations: Violations }) => placesOf(problem.violations))
  const read = ({ status, json }: { status: number; json: { errors: Violations } }) =>
    status === 200 ? json : { [status]: placesOf(json.errors) }
  const { error, result } = called.json
  return {
    ...(Object.keys(sent).length === 0 && { none: read(await post()) }),
    json: read(await post(sent)),
    form: read(await post(String(form), urlencoded)),
    multipart: read(await post(`${parts.join('')}--x--\r\n`, multipart)),
    jsonrpc: error === undefined ? result : { [error.code]: placesOf(error.data.errors) },
    inProcess: await inProcess,
  }
}

type Violations = readonly { path: string }[]

function placesOf(violations: Violations): string[] {
  return violations.map(({ path }) => path).filter((path) => path !== '')
}

function everywhere(value: unknown, ways: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(ways.map((way) => [way, value]))
}

const rest = ['json', 'form', 'multipart']

describe('an optional body', () => {
  it.each([
    [{}, { colour: 'red' }],
    [{ draft: true }, { draft: true, colour: 'red' }],
  ])('is not missed by %j, and neither is an empty one', async (params, seen) => {
    expect(await answers(params)).toEqual(everywhere(seen, ['none', ...rest, 'jsonrpc', 'inProcess']))
  })

  it('is accepted with its required members', async () => {
    const seen = { words: 'Hello', colour: 'red' }
    expect(await answers({ words: 'Hello' })).toEqual(everywhere(seen, [...rest, 'jsonrpc', 'inProcess']))
  })

  it.each([{ colour: 'red' }, { draft: true, colour: 'blue' }, { unheard: 'of' }])(
    'is refused as %j, without a required field',
    async (params) => {
      expect(await answers(params)).toEqual({
        ...everywhere({ 400: ['/words'] }, rest),
        jsonrpc: { [-32602]: ['/words'] },
        inProcess: ['/words'],
      })
    },
  )
})
