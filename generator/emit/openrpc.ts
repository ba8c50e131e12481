import { day } from '../code/documentation.js'
import { objectOf, omitted, text } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { filledUrl } from '../model/build/servers.js'
import { timezoneParameter } from '../model/build/timezone-parameter.js'
import type { Model, Operation } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import { failureSchema } from '../model/results/failures.js'
import { membersOf } from '../schema/alternative-members.js'
import { fingerprint } from '../schema/canonical.js'
import { fitsFormat } from '../schema/format.js'
import { referenceTo, requiredOf, type Schema } from '../schema/schema.js'

/** `openrpc.json`: the OpenRPC 1.3 document of the JSON-RPC methods, which `rpc.discover` returns. */
export function emitOpenRpc(model: Model, pieces: OperationPieces = new OperationPieces(model)): string {
  const methods = model.operations
    .filter((operation) => operation.rpc !== false)
    .map((operation) => pieces.of('openrpc', operation, '', () => shown(method(model, operation), 2)))
  const members = Object.entries({
    openrpc: '1.3.2',
    info: {
      title: model.title,
      version: model.version,
      ...(model.description !== undefined && { description: model.description }),
    },
    ...servers(model),
    methods: [],
    ...(model.schemas.size > 0 && { components: { schemas: objectOf(model.schemas) } }),
  } satisfies JsonObject).map(([name, value]) => {
    const text = name === 'methods' ? `[\n    ${methods.join(',\n    ')}\n  ]` : shown(value, 1)
    return `\n  ${JSON.stringify(name)}: ${methods.length === 0 && name === 'methods' ? '[]' : text}`
  })
  return `{${members.join(',')}\n}\n`
}

