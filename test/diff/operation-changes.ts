import type { Json, JsonObject } from '../../generator/document/document.js'

const text = { type: 'string' }
const responses = { 200: { description: 'Fine' } }
const fine: JsonObject = { responses }
const deprecated = (more: JsonObject = {}): JsonObject => ({ deprecated: true, ...more })
const past = '2026-11-20'
const soon = '2026-11-22'
const later = '2027-11-21'

/** Both directions: a part of one document that the other does not have. */
function both(a: JsonObject, b: JsonObject): [JsonObject, JsonObject][] {
  const [one, other] = [
    { ...fine, ...a },
    { ...fine, ...b },
  ]
  return [
    [one, other],
    [other, one],
  ]
}

const q = (more: JsonObject = {}): JsonObject => ({
  parameters: [{ in: 'query', name: 'q', schema: text, ...more }],
})
const body = (more: JsonObject = {}, type = 'application/json'): JsonObject => ({
  requestBody: { content: { [type]: { schema: text } }, ...more },
})
const described = (more: JsonObject) => ({
  requestBody: {
    content: { 'application/json': { schema: { type: 'object', properties: { p: { ...text, ...more } } } } },
  },
})
const answer = (more: JsonObject): JsonObject => ({ responses: { 200: { description: 'Fine', ...more } } })
const media = (...types: string[]): JsonObject =>
  answer({ content: Object.fromEntries(types.map((type) => [type, { schema: text }])) })

/** One operation of both versions each. */
export const operationChanges: readonly (readonly [JsonObject, JsonObject])[] = [
  ...both({}, q()),
  ...both({}, q({ required: true })),
  ...both(q(), q({ required: true })),
  ...both(q(), q(deprecated())),
  ...both(q(), q(deprecated({ 'x-sunset': 'soon' }))),
  ...both(q(), q(deprecated({ 'x-sunset': past }))),
  ...both(q(deprecated()), q(deprecated({ 'x-sunset': later }))),
  ...both(q(deprecated({ 'x-sunset': past })), q(deprecated({ 'x-sunset': later }))),
  ...both(q(deprecated({ 'x-sunset': later })), {}),
  ...both(q(deprecated({ 'x-sunset': past })), {}),
  ...both({}, body()),
  ...both({}, body({ required: true })),
  ...both(body(), body({ required: true })),
  ...both(body(), body({}, 'application/xml')),
  ...both(
    { ...described({}), ...answer({ content: described({}).requestBody.content }) },
    { ...described(deprecated()), ...answer({ content: described(deprecated()).requestBody.content }) },
  ),
  ...both(body({ content: { 'application/json': {} } }), body()),
  ...both(answer({}), answer({ headers: { 'X-Q': { schema: text } } })),
  ...both(answer({}), answer({ headers: { 'X-Q': { schema: text, required: true } } })),
  ...both(
    answer({ headers: { 'X-Q': { schema: text } } }),
    answer({ headers: { 'X-Q': { schema: text, required: true } } }),
  ),
  ...both(media('application/json'), media('application/json', 'text/csv')),
  ...both(media('application/json'), media('application/problem+json')),
  ...both(media('text/csv'), media('text/csv; charset=utf-8')),
  ...both(answer({ content: { 'application/json': {} } }), media('application/json')),
  ...both({}, { responses: { ...responses, 201: { description: 'Made' } } }),
  ...both({}, { responses: { ...responses, 404: { description: 'Gone' } } }),
  ...both({}, { tags: ['a'] }),
  ...both({}, { operationId: 'one.two' }).slice(0, 1),
  ...both({ operationId: 'one.three' }, {}).slice(0, 1),
  ...both({}, deprecated()),
  ...both({}, deprecated({ 'x-sunset': 'soon' })),
  ...both({}, deprecated({ 'x-sunset': past })),
  ...both({}, deprecated({ 'x-sunset': later })),
  ...both(deprecated(), deprecated({ 'x-sunset': later })),
  ...both(deprecated({ 'x-sunset': past }), deprecated({ 'x-sunset': later })),
  ...both(deprecated({ 'x-sunset': 'soon' }), deprecated({ 'x-sunset': later })),
  ...both({ 'x-stability-level': 'beta' }, { 'x-stability-level': 'stable' }),
  ...both({}, { 'x-stability-level': 'unknown' }),
  ...both({ security: [{ key: [] }] }, { security: [{ key: [] }, { oauth: ['read'] }] }),
  ...both({ security: [{ oauth: ['read'] }] }, { security: [{ oauth: ['read', 'write'] }] }),
]

const kept: JsonObject = { get: fine }

/** Whole paths, and members of paths that apply to all of their operations. */
export const pathChanges: readonly [JsonObject, JsonObject] = [
  {
    '/one': {},
    '/gone': { get: fine },
    '/gone-after-notice': { get: { ...fine, ...deprecated() } },
    '/gone-early': { get: { ...fine, ...deprecated({ 'x-sunset': soon }) } },
    '/gone-some-day': { get: { ...fine, ...deprecated({ 'x-sunset': 'soon' }) } },
    '/a': { ...kept, put: fine },
    '/b': { ...kept, put: { ...fine, ...deprecated() } },
    '/c': { ...kept, put: { ...fine, ...deprecated({ 'x-sunset': soon }) } },
    '/shared': kept,
    '/shared-too': kept,
    '/d': { get: { operationId: 'd.get', ...fine } },
  },
  {
    '/new': { get: fine },
    '/a': kept,
    '/b': kept,
    '/c': kept,
    '/shared': { ...kept, ...q({ required: true }) },
    '/shared-too': { ...kept, ...q() },
    '/d/{id}': {
      get: {
        operationId: 'd.get',
        ...fine,
        parameters: [{ in: 'path', name: 'id', required: true, schema: text }],
      },
    },
  },
]

export const webhooks: readonly [JsonObject, JsonObject] = [
  { old: { post: fine } },
  { fresh: { post: fine } },
]

export const globalSecurity: readonly [readonly Json[], readonly Json[]] = [
  [{ key: [] }, { oauth: ['read'] }],
  [{ token: [] }, { oauth: ['write'] }],
]

export function componentsOf(version: 0 | 1): JsonObject {
  const oauth = (path: string, scopes: JsonObject): JsonObject => ({
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: `https://id.example${path}/authorize`,
        tokenUrl: `https://id.example${path}/token`,
        scopes,
      },
    },
  })
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
  const token = { type: 'http', scheme: 'bearer' }
  return version === 0
    ? {
        securitySchemes: {
          key,
          token: { ...key, name: 'X-Token' },
          only: { type: 'mutualTLS' },
          oauth: oauth('', { read: 'Read', write: 'Write', old: 'Old' }),
        },
        schemas: { Unused: text },
      }
    : {
        securitySchemes: {
          key,
          token,
          other: { type: 'http', scheme: 'basic' },
          oauth: oauth('/v2', { read: 'Reads', write: 'Write', fresh: 'New' }),
        },
      }
}
