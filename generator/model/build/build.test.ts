import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runs } from '../../../test/runs.js'
import { objectOf } from '../../document/cursor.js'
import type { Document, Json, JsonObject } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { emit } from '../../emit/emit.js'
import { buildModel } from './build.js'

const billing = fileURLToPath(new URL('../../../spec/1.0.0/openapi.yaml', import.meta.url))
const root = parse(readFileSync(billing, 'utf8')) as JsonObject

describe('buildModel', () => {
  it('prefers dataValue to value in an example (OpenAPI 3.2)', () => {
    const shown = { a: { dataValue: { n: 1 }, serializedValue: '{"n": 1}' }, b: { dataValue: 2, value: '2' } }
    const content = { 'application/json': { schema: {}, examples: shown } }
    const get = { operationId: 'x', responses: { '200': { description: 'ok', content } } }
    const { model } = buildModel(documentOf({ ...root, paths: { '/x': { get } } }))
    expect(model?.operations[0]?.examples).toEqual([
      { name: 'a', params: {}, result: { n: 1 } },
      { name: 'b', params: {}, result: 2 },
    ])
  })

  it('drops keywords of earlier drafts, which mean nothing in JSON Schema 2020-12', () => {
    const schema = { type: 'object', dependencies: { a: ['b'] }, $recursiveAnchor: true }
    const post = {
      operationId: 'x.do',
      requestBody: { content: { 'application/json': { schema } } },
      responses: { '200': { description: 'ok' } },
    }
    const { model } = buildModel(documentOf({ ...root, paths: { '/x': { post } } }))
    expect(Object.keys(model?.operations[0]?.params ?? {})).not.toContain('dependencies')
    expect(JSON.stringify(model?.operations[0]?.params)).not.toContain('$recursiveAnchor')
  })

  it('never throws, and emits whatever it accepts, with any value replaced', {
    tags: 'long',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(), { minLength: 1, maxLength: 9 }),
        replacements,
        async (path, value) => {
          const { model } = buildModel(documentOf(replaced(root, path, value)))
          if (model !== undefined) await emit(model, [], 'openapi.yaml')
        },
      ),
      { numRuns: runs(50, 150) },
    )
  })

  it('reuses an equal operation of another version, except its name and position', () => {
    const responses = { '200': { description: 'ok' } }
    const parameters = [{ name: 'n', in: 'query', schema: { type: 'integer' } }]
    const same = { operationId: 'getA', parameters, responses }
    const old = buildModel(documentOf({ ...root, paths: { '/a': { get: same } } })).model
    if (old === undefined) throw new Error('no model')
    const fresh = documentOf({
      ...root,
      paths: { '/a': { get: same }, '/b': { get: { operationId: 'getB', responses } } },
    })
    const naming = { strategy: 'operationId' as const, earlier: [] }
    const before = {
      model: old,
      hasSame: ({ operation }: { operation: { pointer: string } }) => operation.pointer === '#/paths/~1a/get',
    }
    const { model } = buildModel(fresh, naming, before)
    expect(model?.operations).toEqual(buildModel(fresh, naming).model?.operations)
    expect(model?.operations[0]?.params).toBe(old.operations[0]?.params)
  })

  it('leaves out __tz, credentials and the headers that OpenAPI ignores', () => {
    const parameters = ['__tz', 'X-Key', 'Accept', 'X-Other'].map((name) => ({
      name,
      in: name === '__tz' ? 'query' : 'header',
      schema: { type: 'string' },
    }))
    const { model } = buildModel(
      documentOf({
        paths: {
          '/a': {
            get: { parameters, security: [{ key: [] }], responses: {} },
            post: { parameters, responses: {} },
          },
        },
        components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } },
      }),
    )
    const namesOf = (verb: string) =>
      Object.keys(model?.operations.find(({ rest }) => rest.method === verb)?.params.properties ?? {})
    expect(namesOf('GET')).toEqual(['X-Other'])
    // A scheme that no requirement of the operation names is none of its credentials.
    expect(namesOf('POST')).toEqual(['X-Key', 'X-Other'])
  })

  it('names the same operations the same in every order of the paths', () => {
    const item = { get: { responses: {} }, post: { responses: {} } }
    const paths = { '/a': item, '/a/list': item, '/a/{x}': item, '/a/{y}/list': item, '/a/{x}/{y}': item }
    const namesOf = (entries: [string, Json][]): (string | undefined)[] => {
      const { model } = buildModel(documentOf({ paths: objectOf(entries) }))
      const names = new Map(model?.operations.map(({ name, rest }) => [`${rest.method} ${rest.path}`, name]))
      return Object.keys(paths).flatMap((path) => [names.get(`GET ${path}`), names.get(`POST ${path}`)])
    }
    const expected = namesOf(Object.entries(paths))
    expect(new Set(expected).size).toBe(10)
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(paths), { minLength: 5 }), (entries) => {
        expect(namesOf(entries)).toEqual(expected)
      }),
    )
  })
})

const replacements = fc.constantFrom<Json>(
  null,
  true,
  0,
  -1.5,
  '',
  '#/components/schemas/Client',
  '#/nowhere',
  [],
  [null],
  {},
  { $ref: '#/components/schemas/Gateway' },
  { $ref: '#' },
  { allOf: [{ $ref: '#/components/schemas/Client' }] },
  { type: 'object', required: ['__proto__'], properties: { constructor: false } },
)

/** The value with one member replaced: each number picks a member of the current level. */
function replaced(value: JsonObject, path: readonly number[], replacement: Json): JsonObject {
  const changed = change(value, path, replacement)
  return isObject(changed) ? changed : {}
}

function change(value: Json, [pick, ...rest]: readonly number[], replacement: Json): Json {
  if (pick === undefined) return replacement
  if (isArray(value) && value.length > 0) {
    return value.map((item, index) =>
      index === pick % value.length ? change(item, rest, replacement) : item,
    )
  }
  if (!isObject(value) || Object.keys(value).length === 0) return replacement
  const keys = Object.keys(value)
  const chosen = keys[pick % keys.length]
  return objectOf(
    Object.entries(value).map(([key, item]) => [
      key,
      key === chosen ? change(item, rest, replacement) : item,
    ]),
  )
}

function documentOf(root: JsonObject): Document {
  return {
    file: 'openapi.yaml',
    files: [],
    root,
    locate: () => ({ file: 'openapi.yaml', line: 1, column: 1 }),
  }
}