/** A value as it is shown below some levels of a document. */
function shown(value: Json, depth: number): string {
  return JSON.stringify(value, asJson, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`)
}

/**
 * Turns files into base64 text and int64 into numbers. A user's property may have the same name; its value is
 * never `true`.
 */
function asJson(_: string, value: unknown): unknown {
  if (!isObject(value)) return value
  if (own(value, '$int64') === true) return omitted(value, '$int64')
  if (own(value, '$binary') !== true) return value
  const { $binary: _mark, ...rest } = value
  return { ...rest, type: 'string', contentEncoding: 'base64' }
}

/** OpenRPC 1.3.2, Method Object: required params come before the others. */
function method(model: Model, operation: Operation): JsonObject {
  const { params, examples } = operation
  const members = membersOf(model.schemas, params)
  // A body may require a name without describing it.
  const others = requiredOf(params).filter((name) => !members.has(name))
  const rest = own(params, 'additionalProperties')
  const properties = [
    ...Array.from(members, ([name, { schema, required }]) => descriptor(name, schema, required)),
    ...others.map((name) => descriptor(name, isObject(rest) ? rest : true, true)),
  ]
  const pairs = examples.filter((example) => example.params !== undefined && example.result !== undefined)
  return {
    name: operation.name,
    ...(operation.operationId !== undefined && { 'x-operation-id': operation.operationId }),
    ...(operation.summary !== undefined && { summary: operation.summary }),
    ...(operation.description !== undefined && { description: operation.description }),
    paramStructure: 'by-name',
    params: [
      ...properties.filter((property) => property.required === true),
      ...properties.filter((property) => property.required === false),
      timezoneOf(model, operation),
    ],
    result: { name: 'result', schema: operation.result },
    ...methodErrors(model, operation),
    ...(pairs.length > 0 && { examples: pairs.map(pairing) }),
    ...(operation.deprecation !== undefined && deprecationOf(operation.deprecation)),
    ...(isWhole(params) ? {} : { 'x-params-schema': params }),
  }
}

/** What the headers `Deprecation` and `Sunset` say. */
function deprecationOf({ since, sunset }: NonNullable<Operation['deprecation']>): JsonObject {
  return {
    deprecated: true,
    ...(since !== undefined && { 'x-deprecated-since': day(since) }),
    ...(sunset !== undefined && { 'x-sunset': day(sunset) }),
  }
}

/** `__tz`, which every method accepts. */
function timezoneOf(model: Model, operation: Operation): JsonObject {
  const declared = timezoneParameter(model, operation)
  const { description = '', schema = { type: 'string' }, 'x-provenance': provenance } = declared
  // A reference would point into the other document.
  const isOwn = !JSON.stringify(schema).includes('"$ref"')
  return {
    name: '__tz',
    description,
    required: false,
    schema: isOwn ? schema : { type: 'string' },
    ...(typeof provenance === 'string' && { 'x-provenance': provenance }),
  }
}

/** OpenRPC 1.3.2, Content Descriptor Object. */
function descriptor(name: string, schema: Schema, required: boolean): JsonObject {
  const description = text(schema, 'description')
  const deprecated = isObject(schema) && own(schema, 'deprecated') === true
  return {
    name,
    ...(description !== undefined && { description }),
    required,
    schema,
    ...(deprecated && { deprecated: true }),
  }
}

/**
 * Error codes are unique in a method. `x-error-codes` of the method lists the problem codes of each, since an
 * Error Object has no extensions. Its `data` is the schema of the error's content, unless that is a plain
 * problem.
 */
function methodErrors(model: Model, operation: Operation): JsonObject {
  const byCode = new Map<number, { titles: Set<string>; codes: string[] }>()
  for (const code of operation.errors) {
    const definition = model.errors.get(code)
    if (definition === undefined) continue
    const entry = byCode.get(definition.rpc)
    if (entry === undefined)
      byCode.set(definition.rpc, { titles: new Set([definition.title]), codes: [code] })
    else {
      entry.titles.add(definition.title)
      entry.codes.push(code)
    }
  }
  const sorted = [...byCode].sort(([a], [b]) => b - a)
  return {
    errors: sorted.map(([code, { titles, codes }]) => ({
      code,
      message: [...titles].join(' or '),
      ...errorData(model, operation, codes),
    })),
    'x-error-codes': objectOf(sorted.map(([code, { codes }]) => [String(code), codes])),
  }
}

/** The document's bodies for the statuses of these codes, and the members that it adds to problems. */
function errorData(model: Model, operation: Operation, codes: readonly string[]): JsonObject {
  const bodies = codes.map((code) => failureSchema(operation, model.errors.get(code)?.status ?? 500))
  const isPlain =
    bodies.every((body) => body === undefined) && !codes.some((code) => model.errorMembers.has(code))
  if (isPlain) return {}
  const schemas = codes.map((code, index): Schema => bodies[index] ?? problemSchema(model, code))
  const different = new Map(schemas.map((schema) => [fingerprint(schema), schema]))
  const [only = true, ...others] = different.values()
  return { data: others.length === 0 ? only : { anyOf: [only, ...others] } }
}

/** A problem with this code and its extension members. */
function problemSchema({ schemas, errorMembers }: Model, code: string): JsonObject {
  const component = errorMembers.get(code)
  const members = component === undefined ? [] : [...membersOf(schemas, { $ref: referenceTo(component) })]
  return {
    type: 'object',
    properties: objectOf([
      ...members.map(([name, { schema }]) => [name, schema] as const),
      ['code', { const: code }],
    ]),
    required: [...new Set(['code', ...members.flatMap(([name, { required }]) => (required ? name : []))])],
  }
}

function pairing(example: Operation['examples'][number]): JsonObject {
  const params = isObject(example.params) ? Object.entries(example.params) : []
  return {
    name: example.name,
    params: params.map(([name, value]) => ({ name, value })),
    ...(example.result !== undefined && { result: { name: 'result', value: example.result } }),
  }
}

/** Whether properties and `required` describe the params completely. */
function isWhole(params: JsonObject): boolean {
  const sufficient = new Set(['additionalProperties', 'properties', 'required', 'type'])
  return (
    Object.keys(params).every((keyword) => sufficient.has(keyword)) &&
    !isObject(own(params, 'additionalProperties'))
  )
}

/** Servers with an absolute URL, as OpenRPC 1.3.2 requires. Variables have their defaults. */
function servers(model: Model): JsonObject {
  const listed = own(model.openapi, 'servers')
  if (!isArray(listed)) return {}
  const known = listed.filter(isObject).flatMap((server): Json[] => {
    const url = filledUrl(text(server, 'url') ?? '', own(server, 'variables'))
    return fitsFormat(url, 'uri') ? [{ name: text(server, 'description') ?? url, url }] : []
  })
  return known.length === 0 ? {} : { servers: known }
}
