import fc from 'fast-check'

// Pairs of small documents whose operations differ in one schema each.

// Documents with bounds that contradict each other have errors.
const [low, high] = [fc.integer({ min: -2, max: 4 }), fc.integer({ min: 5, max: 12 })]
const [few, many] = [fc.integer({ min: 0, max: 2 }), fc.integer({ min: 3, max: 5 })]

const scalar = fc.oneof(
  fc.record(
    { type: fc.constantFrom('integer', 'number'), minimum: low, maximum: high },
    { requiredKeys: ['type'] },
  ),
  fc.record({ type: fc.constant('string'), minLength: few, maxLength: many }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^a', '^[a-c]+$', '\\d', 'é') }),
  fc.record({ type: fc.constant('string'), format: fc.constantFrom('date', 'uuid', 'date-time', 'ipv4') }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', 'b', 'c d', '&=', '', 1, true), { minLength: 1 }) }),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: ['string', 'null'] }),
)
const list = fc.record(
  { type: fc.constant('array'), items: scalar, minItems: few, maxItems: many, uniqueItems: fc.boolean() },
  { requiredKeys: ['type', 'items'] },
)
const properties = fc.dictionary(fc.constantFrom('a', 'b', 'c/~', '-'), fc.oneof(scalar, list), {
  maxKeys: 3,
})
const closed = fc.record({
  type: fc.constant('object'),
  properties,
  additionalProperties: fc.constant(false),
})
const open = fc.record(
  {
    type: fc.constant('object'),
    properties,
    required: fc.uniqueArray(fc.constantFrom('a', 'b', 'z'), { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.constant(true), scalar),
    maxProperties: many,
  },
  { requiredKeys: ['type', 'properties'] },
)
const object = fc.oneof(open, closed)
const nested = fc.oneof(
  object,
  fc.record({
    type: fc.constant('object'),
    properties: fc.record({ a: object, b: fc.constant({ type: 'null' }) }),
  }),
  fc.record({ oneOf: fc.tuple(object, scalar) }),
  fc.record({ type: fc.constant('array'), items: object }),
)

const places = {
  query: fc.oneof(scalar, list),
  path: scalar,
  header: scalar,
  body: nested,
  result: fc.oneof(nested, scalar),
}
type Carrier = keyof typeof places

/** What each operation of a pair of documents has. */
export const operations = fc.array(
  fc.constantFrom<Carrier>('query', 'path', 'header', 'body', 'result').chain((place) =>
    fc.record({
      place: fc.constant(place),
      old: places[place],
      fresh: places[place],
      required: fc.boolean(),
    }),
  ),
  { minLength: 6, maxLength: 12 },
)

function documentOf(all: readonly { place: Carrier; schema: object; required: boolean }[]): string {
  const paths = all.map(({ place, schema, required }, index): [string, object] => {
    const name = `op${index}`
    const path = place === 'path' ? `/${name}/{v}` : `/${name}`
    const content = { 'application/json': { schema } }
    const isParameter = place === 'query' || place === 'path' || place === 'header'
    const operation = {
      operationId: name,
      ...(isParameter && {
        parameters: [
          {
            name: place === 'header' ? 'X-V' : 'v',
            in: place,
            required: place === 'path' || required,
            schema,
          },
        ],
      }),
      ...(place === 'body' && { requestBody: { required: true, content } }),
      responses: { 200: { description: 'Fine', ...(place === 'result' && { content }) } },
    }
    return [path, { [place === 'body' ? 'post' : 'get']: operation }]
  })
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: Object.fromEntries(paths),
  })
}

/** Both documents of a pair. */
export function documentsOf(
  all: readonly { place: Carrier; old: object; fresh: object; required: boolean }[],
): readonly [string, string] {
  return [
    documentOf(all.map((one) => ({ ...one, schema: one.old }))),
    documentOf(all.map((one) => ({ ...one, schema: one.fresh }))),
  ]
}
