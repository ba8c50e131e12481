import type { Level } from './level.js'
import type { SchemaActionRow } from './schema-actions.js'

/** Describes a change, as for schema changes. A text alone takes oasdiff's level and the usual values for the rest. */
export type ChangeRow = string | (Pick<SchemaActionRow, 'words'> & Partial<Facts>)

interface Facts extends Omit<SchemaActionRow, 'level'> {
  /** Replaces oasdiff's level. */
  readonly level: Level
}

const parameterChanges = {
  'new-request-path-parameter': 'A path parameter was added.',
  'new-required-request-default-parameter-to-existing-path': required(
    'A required parameter with a default was added.',
  ),
  'new-optional-request-default-parameter-to-existing-path':
    'An optional parameter with a default was added.',
  'new-required-request-header-property': required(
    'A required property of an object in a request header was added.',
  ),
  'new-required-request-parameter': required('A required parameter was added.'),
  'new-optional-request-parameter': 'An optional parameter was added.',
  'new-optional-request-parameter-property': compatible(
    'An optional property of an object in a parameter was added.',
  ),
  'request-parameter-property-removed': dangerous('A property of an object in a parameter was removed.'),
  'request-parameter-removed': 'A parameter was removed.',
  'request-parameter-removed-before-sunset': 'A parameter was removed before its sunset.',
  'request-parameter-removed-with-deprecation': 'A deprecated parameter was removed after its sunset.',
  'request-parameter-unstable-removed': compatible(
    'A parameter with an unstable `x-stability-level` was removed.',
  ),
  'request-parameter-sunset-date-changed-too-small': ownRule(
    'The sunset of a parameter moved to a date that is too soon after the deprecation.',
  ),
  'request-parameter-sunset-parse': ownRule('The sunset of a parameter is not a date.'),
  'request-parameter-style-changed': ownRule(
    'A parameter is written in another `style`, or with another `explode`.',
    'breaking',
  ),
  'request-parameter-location-changed': ownRule(
    'A parameter moved, such as from the query to a header.',
    'breaking',
  ),
  'request-parameter-renamed': breaking('A parameter has another name.'),
  'request-parameter-empty-value-refused': breaking('A parameter no longer accepts an empty value.'),
  'request-parameter-empty-value-allowed': compatible('A parameter now accepts an empty value.'),
  'request-parameter-reading-changed': dangerous(
    'Both versions accept the same text of a parameter, and read different values from it.',
  ),
} as const

const bodyChanges = {
  'new-required-request-property': required('A required property was added to a request body.'),
  'new-required-request-property-with-default': required(
    'A required property with a default was added to a request body.',
  ),
  'new-optional-request-property': 'An optional property was added to a request body.',
  'request-property-became-required-with-default': required(
    'A property of a request body: it is now required, and has a default.',
  ),
  'request-property-removed': 'A property was removed from a request body.',
  'request-body-added-required': 'A required request body was added.',
  'request-body-added-optional': 'An optional request body was added.',
  'request-body-removed': 'The request body was removed.',
  'request-body-media-type-added': 'A media type was added to a request body.',
  'request-body-media-type-removed': 'A media type was removed from a request body.',
  'request-body-media-type-schema-added': 'A media type of a request body got a schema.',
  'request-body-media-type-schema-removed': 'A media type of a request body lost its schema.',
  'request-body-encoding-changed': breaking('A field of a form is written in another way (`encoding`).'),
  'request-body-member-clash': breaking(
    'A property of the body and a parameter have the same name in the params.',
  ),
} as const

const paramsChanges = {
  'request-params-narrowed': breaking(
    'The params as a whole accept less, although no single change does. The report has a call that shows it.',
  ),
  'request-params-clash': dangerous('Two params have the same name in the new version.'),
  'request-query-names-refused': dangerous('Names in the query that no parameter declares are now refused.'),
  'rpc-param-name-changed': breaking('A param has another name over JSON-RPC.'),
  'rpc-body-kept-whole': breaking(
    'The body is now one param over JSON-RPC. Its properties were params before.',
  ),
  'rpc-body-taken-apart': breaking(
    'The properties of the body are now params over JSON-RPC. The body was one param before.',
  ),
} as const

