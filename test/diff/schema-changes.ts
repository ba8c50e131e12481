import type { Json, JsonObject } from '../../generator/document/document.js'

const text = { type: 'string' }
const number = { type: 'integer' }
const list = (more: JsonObject): JsonObject => ({ type: 'array', items: text, ...more })
export const object = (more: JsonObject): JsonObject => ({ type: 'object', ...more })
const cat = { title: 'Cat', type: 'object', properties: { breed: text }, required: ['breed'] }
const dog = { title: 'Dog', type: 'object', properties: { bark: text }, required: ['bark'] }

/** Schemas before and after. Each pair is also compared in reverse. */
export const schemaChanges: readonly (readonly [JsonObject, JsonObject])[] = [
  [text, { ...text, enum: ['a'] }],
  [
    { ...text, enum: ['a', 'b'] },
    { ...text, enum: ['a'] },
  ],
  [text, { ...text, const: 'a' }],
  [
    { ...text, const: 'a' },
    { ...text, const: 'b' },
  ],
  ...['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'].flatMap(
    (key): [JsonObject, JsonObject][] => [
      [number, { ...number, [key]: 5 }],
      [
        { ...number, [key]: 5 },
        { ...number, [key]: 6 },
      ],
    ],
  ),
  ...['maxLength', 'minLength'].flatMap((key): [JsonObject, JsonObject][] => [
    [text, { ...text, [key]: 5 }],
    [
      { ...text, [key]: 5 },
      { ...text, [key]: 6 },
    ],
  ]),
  ...['maxItems', 'minItems'].flatMap((key): [JsonObject, JsonObject][] => [
    [list({}), list({ [key]: 5 })],
    [list({ [key]: 5 }), list({ [key]: 6 })],
  ]),
  ...['minContains', 'maxContains'].map((key): [JsonObject, JsonObject] => [
    list({ contains: { const: 'a' }, [key]: 2 }),
    list({ contains: { const: 'a' }, [key]: 3 }),
  ]),
  [list({}), list({ contains: { const: 'a' } })],
  [list({}), list({ prefixItems: [{ const: 'a' }] })],
  [list({}), list({ unevaluatedItems: false })],
  [text, { ...text, pattern: '^a' }],
  [
    { ...text, pattern: '^a' },
    { ...text, pattern: '^b' },
  ],
  [
    { ...text, pattern: '^a' },
    { ...text, pattern: '.*' },
  ],
  [text, { type: ['string', 'null'] }],
  [text, number],
  [number, { type: 'number' }],
  [{ anyOf: [text, number] }, { anyOf: [text, number, { type: 'boolean' }] }],
  [text, { ...text, default: 'a' }],
  [
    { ...text, default: 'a' },
    { ...text, default: 'b' },
  ],
  [{ anyOf: [cat] }, { anyOf: [cat, dog] }],
  [{ oneOf: [cat] }, { oneOf: [cat, dog] }],
  [cat, { oneOf: [cat, dog] }],
  [
    object({ additionalProperties: text }),
    object({ additionalProperties: text, allOf: [{ minProperties: 1 }] }),
  ],
  [
    object({ additionalProperties: text }),
    object({ additionalProperties: text, allOf: [{ description: 'One' }] }),
  ],
  [object({}), object({ if: { required: ['a'] } })],
  ...['then', 'else'].map((key): [JsonObject, JsonObject] => [
    object({ if: { required: ['a'] } }),
    object({ if: { required: ['a'] }, [key]: { required: ['b'] } }),
  ]),
  [object({}), object({ dependentRequired: { a: ['b'] } })],
  [object({ dependentRequired: { a: ['b'] } }), object({ dependentRequired: { a: ['c'] } })],
  [object({}), object({ dependentSchemas: { a: { required: ['b'] } } })],
  [object({}), object({ patternProperties: { '^a': text } })],
  [object({}), object({ propertyNames: { pattern: '^a' } })],
  [object({}), object({ unevaluatedProperties: false })],
  [text, { ...text, contentMediaType: 'application/json', contentSchema: number }],
  [
    { ...text, contentMediaType: 'a/b', contentEncoding: 'base64' },
    { ...text, contentMediaType: 'a/c', contentEncoding: 'base32' },
  ],
  [object({ oneOf: [cat, dog] }), object({ oneOf: [cat, dog], discriminator: { propertyName: 'breed' } })],
  [
    object({ oneOf: [cat, dog], discriminator: { propertyName: 'breed', mapping: { a: 'A', b: 'B' } } }),
    object({ oneOf: [cat, dog], discriminator: { propertyName: 'bark', mapping: { a: 'B', c: 'C' } } }),
  ],
  [
    { ...text, 'x-extensible-enum': ['a', 'b'] },
    { ...text, 'x-extensible-enum': ['a'] },
  ],
  [text, { ...text, 'x-extensible-enum': ['a'] }],
  [text, { ...text, deprecated: true }],
  [text, { ...text, deprecated: true, 'x-sunset': '2027-11-21' }],
  [text, { ...text, deprecated: true, 'x-sunset': 'soon' }],
  [text, { ...text, deprecated: true, 'x-sunset': '2026-11-20' }],
  [text, { ...text, 'x-stability-level': 'beta' }],
]

/** Properties before and after, and whether they are required. Also in reverse. */
export const propertyChanges: readonly (readonly [Json | undefined, boolean, Json | undefined, boolean])[] = [
  [undefined, false, text, true],
  [undefined, false, text, false],
  [undefined, false, { ...text, default: 'a' }, true],
  [undefined, false, { ...text, writeOnly: true }, true],
  [undefined, false, { ...text, writeOnly: true }, false],
  [text, false, text, true],
  [{ ...text, default: 'a' }, false, { ...text, default: 'a' }, true],
  [{ ...text, writeOnly: true }, false, { ...text, writeOnly: true }, true],
  ...[true, false].flatMap((required) =>
    ['readOnly', 'writeOnly'].map((key) => [text, required, { ...text, [key]: true }, required] as const),
  ),
  ...[
    [{ enum: ['a', 'b'] }, { enum: ['a'] }],
    [{ maximum: 6 }, { maximum: 5 }],
    [{ minimum: 5 }, { minimum: 6 }],
    [{ exclusiveMaximum: 6 }, { exclusiveMaximum: 5 }],
    [{ exclusiveMinimum: 5 }, { exclusiveMinimum: 6 }],
    [{ maxLength: 6 }, { maxLength: 5 }],
  ].flatMap(([a, b]) =>
    ['readOnly', 'writeOnly'].map(
      (key) => [{ ...a, [key]: true }, false, { ...b, [key]: true }, false] as const,
    ),
  ),
]
