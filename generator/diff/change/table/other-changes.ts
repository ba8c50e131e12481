import { breaking, change, compatible, dangerous, info, ownRule, required } from './change-row.js'
import { added, removed } from './columns.js'
import { documentChanges } from './document-changes.js'
import { toolChanges, toolParamChanges } from './tool-changes.js'

const parameterChanges = {
  'new-request-path-parameter': change('A path parameter was added.', { ...added, traits: ['absence'] }),
  'new-required-request-default-parameter-to-existing-path': required(
    'A required parameter with a default was added.',
    added,
  ),
  'new-optional-request-default-parameter-to-existing-path': change(
    'An optional parameter with a default was added.',
    added,
  ),
  'new-required-request-header-property': required(
    'A required property of an object in a request header was added.',
    { ...added, label: 'this required property was added' },
  ),
  'new-required-request-parameter': required('A required parameter was added.', added),
  'new-optional-request-parameter': change('An optional parameter was added.', added),
  'new-optional-request-parameter-property': compatible(
    'An optional property of an object in a parameter was added.',
    { ...added, label: 'this optional property was added', traits: ['filled in'] },
  ),
  'request-parameter-property-removed': dangerous('A property of an object in a parameter was removed.', {
    ...removed,
    traits: ['loss', 'property removed'],
    label: 'this property was removed',
  }),
  'request-parameter-removed': change('A parameter was removed.', {
    ...removed,
    traits: ['loss'],
  }),
  'request-parameter-removed-before-sunset': change('A parameter was removed before its sunset.', {
    ...removed,
    traits: ['loss'],
  }),
  'request-parameter-removed-with-deprecation': change(
    'A deprecated parameter was removed after its sunset.',
    removed,
  ),
  'request-parameter-unstable-removed': compatible(
    'A parameter with an unstable `x-stability-level` was removed.',
    removed,
  ),
  'request-parameter-sunset-date-changed-too-small': ownRule(
    'The sunset of a parameter moved to a date that is too soon after the deprecation.',
    { section: 'deprecated' },
  ),
  'request-parameter-sunset-parse': ownRule('The sunset of a parameter is not a date.', {
    section: 'deprecated',
  }),
  'request-parameter-style-changed': ownRule(
    'A parameter is written in another `style`, or with another `explode`.',
    { level: 'breaking', traits: ['other value', 'other names'] },
  ),
  'request-parameter-location-changed': ownRule('A parameter moved, such as from the query to a header.', {
    level: 'breaking',
    traits: ['other value', 'other names'],
  }),
  'request-parameter-renamed': breaking('A parameter has another name.', {
    traits: ['other value', 'other names'],
  }),
  'request-parameter-empty-value-refused': breaking('A parameter no longer accepts an empty value.'),
  'request-parameter-empty-value-allowed': compatible('A parameter now accepts an empty value.'),
  'request-parameter-reading-changed': dangerous(
    'Both versions accept the same text of a parameter, and read different values from it.',
  ),
} as const

const bodyChanges = {
  'new-required-request-property': required('A required property was added to a request body.', {
    ...added,
    label: 'this required property was added',
    traits: ['filled in'],
  }),
  'new-required-request-property-with-default': required(
    'A required property with a default was added to a request body.',
    {
      ...added,
      label: 'this required property with a default was added',
      traits: ['filled in', 'required with default'],
    },
  ),
  'new-optional-request-property': change('An optional property was added to a request body.', {
    ...added,
    label: 'this optional property was added',
    traits: ['filled in'],
  }),
  'request-property-became-required-with-default': required(
    'A property of a request body: it is now required, and has a default.',
    { traits: ['required with default'], label: 'it is now required, and has a default' },
  ),
  'request-property-removed': change('A property was removed from a request body.', {
    ...removed,
    traits: ['loss', 'property removed'],
    label: 'this property was removed',
  }),
  'request-body-added-required': change('A required request body was added.', added),
  'request-body-added-optional': change('An optional request body was added.', added),
  'request-body-removed': change('The request body was removed.', { ...removed, traits: ['loss'] }),
  'request-body-media-type-added': change('A media type was added to a request body.', added),
  'request-body-media-type-removed': change('A media type was removed from a request body.', removed),
  'request-body-media-type-schema-added': change('A media type of a request body got a schema.', added),
  'request-body-media-type-schema-removed': change(
    'A media type of a request body lost its schema.',
    removed,
  ),
  'request-body-encoding-changed': breaking('A field of a form is written in another way (`encoding`).'),
  'request-body-xml-changed': breaking('A value of a request body is written in another way in XML (`xml`).'),
  'request-body-part-header-changed': dangerous(
    'A header of a part of a multipart body (`encoding`) was added, removed, or accepts other values. Duet services do not read it.',
    { handlers: 'never' },
  ),
  'request-body-reading-changed': dangerous(
    'Both versions accept the same text of a form, or of the body of a GET in the query, and read different values from it.',
  ),
  'request-body-empty-value-refused': breaking(
    'An empty object, which counted as no body, is now refused as a body.',
  ),
  'request-body-member-clash': breaking(
    'A property of the body has the name of a parameter: it is now the same param, or no longer read in the body.',
  ),
} as const

