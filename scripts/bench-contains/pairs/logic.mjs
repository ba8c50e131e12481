import { apart, boolean, chain, empty, integer, needs, number, object, pair, same, string } from './family.mjs'

const tagged = (type, more, ...required) => object({ type: { enum: [type] }, ...more }, needs('type', ...required))
const shapes = [
  tagged('circle', { r: number }, 'r'),
  tagged('square', { side: number }, 'side'),
  tagged('text', { value: string }, 'value'),
]
const a = { type: 'object', required: ['a'] }
const b = { type: 'object', required: ['b'] }
const c = { type: 'object', required: ['c'] }
const not = (schema) => ({ not: schema })
const any = (...anyOf) => ({ anyOf })
const all = (...allOf) => ({ allOf })
const one = (...oneOf) => ({ oneOf })

export const logic = [
  ...chain('types', 'draft4', { type: 'null' }, { type: ['null', 'boolean'] }, { not: { type: ['string', 'object'] } }, { not: { type: 'string' } }, {}),
  ...same('types', 'draft4', boolean, { enum: [true, false] }, { type: ['boolean'] }, not({ type: ['null', 'number', 'string', 'array', 'object'] }), any({ enum: [true] }, { enum: [false] })),
  ...same('types', 'draft6', {}, true, { type: ['null', 'boolean', 'number', 'string', 'array', 'object'] }, any(string, not(string)), not(false), { minItems: 0, anyOf: [{}] }),
  ...same('De Morgan', 'draft7', not(any(a, b)), all(not(a), not(b)), not(any(b, a, all(a, c)))),
  ...same('De Morgan', 'draft7', not(all(a, b)), any(not(a), not(b)), not(not(any(not(b), not(a))))),
  ...same('distribution', 'draft7', all(a, any(b, c)), any(all(a, b), all(a, c)), all(any(b, c), not(not(a))), not(any(not(a), all(not(b), not(c))))),
  ...same('distribution', 'draft4', any(a, all(b, c)), all(any(a, b), any(a, c)), any(all(b, c), a, all(a, b))),
  ...same('exactly one', 'draft7', one(a, b), any(all(a, not(b)), all(b, not(a))), all(any(a, b), not(all(a, b))), { allOf: [any(a, b)], if: a, then: not(b) }),
  ...same('exactly one', 'draft7', one(a, b, c), any(all(a, not(any(b, c))), all(b, not(any(a, c))), all(c, not(any(a, b))))),
  ...chain('exactly one', 'draft7', all(a, not(b), not(c)), one(a, b, c), any(a, b, c), { type: 'object' }),
  ...same('exactly one', 'draft7', one(...shapes), any(...shapes), one(...[...shapes].reverse())),
  ...same('exactly one', 'draft7', one(integer, string), any(string, integer), { type: ['integer', 'string'] }),
  ...same('exactly one', 'draft7', one(number, integer), { type: 'number', not: integer }, all(number, not({ multipleOf: 1 }))),
  ...apart('exactly one', 'draft7', one(a, b), all(a, b), not(any(a, b)), c),
  ...chain('tagged unions', 'draft7', shapes[0], any(shapes[0], shapes[1]), one(...shapes), object({ type: { enum: ['circle', 'square', 'text'] } }, needs('type')), object({ type: string }, needs('type'))),
  ...same(
    'conditions',
    'draft7',
    { if: a, then: b, else: c },
    all(any(not(a), b), any(a, c)),
    any(all(a, b), all(not(a), c)),
    { if: not(a), then: c, else: b },
    { allOf: [{ if: a, then: b }, { if: not(a), then: c }] },
  ),
  ...same('conditions', 'draft7', { if: a, then: b }, any(not(a), b), { if: a, then: b, else: true }, { if: not(b), then: not(a) }),
  ...chain('conditions', 'draft7', all(a, b), { if: a, then: b, else: c }, any(b, c)),
  pair('conditions', 'draft7', { then: string }, string, false),
  pair('conditions', 'draft7', {}, { then: string, else: false }, true),
  pair('conditions', 'draft7', { type: 'string', if: { minLength: 5 }, then: { pattern: '^a' }, else: { pattern: '^b' } }, { pattern: '^[ab]' }, true),
  pair('conditions', 'draft7', { type: 'integer', if: { minimum: 10 }, then: { multipleOf: 10 } }, { not: { const: 15 } }, true),
  ...empty(
    'contradictions',
    'draft7',
    all(a, not(a)),
    all(a, { not: { required: ['a'] } }),
    { type: 'object', oneOf: [{}, {}] },
    not(any(string, not(string))),
    { enum: [1, 'a'], type: 'boolean' },
    all(any(string, number), not(string), not(number)),
    { type: 'string', not: { type: ['string', 'null'] } },
    { const: { a: 1 }, required: ['b'] },
    all(one(a, b), a, b),
    { if: {}, then: false },
    { oneOf: [{ type: 'string' }, { minLength: 0 }], type: 'string' },
    { allOf: [{ enum: [1, 2] }, { enum: [2, 3] }, { not: { enum: [2] } }] },
  ),
  ...chain('values', 'draft7', { const: { a: [1, { b: null }] } }, { enum: [{ a: [1, { b: null }] }, 3] }, { enum: [3, { a: [1, { b: null }] }, [] ] }),
  ...same('values', 'draft7', { const: { a: 1, b: 2 } }, { enum: [{ b: 2, a: 1.0 }] }, object({ a: { const: 1 }, b: { const: 2 } }, { required: ['a', 'b'], additionalProperties: false }), object({ a: { const: 1 }, b: { const: 2 } }, { required: ['a', 'b'], maxProperties: 2 })),
  ...same('values', 'draft7', { const: [1, [2]] }, { type: 'array', items: [{ const: 1 }, { enum: [[2]] }], minItems: 2, maxItems: 2 }, { type: 'array', items: [{ const: 1 }, { const: [2] }], minItems: 2, additionalItems: false }),
  ...same('values', 'draft6', { enum: [[], {}] }, any({ type: 'array', maxItems: 0 }, { type: 'object', maxProperties: 0 }), { type: ['array', 'object'], maxItems: 0, maxProperties: 0 }, { type: ['array', 'object'], items: false, additionalProperties: false }),
  pair('values', 'draft7', { type: 'object' }, { not: { const: { a: 1 } } }, false),
  pair('values', 'draft7', { type: 'object', not: { required: ['a'] } }, { not: { const: { a: 1 } } }, true),
  pair('values', 'draft7', { const: 0 }, { enum: [-0, false] }, true),
  pair('values', 'draft7', { const: false }, { const: 0 }, false),
  pair('values', 'draft7', { const: 1 }, { const: true }, false),
  pair('values', 'draft7', { const: [false] }, { enum: [[0]] }, false),
]