const headerChanges = {
  'response-header-added': 'A response header was added.',
  'response-header-style-changed': ownRule(
    'A response header is written in another way (`explode`).',
    'breaking',
  ),
  'response-header-property-removed': breaking('A property of an object in a response header was removed.'),
  'response-header-value-changed': dangerous(
    'A response header takes its value from another member (`x-value`).',
  ),
  'required-response-header-removed': 'A required response header was removed.',
  'optional-response-header-removed': 'An optional response header was removed.',
} as const

const responseChanges = {
  'response-body-encoding-changed': dangerous(
    'A part of a response body is written in another way (`encoding`).',
  ),
  'response-body-media-type-schema-added': 'A media type of a response body got a schema.',
  'response-body-media-type-schema-removed': 'A media type of a response body lost its schema.',
  'response-media-type-added': 'A media type was added to a response.',
  'response-media-type-removed': 'A media type was removed from a response.',
  'response-media-type-name-changed': 'A media type of a response has another name.',
  'response-media-type-name-generalized':
    'A media type of a response became wider, such as `application/json` to `*/*`.',
  'response-media-type-name-specialized':
    'A media type of a response became narrower, such as `*/*` to `application/json`.',
  'response-required-property-added': 'A required property was added to a response body.',
  'response-required-property-removed': required('A required property was removed from a response body.'),
  'response-optional-property-added': 'An optional property was added to a response body.',
  'response-optional-property-removed': 'An optional property was removed from a response body.',
  'response-required-write-only-property-added':
    'A required write-only property was added to a response body.',
  'response-required-write-only-property-removed': required(
    'A required write-only property was removed from a response body.',
  ),
  'response-optional-write-only-property-added':
    'An optional write-only property was added to a response body.',
  'response-optional-write-only-property-removed':
    'An optional write-only property was removed from a response body.',
  'response-success-status-added': 'A success status was added.',
  'response-success-status-removed': 'A success status was removed.',
  'response-non-success-status-added': 'An error status was added.',
  'response-non-success-status-removed': 'An error status was removed.',
  'response-link-added': info('A link was added to a response.'),
  'response-link-changed': info('A link of a response changed.'),
  'response-link-removed': info('A link was removed from a response.'),
  'response-result-widened': breaking(
    'The result as a whole allows more, although no single change does. The report has an answer that shows it.',
  ),
} as const

