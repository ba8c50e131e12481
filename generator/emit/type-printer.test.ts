import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { TypePrinter } from './type-printer.js'

const require = createRequire(import.meta.url)

it('prints types without the TypeScript compiler, and leaves the compiler to others', () => {
  const pet = { type: 'object', properties: { name: { type: 'string' } } }
  const dog = { allOf: [{ $ref: '#/components/schemas/Pet' }], required: ['name'] }
  const printer = new TypePrinter(new Map([['#/components/schemas/Pet', pet]]))
  const texts = [dog, { enum: ['a', -1, true, null] }, { type: 'array', items: { type: 'integer' } }].map(
    (prepared) =>
      printer.print({ name: 'Name', prepared, json: JSON.stringify(prepared), docs: new Map() }).text,
  )
  expect(texts).toEqual(["WithRequired<Pet, 'name'>", "'a' | -1 | true | null", 'number[]'])
  expect(Object.keys(require.cache).filter((path) => /[\\/]typescript[\\/]lib[\\/]/.test(path))).toEqual([])
  expect(require('typescript').version).toMatch(/^\d/)
})
