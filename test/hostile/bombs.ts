/** A file that attacks by size, depth or shape, and the expected result. */
export interface Bomb {
  readonly file: 'openapi.yaml' | 'openapi.json'
  readonly text: string
  /** Codes of the errors. Absent if the file is legal and must be generated. */
  readonly refused?: readonly string[]
}

const head = 'openapi: 3.1.1\ninfo: { title: Bomb, version: 1.0.0 }\n'
const info = { openapi: '3.1.1', info: { title: 'Bomb', version: '1.0.0' } }

const yaml = (text: string, ...refused: string[]): Bomb => ({
  file: 'openapi.yaml',
  text: head + text,
  ...(refused.length > 0 && { refused }),
})

const json = (members: object, ...refused: string[]): Bomb => ({
  file: 'openapi.json',
  text: JSON.stringify({ ...info, paths: {}, ...members }),
  ...(refused.length > 0 && { refused }),
})

/** Component schemas. An operation accepts and returns the first one. */
const schemas = (list: Readonly<Record<string, unknown>>, ...refused: string[]): Bomb => {
  const [first = ''] = Object.keys(list)
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${first}` } } }
  const post = { requestBody: { content }, responses: { '200': { description: 'ok', content } } }
  return json({ paths: { '/bomb': { post } }, components: { schemas: list } }, ...refused)
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** A chain of schemas, each built from a reference to the next. The last one is a text. */
const row = (
  length: number,
  make: (next: { $ref: string }, index: number) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `S${index}`,
      index === length - 1
        ? { type: 'object', properties: { end: { type: 'string' } } }
        : make(ref(`S${index + 1}`), index),
    ]),
  )

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const answers = { responses: { '200': { description: 'ok' } } }

export const bombs: Readonly<Record<string, Bomb>> = {
  // YAML
  'billion laughs': yaml(
    `x-a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n${[...'bcdefghij']
      .map((name, index) => `x-${name}: &${name} [${times(9, () => `*${'abcdefghij'[index]}`).join(', ')}]\n`)
      .join('')}paths: {}\n`,
    'yaml-alias',
  ),
  'billion laughs of merge keys': yaml(
    `x-a: &a { k0: v }\n${times(25, (n) => `x-a${n}: &a${n} { <<: [*a${n === 0 ? '' : n - 1}, *a${n === 0 ? '' : n - 1}], k${n + 1}: v }\n`).join('')}paths: {}\n`,
    'yaml-alias',
    'yaml-merge',
  ),
  'alias within itself': yaml('paths: &p { /a: *p }\n', 'yaml-alias'),
  'tags of other languages': yaml(
    "paths: {}\nx-a: !!js/function 'function(){}'\nx-b: !!python/object/apply:os.system ['touch __pwned']\nx-c: !<tag:pwned> 1\n",
    'yaml-tag',
  ),
  'own prototype by a merge key': yaml(
    'x-base: &base { __proto__: { polluted: true } }\nx-a: { <<: *base }\npaths: {}\n',
  ),
  'deep flow of YAML': yaml(
    `paths: {}\nx-a: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n`,
    'document-too-deep',
  ),
  'deep blocks of YAML': yaml(
    `paths: {}\nx-a:\n${times(1_500, (n) => `${' '.repeat(n + 1)}a:\n`).join('')}`,
    'document-too-deep',
  ),
  'deep sequence of YAML in a line': yaml(
    `paths: {}\nx-a: \n  ${'- '.repeat(10_000)}a\n`,
    'document-too-deep',
  ),
  'thousands of anchors': yaml(`paths: {}\nx-a:\n${times(20_000, (n) => `  - &a${n} b\n`).join('')}`),
  'thousands of errors': yaml(
    `paths: {}\nx-a:\n${times(3_000, () => '  a: !x b\n').join('')}`,
    'yaml-tag',
    'duplicate-key',
  ),
  // JSON
  'deep JSON': {
    file: 'openapi.json',
    text: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    refused: ['document-too-deep'],
  },
  'deep JSON that does not end': {
    file: 'openapi.json',
    text: '['.repeat(1_000_000),
    refused: ['document-too-deep'],
  },
  'a number without end': {
    file: 'openapi.json',
    text: `{"openapi":"3.1.1","info":{"title":"a","version":"1.0.0"},"paths":{},"x-a":${'9'.repeat(500_000)}}`,
    refused: ['number-too-large'],
  },
  'one line of ten megabytes': json({ 'x-a': 'a'.repeat(10_000_000) }),
  // References
  'row of 300 references': schemas(row(300, (next) => next)),
  'row of 5,000 references': schemas(row(5_000, (next) => next)),
  'row of 600 properties': schemas(row(600, (next) => ({ type: 'object', properties: { next } }))),
  'row of 100 allOf': schemas(row(100, (next, n) => ({ allOf: [next, { properties: { [`p${n}`]: {} } }] }))),
  'row of 2,000 allOf': schemas(
    row(2_000, (next, n) => ({ allOf: [next, { properties: { [`p${n}`]: {} } }] })),
  ),
  'ring of 2,000 properties': schemas({
    ...row(2_000, (next) => ({ properties: { next } })),
    S1999: { properties: { next: ref('S0') } },
  }),
  'ring of 5,000 references': schemas({ ...row(5_000, (next) => next), S4999: ref('S0') }, 'reference-cycle'),
  'ring of allOf': schemas(
    { ...row(100, (next) => ({ allOf: [next] })), S99: { allOf: [ref('S0')] } },
    'schema-recursion',
  ),
  'doubling allOf': schemas(row(60, (next) => ({ allOf: [next, next] }))),
  'doubling anyOf': schemas(row(60, (next) => ({ anyOf: [next, next] }))),
  'doubling oneOf': schemas(row(60, (next) => ({ oneOf: [next, next] }))),
  'doubling properties': schemas(
    row(60, (next) => ({ properties: { a: next, b: next }, required: ['a', 'b'] })),
  ),
  'doubling items and additional properties': schemas(
    row(60, (next) => ({ items: next, additionalProperties: next, prefixItems: [next, next] })),
  ),
  'doubling datetimes': schemas({
    ...row(60, (next) => ({ properties: { a: next, b: next } })),
    S59: { type: 'object', properties: { at: { type: 'string', format: 'date-time', 'x-timezone': true } } },
  }),
  'doubling read-only': schemas({
    ...row(60, (next) => ({ properties: { a: next, b: next } })),
    S59: { properties: { id: { type: 'string', readOnly: true } } },
  }),
  'doubling defaults': schemas({
    ...row(60, (next) => ({ anyOf: [next, { allOf: [next] }] })),
    S59: { properties: { a: { default: 1 } } },
  }),
  'row of 100 schemas with 100 references each': schemas(
    row(100, (next) => ({ anyOf: times(100, () => next) })),
  ),
  'row of 6 schemas with 100 properties each': schemas(
    row(6, (next) => ({ properties: Object.fromEntries(times(100, (n) => [`p${n}`, next])) })),
  ),
  '400 required properties of a body that may be left out': schemas({
    A: {
      type: 'object',
      properties: Object.fromEntries(times(400, (n) => [`p${n}`, { type: 'string' }])),
      required: times(400, (n) => `p${n}`),
    },
  }),
  'every schema in every other': schemas(
    Object.fromEntries(
      times(60, (n) => [
        `S${n}`,
        { properties: Object.fromEntries(times(60, (m) => [`p${m}`, ref(`S${m}`)])) },
      ]),
    ),
  ),
  'row of references to parameters': json({
    paths: { '/a': { get: { parameters: [{ $ref: '#/components/parameters/P0' }], ...answers } } },
    components: {
      parameters: Object.fromEntries(
        times(500, (n) => [
          `P${n}`,
          n === 499 ? { name: 'p', in: 'query', schema: {} } : { $ref: `#/components/parameters/P${n + 1}` },
        ]),
      ),
    },
  }),
  'ring of paths': json(
    { paths: { '/a': { $ref: '#/paths/~1b' }, '/b': { $ref: '#/paths/~1a' } } },
    'reference-cycle',
  ),
  'references to devices': json(
    {
      paths: {
        '/a': { $ref: '/dev/zero' },
        '/b': { $ref: 'file:///dev/stdin' },
        '/c': { $ref: '/proc/self/mem' },
      },
    },
    'reference-outside',
    'reference-unsupported',
  ),
  // Size and numbers
  '5,000 properties': schemas({
    A: { properties: Object.fromEntries(times(5_000, (n) => [`p${n}`, { type: 'string' }])) },
  }),
  '20,000 values of an enum': schemas({ A: { enum: times(20_000, (n) => `v${n}`) } }),
  'schema of 380 levels': schemas({
    A: times(180, () => 0).reduce<object>((inner) => ({ properties: { a: inner } }), { type: 'string' }),
  }),
  '1,500 paths of one name': json({
    paths: Object.fromEntries(times(1_500, (n) => [`/a${'-'.repeat(n + 1)}b`, { get: answers }])),
  }),
  '1,000 schemas of one name': json({
    components: {
      schemas: Object.fromEntries(times(1_000, (n) => [`A${'-'.repeat(n + 1)}b`, { type: 'string' }])),
    },
  }),
  '1,000 parameters': json({
    paths: {
      '/a': {
        get: { parameters: times(1_000, (n) => ({ name: `p${n}`, in: 'query', schema: {} })), ...answers },
      },
    },
  }),
  '300 parts of a path': json({
    paths: { [`/${times(300, (n) => `{p${n}}`).join('/')}`]: { get: answers } },
  }),
  'limits beyond all measure': schemas({
    A: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1e308, maxLength: 1e308 },
        list: { type: 'array', minItems: 4e9, items: { type: 'string' } },
        map: { type: 'object', minProperties: 4e9 },
        number: { type: 'number', multipleOf: 5e-324, maximum: 1.7e308 },
      },
      required: ['text', 'list', 'map', 'number'],
    },
  }),
  'repetition in a pattern': schemas({ A: { type: 'string', pattern: '^(?:(?:a{1000}){1000}){1000}$' } }),
  'pattern that backtracks, with an example': schemas({
    A: {
      type: 'string',
      pattern: '^(a+)+$',
      default: `${'a'.repeat(60)}!`,
      examples: [`${'a'.repeat(60)}!`],
    },
  }),
  '300 patterns that backtrack': schemas({
    A: {
      properties: Object.fromEntries(
        times(300, (n) => [`p${n}`, { type: 'string', pattern: `^(?:(?:a*b?)*c{0,${n}}(?:a|b)*)*$` }]),
      ),
    },
  }),
  'variables within variables': json({
    servers: [{ url: '/{a}', variables: { a: { default: '{a}{a}' } } }],
    paths: { '/a': { get: answers } },
  }),
}