const paramsChanges = {
  'request-params-narrowed': breaking(
    'The params as a whole accept less, although no single change does. The report has a call that shows it.',
  ),
  'request-params-clash': dangerous('Two params have the same name in the new version.'),
  'request-query-names-refused': dangerous('Names in the query that no parameter declares are now refused.'),
  'rpc-param-name-changed': breaking('A param has another name over JSON-RPC.', { traits: ['other value'] }),
  'rpc-body-kept-whole': breaking(
    'The body is now one param over JSON-RPC. Its properties were params before.',
    { traits: ['body form'] },
  ),
  'rpc-body-taken-apart': breaking(
    'The properties of the body are now params over JSON-RPC. The body was one param before.',
    { traits: ['body form'] },
  ),
} as const

const headerChanges = {
  'response-header-added': change('A response header was added.', added),
  'response-header-style-changed': ownRule('A response header is written in another way (`explode`).', {
    level: 'breaking',
  }),
  'response-header-property-removed': breaking('A property of an object in a response header was removed.', {
    ...removed,
    label: 'this property was removed',
  }),
  'response-header-value-changed': dangerous(
    'A response header takes its value from another member (`x-value`).',
  ),
  'required-response-header-removed': change('A required response header was removed.', removed),
  'optional-response-header-removed': change('An optional response header was removed.', removed),
} as const

const responseChanges = {
  'response-body-encoding-changed': dangerous(
    'A part or a field of a response body is written in another way (`encoding`).',
  ),
  'response-body-xml-changed': breaking(
    'A value of a response body is written in another way in XML (`xml`).',
  ),
  'response-body-media-type-schema-added': change('A media type of a response body got a schema.', added),
  'response-body-media-type-schema-removed': change(
    'A media type of a response body lost its schema.',
    removed,
  ),
  'response-media-type-added': change('A media type was added to a response.', added),
  'response-media-type-removed': change('A media type was removed from a response.', {
    ...removed,
    traits: ['media type'],
  }),
  'response-media-type-name-changed': change('A media type of a response has another name.', {
    traits: ['media type'],
  }),
  'response-media-type-name-generalized': change(
    'A media type of a response became wider, such as `application/json` to `*/*`.',
    { traits: ['media type'] },
  ),
  'response-media-type-name-specialized': change(
    'A media type of a response became narrower, such as `*/*` to `application/json`.',
    { traits: ['media type'] },
  ),
  'response-required-property-added': change('A required property was added to a response body.', {
    ...added,
    traits: ['property added'],
    label: 'this required property was added',
  }),
  'response-required-property-removed': required('A required property was removed from a response body.', {
    ...removed,
    traits: ['loss'],
    label: 'this required property was removed',
  }),
  'response-optional-property-added': change('An optional property was added to a response body.', {
    ...added,
    traits: ['property added'],
    label: 'this optional property was added',
  }),
  'response-optional-property-removed': change('An optional property was removed from a response body.', {
    ...removed,
    traits: ['loss'],
    label: 'this optional property was removed',
  }),
  'response-required-write-only-property-added': change(
    'A required write-only property was added to a response body.',
    { ...added, traits: ['property added'], label: 'this required write-only property was added' },
  ),
  'response-required-write-only-property-removed': required(
    'A required write-only property was removed from a response body.',
    { ...removed, traits: ['loss'], label: 'this required write-only property was removed' },
  ),
  'response-optional-write-only-property-added': change(
    'An optional write-only property was added to a response body.',
    { ...added, traits: ['property added'], label: 'this optional write-only property was added' },
  ),
  'response-optional-write-only-property-removed': change(
    'An optional write-only property was removed from a response body.',
    { ...removed, traits: ['loss'], label: 'this optional write-only property was removed' },
  ),
  'response-success-status-added': change('A success status was added.', added),
  'response-success-status-removed': change('A success status was removed.', removed),
  'response-non-success-status-added': change('An error status was added.', added),
  'response-non-success-status-removed': change('An error status was removed.', removed),
  'response-link-added': info('A link was added to a response.'),
  'response-link-changed': info('A link of a response changed.'),
  'response-link-removed': info('A link was removed from a response.'),
  'response-result-widened': breaking(
    'The result as a whole allows more, although no single change does. The report has a result that shows it.',
  ),
} as const

/** Changes that are not about a schema, by the part that has them. */
export const otherChanges = [
  { direction: 'request', holder: 'parameter', rows: parameterChanges },
  { direction: 'request', holder: 'body', rows: bodyChanges },
  { direction: 'request', holder: 'params', rows: paramsChanges },
  { direction: 'response', holder: 'header', rows: headerChanges },
  { direction: 'response', holder: 'body', rows: responseChanges },
  { direction: null, holder: null, rows: documentChanges },
  { direction: 'request', holder: 'params', rows: toolParamChanges },
  { direction: null, holder: null, rows: toolChanges },
] as const

export type OtherChangeId =
  | keyof typeof parameterChanges
  | keyof typeof bodyChanges
  | keyof typeof paramsChanges
  | keyof typeof headerChanges
  | keyof typeof responseChanges
  | keyof typeof documentChanges
  | keyof typeof toolParamChanges
  | keyof typeof toolChanges
