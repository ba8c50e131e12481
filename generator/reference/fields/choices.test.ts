import { expect, test } from 'vitest'
import type { Schema } from '../../schema/schema.js'
import { choicesOf, choicesWithin, shownChoices } from './choices.js'
import { Fields } from './fields.js'

const text = { type: 'string' }
const of = (properties: Record<string, Schema>, more: object = {}): Schema =>
  ({ type: 'object', properties, required: Object.keys(properties), ...more }) as Schema
const Card = of({ number: text, amount: text })
const shown = (schema: object) =>
  choicesOf(schema as Schema, new Fields(new Map([['Card', Card]]), String)).map(
    ({ isExclusive, branches }) => [
      isExclusive,
      Object.fromEntries(branches.map(({ title, fields }) => [title, fields.map(({ name }) => name)])),
    ],
  )

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

test('branches that only require members leave no choice to show', () => {
  const branches = [{ required: ['a'] }, { required: ['b'] }]
  expect(shown({ ...(of({ a: text, b: text }) as object), anyOf: branches })).toEqual([])
})

const told = (value: string, more: object = {}): Schema => of({ kind: { const: value } as Schema, ...more })

test('the title of a branch includes its discriminator value, from the mapping or its only value', () => {
  const Cat = of({ kind: text, lives: text })
  const fields = new Fields(
    new Map([
      ['Cat', Cat],
      ['Dog', Cat],
    ]),
    String,
  )
  const branches = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
  const discriminator = { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } }
  const titles = (schema: object) =>
    choicesOf(schema as Schema, fields).flatMap((one) => one.branches.map(({ title }) => title))
  expect(titles({ oneOf: branches, discriminator })).toEqual(['Cat (kind: "cat")', 'Dog (kind: "Dog")'])
  expect(titles({ oneOf: [told('a'), told('b')] })).toEqual(['kind: "a"', 'kind: "b"'])
})

test('branches of a branch that is a choice replace it', () => {
  const inner = { oneOf: [of({ a: text }), of({ b: text })] }
  expect(shown({ anyOf: [inner, of({ c: text })] })).toEqual([[false, { a: ['a'], b: ['b'], c: ['c'] }]])
})

test('members that are one of several have choices, and an example shows one of each', () => {
  const Message = { oneOf: [told('user', { text }), told('tool', { id: text })] }
  const fields = new Fields(new Map([['Message', Message as Schema]]), String)
  const messages = { type: 'array', items: { $ref: '#/components/schemas/Message' } }
  const schema = of({ messages, answer: Message as Schema } as Record<string, Schema>)
  expect(choicesWithin(schema, fields).map((one) => [one.of, one.isOfItems, one.branches.length])).toEqual([
    ['messages', true, 2],
    ['answer', false, 2],
  ])
  const example = { messages: [{ kind: 'tool', id: '1' }], answer: { kind: 'user', text: 'a' } }
  expect(shownChoices(schema, fields, example)).toEqual([
    { of: 'messages', shown: 'kind: "tool"', others: ['kind: "user"'] },
    { of: 'answer', shown: 'kind: "user"', others: ['kind: "tool"'] },
  ])
})
