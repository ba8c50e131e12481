import type { CodeTexts } from './code-definition.js'

/** Violations of the OpenAPI specification and of JSON Schema. */
export const openapiErrors = {
  'misspelt-part': [
    'Misspelt part of an operation',
    'The field differs by a letter or two from one that holds operations, parameters, bodies or security. Ignoring it would lose these.',
    'Correct the spelling.',
  ],
  'missing-field': [
    'Required field is missing',
    'The OpenAPI specification requires the field here.',
    'Add the field.',
  ],
  'version-invalid': [
    'Version that cannot name a folder',
    'Output goes into a folder named after info.version.',
    'Use a version such as 1.0.0 or 2.0.0-rc.1: letters, digits, dots, hyphens, plus signs, underscores.',
  ],
  'path-invalid': [
    'Invalid path',
    'A path begins with a slash. Its braces come in pairs around a name.',
    'Correct the path.',
  ],
  'parameter-duplicate': [
    'Parameter declared twice',
    'A parameter is identified by its name and its in, so a list may contain each pair only once.',
    'Remove one of the two.',
  ],
  'security-scheme-unknown': [
    'Unknown security scheme',
    'A security requirement names schemes of components.securitySchemes.',
    'Correct the name, or declare the scheme.',
  ],
  'schema-unsupported': [
    'Schema keyword that is not supported',
    'Identifiers and dynamic references of JSON Schema would change the meaning of references.',
    'Remove the keyword and use JSON pointers in references.',
  ],
} satisfies Record<string, CodeTexts>
