import type { CodeTexts } from './code-definition.js'

/** Violations of the OpenAPI specification and of JSON Schema. */
export const openapiErrors = {
  'misspelt-part': [
    'Misspelt part of an operation',
    'The field differs by a letter or two from one that holds operations, parameters, bodies or security. If it were ignored, these would be missing.',
    'Correct the spelling.',
  ],
  'missing-field': [
    'Required field is missing',
    'The OpenAPI specification requires the field here.',
    'Add the field.',
  ],
  'wrong-type': [
    'Value of the wrong type',
    'The OpenAPI specification, or for schemas JSON Schema 2020-12, wants another type here.',
    'Give a value of the type named.',
  ],
  'invalid-value': [
    'Value that is not allowed',
    'The OpenAPI specification lists the values that may stand here.',
    'Give a value that is allowed.',
  ],
  'version-invalid': [
    'Version that cannot name a folder',
    'Output goes into a folder named after info.version.',
    'Use a version such as 1.0.0 or 2.0.0-rc.1: letters, digits, dots, hyphens, plus signs, underscores.',
  ],
  'path-invalid': [
    'Invalid path',
    'A path begins with a slash, and has its braces in pairs around a name.',
    'Correct the path.',
  ],
  'parameter-duplicate': [
    'Parameter declared twice',
    'A parameter is known by its name and its in; both may stand once in a list.',
    'Remove one of the two.',
  ],
  'security-scheme-unknown': [
    'Unknown security scheme',
    'A security requirement names schemes of components.securitySchemes.',
    'Correct the name, or declare the scheme.',
  ],
  'schema-unsupported': [
    'Schema keyword that is not supported',
    'Identifiers and dynamic references of JSON Schema would give references another meaning than the document shows.',
    'Remove the keyword and refer by JSON pointer.',
  ],
} satisfies Record<string, CodeTexts>
