import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { type TransformOptions, transformSchemaObject } from './openapi-typescript.js'
import { TypePrinter } from './type-printer.js'

const require = createRequire(import.meta.url)

it('makes trees of its own, and leaves the TypeScript compiler to others', () => {
  const ctx = { transform: () => undefined } as unknown as TransformOptions['ctx']
  expect(transformSchemaObject({ type: 'array', items: { type: 'integer' } }, { ctx })).toEqual({
    kind: 'ArrayType',
    elementType: { kind: 'NumberKeyword' },
  })
  expect(require('typescript').version).toMatch(/^\d/)
})

it('prints types', () => {
  const pet = { type: 'object', properties: { name: { type: 'string' } } }
  const dog = { allOf: [{ $ref: '#/components/schemas/Pet' }], required: ['name'] }
  const printer = new TypePrinter(new Map([['#/components/schemas/Pet', pet]]))
  const texts = [dog, { enum: ['a', -1, true, null] }, { type: 'array', items: { type: 'integer' } }].map(
    (prepared) =>
      printer.print({ name: 'Name', prepared, json: JSON.stringify(prepared), docs: new Map() }).text,
  )
  expect(texts).toEqual(["WithRequired<Pet, 'name'>", "'a' | -1 | true | null", 'number[]'])
})
