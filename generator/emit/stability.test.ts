import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { generate, reversedObject } from '../../test/scenarios/scenario.js'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'

// The generated code follows the document: a new operation only adds its own lines, and the order of the
// document's keys has no effect.

const billing = parse(
  readFileSync(new URL('../../spec/1.0.0/openapi.yaml', import.meta.url), 'utf8'),
) as JsonObject

const added: JsonObject = {
  summary: 'An operation that uses what others use, the other way round.',
  parameters: [
    { name: 'code', in: 'query', schema: { type: 'string', pattern: '^[a-z]+$', maxLength: 7 } },
    { name: 'day', in: 'query', schema: { type: 'string', format: 'date' } },
  ],
  requestBody: body({ $ref: '#/components/schemas/Client' }),
  responses: answer({ type: 'array', items: { $ref: '#/components/schemas/Client' }, uniqueItems: true }),
}

it('only gets more lines if the billing document gets one more operation', async () => {
  await expectOnlyMore(billing, withOperation(billing, '/clients/import', added))
})

it('only gets more lines if one of thirty operations is new', { tags: 'long' }, async () => {
  const document = thirtyOperations()
  await expectOnlyMore(document, withOperation(document, '/things/n15a', added))
})

it('only gets more lines if the operation has its own schemas, errors and names', {
  tags: 'long',
}, async () => {
  const document = thirtyOperations()
  const own = withOperation(document, '/a-new/first', {
    ...added,
    'x-rpc-method': 'a.new.first',
    responses: answer({ $ref: '#/components/schemas/Middle' }),
  })
  const unevaluated = { unevaluatedProperties: false, properties: { constructor: { type: 'string' } } }
  await expectOnlyMore(
    document,
    withSchema(own, 'Middle', { anyOf: [unevaluated, { $ref: '#/components/schemas/Ring1' }] }),
  )
})

it('is the same bytes for the billing document read backwards', async () => {
  const [forwards, backwards] = [await generate(billing), await generate(reversedObject(billing))]
  for (const [path, text] of forwards.files) {
    if (path !== 'manifest.json') expect(backwards.files.get(path), path).toBe(text)
    else expect(symbolPointers(backwards.files.get(path))).toEqual(symbolPointers(text))
  }
})

/** Thirty operations over schemas that refer to each other, also in cycles. */
function thirtyOperations(): JsonObject {
  const schemas: [string, JsonObject][] = Array.from({ length: 10 }, (_, index) => [
    `Ring${index}`,
    {
      type: 'object',
      properties: {
        next: { $ref: `#/components/schemas/Ring${(index * 3 + 1) % 10}` },
        state: { type: 'string', enum: ['on', 'off'], default: 'on' },
        secret: { type: 'string', writeOnly: true },
      },
    },
  ])
  const client: JsonObject = {
    type: 'object',
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string', default: 'none', pattern: '^[A-Z]' },
      ring: { $ref: '#/components/schemas/Ring7' },
    },
    required: ['id', 'name'],
  }
  const paths = Array.from({ length: 30 }, (_, index): [string, JsonObject] => {
    const ring = { $ref: `#/components/schemas/Ring${index % 3}` }
    const post = { requestBody: body(ring), responses: answer({ $ref: '#/components/schemas/Client' }) }
    return [`/things/n${index}`, index % 2 === 0 ? { post } : { get: { responses: answer(ring) } }]
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Thirty', version: '1.0.0' },
    paths: objectOf(paths),
    components: { schemas: objectOf([...schemas, ['Client', client]]) },
  }
}

async function expectOnlyMore(before: JsonObject, after: JsonObject): Promise<void> {
  const [old, grown] = [await generate(before), await generate(after)]
  expect(old.files.size).toBeGreaterThan(0)
  expect(grown.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  for (const [path, text] of old.files) {
    if (path !== 'manifest.json') expect(linesGone(path, text, grown.files.get(path) ?? ''), path).toEqual([])
  }
}

/** Lines of a file that are missing in another, in order. In JSON the last line of a list may get a comma. */
function linesGone(path: string, before: string, after: string): string[] {
  const lines = (text: string): string[] =>
    text.split('\n').map((line) => (path.endsWith('.json') ? line.replace(/,$/, '') : line))
  const rest = lines(after)[Symbol.iterator]()
  return lines(before).filter((line) => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) if (next.value === line) return false
    return true
  })
}

function withOperation(document: JsonObject, path: string, operation: JsonObject): JsonObject {
  const paths = Object.entries(objectIn(document, 'paths'))
  const middle = Math.ceil(paths.length / 2)
  const items: [string, Json][] = [
    ...paths.slice(0, middle),
    [path, { post: operation }],
    ...paths.slice(middle),
  ]
  return { ...document, paths: objectOf(items) }
}

function withSchema(document: JsonObject, name: string, schema: JsonObject): JsonObject {
  const components = objectIn(document, 'components')
  const schemas = { ...objectIn(components, 'schemas'), [name]: schema }
  return { ...document, components: { ...components, schemas } }
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key]
  return isObject(value) ? value : {}
}

function body(schema: JsonObject): JsonObject {
  return { content: { 'application/json': { schema } } }
}

function answer(schema: JsonObject): JsonObject {
  return { 200: { description: 'ok', content: { 'application/json': { schema } } } }
}

function symbolPointers(manifest: string | undefined): [string, string][] {
  const { symbols } = JSON.parse(manifest ?? '{}') as { symbols: Record<string, { pointer: string }> }
  return Object.entries(symbols).map(([name, { pointer }]) => [name, pointer])
}
