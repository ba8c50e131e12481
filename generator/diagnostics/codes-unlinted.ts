import type { CodeTexts } from './code-definition.js'

/**
 * Errors of the model stage in a document that lint refuses first. Reviews tolerate these errors, and the library can
 * build a model without lint.
 */
export const unlintedErrors = {
  'parameter-invalid': [
    'Parameter that cannot be read',
    'A parameter is identified by its name and its in. One without them is not a parameter of the operation. duet lint names the field that is missing, or the reference that leads nowhere.',
    'Give it a name and one of in: path, query, header, cookie.',
  ],
  'security-scheme-invalid': [
    'Security scheme that cannot be read',
    'The scheme has no known type, or a field that its type requires is missing, so no credential belongs to it. duet lint names the field.',
    'Write type apiKey (with in and name), http (with scheme), oauth2, openIdConnect or mutualTLS.',
  ],
} satisfies Record<string, CodeTexts>
