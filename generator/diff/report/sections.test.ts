import { expect, it } from 'vitest'
import { change } from '../../../test/fixtures/review.js'
import type { Change } from '../change/change.js'
import { grouped } from './groups.js'
import { headline } from './rows.js'

const at = (pointer: string) => ({
  pointer: `#/components/schemas/${pointer}`,
  file: 'a',
  line: 1,
  column: 1,
})

/** A property that was removed from the bodies of some operations. */
function removed(schema: string, operations: readonly string[]): Change {
  const told = {
    id: 'request-property-removed',
    level: 'dangerous',
    direction: 'request',
    path: '/n',
  } as const
  const base = change({
    ...told,
    operation: operations[0] ?? '',
    message: '/n of the request body: this property was removed',
  })
  return { ...base, operations, old: at(`${schema}/properties/n`), new: at(schema) }
}

it("a property removed from a shared schema has the schema's name", () => {
  const [one] = grouped([removed('New', ['a.do', 'b.do'])])
  expect(one && headline(one)).toBe('New.n of requests was removed')
})

it('a property removed from separate schemas of several operations has no schema name', () => {
  const [one] = grouped([removed('New', ['a.do']), removed('Changed', ['b.do'])])
  expect(one && headline(one)).toBe('n of the request body was removed')
})
