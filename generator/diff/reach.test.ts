// @module-tag long

import { expect, it } from 'vitest'
import { compared } from '../../test/diff/compared.js'
import {
  componentsOf,
  globalSecurity,
  operationChanges,
  pathChanges,
  webhooks,
} from '../../test/diff/operation-changes.js'
import { object, propertyChanges, schemaChanges } from '../../test/diff/schema-changes.js'
import type { Json, JsonObject } from '../document/document.js'
import { documentIds } from './change/table/document-ids.js'
import { requestIds } from './change/table/request-ids.js'
import { responseIds } from './change/table/response-ids.js'

// Two versions of a document in which every operation shows one change. Together they have every id that the catalogue
// shares with oasdiff, except those that Duet reports in another way.

const elsewhere: readonly string[] = [
  // The comparison's `bump` covers these for every pair of versions, and the gate checks it.
  'api-major-version-not-bumped',
  'api-version-decreased',
  'api-version-not-bumped',
]

it('can report every change that oasdiff has an id for', async () => {
  const found = new Set<string>()
  const gather = async (make: (version: Version) => JsonObject, noticeDays: number): Promise<void> => {
    const { changes } = await compared(JSON.stringify(make(0)), JSON.stringify(make(1)), { noticeDays })
    for (const { id } of changes) found.add(id)
  }
  await gather(ofSchemas, 0)
  await gather(ofOperations, 0)
  await gather(ofOperations, 30)
  const ids = [requestIds, responseIds, documentIds].flatMap((known) =>
    [known.breaking, known.dangerous, known.compatible].flatMap((words) => words.trim().split(/\s+/)),
  )
  expect(ids.filter((id) => id !== '' && !found.has(id)).sort()).toEqual(elsewhere)
}, 120_000)

type Version = 0 | 1

function ofOperations(version: Version): JsonObject {
  const paths = operationChanges.map((pair, index) => [`/n${index}`, { post: pair[version] }] as const)
  return {
    openapi: '3.1.1',
    info: { title: 'All', version: '1.0.0' },
    security: globalSecurity[version],
    paths: { ...Object.fromEntries(paths), ...pathChanges[version] },
    webhooks: webhooks[version],
    components: componentsOf(version),
  }
}

/** Every schema change and its reverse, in every position that can have a schema. */
function ofSchemas(version: Version): JsonObject {
  const paths: { [path: string]: Json } = {}
  const schemas: { [name: string]: Json } = {}
  const put = (schema: JsonObject): void => {
    const name = `S${Object.keys(schemas).length}`
    schemas[name] = schema
    for (const operation of held({ $ref: `#/components/schemas/${name}` }))
      paths[`/n${Object.keys(paths).length}`] = { post: operation }
  }
  for (const [old, fresh] of schemaChanges)
    for (const schema of version === 0 ? [old, fresh] : [fresh, old]) put(schema)
  for (const [old, was, fresh, is] of propertyChanges) {
    const both = [objectWith(old, was), objectWith(fresh, is)]
    for (const schema of version === 0 ? both : both.reverse()) put(schema)
  }
  return { openapi: '3.1.1', info: { title: 'All', version: '1.0.0' }, paths, components: { schemas } }
}

function objectWith(schema: Json | undefined, required: boolean): JsonObject {
  return object({
    properties: { ...(schema !== undefined && { p: schema }) },
    ...(required && { required: ['p'] }),
  })
}

/** A schema in every position that can have one. */
function held(schema: JsonObject): JsonObject[] {
  const inside = object({ properties: { p: schema } })
  const parameter = (place: string, one: Json): Json => ({ in: place, name: 'q', schema: one })
  const answer = (more: JsonObject): JsonObject => ({ responses: { 200: { description: 'Fine', ...more } } })
  const fine = answer({})
  return [
    ...[schema, inside].flatMap((one) => [
      { ...fine, requestBody: { content: { 'application/json': { schema: one } } } },
      answer({ content: { 'application/json': { schema: one } } }),
      answer({ headers: { 'X-Q': { schema: one } } }),
      { ...fine, parameters: [parameter('query', one)] },
      { ...fine, parameters: [parameter('header', one)] },
    ]),
    { ...fine, requestBody: { content: { 'text/plain': { schema } } } },
    { ...fine, requestBody: { content: { 'text/plain': { schema: inside } } } },
    answer({ content: { 'text/plain': { schema } } }),
    answer({ content: { 'text/plain': { schema: inside } } }),
  ]
}