const documentChanges = {
  'endpoint-added': 'An operation was added.',
  'endpoint-path-changed': ownRule('An operation has another path.', 'breaking'),
  'endpoint-method-changed': ownRule('An operation has another HTTP method.', 'breaking'),
  'endpoint-deprecated': ownRule('An operation was deprecated.'),
  'endpoint-deprecated-with-sunset': ownRule('An operation was deprecated, and its sunset announced.'),
  'endpoint-reactivated': ownRule('An operation is no longer deprecated.'),
  'endpoint-servers-changed': dangerous('An operation has other `servers`.'),
  'endpoint-shadowed': dangerous(
    'Another operation now gets some requests of this one, since its path matches them first.',
  ),
  'api-removed-without-deprecation': 'An operation was removed that was not deprecated.',
  'api-removed-before-sunset': 'An operation was removed before its sunset.',
  'api-removed-with-deprecation': 'A deprecated operation was removed after its sunset.',
  'api-unstable-removed': compatible('An operation with an unstable `x-stability-level` was removed.'),
  'api-path-removed-without-deprecation': 'A path was removed with operations that were not deprecated.',
  'api-path-removed-before-sunset': 'A path was removed before the sunset of its operations.',
  'api-path-removed-with-deprecation': 'A path of deprecated operations was removed after their sunset.',
  'api-path-sunset-parse': 'The sunset of an operation of a removed path is not a date.',
  'api-deprecated-sunset-missing': ownRule(
    'An operation was deprecated without the sunset that its stability requires.',
  ),
  'api-deprecated-sunset-parse': ownRule('An operation was deprecated with a sunset that is not a date.'),
  'api-sunset-announced': ownRule('The sunset of an operation was added.', 'compatible'),
  'api-sunset-moved-earlier': ownRule('The sunset of an operation moved to an earlier date.', 'breaking'),
  'api-sunset-moved-later': ownRule('The sunset of an operation moved to a later date.', 'compatible'),
  'api-sunset-date-too-small': ownRule('The sunset of an operation is too soon after its deprecation.'),
  'api-sunset-date-changed-too-small': ownRule(
    'The sunset of an operation moved to a date that is too soon after the deprecation.',
  ),
  'sunset-deleted': ownRule('The sunset of an operation was removed, and it is still deprecated.'),
  'api-invalid-stability-level': ownRule('`x-stability-level` is not draft, alpha, beta or stable.'),
  'api-stability-decreased': ownRule('`x-stability-level` of an operation became lower.'),
  'api-stability-increased': ownRule('`x-stability-level` of an operation became higher.'),
  'api-operation-id-added': ownRule('An operation got an `operationId`.', 'info'),
  'api-operation-id-removed': ownRule('An operation lost its `operationId`, or has another one.', 'info'),
  'api-tag-added': ownRule('An operation got a tag.', 'info'),
  'api-tag-removed': ownRule('An operation lost a tag.', 'info'),
  'api-description-changed': info('A title, summary or description changed.'),
  'api-schema-added': ownRule('A component schema was added.', 'info'),
  'api-schema-removed': ownRule('A component schema was removed.', 'info'),
  'api-version-not-bumped': ownRule('The documents differ, and `info.version` is the same.', 'info'),
  'api-version-decreased': ownRule('`info.version` is lower than before.', 'info'),
  'api-major-version-not-bumped': ownRule(
    'A change breaks callers, and the major version is the same.',
    'info',
  ),
  'rpc-method-added': compatible('An operation can now be called over JSON-RPC.'),
  'rpc-method-removed': breaking('An operation can no longer be called over JSON-RPC.'),
  'rpc-method-renamed': breaking('An operation has another name over JSON-RPC.'),
  'rpc-method-moved': info(
    'A JSON-RPC method belongs to another path or HTTP method. Callers over JSON-RPC do not notice.',
  ),
  'rpc-path-changed': breaking('Requests over JSON-RPC are posted to another path.'),
  'server-added': compatible('A server was added.'),
  'server-removed': dangerous('A server was removed.'),
  'server-path-changed': breaking('The base path of the servers changed, so every address did.'),
  'error-code-added': compatible('A code was added to `x-errors`.'),
  'error-code-removed': compatible('A code was removed from `x-errors`.'),
  'error-title-changed': info('The title of an error changed.'),
  'error-status-changed': breaking('An error has another HTTP status.'),
  'error-rpc-code-changed': breaking('An error has another JSON-RPC code.'),
  'error-rpc-status-changed': dangerous('The HTTP status of an error over JSON-RPC changed.'),
  'api-security-added': 'An operation got a security requirement.',
  'api-security-removed': 'An operation lost a security requirement.',
  'api-security-scope-added': ownRule('A security requirement of an operation needs another scope.'),
  'api-security-scope-removed': ownRule('A security requirement of an operation needs one scope less.'),
  'api-global-security-added': ownRule('A security requirement was added to the document.'),
  'api-global-security-removed': ownRule('A security requirement was removed from the document.'),
  'api-global-security-scope-added': ownRule('A security requirement of the document needs another scope.'),
  'api-global-security-scope-removed': ownRule(
    'A security requirement of the document needs one scope less.',
  ),
  'api-security-component-added': ownRule('A security scheme was added.', 'info'),
  'api-security-component-removed': ownRule('A security scheme was removed.', 'info'),
  'api-security-component-type-changed': ownRule('A security scheme has another type.', 'info'),
  'api-security-component-credential-changed': ownRule(
    'Where a security scheme finds its credential changed.',
    'info',
  ),
  'api-security-component-bearer-format-changed': ownRule(
    'The `bearerFormat` of a security scheme changed.',
    'info',
  ),
  'api-security-component-openid-connect-url-changed': ownRule(
    'The `openIdConnectUrl` of a security scheme changed.',
    'info',
  ),
  'api-security-component-oauth-flow-added': ownRule('An OAuth flow was added to a security scheme.', 'info'),
  'api-security-component-oauth-flow-removed': ownRule(
    'An OAuth flow was removed from a security scheme.',
    'info',
  ),
  'api-security-component-oauth-scope-added': ownRule('A scope was added to a security scheme.', 'info'),
  'api-security-component-oauth-scope-changed': ownRule('The description of a scope changed.', 'info'),
  'api-security-component-oauth-scope-removed': ownRule(
    'A scope was removed from a security scheme.',
    'info',
  ),
  'api-security-component-oauth-url-changed': ownRule(
    'The `authorizationUrl` of a security scheme changed.',
    'info',
  ),
  'api-security-component-oauth-token-url-changed': ownRule(
    'The `tokenUrl` of a security scheme changed.',
    'info',
  ),
  'api-security-component-oauth-refresh-url-changed': ownRule(
    'The `refreshUrl` of a security scheme changed.',
    'info',
  ),
  'api-security-component-oauth-device-url-changed': ownRule(
    'The `deviceAuthorizationUrl` of a security scheme changed.',
    'info',
  ),
  'api-security-component-oauth-metadata-url-changed': ownRule(
    'The `oauth2MetadataUrl` of a security scheme changed.',
    'info',
  ),
  'webhook-added': 'A webhook was added.',
  'webhook-removed': 'A webhook was removed.',
  'callback-added': compatible('A callback was added.'),
  'callback-removed': breaking('A callback was removed.'),
  'callback-expression-changed': breaking('The address of a callback is another expression.'),
  'message-body-removed': breaking('A webhook or callback no longer has a body.'),
  'message-body-became-optional': breaking('The body of a webhook or callback is no longer required.'),
  'message-body-became-required': compatible('The body of a webhook or callback is now required.'),
  'message-media-type-added': dangerous('A media type was added to the body of a webhook or callback.'),
  'message-media-type-removed': compatible(
    'A media type was removed from the body of a webhook or callback.',
  ),
  'message-encoding-changed': breaking(
    'A field of a form in a webhook or callback is written in another way.',
  ),
  'message-parameter-added': compatible('A parameter was added to a webhook or callback.'),
  'message-parameter-removed': breaking('A parameter was removed from a webhook or callback.'),
  'message-parameter-became-optional': breaking(
    'A parameter of a webhook or callback is no longer required.',
  ),
  'message-parameter-became-required': compatible('A parameter of a webhook or callback is now required.'),
  'message-parameter-style-changed': ownRule(
    'A parameter of a webhook or callback is written in another `style`.',
    'breaking',
  ),
  'message-security-added': breaking('A webhook or callback may come with other credentials.'),
  'message-security-removed': compatible('A webhook or callback no longer comes with some credentials.'),
  'message-security-scope-added': compatible('The credentials of a webhook or callback have another scope.'),
  'message-security-scope-removed': breaking('The credentials of a webhook or callback have one scope less.'),
  'message-status-added': compatible('A webhook or callback accepts another status as the answer.'),
  'message-status-removed': breaking('A webhook or callback no longer accepts a status as the answer.'),
} as const

