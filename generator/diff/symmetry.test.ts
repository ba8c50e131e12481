// @module-tag long

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { compared } from '../../test/diff/compared.js'
import { componentsOf, operationChanges, pathChanges } from '../../test/diff/operation-changes.js'
import { object, propertyChanges, schemaChanges } from '../../test/diff/schema-changes.js'
import { runs } from '../../test/runs.js'
import type { Json, JsonObject } from '../document/document.js'
import type { Change } from './change/change.js'

// What is added in one direction is removed in the other: if two versions are swapped, they differ in the same
// positions, by the reverse changes.

// A later sunset breaks nothing, but an earlier one does.
const withoutEnds = operationChanges.filter((pair) => !JSON.stringify(pair).includes('x-sunset'))
// A schema that gets alternatives is one change, and its reverse is several.
const unwrapped = schemaChanges.filter(
  ([old, fresh]) => Object.hasOwn(old, 'oneOf') || !Object.hasOwn(fresh, 'oneOf'),
)
const responses = { 200: { description: 'Fine' } }

it.each([
  [
    'operations',
    withoutEnds.map(
      (pair, index): Pair => [{ [`/n${index}`]: { post: pair[0] } }, { [`/n${index}`]: { post: pair[1] } }],
    ),
  ],
  ['schemas', unwrapped.map(([old, fresh], index): Pair => [placed(index, old), placed(index, fresh)])],
  [
    'properties',
    propertyChanges.map(
      ([old, was, fresh, is], index): Pair => [
        placed(index, holding(old, was)),
        placed(index, holding(fresh, is)),
      ],
    ),
  ],
  ['paths', [[pathChanges[0], pathChanges[1]] as const]],
])('finds the reverse of each change of %s the other way round', async (_, pairs) => {
  const [old, fresh] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)]
  await mirrors(text(old, 0), text(fresh, 1))
})

it('finds the reverse of each edit of a real document, and nothing without an edit', async () => {
  const document = parse(readFileSync(billing, 'utf8')) as JsonObject
  const places = placesIn(document)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(places.length - 1), { minLength: 1, maxLength: 4 }), async (chosen) => {
      const edited = without(
        document,
        chosen.map((index) => places[index] ?? []),
      )
      const [old, fresh] = [JSON.stringify(document), JSON.stringify(edited)]
      expect((await compared(fresh, fresh)).changes).toEqual([])
      await mirrors(old, fresh)
    }),
    { numRuns: runs(2, 40) },
  )
})

type Pair = readonly [JsonObject, JsonObject]

const billing = fileURLToPath(new URL('../../spec/1.0.0/openapi.yaml', import.meta.url))

/** A schema as a property of a request and of a response. */
function placed(index: number, schema: JsonObject): JsonObject {
  const content = { 'application/json': { schema: object({ properties: { p: schema } }) } }
  const answered = { 200: { description: 'Fine', content } }
  return { [`/n${index}`]: { post: { requestBody: { content }, responses }, put: { responses: answered } } }
}

function holding(schema: Json | undefined, required: boolean): JsonObject {
  return object({
    properties: { ...(schema !== undefined && { p: schema }) },
    ...(required && { required: ['p'] }),
  })
}

function text(paths: readonly JsonObject[], version: 0 | 1): string {
  const info = { title: 'All', version: '1.0.0' }
  return JSON.stringify({
    openapi: '3.1.1',
    info,
    paths: Object.assign({}, ...paths),
    components: componentsOf(version),
  })
}

async function mirrors(old: string, fresh: string): Promise<void> {
  const [there, back] = [(await compared(old, fresh)).changes, (await compared(fresh, old)).changes]
  const reversed = back.map(({ old, new: fresh, ...rest }) => ({ ...rest, old: fresh, new: old }))
  expect(new Set(there.map(placeOf))).toEqual(new Set(reversed.map(placeOf)))
  const lacking = there.filter((change) => {
    const end = reverseOf(change.id)
    const isReverse = (other: Pick<Change, 'id' | 'old' | 'new'>): boolean =>
      placeOf(other) === placeOf(change) && other.id.endsWith(end ?? '')
    // A part that only one version has was added or removed at its position.
    const isInBoth = change.old !== null && change.new !== null
    return isInBoth && end !== undefined && !reversed.some(isReverse)
  })
  expect(lacking).toEqual([])
}

function placeOf({ old, new: fresh }: Pick<Change, 'old' | 'new'>): string {
  return `${old?.pointer ?? 'nowhere'} ${fresh?.pointer ?? 'nowhere'}`
}

/** The end of the reverse change's id. Undefined if the reverse has no such name. */
function reverseOf(id: string): string | undefined {
  for (const [one, other] of opposites) {
    if (id.endsWith(`-${one}`)) return `-${other}`
    if (id.endsWith(`-${other}`)) return `-${one}`
  }
  return undefined
}

const opposites = [
  ['mapping-added', 'mapping-deleted'],
  ['unset', 'set'],
  ['increased', 'decreased'],
  ['became-required', 'became-optional'],
  ['became-nullable', 'became-not-nullable'],
  ['became-enum', 'enum-removed'],
  ['widened', 'narrowed'],
  ['added', 'removed'],
] as const

/** Paths of members that can be removed without making the document meaningless. */
function placesIn(document: JsonObject): string[][] {
  const found: string[][] = []
  const visit = (value: Json, way: string[]): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) {
      const at = [...way, key]
      if (removable.test(key) || way.at(-1) === 'schemas' || way.at(-1) === 'paths') found.push(at)
      visit(member, at)
    }
  }
  visit(document, [])
  return found
}

const removable =
  /^(minimum|maximum|maxLength|minLength|pattern|required|security|deprecated|default|tags|enum|additionalProperties|requestBody|headers)$/

function without(document: JsonObject, ways: readonly (readonly string[])[]): Json {
  const copy = JSON.parse(JSON.stringify(document))
  for (const way of ways) {
    let at = copy
    for (const key of way.slice(0, -1)) at = at?.[key]
    if (at !== undefined && at !== null) delete at[way.at(-1) ?? '']
  }
  return copy
}
