import { describe, expect, it } from 'vitest'
import { Judge } from './judge.js'
import { isLazy } from './lazy-library.js'
import type { Json } from './values/value.js'

describe('a schema of a document', () => {
  const document = {
    components: {
      schemas: {
        Tree: { properties: { next: { $ref: '#/components/schemas/Tree' }, n: { type: 'integer' } } },
        'a/b c': { const: 1 },
        Broken: { type: 'nothing' },
      },
    },
  }
  const accepts = (schema: Json, value: Json): boolean => {
    const compiled = new Judge('2020-12').compile(schema, document)
    if (typeof compiled === 'string') throw new Error(compiled)
    return compiled(value)
  }
  const tree = { $ref: '#/components/schemas/Tree' }

  it.each<[Json, Json, boolean]>([
    [tree, { next: { next: { n: 1 } } }, true],
    [tree, { next: { next: { n: 'text' } } }, false],
    [{ ...tree, required: ['n'] }, {}, false],
    [{ not: tree }, { n: 'text' }, true],
    [{ items: { $ref: '#/components/schemas/a~1b%20c' } }, [1], true],
    [{ items: { $ref: '#/components/schemas/a~1b%20c' } }, [2], false],
  ])('%j of %j: %s', (schema, value, expected) => {
    expect(accepts(schema, value)).toBe(expected)
  })

  it('does not load a schema that no value reaches', () => {
    expect(accepts({ items: { $ref: '#/components/schemas/Broken' } }, [])).toBe(true)
  })

  it('reports a reference without a target', () => {
    expect(() => accepts({ $ref: '#/components/schemas/None' }, 1)).toThrow('leads nowhere')
  })
})

it.each<[Json, boolean]>([
  [{ $ref: '#/plain' }, true],
  [{ $ref: '#/closed' }, false],
  [{ allOf: [{ $ref: '#/closed' }] }, false],
])('what is evaluated may not be found late: %j is late %s', (schema, expected) => {
  const document = { plain: { type: 'object' }, closed: { unevaluatedProperties: false } }
  expect(isLazy(schema, document)).toBe(expected)
})
