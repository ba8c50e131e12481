import type { CodeTexts } from './catalogue.js'

/** Errors against the OpenAPI specification and JSON Schema. */
export const openapiErrors = {
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
  'misspelt-field': [
    'Misspelt field',
    'The field is unknown here and differs by a letter or two from one that is known; it would be ignored in silence.',
    'Correct the spelling.',
  ],
  'component-name': [
    'Invalid component name',
    'Names under components consist of letters, digits, dots, hyphens and underscores (OpenAPI 3.1, Components Object).',
    'Rename the component, and the references to it.',
  ],
  'version-invalid': [
    'Version that cannot name a folder',
    'Output goes into a folder named after info.version.',
    'Use a version such as 1.0.0 or 2.0.0-rc.1: letters, digits, dots, hyphens, plus signs, underscores.',
  ],
  'path-invalid': [
    'Invalid path',
    'A path begins with a slash, has its braces in pairs around a name, and carries no query string or fragment.',
    'Correct the path.',
  ],
  'path-ambiguous': [
    'Two paths that match the same requests',
    'Paths that differ only in the names of their parameters are identical (OpenAPI 3.1, Paths Object).',
    'Merge the two, or make a fixed part of one differ.',
  ],
  'path-parameter-undeclared': [
    'Path parameter is not declared',
    'Every {name} in a path needs a parameter with in: path.',
    'Declare the parameter under the path or under each of its operations.',
  ],
  'path-parameter-unused': [
    'Path parameter that the path does not have',
    'A parameter with in: path has to stand as {name} in its path.',
    'Add it to the path, or correct its name.',
  ],
  'path-parameter-optional': [
    'Optional path parameter',
    'A part of the path cannot be left out; parameters with in: path need required: true.',
    'Add required: true.',
  ],
  'parameter-duplicate': [
    'Parameter declared twice',
    'A parameter is known by its name and its in; both may stand once in a list.',
    'Remove one of the two.',
  ],
  'parameter-schema': [
    'Parameter without one clear schema',
    'A parameter has either schema or content with exactly one media type.',
    'Keep exactly one of the two.',
  ],
  'parameter-style': [
    'Style that does not fit its parameter',
    'Each place of a parameter has its own styles (OpenAPI 3.1, Style Values).',
    'Choose a style that the place has, or leave style out.',
  ],
  'operation-id-duplicate': [
    'operationId given twice',
    'An operationId is unique in a document; names of methods and functions are made from it.',
    'Give one of the operations another operationId.',
  ],
  'status-code-invalid': [
    'Invalid status code',
    'Responses are keyed by a status code, a range such as 4XX, or default.',
    'Use a code from 100 to 599, 1XX to 5XX, or default.',
  ],
  'security-scheme-unknown': [
    'Unknown security scheme',
    'A security requirement names schemes of components.securitySchemes.',
    'Correct the name, or declare the scheme.',
  ],
  'server-variable-undeclared': [
    'Server variable is not declared',
    'Every {name} in a server url needs an entry under its variables.',
    'Declare the variable with a default.',
  ],
  'pattern-invalid': [
    'Invalid regular expression',
    'Patterns are ECMAScript regular expressions with the u flag (JSON Schema 2020-12 section 6.4).',
    'Correct the pattern; with the u flag only characters of the syntax may be escaped.',
  ],
  'default-invalid': [
    'Default that its own schema rejects',
    'Defaults are filled in where a caller sends nothing, so they have to be valid.',
    'Change the default or the schema.',
  ],
  'schema-unsupported': [
    'Schema keyword that is not supported',
    'Identifiers and dynamic references of JSON Schema would give references another meaning than the document shows.',
    'Remove the keyword and refer by JSON pointer.',
  ],
} satisfies Record<string, CodeTexts>
