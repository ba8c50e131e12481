import { expect, it } from 'vitest'
import type { Schema } from '../schema.js'
import { endlessDefaults } from './endless-defaults.js'

/** Components in a row: each has a property with an object as default, which is the next component. */
function chain(length: number, last: number): CountingMap {
  const schemas = new CountingMap()
  for (let index = 0; index < length; index += 1) {
    const next = { $ref: `#/components/schemas/${index === length - 1 ? last : index + 1}`, default: {} }
    schemas.set(String(index), { type: 'object', properties: { next } })
  }
  return schemas
}

class CountingMap extends Map<string, Schema> {
  lookups = 0

  override get(name: string): Schema | undefined {
    this.lookups += 1
    return super.get(name)
  }
}

it('finds the defaults that fill in each other, not those that only lead there', () => {
  const schemas = chain(5, 3)
  const found = endlessDefaults(schemas)
  const names = [...schemas].flatMap(([name, schema]) =>
    typeof schema === 'object' && found.has(Object(schema.properties).next) ? [name] : [],
  )
  // The default in 3 fills in that in 4, and that in 4 the one in 3. Those in 0, 1 and 2 only lead there.
  expect(names).toEqual(['3', '4'])
})

it.each([
  ['ends', Number.NaN],
  ['is a ring', 0],
])('reads a row of defaults that %s in linear time', (_, last) => {
  const lookups = (length: number): number => {
    const schemas = chain(length, last)
    endlessDefaults(schemas)
    return schemas.lookups
  }
  expect(lookups(2000)).toBeLessThan(11 * lookups(200))
})

it('reads a row of parts that each fill in an object in linear time', () => {
  const lookups = (length: number): number => {
    const schemas = new CountingMap()
    for (let index = 0; index < length; index += 1) {
      const properties = { [`p${index}`]: { $ref: '#/components/schemas/0', default: {} } }
      schemas.set(String(index), { allOf: [{ $ref: `#/components/schemas/${index + 1}` }], properties })
    }
    expect(endlessDefaults(schemas).size).toBe(length)
    return schemas.lookups
  }
  expect(lookups(1000)).toBeLessThan(11 * lookups(100))
})
