import { expect, it } from 'vitest'
import { Judge } from '../../contains/judge.js'
import type { Json, JsonObject } from '../../document/document.js'
import { described } from './described.js'

it.each<[string, JsonObject, Json, boolean]>([
  ['a property', { properties: { a: true } }, { a: 1 }, true],
  ['a required name', { required: ['a'] }, { a: 1 }, true],
  ['the names of dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, true],
  ['a name of dependentSchemas', { dependentSchemas: { a: {} } }, { a: 1 }, true],
  ['no other name', { dependentRequired: { a: ['b'] } }, { c: 1 }, false],
  [
    'any name by a branch of a branch, although another branch describes it',
    { oneOf: [{ oneOf: [{ type: 'string' }, {}] }, { required: ['b'], properties: { a: { const: 2 } } }] },
    { a: 1 },
    true,
  ],
  [
    'any name by a branch next to one that describes it',
    { anyOf: [{ required: ['a'] }, {}] },
    { c: 1 },
    true,
  ],
  [
    'a name by a branch that describes all, although another one is as open',
    { anyOf: [{ required: ['a'] }, { additionalProperties: { type: 'string' } }] },
    { a: 1, c: '' },
    false,
  ],
  [
    'a name that the branch for all names accepts',
    { anyOf: [{ required: ['a'] }, { additionalProperties: { type: 'string' } }] },
    { a: '', c: '' },
    true,
  ],
  ['no name by a branch that is no object', { anyOf: [{ required: ['a'] }, { const: 1 }] }, { c: 1 }, false],
])('by convention callers send %s', (_, schema, value, expected) => {
  const accepts = new Judge('2020-12').compile(described({ schema, components: new Map() }, new Set()))
  expect(typeof accepts === 'function' && accepts(value)).toBe(expected)
})
