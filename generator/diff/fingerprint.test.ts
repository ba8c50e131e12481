import { expect, it } from 'vitest'
import { compared } from '../../test/diff/compared.js'
import type { JsonObject } from '../document/document.js'

it.each<[string, Manner, Manner]>([
  ['descriptions are reworded', {}, { wording: 'Said in another way' }],
  ['the path moves', {}, { path: '/moved' }],
  ['the component has another name in the new version', {}, { component: 'Renamed' }],
  ['the component has another name in both versions', { component: 'Renamed' }, { component: 'Renamed' }],
  ['the method has another name in the new version', {}, { method: 'shop.renamed' }],
  ['members have another order', { isReversed: true }, { isReversed: true }],
  ['an operation that comes first by name meets the component in the new version', {}, { more: true }],
])('fingerprints stay where %s', async (_, old, fresh) => {
  const usual = await fingerprints(changed)
  // A bound and a type in the component, and a length in the operation's own schema.
  expect(usual).toHaveLength(3)
  expect(await fingerprints(changed, old, fresh)).toEqual(usual)
})

it('fingerprints differ if the values do', async () => {
  const usual = await fingerprints(changed)
  const others = await fingerprints({ bound: 7, branch: 'null', length: 1 })
  expect(others.filter((one) => usual.includes(one))).toEqual([])
})

it('fingerprints of two equal components differ, whichever of them changes', async () => {
  const body = { properties: { home: refer('A'), work: refer('B') } }
  const document = (a: number, b: number): string =>
    shown({ '/a': createOf('a', body) }, { A: { maximum: a }, B: { maximum: b } })
  const of = async (fresh: string): Promise<string[]> =>
    (await compared(document(9, 9), fresh)).changes.map(({ fingerprint }) => fingerprint)
  const [ofA, ofB] = [await of(document(8, 9)), await of(document(9, 8))]
  expect(ofA).not.toEqual(ofB)
  expect((await of(document(8, 8))).sort()).toEqual([...ofA, ...ofB].sort())
})

it('fingerprints stay if the new version inlines a component', async () => {
  const old = shown({ '/a': createOf('a', refer('A')) }, { A: { maximum: 9 } })
  const [named, inline] = [refer('A'), { maximum: 8 }].map((body) =>
    shown({ '/a': createOf('a', body) }, { A: { maximum: 8 } }),
  )
  const of = async (fresh = ''): Promise<string[]> =>
    (await compared(old, fresh)).changes
      .filter(({ level }) => level === 'breaking')
      .map(({ fingerprint }) => fingerprint)
  expect(await of(named)).toEqual(await of(inline))
})

it('gives the same change of two equal components different fingerprints', async () => {
  const twins = (maximum: number): string =>
    shown(
      { '/a': createOf('a', refer('A')), '/b': createOf('b', refer('B')) },
      { A: { maximum }, B: { maximum } },
    )
  const { changes } = await compared(twins(9), twins(8))
  expect(changes.map(({ operations }) => operations)).toEqual([['a.create'], ['b.create']])
  expect(new Set(changes.map(({ fingerprint }) => fingerprint)).size).toBe(2)
})

it('gives the same change in two media types or two responses different fingerprints', async () => {
  const inTwo = (maxLength: number): string => {
    const schema = { type: 'object', properties: { text: { maxLength } } }
    const content = { 'application/json': { schema }, 'application/xml': { schema } }
    const answer = { description: 'Fine', content: { 'application/json': { schema } } }
    const responses = { 200: answer, 201: answer }
    return shown({ '/a': { post: { requestBody: { content }, responses } } }, {})
  }
  const { changes } = await compared(inTwo(3), inTwo(2))
  expect(changes.map(({ id }) => id.replace(/-property.*/, '')).sort()).toEqual([
    ...['request', 'request', 'response', 'response'],
  ])
  expect(new Set(changes.map(({ fingerprint }) => fingerprint)).size).toBe(4)
})

/** The parts of a document that do not affect fingerprints. */
interface Manner {
  readonly wording?: string
  readonly path?: string
  readonly component?: string
  readonly method?: string
  readonly isReversed?: true
  readonly more?: true
}

interface Values {
  readonly bound: number
  readonly branch: string
  readonly length: number
}

const unchanged: Values = { bound: 9, branch: 'string', length: 3 }
const changed: Values = { bound: 8, branch: 'boolean', length: 2 }

/** The fingerprints of the changes from the usual values to others. */
async function fingerprints(values: Values, old: Manner = {}, fresh: Manner = {}): Promise<string[]> {
  const { changes } = await compared(shop(unchanged, old), shop(values, fresh))
  const ofSchemas = changes.filter(({ direction }) => direction !== null)
  return ofSchemas.map(({ fingerprint }) => fingerprint).sort()
}

function shop({ bound, branch, length }: Values, manner: Manner): string {
  const { wording = 'Said', path = '/items', component = 'Item', method = 'shop.create' } = manner
  const item = {
    description: wording,
    properties: {
      n: { description: wording, maximum: bound },
      kind: {
        anyOf: [
          { type: 'integer', title: wording },
          { type: branch, minLength: 1 },
        ],
      },
    },
  }
  const own = { type: 'object', properties: { item: refer(component), text: { maxLength: length } } }
  const paths = { [path]: { post: { ...createOf('shop', own).post, 'x-rpc-method': method } } }
  const more = manner.more ? { '/more': createOf('a', refer(component)) } : {}
  return shown({ ...paths, ...more }, { [component]: item }, manner.isReversed)
}

function refer(component: string): JsonObject {
  return { $ref: `#/components/schemas/${component}` }
}

function createOf(service: string, schema: JsonObject): { readonly post: JsonObject } {
  const requestBody = { content: { 'application/json': { schema } } }
  const responses = { 200: { description: 'Fine' } }
  return { post: { operationId: `${service}.create`, requestBody, responses } }
}

function shown(paths: JsonObject, schemas: JsonObject, isReversed = false): string {
  const openapi = { openapi: '3.1.1', info: { title: 'Shop', version: '1.0.0' } }
  return JSON.stringify({ ...openapi, paths, components: { schemas } }, (_, value) =>
    isReversed && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value,
  )
}
