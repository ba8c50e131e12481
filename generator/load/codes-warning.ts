import type { CodeTexts } from './catalogue.js'

/** Whatever is doubtful and not wrong. */
export const warnings = {
  'unknown-field': [
    'Unknown field',
    'The OpenAPI specification does not know the field here, so nothing reads it.',
    'Remove it, or start its name with x- if a tool of yours reads it.',
  ],
  'misspelt-keyword': [
    'Misspelt schema keyword',
    'JSON Schema ignores keywords that it does not know, so the schema accepts more than it seems to.',
    'Correct the spelling.',
  ],
  'nullable-ignored': [
    'nullable has no effect',
    'OpenAPI 3.1 has no nullable; in 3.0 it acts only beside type in the same schema (3.0.3, Schema Object).',
    "Write type: [TYPE, 'null'], or anyOf with { type: 'null' } beside the rest.",
  ],
  'header-parameter-ignored': [
    'Header parameter that is ignored',
    'Parameters named Accept, Content-Type or Authorization are ignored (OpenAPI 3.1, Parameter Object).',
    'Describe it by the media types of content, or by a security scheme.',
  ],
  'timezone-parameter-missing': [
    'Operation with zoned datetimes lacks __tz',
    'Callers cannot say which zone its datetimes are in unless the operation declares __tz.',
    'Add a query parameter __tz of type string.',
  ],
  'deprecation-date-missing': [
    'Deprecated since when?',
    'Without x-deprecated-since the Deprecation header (RFC 9745) cannot be sent.',
    'Add x-deprecated-since with the date of deprecation.',
  ],
  'body-media-type': [
    'Body of a media type that is read as JSON',
    'The body is offered in media types that are not JSON alone.',
    'Offer application/json beside it.',
  ],
  'operation-renamed': [
    'Derived name was taken',
    'Two operations without x-rpc-method would get the same name.',
    'State the name with x-rpc-method.',
  ],
  'misspelt-extension': [
    'Misspelt extension',
    'The extension differs by a letter or two from one that duet reads; as it stands it is ignored.',
    'Correct the spelling.',
  ],
} satisfies Record<string, CodeTexts>
