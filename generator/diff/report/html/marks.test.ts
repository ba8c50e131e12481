import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sidesOf } from '../../../../test/diff/compared.js'
import type { Json } from '../../../document/document.js'
import { compare } from '../../compare.js'
import { comparisonHtml } from './html.js'

const schemas: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom('string', 'integer').map((type) => ({ type })),
  fc.record({
    type: fc.constant('object'),
    description: fc.constant('An account'),
    properties: fc.constant({ id: {} }),
  }),
)

/** An object schema, and the name of a property that one version has and the other does not. */
const cases = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), schemas), {
    minLength: 1,
    selector: ([name]) => name,
  })
  .chain((members) => fc.record({ members: fc.constant(members), which: fc.nat(members.length - 1) }))

type Write = (document: Json) => string
const forms: [string, Write][] = [
  ['indented', (document) => JSON.stringify(document, null, 2)],
  ['in one line', (document) => JSON.stringify(document)],
]

function documentOf(
  members: readonly (readonly [string, Json])[],
  at: 'request' | 'response',
  isShared: boolean,
): Json {
  const account = { type: 'object', description: 'An account', properties: Object.fromEntries(members) }
  const schema = isShared ? { $ref: '#/components/schemas/Account' } : account
  const content = { 'application/json': { schema } }
  return {
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {
      '/accounts': {
        post: {
          operationId: 'accounts.create',
          ...(at === 'request' && { requestBody: { content } }),
          responses: { 200: { description: 'ok', ...(at === 'response' && { content }) } },
        },
      },
    },
    ...(isShared && { components: { schemas: { Account: account } } }),
  }
}

async function marks(old: string, fresh: string): Promise<{ removed: string[]; added: string[] }> {
  const [before, after] = await sidesOf(old, fresh)
  const comparison = compare(before, after, { today: '2026-11-21' })
  // A component that is not used any more is a change of its own.
  const changes = comparison.changes.filter(({ id }) => id.includes('property'))
  const texts = { old: before.document.files, new: after.document.files }
  const page = comparisonHtml({ ...comparison, changes }, texts)
  const told = (tag: string) =>
    [...page.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'g'))].map(([, text = '']) => text)
  return { removed: told('del'), added: told('ins') }
}

it.each(forms)('no line of a document %s is marked as deleted if a property is added', async (_, write) => {
  await fc.assert(
    fc.asyncProperty(
      cases,
      fc.constantFrom('request', 'response'),
      fc.boolean(),
      fc.boolean(),
      async ({ members, which }, at, isShared, becomesShared) => {
        const fewer = write(
          documentOf(
            members.filter((_, index) => index !== which),
            at,
            isShared,
          ),
        )
        const all = write(documentOf(members, at, becomesShared))
        const added = await marks(fewer, all)
        expect(added.removed).toEqual([])
        expect(added.added[0]).toContain(`&quot;${members[which]?.[0]}&quot;`)
        const removed = await marks(all, fewer)
        expect(removed).toEqual({ removed: added.added, added: [] })
      },
    ),
    { numRuns: 8 },
  )
})
