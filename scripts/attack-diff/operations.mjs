import { usualSchema } from './edits.mjs'

// What documents contain besides schemas: a table of members for each kind of part. A function of the random choices
// creates each value; undefined omits the member. The table both creates parts and edits them (operation-edits).

const one =
  (...values) =>
  (random) =>
    random.pick(values)
const seldom = (make) => (random) => (random.once(4) ? make(random) : undefined)
const often = (make) => (random) => (random.once(2) ? make(random) : undefined)
/** The members of a part, in the order of the table, so that a seed always gives the same document. */
const made = (table) => (random) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, make]) => {
      const value = make(random)
      return value === undefined ? [] : [[name, value]]
    }),
  )
/** One to `most` entries of a map. */
const some = (names, most, make) => (random) =>
  Object.fromEntries(
    Array.from({ length: 1 + random.below(most) }, () => random.pick(names)).map((name) => [
      name,
      make(random),
    ]),
  )

const text = { type: 'string' }
const count = { type: 'integer' }
const flat = { type: 'object', properties: { a: count, b: text } }
/** Schemas of values that are written as text: every kind of value that a style writes differently. */
export const written = one(
  text,
  count,
  { type: 'number' },
  { type: 'boolean' },
  {},
  { type: 'string', enum: ['a', 'b'] },
  { type: 'integer', enum: [1, 2, 3] },
  { type: 'string', minLength: 1, maxLength: 4 },
  { type: 'integer', minimum: 1, maximum: 9 },
  { type: 'integer', default: 1 },
  { type: 'string', default: 'a' },
  { type: 'string', format: 'date' },
  { type: 'string', pattern: '^[a-z]*$' },
  { type: ['string', 'null'] },
  { type: ['integer', 'string'] },
  { const: 'a' },
  { type: 'array', items: text },
  { type: 'array', items: count },
  { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1 },
  { type: 'array', items: text, default: ['a'] },
  { type: ['array', 'null'], items: text },
  flat,
  { ...flat, required: ['a'] },
  { ...flat, additionalProperties: false },
  { type: ['object', 'null'], properties: { a: count } },
  { type: 'object', additionalProperties: count },
  { type: 'object', additionalProperties: { type: 'array', items: count } },
  { type: 'array', items: { type: 'boolean' } },
  { type: 'array', items: { type: 'integer', enum: [1, 2] } },
  { type: 'object', required: ['k'], properties: { k: count, l: text } },
  { type: 'object', properties: { a: { type: 'array', items: text }, b: flat } },
  { anyOf: [count, { type: 'array', items: count }] },
  { anyOf: [text, flat] },
  { oneOf: [count, { type: 'boolean' }] },
  { allOf: [text, { maxLength: 3 }] },
  { $ref: '#/components/schemas/Word' },
)

const tagged = {
  oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
  discriminator: {
    propertyName: 'kind',
    mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
  },
}
const numbers = { type: 'array', items: count }
const filled = { type: 'object', properties: { k: { type: 'string', default: 'd' } } }
const field = (random) =>
  random.pick([
    written,
    written,
    one({ type: 'integer', readOnly: true }, { type: 'string', writeOnly: true }),
    one({ type: 'string', format: 'binary' }, { type: 'string', format: 'byte' }),
    one({ type: 'array', items: flat }, { type: 'object', properties: { b: flat } }),
    one(numbers, { type: 'object', properties: { l: numbers } }, { type: 'array', items: numbers }),
    one({ nullable: true, enum: ['a', 'b'] }, { nullable: true, allOf: [flat] }),
    // Validators fill in a default before they compare the items.
    one(
      { type: 'array', uniqueItems: true, items: filled },
      { type: 'array', items: filled, contains: { required: ['k'] } },
    ),
    one(tagged, { $ref: '#/components/schemas/Pet' }, { $ref: '#/components/schemas/Node' }),
  ])(random)
