import { expect, it } from 'vitest'
import {
  missingIn,
  shownOf,
  stillOpen,
  withStandIns,
} from '../../templates/reference/script/editor/stand-ins.js'
import { referenceTo, type Schema } from '../schema/schema.js'
import { expander } from './try-it.js'

const names = Array.from({ length: 12 }, (_, index) => `S${index}`)

/** Components that refer to each other in many ways: by members, items, `allOf` and alternatives, also in cycles. */
function schemasWith(references: number): Map<string, Schema> {
  const to = (index: number) => ({ $ref: referenceTo(names[index % names.length] ?? '') })
  return new Map(
    names.map((name, at) => {
      const members = Array.from({ length: references }, (_, each) => {
        const target = to(at * 5 + each * 7 + 1)
        const ways = [target, { type: 'array', items: target }, { oneOf: [target, to(at + each)] }]
        return [`m${each}`, ways[(at + each) % 3] ?? {}]
      })
      const own = { type: 'object', properties: { name: { type: 'string' }, ...Object.fromEntries(members) } }
      return [name, (at % 4 === 3 ? { allOf: [to(at + 1), own] } : own) as Schema]
    }),
  )
}

/** Params of an operation whose body is a component. */
const params = (name: string) => ({ properties: { body: { $ref: referenceTo(name) } } }) as Schema

it.each([1, 3, 6])(
  'forms are the same whatever other operations had before, with %i members',
  (references) => {
    const schemas = schemasWith(references)
    const shared = expander(schemas)
    for (const name of [...names.slice(0, 4), ...names.slice(2, 5).reverse()])
      expect(JSON.stringify(shared(params(name))), name).toBe(JSON.stringify(expander(schemas)(params(name))))
  },
)

it('shared parts of operations are processed once', () => {
  let looks = 0
  class Counted extends Map<string, Schema> {
    override get(name: string): Schema | undefined {
      looks += 1
      return super.get(name)
    }
  }
  const expand = expander(new Counted(schemasWith(3)))
  const looksOf = (name: string): number => {
    const before = looks
    expand(params(name))
    return looks - before
  }
  const first = looksOf('S0')
  expect(looksOf('S0')).toBeLessThan(first / 5)
})

it('the words of an example stand for what a reader enters, at every depth, and nothing else does', () => {
  const example = { owner: 'OWNER', tags: ['TAGS', 'b'], item: { size: 'SIZE', note: 'NOTE' } }
  const begun = withStandIns(example, ['/owner', '/tags/0', '/item/size', '/tags/1'])
  expect(missingIn(begun).map(({ path }) => path)).toEqual(['/owner', '/tags/0', '/item/size'])
  expect(shownOf(begun)).toEqual(example)
})

it('JSON asks for the words that are still in it', () => {
  const begun = withStandIns({ owner: 'OWNER', tags: ['TAGS'] }, ['/owner', '/tags/0'])
  const typed = stillOpen({ owner: 'Ann', tags: ['TAGS'], note: 'OWNER' }, begun)
  expect(missingIn(typed as Parameters<typeof missingIn>[0])).toEqual([
    { path: '/tags/0', keyword: 'required', message: 'Required.' },
  ])
})
