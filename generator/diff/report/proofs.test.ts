import { expect, it } from 'vitest'
import { proofsOf } from '../../../test/diff/compared.js'
import { callsOf } from './proofs.js'

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
