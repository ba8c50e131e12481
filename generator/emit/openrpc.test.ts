import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as openrpc from '@open-rpc/meta-schema'
import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { describe, expect, it } from 'vitest'
import { fencesOf } from '../../test/fences.js'
import { generate } from '../../test/scenarios/scenario.js'

// https://meta.open-rpc.org, published by the authors of OpenRPC. The package's types omit it.
const { openrpcDocument: metaSchema } = openrpc as unknown as { readonly openrpcDocument: object }

const root = fileURLToPath(new URL('../../', import.meta.url))
const yamlOf = (page: string) => fencesOf(page)[0]?.text ?? ''
const pages = readdirSync(`${root}test/scenarios`)
  .filter((name) => name.endsWith('.md'))
  .map((name): [string, string] => [name, yamlOf(readFileSync(`${root}test/scenarios/${name}`, 'utf8'))])
const validate = validator()

describe('openrpc.json follows the meta-schema of OpenRPC', () => {
  it('for the billing document', async () => {
    expect(await faultsOf(readFileSync(`${root}spec/1.0.0/openapi.yaml`, 'utf8'))).toEqual([])
  })

  it('for a document with a bit of everything', async () => {
    expect(await faultsOf(everything)).toEqual([])
  })

  it('for the documents of all scenarios', { tags: 'long' }, async () => {
    for (const [name, yaml] of pages)
      expect([[], ['there is none']], name).toContainEqual(await faultsOf(yaml))
  })
})

describe('the meta-schema', () => {
  const method = { name: 'a', params: [], result: { name: 'result', schema: true } }
  const head = { openrpc: '1.3.2', info: { title: 'A', version: '1' } }

  it.each([
    ['a server whose address is a variable', { ...head, servers: [{ url: '{base}' }], methods: [] }],
    [
      'an extension of an error',
      { ...head, methods: [{ ...method, errors: [{ code: 1, message: 'No', 'x-codes': [] }] }] },
    ],
  ])('refuses %s, so that the tests above say something', (_, document) => {
    expect(validate({ ...head, methods: [method] })).toBe(true)
    expect(validate(document)).toBe(false)
  })
})

it('lists required params before the others, each sorted by name', async () => {
  const { files } = await generate(everything)
  const { methods } = JSON.parse(files.get('openrpc.json') ?? '')
  const params: { name: string; required: boolean }[] = methods[1].params
  expect(params.map(({ name, required }) => `${name}${required ? '!' : ''}`)).toEqual([
    'client!',
    'start!',
    'size',
    'toString',
    '__tz',
  ])
  expect(methods[1].examples).toHaveLength(1)
})

it('lists a param that the body requires and does not describe', async () => {
  const page = `
paths:
  /folders:
    post:
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name], properties: { Name: { type: string } } } } } }
      responses: { '204': { description: Done } }
`
  expect(await faultsOf(page)).toEqual([])
  const { files } = await generate(page)
  const [method] = JSON.parse(files.get('openrpc.json') ?? '').methods
  expect(method.params.slice(0, 2)).toEqual([
    { name: 'name', required: true, schema: true },
    { name: 'Name', required: false, schema: { type: 'string' } },
  ])
})

