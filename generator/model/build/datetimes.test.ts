import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../document/document.js'
import type { Schema } from '../../schema/schema.js'
import { datetimeFinder } from '../content/datetimes.js'

const moment: JsonObject = { type: 'string', format: 'date-time', 'x-timezone': true }
const text: JsonObject = { type: 'string' }

function positions(schema: Schema, schemas: Readonly<Record<string, Schema>> = {}): unknown {
  return datetimeFinder(new Map(Object.entries(schemas))).find(schema)
}

describe('datetimes', () => {
  it('are found in the items of a tuple', () => {
    expect(positions({ prefixItems: [text, moment, text] })).toEqual([
      { prefix: [1, 2] },
      {},
      { datetime: true },
    ])
    expect(positions({ prefixItems: [text], items: { properties: { at: moment } } })).toEqual([
      { prefix: [1], items: 2 },
      {},
      { properties: { at: 3 } },
      { datetime: true },
    ])
  })

  it('of a tuple are those of every part that describes it', () => {
    expect(positions({ allOf: [{ prefixItems: [text] }, { items: moment }] })).toEqual([
      { prefix: [1], items: 1 },
      { datetime: true },
    ])
  })

  it('are found in the values of a map, by pattern or not', () => {
    const map = [{ values: 1 }, { datetime: true }]
    expect(positions({ additionalProperties: moment })).toEqual(map)
    expect(positions({ patternProperties: { '^at_': moment, '^by_': text } })).toEqual([
      { patterns: { '^at_': 1 } },
      { datetime: true },
    ])
    expect(positions({ unevaluatedProperties: moment })).toEqual(map)
  })

  it('are found in a declared property that a pattern matches, and not in one that none does', () => {
    const schema = { properties: { at_end: text, name: text }, patternProperties: { '^at_': moment } }
    expect(positions(schema)).toEqual([
      { properties: { at_end: 1, name: 2 }, patterns: { '^at_': 1 } },
      { datetime: true },
      {},
    ])
  })

  it('are not found in members of a map that match another pattern', () => {
    const schema = { patternProperties: { '^by_': text }, additionalProperties: moment }
    expect(positions(schema)).toEqual([{ patterns: { '^by_': 1 }, values: 2 }, {}, { datetime: true }])
  })

  it('are found however long the row of schemas that leads to them', { tags: 'long' }, () => {
    expect(positions({ $ref: '#/components/schemas/S0' }, chain(20_000, 1))).toHaveLength(20_001)
  })

  it('are found below conditions', () => {
    const found = [{ properties: { at: 1 } }, { datetime: true }]
    const below = { properties: { at: moment } }
    for (const keyword of ['if', 'then', 'else']) expect(positions({ [keyword]: below })).toEqual(found)
    expect(positions({ dependentSchemas: { name: below } })).toEqual(found)
  })

  it('of equal schemas in a ring are one node', () => {
    const ring = (next: string): JsonObject => ({
      properties: { at: moment, next: { $ref: `#/components/schemas/${next}` } },
    })
    expect(
      positions({ $ref: '#/components/schemas/A' }, { A: ring('B'), B: ring('C'), C: ring('A') }),
    ).toEqual([{ properties: { at: 1, next: 0 } }, { datetime: true }])
  })

  it('are distinguished by their depth', () => {
    const schemas = {
      A: { properties: { next: { $ref: '#/components/schemas/B' } } },
      B: {
        properties: { next: { $ref: '#/components/schemas/C' }, same: { $ref: '#/components/schemas/D' } },
      },
      C: { properties: { next: moment } },
      D: { properties: { next: moment } },
    }
    expect(positions({ $ref: '#/components/schemas/A' }, schemas)).toEqual([
      { properties: { next: 1 } },
      { properties: { next: 2, same: 2 } },
      { properties: { next: 3 } },
      { datetime: true },
    ])
  })

  it('take time in proportion to the references of a long chain', { tags: 'long' }, () => {
    const timeOf = (length: number): number => {
      const schemas = chain(length, 100)
      const start = process.cpuUsage()
      expect(positions({ $ref: '#/components/schemas/S0' }, schemas)).toHaveLength(length + 1)
      return process.cpuUsage(start).user / 1000
    }
    timeOf(50)
    const best = (length: number): number => Math.min(timeOf(length), timeOf(length), timeOf(length))
    expect(best(400)).toBeLessThan(3 * best(200) + 20)
  })
})

/** Schemas that each refer to the next in many properties. The last is a datetime. */
function chain(length: number, references: number): Record<string, Schema> {
  const schemas = Array.from({ length }, (_, index): [string, Schema] => {
    const properties = Array.from({ length: references }, (_, number) => [
      `p${number}`,
      { $ref: `#/components/schemas/S${index + 1}`, minLength: number },
    ])
    return [`S${index}`, { properties: Object.fromEntries(properties) }]
  })
  return { ...Object.fromEntries(schemas), [`S${length}`]: moment }
}