/** The content of a body or a response. */
const content = (random) => {
  if (random.once(3))
    return random.pick([usualSchema(random).schema, tagged, { $ref: '#/components/schemas/Pet' }])
  const properties = some(['a', 'b', 'c', 'q'], 3, field)(random)
  // At most one, since two params of one name are invalid.
  if (random.once(5)) properties.d = { type: 'string', 'x-rpc-param': 'renamed' }
  const required = Object.keys(properties).filter(() => random.once(3))
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(random.once(5) && { additionalProperties: false }),
  }
}

/** The tables for each kind of part. */
export const tables = {
  parameter: {
    name: one('q', 'q', 'r', 'X-Q', 'ids'),
    in: one('query', 'query', 'header', 'cookie'),
    required: one(undefined, undefined, true, false),
    style: seldom(one('form', 'simple', 'deepObject', 'spaceDelimited', 'pipeDelimited', 'label', 'matrix')),
    explode: seldom(one(true, false)),
    allowEmptyValue: (random) => (random.once(12) ? true : undefined),
    allowReserved: (random) => (random.once(12) ? true : undefined),
    deprecated: (random) => (random.once(12) ? true : undefined),
    'x-rpc-param': (random) => (random.once(8) ? random.pick(['renamed', 'other']) : undefined),
    schema: written,
  },
  encoding: {
    style: often(one('form', 'spaceDelimited', 'pipeDelimited', 'deepObject')),
    explode: seldom(one(true, false)),
    contentType: seldom(one('application/json', 'text/plain', 'image/png')),
    allowReserved: (random) => (random.once(12) ? true : undefined),
  },
  media: {
    schema: (random) => (random.once(12) ? undefined : content(random)),
    encoding: often((random) => some(['a', 'b', 'c'], 2, made(tables.encoding))(random)),
  },
  header: {
    required: one(undefined, true, false),
    explode: seldom(one(true, false)),
    schema: written,
  },
  response: {
    description: one('Fine'),
    headers: seldom((random) => some(headerNames, 2, made(tables.header))(random)),
    content: (random) =>
      random.once(5)
        ? undefined
        : some(mediaTypes.response, random.once(3) ? 2 : 1, made(tables.media))(random),
  },
  requestBody: {
    required: one(true, true, undefined, false),
    content: (random) => some(mediaTypes.request, random.once(3) ? 2 : 1, made(tables.media))(random),
  },
  operation: {
    operationId: one('values.do', 'values.get', 'doValues', undefined),
    'x-rpc-method': seldom(one('values.do', 'values.other', 'a.b')),
    deprecated: (random) => (random.once(12) ? true : undefined),
    security: seldom((random) => requirements(random)),
    parameters: (random) => distinct(Array.from({ length: random.below(4) }, () => parameter(random))),
    requestBody: (random) => (random.once(2) ? made(tables.requestBody)(random) : undefined),
    responses: (random) => ({
      [random.pick(['200', '200', '201', '2XX', 'default'])]: made(tables.response)(random),
      ...(random.once(2) && some(statuses, 2, made(tables.response))(random)),
    }),
  },
  document: {
    openapi: one('3.1.1', '3.1.1', '3.0.3', '3.2.0'),
    security: seldom((random) => requirements(random)),
    servers: seldom(
      one([{ url: 'https://shop.example' }], [{ url: 'https://shop.example/v1' }], [{ url: '/v1' }], []),
    ),
  },
}
export const statuses = ['200', '201', '202', '204', '2XX', '302', '400', '404', '4XX', '500', 'default']
export const headerNames = ['X-Total', 'ETag', 'Link']
export const mediaTypes = {
  request: [
    'application/json',
    'application/json',
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/vnd.shop+json',
    'text/plain',
    'application/octet-stream',
  ],
  response: [
    'application/json',
    'application/json',
    'application/problem+json',
    'text/plain',
    'application/pdf',
    'text/event-stream',
    '*/*',
  ],
}
export const paths = ['/values', '/values/{id}', '/values/{id}/parts', '/{id}', '/values/new']
export const methods = ['get', 'post', 'put', 'patch', 'delete']

const requirements = one(
  [{ key: [] }],
  [{ token: [] }],
  [{ key: [] }, { token: [] }],
  [{ key: [], token: [] }],
  [{}, { key: [] }],
  [{ session: [] }],
  [],
)

