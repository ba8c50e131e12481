import { describe, expect, it } from 'vitest'
import { Containment } from './containment.js'
import { Judge } from './judge.js'
import type { Subject } from './question.js'
import type { Json } from './values/value.js'

const component = (name: string): string => `/components/schemas/${name}`
const documentOf = (schemas: { [name: string]: Json }): Json => ({
  openapi: '3.1.0',
  components: { schemas },
})
const ref = (name: string): Json => ({ $ref: `#${component(name)}` })

it('compiles no validator if only containment is asked', () => {
  const judge = new Judge('2020-12')
  let compiled = 0
  const counting = {
    external: (uri: string) => judge.external(uri),
    compile: (schema: Json, document?: Json) => {
      compiled += 1
      return judge.compile(schema, document)
    },
  }
  const containment = new Containment({ dialect: '2020-12', judge: counting })
  const document = documentOf({ Text: { type: 'string' }, Short: { type: 'string', maxLength: 5 } })
  const [text, short] = ['Text', 'Short'].map((name) => containment.subject(document, component(name)))
  if (text === undefined || short === undefined) throw new Error('a schema is not found')
  expect(containment.isContained(short, text)).toBe(true)
  expect(containment.isContained(text, short)).toBe(false)
  expect(compiled).toBe(0)
  expect(containment.decide(text, short).verdict).toBe('not-contained')
  expect(compiled).toBeGreaterThan(0)
})

describe('schemas within documents', () => {
  const client = {
    type: 'object',
    properties: { name: { type: 'string' }, parent: ref('Client') },
    required: ['name'],
  }
  const renamed = {
    required: ['name'],
    properties: { parent: ref('Customer'), name: { type: 'string' } },
    type: 'object',
  }

  it('a renamed recursive component with its keys in another order is the same, at no cost', () => {
    const containment = new Containment({ dialect: '2020-12', budgetMs: 1000 })
    const old = containment.subject(documentOf({ Client: client }), component('Client'))
    const young = containment.subject(documentOf({ Customer: renamed }), component('Customer'))
    expect(containment.decide(old, young)).toEqual({ verdict: 'contained' })
    expect(containment.decide(young, old)).toEqual({ verdict: 'contained' })
  })

  it('an inline schema is the component it repeats', () => {
    const containment = new Containment({ dialect: '2020-12' })
    const document = documentOf({ Client: client })
    const inline = containment.subject(document, {
      ...client,
      properties: { ...client.properties, parent: ref('Client') },
    })
    const named = containment.subject(document, ref('Client'))
    expect(containment.decide(inline, named)).toEqual({ verdict: 'contained' })
    expect(containment.decide(named, inline)).toEqual({ verdict: 'contained' })
  })

  it('equal text that refers to different things is different', () => {
    const containment = new Containment({ dialect: '2020-12' })
    const list = { type: 'array', items: ref('Item') }
    const old = containment.subject(documentOf({ List: list, Item: { type: 'number' } }), component('List'))
    const young = containment.subject(
      documentOf({ List: list, Item: { type: 'integer' } }),
      component('List'),
    )
    expect(containment.decide(young, old)).toEqual({ verdict: 'contained' })
    const back = containment.decide(old, young)
    expect(back).toMatchObject({ verdict: 'not-contained', witness: [expect.any(Number)] })
  })

  it('data that looks like a reference is data', () => {
    const containment = new Containment({ dialect: '2020-12' })
    const document = documentOf({ A: { const: { $ref: '#/x' } }, B: { const: { $ref: '#/y' } } })
    const [a, b] = ['A', 'B'].map((name) => containment.subject(document, component(name)))
    if (a === undefined || b === undefined) throw new Error('two subjects')
    expect(containment.decide(a, b)).toEqual({ verdict: 'not-contained', witness: { $ref: '#/x' } })
  })

  it('a pointer without a target is refused by name', () => {
    const containment = new Containment({ dialect: '2020-12' })
    expect(() => containment.subject({}, component('None'))).toThrow('/components/schemas/None leads nowhere')
  })

  it('an invalid pattern gives unknown', () => {
    const containment = new Containment({ dialect: '2020-12' })
    const document = documentOf({ A: { type: 'string', pattern: '[' }, B: { type: 'string', pattern: 'a' } })
    const verdict = containment.decide(
      containment.subject(document, component('A')),
      containment.subject(document, component('B')),
    )
    expect(verdict).toMatchObject({ verdict: 'unknown', reason: 'not a regular expression: [' })
  })

  it('a referee of the caller has the last word', () => {
    const judge = { compile: () => () => false, external: () => undefined }
    const containment = new Containment({ dialect: '2020-12', judge })
    const document = documentOf({ A: { type: 'string' }, B: { type: 'null' } })
    const verdict = containment.decide(
      containment.subject(document, component('A')),
      containment.subject(document, component('B')),
    )
    expect(verdict).toEqual({ verdict: 'unknown', reason: 'a value was found that AJV does not confirm' })
  })
})

describe('peculiarities of one schema', () => {
  // AJV does not always heed the inner keyword in 2019-09.
  const odd: Json = {
    anyOf: [{ unevaluatedItems: true }, {}],
    unevaluatedItems: { type: ['integer', 'object'] },
  }

  it('does not spoil the answers for others of the document', () => {
    const containment = new Containment({ dialect: '2019-09' })
    const document = documentOf({
      Odd: odd,
      Whole: { type: 'object', properties: { id: { type: 'integer' } } },
      Loose: { type: 'object', properties: { id: { type: 'number' } } },
      Any: { type: 'array', items: { type: 'integer' } },
    })
    const decide = (a: string, b: string): string =>
      containment.decide(
        containment.subject(document, component(a)),
        containment.subject(document, component(b)),
      ).verdict
    expect(decide('Any', 'Odd')).toBe('unknown')
    expect(decide('Whole', 'Loose')).toBe('contained')
    expect(decide('Odd', 'Odd')).toBe('contained')
  })

  it('do not matter if the other schema has no value', () => {
    const containment = new Containment({ dialect: '2019-09' })
    const document = documentOf({
      // No finite value ends the chain.
      Chain: {
        type: 'object',
        properties: { next: { $ref: '#/components/schemas/Chain' } },
        required: ['next'],
      },
      Odd: odd,
    })
    const of = (name: string): Subject => containment.subject(document, component(name))
    expect(containment.decide(of('Chain'), of('Odd'))).toEqual({ verdict: 'contained' })
  })
})
