/** What a change id says, in words. An id is a subject and what happened to it, or has a text of its own. */
export function changeText(id: string): string | undefined {
  const own = texts[id]
  if (own !== undefined) return own
  const subject = Object.keys(subjects)
    .filter((name) => id.startsWith(`${name}-`) && actionText(id.slice(name.length + 1)) !== undefined)
    .sort((one, other) => other.length - one.length)[0]
  if (subject === undefined) return undefined
  return `${subjects[subject]}: ${actionText(id.slice(subject.length + 1))}.`
}

/** The action without the subject: ids with the same action show each other's examples. */
export function actionOf(id: string): string {
  const subject = Object.keys(subjects)
    .filter((name) => id.startsWith(`${name}-`))
    .sort((one, other) => other.length - one.length)[0]
  return subject === undefined ? id : id.slice(subject.length + 1)
}

/** Texts that no id uses. */
export function unusedTexts(ids: readonly string[]): string[] {
  const used = new Set([...ids, ...ids.map(actionOf)])
  return [...Object.keys(texts), ...Object.keys(actions)].filter((name) => !used.has(name))
}

function actionText(action: string): string | undefined {
  if (actions[action] !== undefined) return actions[action]
  const [, name = '', event = ''] = /^(.*)-(\w+)$/.exec(action) ?? []
  const keyword = keywords[name] ?? ownNames.find((own) => own === name)
  const happened = events[event]
  return keyword === undefined || happened === undefined ? undefined : `\`${keyword}\` ${happened}`
}

type Texts = Readonly<Record<string, string>>

const subjects: Texts = {
  'request-body': 'The body of a request',
  'request-property': 'A property of a request body',
  'request-read-only-property': 'A read-only property of a request body',
  'request-optional-property': 'An optional property of a request body',
  'request-required-property': 'A required property of a request body',
  'request-parameter': 'A parameter',
  'request-parameter-property': 'A property of an object in a parameter',
  'request-header-property': 'A header of a request',
  'response-body': 'The body of a response',
  'response-property': 'A property of a response body',
  'response-optional-property': 'An optional property of a response body',
  'response-required-property': 'A required property of a response body',
  'response-write-only-property': 'A write-only property of a response body',
  'response-mediatype': 'The body of a response',
  'response-header': 'A header of a response',
  'response-header-property': 'A property of an object in a response header',
}

const events: Texts = {
  added: 'was added',
  removed: 'was removed',
  changed: 'changed',
  set: 'was added',
  unset: 'was removed',
  increased: 'became larger',
  decreased: 'became smaller',
}

/** Keywords of JSON Schema by their names in ids. */
const keywords: Texts = {
  max: 'maximum',
  min: 'minimum',
  'exclusive-max': 'exclusiveMaximum',
  'exclusive-min': 'exclusiveMinimum',
  'max-length': 'maxLength',
  'min-length': 'minLength',
  'max-items': 'maxItems',
  'min-items': 'minItems',
  'max-properties': 'maxProperties',
  'min-properties': 'minProperties',
  'max-contains': 'maxContains',
  'min-contains': 'minContains',
  'multiple-of': 'multipleOf',
  'unique-items': 'uniqueItems',
  'content-schema': 'contentSchema',
  'content-media-type': 'contentMediaType',
  'content-encoding': 'contentEncoding',
  'property-names': 'propertyNames',
  'prefix-items': 'prefixItems',
  'unevaluated-items': 'unevaluatedItems',
  'unevaluated-properties': 'unevaluatedProperties',
}

/** Keywords whose name in ids is their own. */
const ownNames: readonly string[] = [
  ...[
    'const',
    'contains',
    'discriminator',
    'else',
    'enum',
    'format',
    'if',
    'items',
    'not',
    'pattern',
    'then',
  ],
  'x-timezone',
]

