import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import type { BodyMedia, Coercion } from '../../contract/operation.js'
import { ProblemError } from '../../contract/problem.js'
import type { Violation } from '../../contract/problem-details.js'
import { parameter } from '../../fixtures/contract.js'
import type { JsonObject } from '../../values/object.js'
import { coerceJson } from '../style/json-text.js'
import { QueryBinder } from '../style/query.js'
import { formData, formText } from './transport-form.js'

const text: Coercion = { types: ['string'] }
const list = (items: Coercion): Coercion => ({ types: ['array'], items })
const either = (items: Coercion): Coercion => ({ types: ['string', 'array'], items })
const object = (properties: Record<string, Coercion>): Coercion => ({ types: ['object'], properties })

/** Stripe, `v1.billing_portal.configurations.create`: `allowed_updates` is `anyOf: [array, string]`. */
const portal: Coercion = object({
  customer_update: object({ allowed_updates: either(text), enabled: { types: ['boolean'] } }),
})
const places: Record<string, Coercion> = {
  features: portal,
  tags: either(text),
  ids: list({ types: ['integer'] }),
  pair: { types: ['array'], prefix: [{ types: ['integer'] }, object({ n: { types: ['integer'] } })] },
  lines: list(object({ price: { types: ['number'] }, tags: either(text), rows: list(text) })),
  matrix: list(list({ types: ['integer'] })),
}
const pointerOf = (field: string) => `/${field}`

function media(kind: 'form' | 'multipart', style: 'form' | 'deepObject'): BodyMedia {
  const fields = Object.entries(places).map(([name, coerce]) =>
    parameter(name, [], { coerce, style, explode: true }),
  )
  return { type: kind === 'form' ? 'application/x-www-form-urlencoded' : 'multipart/form-data', kind, fields }
}

function bound(form: BodyMedia, fields: JsonObject): JsonObject {
  const binder = new QueryBinder(form.fields ?? [], new Set(), coerceJson, true)
  const params: JsonObject = {}
  const violations: Violation[] = []
  if (form.kind === 'form') binder.read(formText(fields, form, pointerOf), params, violations)
  else
    for (const [name, part] of formData(fields, form, pointerOf)) binder.set(name, part, params, violations)
  expect(violations).toEqual([])
  return params
}

const forms = (['form', 'multipart'] as const).flatMap((kind) =>
  (['form', 'deepObject'] as const).map((style) => [kind, style, media(kind, style)] as const),
)

describe.each(forms)('a body as %s, fields as %s', (_kind, _style, form) => {
  test.each<[string, JsonObject]>([
    ['a list of one below an object', { features: { customer_update: { allowed_updates: ['email'] } } }],
    ['a text in its place', { features: { customer_update: { allowed_updates: 'email' } } }],
    ['a list of one at the top', { tags: ['a'] }],
    ['an empty list of numbers', { ids: [] }],
    ['a tuple, each item by its position', { pair: [1, { n: 2 }, '3'] }],
    ['lists of lists', { matrix: [[1, 2], [3]] }],
    ['a field that the document does not name', { other: 'a&b=c' }],
  ])('carries %s', (_, fields) => {
    expect(bound(form, fields)).toEqual(fields)
  })

  const word = fc.string({ unit: 'grapheme' }).filter((each) => !/\p{Surrogate}/u.test(each))
  const words = fc.array(word, { minLength: 1, maxLength: 4 })
  const line = fc.record(
    { price: fc.double({ noNaN: true, noDefaultInfinity: true }), tags: fc.oneof(word, words), rows: words },
    { requiredKeys: ['price'] },
  )
  const any = fc.record(
    {
      features: fc.record({
        customer_update: fc.record(
          { allowed_updates: fc.oneof(word, words), enabled: fc.boolean() },
          { requiredKeys: ['enabled'] },
        ),
      }),
      tags: fc.oneof(word, words),
      ids: fc.array(fc.integer()),
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
      matrix: fc.array(fc.array(fc.integer(), { minLength: 1 }), { minLength: 1 }),
    },
    { requiredKeys: [] },
  )

  test('carries any value without empty lists and objects', () => {
    fc.assert(
      fc.property(any, (fields) => {
        expect(bound(form, fields)).toEqual(JSON.parse(JSON.stringify(fields)))
      }),
      { numRuns: runs(200, 4_000) },
    )
  })

  test('carries any JSON unchanged, or refuses it by name', () => {
    const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown>
    const name = fc.constantFrom(...Object.keys(places), 'other', 'a[b]', '__proto__')
    fc.assert(
      fc.property(fc.dictionary(name, json, { maxKeys: 3, noNullPrototype: true }), (fields) => {
        try {
          expect(bound(form, fields)).toEqual(JSON.parse(JSON.stringify(fields)))
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error
          expect(error.code).toBe('validation_failed')
          expect(error.violations).not.toHaveLength(0)
          for (const { path, keyword } of error.violations ?? []) {
            expect([Object.hasOwn(fields, path.slice(1)), keyword]).toEqual([true, 'rest'])
          }
        }
      }),
      { numRuns: runs(500, 10_000) },
    )
  })
})

test.each<[JsonObject, string, string]>([
  [{ features: { customer_update: {} } }, '/features', 'absent'],
  [{ tags: [] }, '/tags', 'absent'],
  [{ tags: null }, '/tags', '""'],
  [{ other: 5 }, '/other', '"5"'],
  [{ other: { a: 1 } }, '/other', 'absent'],
])('refuses %j and shows what it would become', (fields, path, read) => {
  const violation = {
    path,
    keyword: 'rest',
    message: `REST would send it as ${read}; call over JSON-RPC to send it as it is`,
  }
  expect(() => formText(fields, media('form', 'deepObject'), pointerOf)).toThrow(
    expect.objectContaining({ violations: [violation] }),
  )
})

test('sends files as parts, one or several', async () => {
  const file: Coercion = { types: [], binary: true }
  const form: BodyMedia = {
    type: 'multipart/form-data',
    kind: 'multipart',
    fields: [parameter('one', [], { coerce: file }), parameter('many', [], { coerce: list(file) })],
  }
  const data = formData(
    { one: new Uint8Array([1]), many: [new Blob(['a']), new Uint8Array([66])], name: 'n' },
    form,
    pointerOf,
  )
  const sizes = [...data].map(([name, part]) => [name, typeof part === 'string' ? part : part.size])
  expect(sizes).toEqual([
    ['one', 1],
    ['many', 1],
    ['many', 1],
    ['name', 'n'],
  ])
})

test('refuses a JSON field that is sent twice, like any other', () => {
  const fields = [parameter('a', [], { coerce: object({}), json: true })]
  const binder = new QueryBinder(fields, new Set(), coerceJson, true)
  const params: JsonObject = {}
  const violations: Violation[] = []
  for (const part of ['{"b":1}', '{"b":2}']) binder.set('a', part, params, violations)
  expect(violations).toMatchObject([{ path: '/a', keyword: 'duplicate' }])
})
