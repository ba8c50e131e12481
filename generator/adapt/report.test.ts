import { expect, it } from 'vitest'
import { adapted } from '../../test/adapt/adapted.js'
import { derivedFile } from './derived-file.js'
import { tableText } from './report.js'

const document = (status: number, limit: number) =>
  `paths:\n${['a', 'b', 'c', 'd'].map((name) => operation(name, status, limit)).join('')}`

const operation = (name: string, status: number, limit: number) => `
  /${name}:
    get:
      x-rpc-method: ${name}.list
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: ${limit} } }]
      responses:
        '204': { description: Done }
        '${status}': { description: Refused, content: { application/json: { schema: { type: object, required: [code], properties: { code: { enum: [x] } } } } } }
`

const nothing = { losses: new Map(), stubs: ['a.list', 'b.list', 'c.list', 'd.list'] }

it('says once what many operations have in common', async () => {
  const { adaptation } = await adapted(document(409, 1000), document(410, 100))
  expect(
    tableText(adaptation, nothing),
  ).toBe(`1.0.0 to 1.1.0: 4 operations: 0 identity, 0 derived, 4 written, 0 gone

operation  params   result    problems       kind     verdict
a.list     written  identity  bodies differ  written  not run
b.list     written  identity  bodies differ  written  not run
c.list     written  identity  bodies differ  written  not run
d.list     written  identity  bodies differ  written  not run

Problems:
  nothing converts the error body of 410: a.list, b.list, c.list and 1 more

Left to write:
  a.list and 3 more: params /limit: maximum is 1000 in 1.0.0, 100 in 1.1.0
`)
})

it('declares the loss of a member that an open older result shows, and that is not written back', async () => {
  const schema = (note: string) =>
    `{ type: object, required: [id], properties: { id: { type: integer }${note} } }`
  const content = (note: string) => `content: { application/json: { schema: ${schema(note)} } }`
  const things = (note: string) => `paths:
  /a:
    get: { operationId: a.get, responses: { '200': { description: Fine, ${content(note)} } } }
    put: { operationId: a.put, requestBody: { required: true, ${content(note)} }, responses: { '204': { description: Done } } }
`
  const { adaptation } = await adapted(things(''), things(', note: { type: string, format: date }'))
  expect(tableText(adaptation, { losses: new Map(), stubs: [] })).toContain(
    'derived  proved, loses: params omits /note\n',
  )
  expect(derivedFile(adaptation, { older: 'a', next: 'b' })).toContain(
    "export const losses = {\n  'a.put': 'params omits /note',\n}",
  )
})
