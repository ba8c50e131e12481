import { echo, type Legal, refused, same, withParameters } from './document.js'

/** Enums, names that clash, recursion, nulls. */
export const values: Readonly<Record<string, Legal>> = {
  'an enum of negative numbers': {
    broke: 'redux-toolkit #4455; ng-openapi-gen #335',
    document: echo(
      '{ type: object, properties: { n: { type: integer, enum: [0, 1, -1] }, age: { enum: ["18+", "<18"] } } }',
    ),
    calls: [...same({ n: -1, age: '<18' }), ...refused({ n: 2 })],
    uses: "import type { XOpParams } from './types.js'\nexport const n: XOpParams = { n: -1, age: '18+' }",
  },
  'enums that differ by a sign': {
    broke: 'orval #298',
    document: withParameters(
      '/op',
      '{ name: sort, in: query, schema: { type: string, enum: [name, -name, email, -email] } }',
    ),
    calls: [...same({ sort: '-name' }), ...refused({ sort: '+name' })],
  },
  'objects and lists in a segment with other text': {
    broke: 'duet: a mixed segment was read as one text',
    document: withParameters(
      '/op/{a}/v{b}.json',
      `{ name: a, in: path, required: true, schema: { type: array, items: { type: integer } } },
       { name: b, in: path, required: true, schema: { type: object, properties: { R: { type: integer }, s: { type: string } } } }`,
    ),
    calls: same({ a: [1, 2], b: { R: 5, s: 'x' } }),
    rest: [
      {
        method: 'GET',
        target: '/op/1,2/vR,100,s,%C3%A9%2C%2E.json',
        answer: { a: [1, 2], b: { R: 100, s: 'é,.' } },
      },
    ],
  },
  'query parameters of any name': {
    broke: "OpenAPI's own example of free-form query parameters",
    document: withParameters(
      '/op/{id}',
      `{ name: id, in: path, required: true, schema: { type: integer } }, { name: limit, in: query, schema: { type: integer } },
       { name: params, in: query, schema: { type: object, properties: { on: { type: boolean } }, additionalProperties: { type: string } } }`,
    ),
    calls: [
      ...same(
        { id: 7, limit: 3, params: { a: '1', on: true, id: '8', params: 'x', __proto__x: 'y' } },
        { id: 7 },
      ),
      ...refused({ id: 7, a: '1' }),
    ],
    rest: [
      {
        method: 'GET',
        target: '/op/7?a=1&limit=3&b=%20&on=true&id=8&__tz=UTC',
        answer: { params: { a: '1', b: ' ', on: true, id: '8' }, limit: 3, id: 7 },
      },
    ],
    uses: "import type { XOpParams } from './types.js'\nexport const n: XOpParams = { id: 1, params: { a: '1' } }",
  },
  'enums of nothing and of null in oneOf': {
    broke: 'orval #2511, #365',
    document: `openapi: 3.0.3\n${echo(
      '{ type: object, properties: { hello: { nullable: true, oneOf: [{ $ref: "#/components/schemas/Hello" }, { $ref: "#/components/schemas/Blank" }, { $ref: "#/components/schemas/Null" }] } } }',
      `Hello: { type: string, enum: [HI, OHA] }\nBlank: { type: string, enum: [''] }\nNull: { enum: [null] }`,
    )}`,
    calls: [...same({ hello: 'HI' }, { hello: '' }), ...refused({ hello: 'x' })],
  },
  'an enum that may be null': {
    broke: 'ogen #942; progenitor #66',
    document: `openapi: 3.0.3\n${echo('{ type: object, properties: { title: { type: string, nullable: true, enum: [ceo, cto, null] } } }')}`,
    calls: [...same({ title: null }, { title: 'ceo' }), ...refused({ title: 'x' })],
  },
  'an enum of texts where the type says integer': {
    broke: 'orval #884',
    document: echo(
      '{ type: object, properties: { status: { type: integer, enum: ["0 - Unknown", "1 - Success"] } } }',
    ),
    calls: [...same({}), ...refused({ status: 1 }, { status: '0 - Unknown' })],
  },
  'a property with brackets in a form': {
    broke: 'openapi2typescript #122',
    document: `
paths:
  /op:
    post:
      x-rpc-method: x.op
      requestBody: { required: true, content: { multipart/form-data: { schema: { type: object, properties: { 'Upload[note]': { type: string } } } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: {} } } } }
`,
    calls: same({ 'Upload[note]': 'x' }),
  },
  'a schema with the name of a derived type': {
    broke: 'hey-api #534; oapi-codegen #832, #1723',
    document: echo(
      "{ $ref: '#/components/schemas/Document' }",
      `Document: { type: object, properties: { status: { type: string, enum: [one, two] } } }
DocumentStatus: { type: object, properties: { value: { type: string } } }
XOpParams: { type: object, properties: { other: { $ref: '#/components/schemas/DocumentStatus' } } }
XHandlers: { type: string }
Handlers: { type: string }
Promise: { type: string }`,
    ),
    calls: [...same({ status: 'one' }), ...refused({ status: 'x' })],
  },
  'names that begin with a digit or hold signs': {
    broke: 'openapi-typescript #2128, #1492; openapi2aspida #142; fortanix/openapi-to-effect #1',
    document: echo(
      "{ $ref: '#/components/schemas/401' }",
      `'401': { type: object, properties: { a: { $ref: '#/components/schemas/cat._common.Record' } } }
cat._common.Record: { type: object, properties: { 2fa: { $ref: '#/components/schemas/200-Content' } } }
200-Content: { type: integer }`,
    ),
    calls: [...same({ a: { '2fa': 1 } }), ...refused({ a: { '2fa': 'x' } })],
  },
  'names that are not legal, but everywhere': {
    broke: 'openapi-typescript #86',
    document: echo(
      "{ $ref: '#/components/schemas/SearchResult%C2%ABShare%C2%BB' }",
      `SearchResult«Share»: { type: object, properties: { a: { type: string } } }\nSearchResult<Share>: { type: string }`,
    ),
    calls: [...same({ a: 'x' }), ...refused({ a: 1 })],
  },
  'a tree': {
    broke: 'hey-api #2982, #552',
    document: echo(
      "{ type: array, items: { $ref: '#/components/schemas/treeNode' } }",
      "treeNode: { type: object, properties: { id: { type: string }, children: { type: array, items: { $ref: '#/components/schemas/treeNode' } } } }",
    ),
    calls: [
      [{ body: [{ id: 'a', children: [{ id: 'b' }] }] }, [{ id: 'a', children: [{ id: 'b' }] }]],
      ...refused({ body: [{ children: [{ id: 1 }] }] }),
    ],
  },
  'a tree of expressions': {
    broke: 'openapi-generator #22587; IBM/openapi-validator #251',
    document: echo(
      "{ $ref: '#/components/schemas/Query' }",
      `Query: { type: object, discriminator: { propertyName: type, mapping: { AND: '#/components/schemas/And', text: '#/components/schemas/Text' } }, oneOf: [{ $ref: '#/components/schemas/And' }, { $ref: '#/components/schemas/Text' }] }
And: { type: object, required: [type, of], properties: { type: { type: string }, of: { type: array, items: { $ref: '#/components/schemas/Query' } } } }
Text: { type: object, required: [type, text], properties: { type: { type: string }, text: { type: string } } }`,
    ),
    calls: [
      ...same({
        type: 'AND',
        of: [
          { type: 'text', text: 'a' },
          { type: 'AND', of: [] },
        ],
      }),
      ...refused({ type: 'AND', of: [{ type: 'text' }] }),
    ],
  },
  'an allOf within an anyOf with a discriminator': {
    broke: 'ogen #988',
    document: echo(
      "{ anyOf: [{ $ref: '#/components/schemas/Car' }, { $ref: '#/components/schemas/Bicycle' }], discriminator: { propertyName: type, mapping: { car: '#/components/schemas/Car', bike: '#/components/schemas/Bicycle' } } }",
      `VehicleType: { type: string, enum: [car, bike] }
VehicleBase: { type: object, required: [type], properties: { type: { $ref: '#/components/schemas/VehicleType' } } }
Car: { type: object, allOf: [{ $ref: '#/components/schemas/VehicleBase' }, { type: object, properties: { type: { const: car }, doors: { type: integer } } }] }
Bicycle: { type: object, allOf: [{ $ref: '#/components/schemas/VehicleBase' }, { type: object, properties: { type: { const: bike }, bell: { type: boolean } } }] }`,
    ),
    calls: [
      ...same({ type: 'car', doors: 3 }, { type: 'bike', bell: true }),
      ...refused({ type: 'boat' }, { type: 'car', doors: 'x' }),
    ],
    uses: "import type { XOpParams } from './types.js'\nexport const car: XOpParams = { type: 'car', doors: 3 }",
  },
  'a branch without the property that tells branches': {
    broke: 'hey-api #3037: the name of the reference became its value',
    document: echo(
      "{ anyOf: [{ $ref: '#/components/schemas/Http' }, { $ref: '#/components/schemas/Stdio' }] }",
      `Http: { type: object, required: [type, url], properties: { type: { const: http }, url: { type: string } } }\nStdio: { type: object, required: [command], properties: { command: { type: string } } }`,
    ),
    calls: [...same({ type: 'http', url: '/' }, { command: 'ls' }), ...refused({ url: '/' })],
    uses: "import type { Stdio } from './types.js'\nexport const stdio: Stdio = { command: 'ls' }",
  },
  'nulls where a schema or a value is allowed': {
    broke: "hey-api #2429: Cannot use 'in' operator to search for '$ref' in null",
    document: echo(
      '{ type: object, default: null, example: null, properties: { a: { default: null, examples: [null] }, b: { const: null }, c: { enum: [null] } } }',
    ),
    calls: [
      [
        { b: null, c: null },
        { b: null, c: null, a: null },
      ],
      ...refused({ b: 1 }),
    ],
  },
  'an example that is not an instance': {
    broke: 'Effect-TS/effect #6356',
    document: echo(
      '{ type: object, properties: { when: { type: array, items: { type: string }, example: create } } }',
    ),
    calls: same({ when: ['create'] }),
  },
  'a header with dashes as an API key': {
    broke: 'swagger-codegen #6324',
    document: withParameters(
      '/op',
      '{ name: a, in: query, schema: { type: string } }',
      'security: [{}, { API-Key Header: [] }]\ncomponents: { securitySchemes: { API-Key Header: { type: apiKey, in: header, name: X-API-Key } } }',
    ),
    calls: same({ a: 'b' }),
  },
}
