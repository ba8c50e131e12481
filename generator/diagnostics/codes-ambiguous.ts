import type { CodeTexts } from './code-definition.js'

/**
 * Faults of schemas that tools interpret differently. Nothing certain follows from a schema with one of them, so a
 * review says that it cannot decide a change there.
 */
export const ambiguousErrors = {
  'reference-missing': [
    'Reference leads nowhere',
    'The file has nothing at the JSON pointer after the #.',
    'Correct the pointer, or add what it refers to.',
  ],
  'reference-anchor': [
    'Reference to a missing or ambiguous anchor',
    'An anchor must occur exactly once in its schema resource: in a schema with an $id, or else in the file. A dynamic anchor that several schemas without an $id define has no fixed target.',
    'Use a JSON pointer: #/components/schemas/NAME.',
  ],
  'reference-kind': [
    'Reference to the wrong kind of object',
    'A reference in place of a parameter must lead to a parameter, one in place of a schema to a schema.',
    'Refer to an entry of the right section of components.',
  ],
  'reference-cycle': [
    'Reference leads back to itself',
    'A chain of references that comes back to itself never reaches a value.',
    'Replace one of them with the value itself.',
  ],
  'wrong-type': [
    'Value of the wrong type',
    'The OpenAPI specification, or for schemas JSON Schema 2020-12, requires another type here.',
    'Write a value of the type that the message names.',
  ],
  'invalid-value': [
    'Value that is not allowed',
    'The OpenAPI specification lists the allowed values.',
    'Use one of the allowed values.',
  ],
  'schema-recursion': [
    'Schema that refers to itself in place',
    'The schema refers to itself without a property or an item in between, so validation would never end.',
    'Remove one of the references.',
  ],
} satisfies Record<string, CodeTexts>

export const ambiguousWarnings = {
  'pattern-invalid': [
    'Invalid regular expression',
    'Patterns are ECMAScript regular expressions (JSON Schema 2020-12 section 6.4). An invalid pattern is not checked.',
    'Correct the pattern.',
  ],
  'value-ignored': [
    'Ignored value',
    'The value has the wrong type according to the specification, and its intended meaning is unclear.',
    'Write a value of the type that the message names.',
  ],
} satisfies Record<string, CodeTexts>