const actions: Texts = {
  'became-enum': 'an `enum` now limits its values',
  'enum-value-added': 'a value was added to its `enum`',
  'enum-value-removed': 'a value was removed from its `enum`',
  'x-extensible-enum-value-added': 'a value was added to its `x-extensible-enum`',
  'x-extensible-enum-value-removed': 'a value was removed from its `x-extensible-enum`',
  'became-not-nullable': 'null is no longer allowed',
  'became-nullable': 'null is now allowed',
  'became-required': 'it is now required',
  'became-optional': 'it is no longer required',
  'became-required-with-default': 'it is now required, and has a default',
  'became-read-only': 'it became read-only',
  'became-not-read-only': 'it is no longer read-only',
  'became-write-only': 'it became write-only',
  'became-not-write-only': 'it is no longer write-only',
  'type-changed': 'its type changed',
  'type-specialized': 'its type became narrower, such as `number` to `integer`',
  'type-generalized': 'its type became wider, such as `integer` to `number`',
  'type-compatible': 'its type changed, and values are written alike',
  'list-of-types-narrowed': 'a type was removed from its list of types',
  'list-of-types-widened': 'a type was added to its list of types',
  'pattern-generalized': '`pattern` changed to one that accepts more',
  'not-altered': 'the schema below `not` changed',
  'additional-properties-added': 'properties without a name in the schema are now allowed',
  'additional-properties-removed': 'properties without a name in the schema are no longer allowed',
  'additional-properties-changed': 'the schema of additional properties changed',
  'all-of-added': 'a branch was added to `allOf`',
  'all-of-removed': 'a branch was removed from `allOf`',
  'all-of-added-annotation-only': 'a branch of `allOf` that only describes was added',
  'all-of-removed-annotation-only': 'a branch of `allOf` that only describes was removed',
  'any-of-added': 'a branch was added to `anyOf`',
  'any-of-removed': 'a branch was removed from `anyOf`',
  'one-of-added': 'a branch was added to `oneOf`',
  'one-of-removed': 'a branch was removed from `oneOf`',
  'wrapped-in-one-of': 'its schema became one of several branches of a `oneOf`',
  'dependent-required-added': 'a name was added to `dependentRequired`',
  'dependent-required-removed': 'a name was removed from `dependentRequired`',
  'dependent-required-changed': 'the names below `dependentRequired` changed',
  'dependent-schema-added': 'a name was added to `dependentSchemas`',
  'dependent-schema-removed': 'a name was removed from `dependentSchemas`',
  'pattern-property-added': 'a pattern was added to `patternProperties`',
  'pattern-property-removed': 'a pattern was removed from `patternProperties`',
  'default-value-added': 'a default was added',
  'default-value-removed': 'its default was removed',
  'default-value-changed': 'its default changed',
  'discriminator-property-name-changed': 'the property that its `discriminator` reads changed',
  'discriminator-mapping-added': 'a value was added to the `mapping` of its `discriminator`',
  'discriminator-mapping-deleted': 'a value was removed from the `mapping` of its `discriminator`',
  'discriminator-mapping-changed': 'a value in the `mapping` of its `discriminator` names another schema',
  'discriminator-default-mapping-added': 'its `discriminator` got a `defaultMapping`',
  'discriminator-default-mapping-removed': 'its `discriminator` lost its `defaultMapping`',
  'discriminator-default-mapping-changed': 'the `defaultMapping` of its `discriminator` changed',
  deprecated: 'it was deprecated',
  'deprecated-with-sunset': 'it was deprecated, and its sunset announced',
  'deprecated-sunset-missing': 'it was deprecated without the sunset that its stability requires',
  'deprecated-sunset-invalid': 'it was deprecated with a sunset that is not a date',
  reactivated: 'it is no longer deprecated',
  'sunset-announced': 'a sunset was added',
  'sunset-deleted': 'its sunset was removed, and it is still deprecated',
  'sunset-moved-earlier': 'its sunset moved to an earlier date',
  'sunset-moved-later': 'its sunset moved to a later date',
  'sunset-date-too-small': 'its sunset is too soon after the deprecation',
  'stability-decreased': '`x-stability-level` became lower',
  'stability-increased': '`x-stability-level` became higher',
}

