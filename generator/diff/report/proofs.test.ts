import { expect, it } from 'vitest'
import { proofsOf, sidesOf } from '../../../test/diff/compared.js'
import { compare } from '../compare.js'
import { prove } from '../proof/prove.js'
import { rowGroups } from './groups.js'
import { callsOf, proofsOf as proofsOfGroup } from './proofs.js'

const versions = (old: string, fresh: string): [string, string] => [
  documentAt(old, 'maximum: 100'),
  documentAt(fresh, 'maximum: 50'),
]

function documentAt(url: string, bound: string): string {
  return `servers: [{ url: ${url} }]
paths:
  /items:
    get:
      operationId: items.search
      x-mcp: true
      parameters: [{ name: limit, in: query, schema: { type: integer, ${bound} } }]
      responses: { 200: { description: Fine } }
`
}

it.each([
  ['https://a.example/v1', 'https://a.example/v1', '"$BASE_URL"'],
  ['https://a.example/v1', 'https://b.example/v2', '"$BASE_URL"'],
  ['https://a.example/v1', 'https://a.example', '"$BASE_URL"'],
  ['https://a.example', 'https://a.example/v1', '"$BASE_URL/"'],
])(
  'commands from %s to %s call below the base URL, which has the path of the old server',
  async (old, fresh, rpc) => {
    const proofs = await proofsOf(...versions(old, fresh))
    const commands = proofs.map((proof) => callsOf(proof).map(({ text }) => text.split(' -H ')[0]))
    expect(commands).toContainEqual([
      'curl "$BASE_URL/items?limit=51"',
      `curl ${rpc}`,
      'curl "$BASE_URL/mcp"',
    ])
  },
)

it('facts of one member that one call proves show that call once', async () => {
  const withList = (list: string): string => `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths:
  /items:
    post:
      operationId: items.add
      requestBody: { content: { application/json: { schema: { type: object, properties: { a: ${list} } } } } }
      responses: { 200: { description: Fine } }
`
  const sides = await sidesOf(
    withList('{ type: array, items: true }'),
    withList('{ type: array, prefixItems: [true], unevaluatedItems: false }'),
  )
  const { changes } = await prove(compare(...sides, { today: '2026-11-21' }), ...sides)
  const groups = rowGroups(changes)
  expect(groups.map((group) => proofsOfGroup(group).map((proof) => callsOf(proof)[0]?.text))).toEqual([
    [expect.stringContaining('{"a":[null,null]}')],
  ])
  expect(groups[0]?.parts.length).toBeGreaterThan(1)
})