/** Changes that are not about a schema, by the part that has them. */
export const otherChanges = [
  { direction: 'request', holder: 'parameter', rows: parameterChanges },
  { direction: 'request', holder: 'body', rows: bodyChanges },
  { direction: 'request', holder: 'params', rows: paramsChanges },
  { direction: 'response', holder: 'header', rows: headerChanges },
  { direction: 'response', holder: 'body', rows: responseChanges },
  { direction: null, holder: null, rows: documentChanges },
] as const

export type OtherChangeId =
  | keyof typeof parameterChanges
  | keyof typeof bodyChanges
  | keyof typeof paramsChanges
  | keyof typeof headerChanges
  | keyof typeof responseChanges
  | keyof typeof documentChanges

function breaking(words: string): ChangeRow {
  return { level: 'breaking', words }
}

function dangerous(words: string): ChangeRow {
  return { level: 'dangerous', words }
}

function compatible(words: string): ChangeRow {
  return { level: 'compatible', words }
}

function info(words: string): ChangeRow {
  return { level: 'info', words }
}

/** A change that shows as a missing value. */
function required(words: string): ChangeRow {
  return { words, refusedBy: ['required'] }
}

/** A change in what Duet itself binds, refuses or writes. */
function ownRule(words: string, level?: Level): ChangeRow {
  return { words, handlers: 'never', ...(level && { level }) }
}