describe('the params of a body that is one of several objects', () => {
  const paramsOf = async (page: string) => {
    expect(await faultsOf(page)).toEqual([])
    const { files } = await generate(page)
    const [method] = JSON.parse(files.get('openrpc.json') ?? '').methods
    const params: { name: string; required: boolean; schema: unknown }[] = method.params
    const named = params.filter(({ name }) => name !== '__tz')
    return {
      whole: method['x-params-schema'],
      named: named.map((each) => [each.name, each.required, each.schema]),
    }
  }
  const pets = (body: string, required = true) => `
paths:
  /owners/{owner}/pets:
    post:
      x-rpc-method: pets.add
      parameters: [{ name: owner, in: path, required: true, schema: { type: string } }]
      requestBody: { required: ${required}, content: { application/json: { schema: ${body} } } }
      responses: { '204': { description: Done } }
components:
  schemas:
    Cat: { type: object, required: [kind, lives], properties: { kind: { const: cat }, lives: { type: integer }, age: { type: integer } } }
    Dog: { type: object, required: [kind], properties: { kind: { const: dog }, age: { type: integer }, tricks: { type: array, items: { type: string } } } }
`
  const oneOf = "{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] }"
  const kind = { anyOf: [{ const: 'cat' }, { const: 'dog' }] }

  it('are the members of all alternatives, required if each requires them, next to the whole', async () => {
    const { named, whole } = await paramsOf(pets(oneOf))
    expect(named).toEqual([
      ['owner', true, { type: 'string' }],
      ['kind', true, kind],
      ['age', false, { type: 'integer' }],
      ['lives', false, { type: 'integer' }],
      ['tricks', false, { type: 'array', items: { type: 'string' } }],
    ])
    expect(whole.oneOf).toHaveLength(2)
  })

  it('are all optional if the body is optional', async () => {
    const { named } = await paramsOf(pets(oneOf, false))
    expect(named.map(([name, required]) => [name, required])).toEqual([
      ['owner', true],
      ...['age', 'kind', 'lives', 'tricks'].map((name) => [name, false]),
    ])
  })

  it('are described first by the keywords next to the alternatives', async () => {
    const { named } = await paramsOf(
      pets(
        '{ type: object, required: [age], properties: { age: { type: integer, minimum: 0 } }, anyOf: [{ required: [a], properties: { a: {} } }, { properties: { age: { maximum: 9 } } }] }',
      ),
    )
    expect(named).toEqual([
      ['age', true, { type: 'integer', minimum: 0 }],
      ['owner', true, { type: 'string' }],
      ['a', false, {}],
    ])
  })

  it('also has the whole if members of any name have a schema', async () => {
    const page = pets('{ type: object, properties: { a: {} }, additionalProperties: { type: integer } }')
    expect((await paramsOf(page)).whole.additionalProperties).toEqual({ type: 'integer' })
  })
})

const everything = `
info: { title: Everything, version: 1.0.0, description: A bit of all }
servers: [{ url: 'https://{host}/v1', variables: { host: { default: example.com, enum: [example.com] } } }, { url: / }]
security: [{ key: [] }]
x-errors: { gone_home: { title: Gone home, status: 409, rpc: -32050 }, odd: { title: Odd, status: 409, rpc: 7 } }
paths:
  /clients/{client}/orders:
    parameters: [{ name: __tz, in: query, description: The zone., x-provenance: stated, schema: { type: string } }]
    post:
      x-rpc-method: orders.create
      x-errors: [gone_home, odd]
      summary: Order
      description: Orders.
      deprecated: true
      x-deprecated-since: 2026-01-31
      parameters:
        - { name: toString, in: query, deprecated: true, schema: { type: [integer, 'null'], exclusiveMinimum: 0 } }
        - { name: client, in: path, required: true, example: c1, schema: { type: string } }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [start]
              properties:
                size: { type: integer, default: 1 }
                start: { type: string, format: date-time, x-timezone: true }
            example: { start: 2026-01-31T10:00:00 }
      responses:
        200:
          description: Fine
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Order' }
              example: { lines: [[a, 1]] }
  /file:
    get: { x-rpc-method: file.get, responses: { 200: { description: Fine, content: { image/png: {} } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Order:
      type: object
      if: { required: [lines] }
      then: { maxProperties: 3 }
      properties:
        lines: { type: array, items: { type: array, prefixItems: [{ type: string }, { type: number }] } }
        inner: { $ref: '#/components/schemas/Order' }
        never: false
        __proto__: { type: string }
`

function validator() {
  const ajv = new Ajv({ allErrors: true, strict: false, formats: fullFormats, validateSchema: false })
  // Schemas are of JSON Schema 2020-12 here, and other tests check them. The meta-schema has two spellings of
  // its address.
  const schemas = {
    type: ['object', 'boolean'],
    definitions: { JSONSchemaObject: { properties: { $ref: { type: 'string' } } } },
  }
  ajv.addMetaSchema(schemas, 'https://meta.json-schema.tools/')
  ajv.addSchema(schemas, 'https://meta.json-schema.tools')
  return ajv.compile(metaSchema)
}

async function faultsOf(document: string): Promise<string[]> {
  const { files } = await generate(document)
  const text = files.get('openrpc.json')
  if (text === undefined) return ['there is none']
  if (validate(JSON.parse(text))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
