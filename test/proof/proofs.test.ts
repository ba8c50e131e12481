import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compare } from '../../generator/diff/compare.js'
import { prove } from '../../generator/diff/proof/prove.js'
import { sidesOf } from '../diff/compared.js'
import { sectionsOf } from '../fences.js'

// Pairs of versions, and what proves each breaking change between them.

const head = 'openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\n'
const page = readFileSync(new URL('proofs.md', import.meta.url), 'utf8')
const sections = sectionsOf(page).map(({ title, fences }) => [title, fences] as const)

describe('a proof of', () => {
  it.each(sections)('%s', async (_, fences) => {
    const [old = '', fresh = '', proofs = ''] = fences.map(({ text }) => text)
    const sides = await sidesOf(head + old, head + fresh)
    const { changes } = await prove(compare(...sides, { today: '2026-11-21' }), ...sides)
    const breaking = changes.filter(({ level }) => level === 'breaking')
    expect(breaking.map(({ id, proof }) => ({ id, ...proof }))).toEqual(JSON.parse(proofs))
  })
})

it('a call without the newly required credential proves the requirement', async () => {
  const paths = (security: string) =>
    `${head}paths: { /a: { get: { operationId: a.list, ${security} responses: { 200: { description: Fine } } } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`
  const sides = await sidesOf(paths(''), paths('security: [{ key: [] }],'))
  const comparison = compare(...sides)
  const added = comparison.changes.filter(({ id }) => id === 'api-security-added')
  const { changes } = await prove(
    { ...comparison, changes: added.map((change) => ({ ...change, level: 'breaking' as const })) },
    ...sides,
  )
  expect(changes.map(({ proof }) => proof)).toEqual([
    {
      status: 'verified',
      value: {},
      rest: { method: 'GET', url: '/a', headers: { accept: 'application/json, application/problem+json' } },
      jsonrpc: { jsonrpc: '2.0', id: 1, method: 'a.list', params: {} },
      old: 'accepts',
      new: 'rejects: 401 Authentication required (REST), -32001 Authentication required (JSON-RPC)',
    },
  ])
})

const answering = (type: string) =>
  `{ 200: { description: Fine, content: { application/json: { schema: { type: ${type} } } } } }`

it('a call to a path that a new one also matches reaches another operation', async () => {
  const paths = (more: string) =>
    `${head}paths:
  /items/{id}:
    get:
      operationId: items.get
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: ${answering('integer')}
${more}`
  const mine = `  /items/mine: { get: { operationId: items.mine, responses: ${answering('string')} } }\n`
  const sides = await sidesOf(paths(''), paths(mine))
  const { changes } = await prove(compare(...sides), ...sides)
  const shadowed = changes.filter(({ id }) => id === 'endpoint-shadowed')
  expect(shadowed.map(({ level, proof }) => ({ level, ...proof }))).toEqual([
    {
      level: 'dangerous',
      status: 'verified',
      value: { id: 'mine' },
      rest: {
        method: 'GET',
        url: '/items/mine',
        headers: { accept: 'application/json, application/problem+json' },
      },
      old: 'accepts',
      new: 'rejects: items.mine takes it and answers ""',
    },
  ])
})

it.each([
  ['enum: [mine, yours]', 'breaking'],
  ['maxLength: 9', 'dangerous'],
])('a path that takes a call of a template with %s is %s', async (schema, expected) => {
  const paths = (more: string) =>
    `${head}paths:
  /items/{id}:
    get:
      operationId: items.get
      parameters: [{ name: id, in: path, required: true, schema: { type: string, ${schema} } }]
      responses: ${answering('integer')}
${more}`
  const mine = `  /items/mine: { get: { operationId: items.mine, responses: ${answering('string')} } }\n`
  const sides = await sidesOf(paths(''), paths(mine))
  const { changes } = await prove(compare(...sides), ...sides)
  expect(changes.find(({ id }) => id === 'endpoint-shadowed')).toMatchObject({
    level: expected,
    proof: { status: 'verified', value: { id: 'mine' } },
  })
})

it('the value of a parameter proves its new bound, and no call without it whose default breaks the bound', async () => {
  const paths = (schema: string) =>
    `${head}paths: { /a: { get: { operationId: a.get, parameters: [{ name: p, in: query, required: true, schema: { type: integer, ${schema} } }], responses: { 200: { description: Fine } } } } }
`
  const sides = await sidesOf(paths('default: 1'), paths('default: 200, maximum: 100'))
  const { changes } = await prove(compare(...sides), ...sides)
  const bound = changes.find(({ id }) => id === 'request-parameter-max-set')
  expect(bound?.proof).toMatchObject({ status: 'verified', value: { p: 101 } })
})
