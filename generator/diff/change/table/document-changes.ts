import { breaking, change, compatible, dangerous, info, ownRule } from './change-row.js'
import { added, removed } from './columns.js'

/** Changes of the document as a whole, of operations as a whole, and of messages. */
export const documentChanges = {
  'endpoint-added': change('An operation was added.', added),
  'endpoint-path-changed': ownRule('An operation has another path.', { level: 'breaking', traits: ['move'] }),
  'endpoint-method-changed': ownRule('An operation has another HTTP method.', {
    level: 'breaking',
    traits: ['move'],
  }),
  'endpoint-deprecated': ownRule('An operation was deprecated.', { section: null }),
  'endpoint-deprecated-with-sunset': ownRule('An operation was deprecated, and its sunset announced.', {
    section: null,
  }),
  'endpoint-reactivated': ownRule('An operation is no longer deprecated.'),
  'endpoint-servers-changed': dangerous('An operation has other `servers`.'),
  'endpoint-shadowed': dangerous(
    'Another operation now gets some requests of this one, since its path matches them first.',
  ),
  'api-removed-without-deprecation': change('An operation was removed that was not deprecated.', {
    ...removed,
    traits: ['removal'],
  }),
  'api-removed-before-sunset': change('An operation was removed before its sunset.', {
    ...removed,
    traits: ['removal'],
  }),
  'api-removed-with-deprecation': change('A deprecated operation was removed after its sunset.', {
    ...removed,
    traits: ['removal'],
  }),
  'api-unstable-removed': compatible(
    'An operation with an unstable `x-stability-level` was removed.',
    removed,
  ),
  'api-path-removed-without-deprecation': change(
    'A path was removed with operations that were not deprecated.',
    { ...removed, traits: ['removal'] },
  ),
  'api-path-removed-before-sunset': change('A path was removed before the sunset of its operations.', {
    ...removed,
    traits: ['removal'],
  }),
  'api-path-removed-with-deprecation': change(
    'A path of deprecated operations was removed after their sunset.',
    { ...removed, traits: ['removal'] },
  ),
  'api-path-sunset-parse': change('The sunset of an operation of a removed path is not a date.', {
    section: 'deprecated',
    traits: ['removal'],
  }),
  'api-deprecated-sunset-missing': ownRule(
    'An operation was deprecated without the sunset that its stability requires.',
    { section: 'deprecated' },
  ),
  'api-deprecated-sunset-parse': ownRule('An operation was deprecated with a sunset that is not a date.', {
    section: 'deprecated',
  }),
  'api-sunset-announced': ownRule('The sunset of an operation was added.', {
    level: 'compatible',
    section: null,
  }),
  'api-sunset-moved-earlier': ownRule('The sunset of an operation moved to an earlier date.', {
    level: 'breaking',
    section: null,
  }),
  'api-sunset-moved-later': ownRule('The sunset of an operation moved to a later date.', {
    level: 'compatible',
    section: null,
  }),
  'api-sunset-date-too-small': ownRule('The sunset of an operation is too soon after its deprecation.', {
    section: null,
  }),
  'api-sunset-date-changed-too-small': ownRule(
    'The sunset of an operation moved to a date that is too soon after the deprecation.',
    { section: null },
  ),
  'sunset-deleted': ownRule('The sunset of an operation was removed, and it is still deprecated.', {
    section: null,
  }),
  'api-invalid-stability-level': ownRule('`x-stability-level` is not draft, alpha, beta or stable.'),
  'api-stability-decreased': ownRule('`x-stability-level` of an operation became lower.'),
  'api-stability-increased': ownRule('`x-stability-level` of an operation became higher.'),
  'api-operation-id-added': ownRule('An operation got an `operationId`.', { level: 'info', ...added }),
  'api-operation-id-removed': ownRule('An operation lost its `operationId`, or has another one.', {
    level: 'info',
    ...removed,
  }),
  'api-tag-added': ownRule('An operation got a tag.', { level: 'info', ...added }),
  'api-tag-removed': ownRule('An operation lost a tag.', { level: 'info', ...removed }),
  'api-description-changed': info('A title, summary or description changed.'),
  'api-schema-added': ownRule('A component schema was added.', { level: 'info', ...added }),
  'api-schema-removed': ownRule('A component schema was removed.', { level: 'info', ...removed }),
  'api-version-not-bumped': ownRule('The documents differ, and `info.version` is the same.', {
    level: 'info',
  }),
  'api-version-decreased': ownRule('`info.version` is lower than before.', { level: 'info' }),
  'api-major-version-not-bumped': ownRule('A change breaks callers, and the major version is the same.', {
    level: 'info',
  }),
  'rpc-method-added': compatible('An operation can now be called over JSON-RPC.', added),
  'rpc-method-removed': breaking('An operation can no longer be called over JSON-RPC.', {
    ...removed,
    traits: ['move'],
  }),
  'rpc-method-renamed': breaking('An operation has another name over JSON-RPC.', { traits: ['move'] }),
  'rpc-method-moved': info(
    'A JSON-RPC method belongs to another path or HTTP method. Dangerous if the operation there before is still there under another name, breaking if its `operationId` says so.',
  ),
  'rpc-path-changed': breaking('Requests over JSON-RPC are posted to another path.'),
  'server-added': compatible('A server was added.', added),
  'server-removed': dangerous('A server was removed.', removed),
  'server-path-changed': breaking(
    'The base path of the first server changed. Dangerous if the old address is still one of the servers.',
  ),
  'error-code-added': compatible('A code was added to `x-errors`.', added),
  'error-code-removed': compatible('A code was removed from `x-errors`.', removed),
  'error-title-changed': info('The title of an error changed.'),
  'error-status-changed': breaking('An error has another HTTP status.'),
  'error-rpc-code-changed': breaking('An error has another JSON-RPC code.'),
  'error-rpc-status-changed': dangerous('The HTTP status of an error over JSON-RPC changed.'),
  'api-security-added': change('An operation got a security requirement.', {
    ...added,
    traits: ['credentials'],
  }),
  'api-security-removed': change('An operation lost a security requirement.', {
    ...removed,
    traits: ['credentials'],
  }),
  'api-security-scope-added': ownRule('A security requirement of an operation needs another scope.', added),
  'api-security-scope-removed': ownRule(
    'A security requirement of an operation needs one scope less.',
    removed,
  ),
  'api-global-security-added': ownRule('A security requirement was added to the document.', {
    ...added,
    traits: ['credentials', 'inherited'],
  }),
  'api-global-security-removed': ownRule('A security requirement was removed from the document.', {
    ...removed,
    traits: ['credentials', 'inherited'],
  }),
  'api-global-security-scope-added': ownRule('A security requirement of the document needs another scope.', {
    ...added,
    traits: ['inherited'],
  }),
  'api-global-security-scope-removed': ownRule(
    'A security requirement of the document needs one scope less.',
    { ...removed, traits: ['inherited'] },
  ),
  'api-security-component-added': ownRule('A security scheme was added.', { level: 'info', ...added }),
  'api-security-component-removed': ownRule('A security scheme was removed.', { level: 'info', ...removed }),
  'api-security-component-type-changed': ownRule('A security scheme has another type.', {
    level: 'info',
    traits: ['scheme'],
  }),
  'api-security-component-credential-changed': ownRule(
    'Where a security scheme finds its credential changed.',
    { level: 'info', traits: ['scheme'] },
  ),
  'api-security-component-bearer-format-changed': ownRule(
    'The `bearerFormat` of a security scheme changed.',
    { level: 'info' },
  ),
  'api-security-component-openid-connect-url-changed': ownRule(
    'The `openIdConnectUrl` of a security scheme changed.',
    { level: 'info' },
  ),
  'api-security-component-oauth-flow-added': ownRule('An OAuth flow was added to a security scheme.', {
    level: 'info',
    ...added,
  }),
  'api-security-component-oauth-flow-removed': ownRule('An OAuth flow was removed from a security scheme.', {
    level: 'info',
    ...removed,
  }),
  'api-security-component-oauth-scope-added': ownRule('A scope was added to a security scheme.', {
    level: 'info',
    ...added,
  }),
  'api-security-component-oauth-scope-changed': ownRule('The description of a scope changed.', {
    level: 'info',
  }),
  'api-security-component-oauth-scope-removed': ownRule('A scope was removed from a security scheme.', {
    level: 'info',
    ...removed,
  }),
  'api-security-component-oauth-url-changed': ownRule(
    'The `authorizationUrl` of a security scheme changed.',
    { level: 'info' },
  ),
  'api-security-component-oauth-token-url-changed': ownRule('The `tokenUrl` of a security scheme changed.', {
    level: 'info',
  }),
  'api-security-component-oauth-refresh-url-changed': ownRule(
    'The `refreshUrl` of a security scheme changed.',
    { level: 'info' },
  ),
  'api-security-component-oauth-device-url-changed': ownRule(
    'The `deviceAuthorizationUrl` of a security scheme changed.',
    { level: 'info' },
  ),
  'api-security-component-oauth-metadata-url-changed': ownRule(
    'The `oauth2MetadataUrl` of a security scheme changed.',
    { level: 'info' },
  ),
  'webhook-added': change('A webhook was added.', added),
  'webhook-removed': change('A webhook was removed.', removed),
  'callback-added': compatible('A callback was added.', added),
  'callback-removed': breaking('A callback was removed.', removed),
  'callback-expression-changed': breaking('The address of a callback is another expression.'),
  'message-body-added': compatible('A webhook or callback got a body.', added),
  'message-body-removed': breaking('A webhook or callback no longer has a body.', removed),
  'message-body-became-optional': breaking('The body of a webhook or callback is no longer required.'),
  'message-body-became-required': compatible('The body of a webhook or callback is now required.'),
  'message-media-type-added': dangerous(
    'A media type was added to the body of a webhook or callback.',
    added,
  ),
  'message-media-type-removed': compatible(
    'A media type was removed from the body of a webhook or callback.',
    removed,
  ),
  'message-encoding-changed': breaking(
    'A field of a form in a webhook or callback is written in another way.',
  ),
  'message-xml-changed': breaking(
    'A value in a webhook or callback is written in another way in XML (`xml`).',
  ),
  'message-parameter-added': compatible('A parameter was added to a webhook or callback.', added),
  'message-parameter-removed': breaking('A parameter was removed from a webhook or callback.', removed),
  'message-parameter-became-optional': breaking(
    'A parameter of a webhook or callback is no longer required.',
  ),
  'message-parameter-became-required': compatible('A parameter of a webhook or callback is now required.'),
  'message-parameter-style-changed': ownRule(
    'A parameter of a webhook or callback is written in another `style`.',
    { level: 'breaking' },
  ),
  'message-security-added': breaking('A webhook or callback may come with other credentials.', added),
  'message-security-removed': compatible(
    'A webhook or callback no longer comes with some credentials.',
    removed,
  ),
  'message-security-scope-added': compatible(
    'The credentials of a webhook or callback have another scope.',
    added,
  ),
  'message-security-scope-removed': breaking(
    'The credentials of a webhook or callback have one scope less.',
    removed,
  ),
  'message-response-body-added': breaking(
    'A response to a webhook or callback must have a body, and had none before.',
    added,
  ),
  'message-response-body-removed': dangerous(
    'A response to a webhook or callback has no body any more.',
    removed,
  ),
  'message-response-media-type-added': compatible(
    'A response to a webhook or callback may have another media type.',
    added,
  ),
  'message-response-media-type-removed': breaking(
    'A response to a webhook or callback may no longer have a media type.',
    removed,
  ),
  'message-status-added': compatible('A webhook or callback accepts another status of the response.', added),
  'message-status-removed': breaking(
    'A webhook or callback no longer accepts a status of the response.',
    removed,
  ),
} as const
