import { expect, test } from 'vitest'
import type { Schema } from '../model/model.js'
import { choicesOf } from './choices.js'
import { Fields } from './fields.js'

const text = { type: 'string' }
const of = (properties: Record<string, Schema>, more: object = {}): Schema =>
  ({ type: 'object', properties, required: Object.keys(properties), ...more }) as Schema
const Card = of({ number: text, amount: text })
const shown = (schema: object) =>
  choicesOf(schema as Schema, new Fields(new Map([['Card', Card]]))).map(({ isExclusive, branches }) => [
    isExclusive,
    Object.fromEntries(branches.map(({ title, fields }) => [title, fields.map(({ name }) => name)])),
  ])

test('a branch is called by its title, its component, or the members that others lack', () => {
  const branches = [
    { $ref: '#/components/schemas/Card' },
    of({ iban: text }, { title: 'By bank' }),
    of({ phone: text, amount: text }),
    { type: 'object' },
  ]
  expect(shown({ oneOf: branches })).toEqual([
    [
      true,
      {
        Card: ['number', 'amount'],
        'By bank': ['iban'],
        'phone, amount': ['phone', 'amount'],
        'Alternative 4': [],
      },
    ],
  ])
})

test('members that the schema has itself are not shown again', () => {
  const inner = of({ deep: text })
  const branches = [of({ id: inner, a: inner }), of({ id: text, b: text })]
  expect(shown({ ...(of({ id: text }) as object), anyOf: branches })).toEqual([
    [false, { a: ['a', 'deep'], b: ['b'] }],
  ])
})

test('a choice of a part is one of the whole', () => {
  const schema = { allOf: [of({ id: text }), { oneOf: [of({ a: text }), of({ b: text })] }] }
  expect(shown(schema)).toEqual([[true, { a: ['a'], b: ['b'] }]])
})

test('branches that only ask for members leave no choice to show', () => {
  const branches = [{ required: ['a'] }, { required: ['b'] }]
  expect(shown({ ...(of({ a: text, b: text }) as object), anyOf: branches })).toEqual([])
})