/** A parameter with a style that fits its position. */
export function parameter(random) {
  const { schema, ...rest } = sound(made(tables.parameter)(random))
  if (random.once(10)) return { ...withoutStyle(rest), content: { 'application/json': { schema } } }
  return { ...rest, schema }
}

const styles = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'deepObject', 'spaceDelimited', 'pipeDelimited'],
  header: ['simple'],
  cookie: ['form'],
}

/** A parameter without an unfitting style. */
export function sound({ style, ...rest }) {
  return styles[rest.in].includes(style) ? { ...rest, style } : rest
}

function withoutStyle({ style: _, explode: __, allowReserved: ___, allowEmptyValue: ____, ...rest }) {
  return rest
}

function distinct(parameters) {
  return [...new Map(parameters.map((each) => [`${each.in} ${each.name.toLowerCase()}`, each])).values()]
}

/** Creates a part of a kind. */
export function part(kind, random) {
  return kind === 'parameter' ? parameter(random) : made(tables[kind])(random)
}

/** A parameter for each name in a path. */
function pathParameters(path, random) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...(random.once(4) && { style: random.pick(['simple', 'label', 'matrix']) }),
    ...(random.once(4) && { explode: random.once(2) }),
    schema: written(random),
  }))
}

/** A document of one or two operations. */
export function usualDocument(random) {
  const { openapi, ...frame } = made(tables.document)(random)
  const document = { openapi, info: { title: 'Shop', version: '1.0.0' }, ...frame, paths: {} }
  const names = new Set(Array.from({ length: random.once(3) ? 2 : 1 }, () => random.pick(paths)))
  for (const [index, path] of [...names].entries()) {
    const { parameters, operationId, ...operation } = made(tables.operation)(random)
    document.paths[path] = {
      [random.pick(methods)]: {
        ...(operationId !== undefined && { operationId: index === 0 ? operationId : `${operationId}Too` }),
        ...operation,
        parameters: [...pathParameters(path, random), ...parameters],
      },
    }
  }
  return { ...document, components: { schemas: components(random), securitySchemes } }
}

function components(random) {
  return {
    Node: usualSchema(random).shared.Node,
    Word: random.pick([text, { type: 'string', enum: ['a', 'b'] }]),
    Pet: {
      type: 'object',
      required: ['kind'],
      properties: { kind: text, name: text },
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
    },
    Cat: { type: 'object', required: ['kind'], properties: { kind: { const: 'cat' }, lives: count } },
    Dog: {
      type: 'object',
      required: ['kind', 'bark'],
      properties: { kind: { const: 'dog' }, bark: { type: 'boolean' } },
    },
  }
}

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  token: { type: 'http', scheme: 'bearer' },
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
}

/** A document in the words of its dialect: 3.0 needs other words for some things. */
export function spelled(document) {
  if (!document.openapi.startsWith('3.0')) return document
  const read = (node) => {
    if (Array.isArray(node)) return node.map(read)
    if (typeof node !== 'object' || node === null) return node
    const { type, const: fixed, ...rest } = node
    const others = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, literal.has(key) ? value : read(value)]),
    )
    // A property of this name has a schema as its value.
    if (typeof type === 'object' && !Array.isArray(type))
      return { ...others, type: read(type), ...(fixed !== undefined && { const: read(fixed) }) }
    return { ...typed(type), ...(fixed !== undefined && { enum: [fixed] }), ...others }
  }
  return read(document)
}

const literal = new Set(['enum', 'default', 'example', 'required', 'mapping'])

function typed(type) {
  const types = [type ?? []].flat()
  const [first, ...more] = types.filter((each) => each !== 'null')
  const nullable = types.includes('null') && { nullable: true }
  if (first === undefined) return types.length === 0 ? {} : { type: 'string', enum: [null], nullable: true }
  return more.length === 0
    ? { type: first, ...nullable }
    : { anyOf: [first, ...more].map((each) => ({ type: each })), ...nullable }
}