/** Ids that do not consist of a subject and an action, and subjects with texts of their own. */
const texts: Texts = {
  'new-request-path-parameter': 'A path parameter was added.',
  'new-required-request-default-parameter-to-existing-path': 'A required parameter with a default was added.',
  'new-optional-request-default-parameter-to-existing-path':
    'An optional parameter with a default was added.',
  'new-required-request-header-property': 'A required property of an object in a request header was added.',
  'new-required-request-parameter': 'A required parameter was added.',
  'new-optional-request-parameter': 'An optional parameter was added.',
  'new-required-request-property': 'A required property was added to a request body.',
  'new-required-request-property-with-default':
    'A required property with a default was added to a request body.',
  'new-optional-request-property': 'An optional property was added to a request body.',
  'new-optional-request-parameter-property': 'An optional property of an object in a parameter was added.',
  'request-property-removed': 'A property was removed from a request body.',
  'request-parameter-property-removed': 'A property of an object in a parameter was removed.',
  'request-parameter-removed': 'A parameter was removed.',
  'request-parameter-removed-before-sunset': 'A parameter was removed before its sunset.',
  'request-parameter-removed-with-deprecation': 'A deprecated parameter was removed after its sunset.',
  'request-parameter-unstable-removed': 'A parameter with an unstable `x-stability-level` was removed.',
  'request-parameter-sunset-date-changed-too-small':
    'The sunset of a parameter moved to a date that is too soon after the deprecation.',
  'request-parameter-sunset-parse': 'The sunset of a parameter is not a date.',
  'request-parameter-style-changed': 'A parameter is written in another `style`, or with another `explode`.',
  'request-parameter-location-changed': 'A parameter moved, such as from the query to a header.',
  'request-parameter-renamed': 'A parameter has another name.',
  'request-parameter-empty-value-refused': 'A parameter no longer accepts an empty value.',
  'request-parameter-empty-value-allowed': 'A parameter now accepts an empty value.',
  'request-parameter-reading-changed':
    'Both versions accept the same text of a parameter, and read different values from it.',
  'request-body-added-required': 'A required request body was added.',
  'request-body-added-optional': 'An optional request body was added.',
  'request-body-removed': 'The request body was removed.',
  'request-body-media-type-added': 'A media type was added to a request body.',
  'request-body-media-type-removed': 'A media type was removed from a request body.',
  'request-body-media-type-schema-added': 'A media type of a request body got a schema.',
  'request-body-media-type-schema-removed': 'A media type of a request body lost its schema.',
  'request-body-encoding-changed': 'A field of a form is written in another way (`encoding`).',
  'request-body-member-clash': 'A property of the body and a parameter have the same name in the params.',
  'request-params-narrowed':
    'The params as a whole accept less, although no single change does. The report has a call that shows it.',
  'request-params-clash': 'Two params have the same name in the new version.',
  'request-query-names-refused': 'Names in the query that no parameter declares are now refused.',
  'rpc-param-name-changed': 'A param has another name over JSON-RPC.',
  'rpc-body-kept-whole': 'The body is now one param over JSON-RPC. Its properties were params before.',
  'rpc-body-taken-apart':
    'The properties of the body are now params over JSON-RPC. The body was one param before.',

  'response-body-encoding-changed': 'A part of a response body is written in another way (`encoding`).',
  'response-body-media-type-schema-added': 'A media type of a response body got a schema.',
  'response-body-media-type-schema-removed': 'A media type of a response body lost its schema.',
  'response-header-added': 'A response header was added.',
  'response-header-style-changed': 'A response header is written in another way (`explode`).',
  'response-header-property-removed': 'A property of an object in a response header was removed.',
  'response-header-value-changed': 'A response header takes its value from another member (`x-value`).',
  'required-response-header-removed': 'A required response header was removed.',
  'optional-response-header-removed': 'An optional response header was removed.',
  'response-media-type-added': 'A media type was added to a response.',
  'response-media-type-removed': 'A media type was removed from a response.',
  'response-media-type-name-changed': 'A media type of a response has another name.',
  'response-media-type-name-generalized':
    'A media type of a response became wider, such as `application/json` to `*/*`.',
  'response-media-type-name-specialized':
    'A media type of a response became narrower, such as `*/*` to `application/json`.',
  'response-required-property-added': 'A required property was added to a response body.',
  'response-required-property-removed': 'A required property was removed from a response body.',
  'response-optional-property-added': 'An optional property was added to a response body.',
  'response-optional-property-removed': 'An optional property was removed from a response body.',
  'response-required-write-only-property-added':
    'A required write-only property was added to a response body.',
  'response-required-write-only-property-removed':
    'A required write-only property was removed from a response body.',
  'response-optional-write-only-property-added':
    'An optional write-only property was added to a response body.',
  'response-optional-write-only-property-removed':
    'An optional write-only property was removed from a response body.',
  'response-success-status-added': 'A success status was added.',
  'response-success-status-removed': 'A success status was removed.',
  'response-non-success-status-added': 'An error status was added.',
  'response-non-success-status-removed': 'An error status was removed.',
  'response-link-added': 'A link was added to a response.',
  'response-link-changed': 'A link of a response changed.',
  'response-link-removed': 'A link was removed from a response.',
  'response-result-widened':
    'The result as a whole allows more, although no single change does. The report has an answer that shows it.',

  'endpoint-added': 'An operation was added.',
  'endpoint-path-changed': 'An operation has another path.',
  'endpoint-method-changed': 'An operation has another HTTP method.',
  'endpoint-deprecated': 'An operation was deprecated.',
  'endpoint-deprecated-with-sunset': 'An operation was deprecated, and its sunset announced.',
  'endpoint-reactivated': 'An operation is no longer deprecated.',
  'endpoint-servers-changed': 'An operation has other `servers`.',
  'endpoint-shadowed':
    'Another operation now gets some requests of this one, since its path matches them first.',
  'api-removed-without-deprecation': 'An operation was removed that was not deprecated.',
  'api-removed-before-sunset': 'An operation was removed before its sunset.',
  'api-removed-with-deprecation': 'A deprecated operation was removed after its sunset.',
  'api-unstable-removed': 'An operation with an unstable `x-stability-level` was removed.',
  'api-path-removed-without-deprecation': 'A path was removed with operations that were not deprecated.',
  'api-path-removed-before-sunset': 'A path was removed before the sunset of its operations.',
  'api-path-removed-with-deprecation': 'A path of deprecated operations was removed after their sunset.',
  'api-path-sunset-parse': 'The sunset of an operation of a removed path is not a date.',
  'api-deprecated-sunset-missing':
    'An operation was deprecated without the sunset that its stability requires.',
  'api-deprecated-sunset-parse': 'An operation was deprecated with a sunset that is not a date.',
  'api-sunset-announced': 'The sunset of an operation was added.',
  'api-sunset-moved-earlier': 'The sunset of an operation moved to an earlier date.',
  'api-sunset-moved-later': 'The sunset of an operation moved to a later date.',
  'api-sunset-date-too-small': 'The sunset of an operation is too soon after its deprecation.',
  'api-sunset-date-changed-too-small':
    'The sunset of an operation moved to a date that is too soon after the deprecation.',
  'sunset-deleted': 'The sunset of an operation was removed, and it is still deprecated.',
  'api-invalid-stability-level': '`x-stability-level` is not draft, alpha, beta or stable.',
  'api-stability-decreased': '`x-stability-level` of an operation became lower.',
  'api-stability-increased': '`x-stability-level` of an operation became higher.',
  'api-operation-id-added': 'An operation got an `operationId`.',
  'api-operation-id-removed': 'An operation lost its `operationId`, or has another one.',
  'api-tag-added': 'An operation got a tag.',
  'api-tag-removed': 'An operation lost a tag.',
  'api-description-changed': 'A title, summary or description changed.',
  'api-schema-added': 'A component schema was added.',
  'api-schema-removed': 'A component schema was removed.',
  'api-version-not-bumped': 'The documents differ, and `info.version` is the same.',
  'api-version-decreased': '`info.version` is lower than before.',
  'api-major-version-not-bumped': 'A change breaks callers, and the major version is the same.',

  'rpc-method-added': 'An operation can now be called over JSON-RPC.',
  'rpc-method-removed': 'An operation can no longer be called over JSON-RPC.',
  'rpc-method-renamed': 'An operation has another name over JSON-RPC.',
  'rpc-method-moved':
    'A JSON-RPC method belongs to another path or HTTP method. Callers over JSON-RPC do not notice.',
  'rpc-path-changed': 'Requests over JSON-RPC are posted to another path.',

  'server-added': 'A server was added.',
  'server-removed': 'A server was removed.',
  'server-path-changed': 'The base path of the servers changed, so every address did.',

  'error-code-added': 'A code was added to `x-errors`.',
  'error-code-removed': 'A code was removed from `x-errors`.',
  'error-title-changed': 'The title of an error changed.',
  'error-status-changed': 'An error has another HTTP status.',
  'error-rpc-code-changed': 'An error has another JSON-RPC code.',
  'error-rpc-status-changed': 'The HTTP status of an error over JSON-RPC changed.',

  'api-security-added': 'An operation got a security requirement.',
  'api-security-removed': 'An operation lost a security requirement.',
  'api-security-scope-added': 'A security requirement of an operation needs another scope.',
  'api-security-scope-removed': 'A security requirement of an operation needs one scope less.',
  'api-global-security-added': 'A security requirement was added to the document.',
  'api-global-security-removed': 'A security requirement was removed from the document.',
  'api-global-security-scope-added': 'A security requirement of the document needs another scope.',
  'api-global-security-scope-removed': 'A security requirement of the document needs one scope less.',
  'api-security-component-added': 'A security scheme was added.',
  'api-security-component-removed': 'A security scheme was removed.',
  'api-security-component-type-changed': 'A security scheme has another type.',
  'api-security-component-credential-changed': 'Where a security scheme finds its credential changed.',
  'api-security-component-bearer-format-changed': 'The `bearerFormat` of a security scheme changed.',
  'api-security-component-openid-connect-url-changed': 'The `openIdConnectUrl` of a security scheme changed.',
  'api-security-component-oauth-flow-added': 'An OAuth flow was added to a security scheme.',
  'api-security-component-oauth-flow-removed': 'An OAuth flow was removed from a security scheme.',
  'api-security-component-oauth-scope-added': 'A scope was added to a security scheme.',
  'api-security-component-oauth-scope-changed': 'The description of a scope changed.',
  'api-security-component-oauth-scope-removed': 'A scope was removed from a security scheme.',
  'api-security-component-oauth-url-changed': 'The `authorizationUrl` of a security scheme changed.',
  'api-security-component-oauth-token-url-changed': 'The `tokenUrl` of a security scheme changed.',
  'api-security-component-oauth-refresh-url-changed': 'The `refreshUrl` of a security scheme changed.',
  'api-security-component-oauth-device-url-changed':
    'The `deviceAuthorizationUrl` of a security scheme changed.',
  'api-security-component-oauth-metadata-url-changed':
    'The `oauth2MetadataUrl` of a security scheme changed.',

  'webhook-added': 'A webhook was added.',
  'webhook-removed': 'A webhook was removed.',
  'callback-added': 'A callback was added.',
  'callback-removed': 'A callback was removed.',
  'callback-expression-changed': 'The address of a callback is another expression.',
  'message-body-removed': 'A webhook or callback no longer has a body.',
  'message-body-became-optional': 'The body of a webhook or callback is no longer required.',
  'message-body-became-required': 'The body of a webhook or callback is now required.',
  'message-media-type-added': 'A media type was added to the body of a webhook or callback.',
  'message-media-type-removed': 'A media type was removed from the body of a webhook or callback.',
  'message-encoding-changed': 'A field of a form in a webhook or callback is written in another way.',
  'message-parameter-added': 'A parameter was added to a webhook or callback.',
  'message-parameter-removed': 'A parameter was removed from a webhook or callback.',
  'message-parameter-became-optional': 'A parameter of a webhook or callback is no longer required.',
  'message-parameter-became-required': 'A parameter of a webhook or callback is now required.',
  'message-parameter-style-changed': 'A parameter of a webhook or callback is written in another `style`.',
  'message-security-added': 'A webhook or callback may come with other credentials.',
  'message-security-removed': 'A webhook or callback no longer comes with some credentials.',
  'message-security-scope-added': 'The credentials of a webhook or callback have another scope.',
  'message-security-scope-removed': 'The credentials of a webhook or callback have one scope less.',
  'message-status-added': 'A webhook or callback accepts another status as the answer.',
  'message-status-removed': 'A webhook or callback no longer accepts a status as the answer.',
}
