import { echo, type Legal, refused, same, withParameters } from './document.js'

/** Names, references, compositions, parameters. */
export const shapes: Readonly<Record<string, Legal>> = {
  'a property named $ref': {
    broke: 'STYLE.md; APIDevTools/json-schema-ref-parser',
    document: echo('{ type: object, properties: { $ref: { type: string } }, required: [$ref] }'),
    calls: [...same({ $ref: '#/nowhere' }), ...refused({}, { $ref: 1 })],
  },
  'a $ref inside the value of an example': {
    broke: 'STYLE.md',
    document: echo(
      '{ type: object, example: { $ref: "#/nowhere" }, default: { $ref: "missing.yaml" }, properties: { a: { enum: [{ $ref: x }] } } }',
    ),
    calls: same({ a: { $ref: 'x' } }),
  },
  'bare names in the mapping of a discriminator': {
    broke: 'STYLE.md; ogen #979',
    document: echo(
      "{ $ref: '#/components/schemas/Pet' }",
      `Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind, mapping: { cat: Cat, dog: '#/components/schemas/Dog' } } }
Cat: { type: object, required: [kind, lives], properties: { kind: { type: string }, lives: { type: integer } } }
Dog: { type: object, required: [kind, bark], properties: { kind: { type: string }, bark: { type: string } } }`,
    ),
    calls: [
      ...same({ kind: 'cat', lives: 9 }, { kind: 'dog', bark: 'wuff' }),
      ...same({ kind: 'Cat', lives: 1 }),
      ...refused({ kind: 'cat', bark: 'x' }, { kind: 'fish', lives: 1 }),
    ],
    uses: "import type { Pet } from './types.js'\nexport const lives = (pet: Pet): number => ('lives' in pet ? pet.lives : pet.bark.length)",
  },
  'a discriminator on a base that its children take by allOf': {
    broke: 'STYLE.md; openapi-typescript #1464, #2775',
    document: echo(
      "{ $ref: '#/components/schemas/Pet' }",
      `Pet: { type: object, required: [kind], discriminator: { propertyName: kind, mapping: { cat: Cat } }, properties: { kind: { type: string }, friend: { $ref: '#/components/schemas/Pet' } } }
Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { type: object, required: [lives], properties: { lives: { type: integer } } }] }
Dog: { allOf: [{ $ref: '#/components/schemas/Pet' }], properties: { bark: { type: string } } }
Maybe: { oneOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'null' }] }`,
    ),
    calls: [
      ...same({ kind: 'cat', lives: 9, friend: { kind: 'Dog', bark: 'wuff' } }),
      ...refused({ lives: 9 }),
    ],
    uses: `import type { AnyPet, Maybe } from './types.js'
export const pet: AnyPet = { kind: 'cat', lives: 9, friend: { kind: 'Dog', bark: 'wuff' } }
export const said = (pet: AnyPet): string | undefined => {
  switch (pet.kind) {
    case 'cat':
    case 'Cat':
      return pet.lives.toFixed()
    case 'Dog':
      return pet.bark
    case 'Pet':
      return pet.friend?.kind
  }
}
export const bark = (maybe: Maybe) => (maybe?.kind === 'Dog' ? maybe.bark : null)
// @ts-expect-error A dog has no lives.
export const dog: AnyPet = { kind: 'Dog', lives: 9 }`,
  },
  'nullable without a type': {
    broke: 'STYLE.md',
    document: `openapi: 3.0.3\n${echo('{ type: object, properties: { a: { nullable: true }, b: { nullable: true, allOf: [{ $ref: "#/components/schemas/B" }] } } }', 'B: { type: string }')}`,
    calls: same({ a: null }, { a: 1, b: 'x' }),
  },
  'an allOf that leads back to itself': {
    broke: 'STYLE.md; openapi-generator #13714, #8866',
    document: echo(
      "{ $ref: '#/components/schemas/Node' }",
      `Node: { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, properties: { children: { type: array, items: { $ref: '#/components/schemas/Node' } } } }] }
Base: { type: object, required: [id], properties: { id: { type: integer }, parent: { allOf: [{ $ref: '#/components/schemas/Node' }] } } }`,
    ),
    calls: [
      ...same({ id: 1, children: [{ id: 2, parent: { id: 1 } }] }),
      ...refused({ id: 1, children: [{ id: 'x' }] }),
    ],
  },
  'names that are one in another case': {
    broke: 'STYLE.md; oapi-codegen #1878, #868',
    document: `
paths:
  /op:
    post:
      x-rpc-method: x.op
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/user-name' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/user_name' } } } } }
  /user-name: { get: { responses: { '204': { description: ok } } } }
  /user_name: { get: { responses: { '204': { description: ok } } } }
components:
  schemas:
    user-name: { type: object, properties: { a: { type: string }, A: { type: string } } }
    user_name: { type: object, properties: { b: { type: string } } }
    UserName: { type: object, properties: { c: { type: string } } }
    XOpParams: { type: string }
    XOpResult: { type: string }
`,
    calls: [
      [
        { a: '1', A: '2' },
        { a: '1', A: '2' },
      ],
    ],
  },
  'properties that objects inherit': {
    broke: 'STYLE.md',
    document: echo(
      '{ type: object, required: [constructor], properties: { __proto__: { type: string }, constructor: { type: integer }, toString: { type: boolean } } }',
    ),
    calls: [
      ...same(JSON.parse('{"__proto__":"x","constructor":1,"toString":true}')),
      ...refused(
        {},
        JSON.parse('{"__proto__":1,"constructor":1}'),
        JSON.parse('{"constructor":1,"toString":"x"}'),
      ),
    ],
  },
  'parameters that are words of the language': {
    broke: 'openapi-typescript-codegen #605; openapi-generator #7880',
    document: withParameters(
      '/op/{class}/{default}',
      '{ name: class, in: path, required: true, schema: { type: string } }, { name: default, in: path, required: true, schema: { type: integer } }, { name: await, in: query, schema: { type: string } }, { name: configuration, in: query, schema: { type: string } }, { name: arguments, in: header, schema: { type: string } }',
    ),
    calls: same({ class: 'a', default: 1, await: 'b', configuration: 'c', arguments: 'd' }),
    rest: [{ method: 'GET', target: '/op/a/1?await=b', answer: { await: 'b', class: 'a', default: 1 } }],
    uses: "import type { XOpParams } from './types.js'\nexport const { class: c, default: d }: XOpParams = { class: '', default: 1 }",
  },
  'a discriminator over allOf': {
    broke: 'openapi-typescript #1464, #2775, #1879: typed as never',
    document: echo(
      "{ $ref: '#/components/schemas/Entity' }",
      `Entity:
  discriminator: { propertyName: tag }
  oneOf:
    - allOf: [{ $ref: '#/components/schemas/FileEntity' }, { type: object, required: [tag], properties: { tag: { type: string, enum: [File] } } }]
    - allOf: [{ $ref: '#/components/schemas/FolderEntity' }, { type: object, required: [tag], properties: { tag: { type: string, enum: [Folder] } } }]
FileEntity: { type: object, required: [size], properties: { size: { type: integer } } }
FolderEntity: { type: object, required: [items], properties: { items: { type: array, items: { type: string } } } }`,
    ),
    calls: [
      ...same({ tag: 'File', size: 1 }, { tag: 'Folder', items: [] }),
      ...refused({ tag: 'File', items: [] }, { tag: 'Entity', size: 1 }),
    ],
    uses: "import type { Entity } from './types.js'\nexport const made: Entity[] = [{ tag: 'File', size: 1 }, { tag: 'Folder', items: ['a'] }]\nexport const size = (entity: Entity): number => (entity.tag === 'File' ? entity.size : entity.items.length)",
  },
  'a parent with a discriminator whose children are allOf': {
    broke: 'openapi-typescript #2775, #2318; openapi-generator #7262',
    document: echo(
      "{ oneOf: [{ $ref: '#/components/schemas/External' }, { $ref: '#/components/schemas/Redirect' }], discriminator: { propertyName: type, mapping: { external: '#/components/schemas/External', redirect: '#/components/schemas/Redirect' } } }",
      `Confirmation: { type: object, required: [type], properties: { type: { type: string } }, discriminator: { propertyName: type, mapping: { external: '#/components/schemas/External', redirect: '#/components/schemas/Redirect' } } }
External: { allOf: [{ $ref: '#/components/schemas/Confirmation' }, { type: object, properties: { note: { type: string } } }] }
Redirect: { allOf: [{ $ref: '#/components/schemas/Confirmation' }, { type: object, required: [url], properties: { url: { type: string } } }] }`,
    ),
    calls: [
      ...same({ type: 'external', note: 'x' }, { type: 'redirect', url: '/' }),
      ...refused({ type: 'redirect' }, { type: 'Confirmation' }),
    ],
    uses: "import type { XOpParams } from './types.js'\nexport const one: XOpParams = { type: 'external' }",
  },
  defaults: {
    broke: 'openapi-typescript #664, #1944; hey-api #962',
    document: echo(
      '{ type: object, properties: { limit: { type: integer, default: 10 }, name: { type: string } } }',
    ),
    calls: [
      [{}, { limit: 10 }],
      [{ limit: 3 }, { limit: 3 }],
    ],
    uses: "import type { XOpParams } from './types.js'\nimport type { XHandlers } from './handlers.js'\nexport const sent: XOpParams = {}\nexport const x: XHandlers<never> = { op: ({ limit }) => ({ limit: limit + 1 }) }",
  },
  'formats of every kind': {
    broke: 'ajv standalone: require() in ES modules',
    document: echo(
      '{ type: object, properties: { at: { type: string, format: date-time }, id: { type: string, format: uuid }, mail: { type: string, format: email }, n: { type: integer, format: int64 }, odd: { type: string, format: no-such-format } } }',
    ),
    calls: [
      ...same({ at: '2026-01-01T00:00:00Z', mail: 'a@b.example', odd: 'x' }),
      ...refused({ mail: 'x' }, { id: 'x' }),
    ],
  },
  'parameters with dashes': {
    broke: 'swagger-typescript-api #184; openapi-generator #16668; NSwag #20',
    document: withParameters(
      '/op/{location-code}',
      '{ name: location-code, in: path, required: true, schema: { type: string } }, { name: X-User, in: header, description: "of\\ntwo lines", schema: { type: string } }',
    ),
    calls: same({ 'location-code': 'a', 'X-User': 'b' }),
    rest: [{ method: 'GET', target: '/op/a%2Fb', answer: { 'location-code': 'a/b' } }],
  },
  'parameters with dots': {
    broke: 'swagger-typescript-api #413',
    document: withParameters(
      '/op/{truck.id}/item',
      '{ name: truck.id, in: path, required: true, schema: { type: string } }',
    ),
    calls: same({ 'truck.id': 'a' }),
    rest: [{ method: 'GET', target: '/op/7/item', answer: { 'truck.id': '7' } }],
  },
  'a template within a segment, and a dollar': {
    broke: 'hey-api #295',
    document: withParameters(
      '/api/v{version}/Reviews/$count',
      '{ name: version, in: path, required: true, schema: { type: integer } }',
    ),
    rest: [{ method: 'GET', target: '/api/v2/Reviews/$count', answer: { version: 2 } }],
    calls: same({ version: 2 }),
  },
  'a parameter of JSON in a path': {
    broke: 'pb33f/wiretap #92; ogen #339',
    document: withParameters(
      '/op/{filter}',
      '{ name: filter, in: path, required: true, content: { application/json: { schema: { type: object, properties: { a: { type: integer } } } } } }',
    ),
    calls: [...same({ filter: { a: 1 } }), ...refused({ filter: { a: 'x' } })],
    rest: [{ method: 'GET', target: '/op/%7B%22a%22%3A1%7D', answer: { filter: { a: 1 } } }],
  },
  'a parameter that may be null': {
    broke: 'ogen #1698, #1309',
    document: withParameters(
      '/op',
      '{ name: token, in: query, schema: { anyOf: [{ type: integer }, { type: "null" }] } }',
    ),
    calls: [...same({ token: 1 }, { token: null }, {}), ...refused({ token: 'x' })],
    rest: [{ method: 'GET', target: '/op?token=5', answer: { token: 5 } }],
  },
}
