/** What has a schema: the start of the id of a schema change. */
export type SubjectName = keyof typeof subjects

export interface SubjectRow {
  readonly direction: 'request' | 'response'
  readonly holder: 'body' | 'parameter' | 'header'
  /** The name, for the docs. */
  readonly words: string
  /** What messages call the subject instead of `it`. */
  readonly label?: string
  /** Whether only some of its changes have an id: those that oasdiff has. */
  readonly isPartial?: true
}

export const subjects = {
  'request-body': { direction: 'request', holder: 'body', words: 'The body of a request' },
  'request-property': { direction: 'request', holder: 'body', words: 'A property of a request body' },
  'request-read-only-property': {
    ...{ direction: 'request', holder: 'body', isPartial: true },
    words: 'A read-only property of a request body',
  },
  'request-optional-property': {
    ...{ direction: 'request', holder: 'body', isPartial: true },
    words: 'An optional property of a request body',
    label: 'this optional property',
  },
  'request-required-property': {
    ...{ direction: 'request', holder: 'body', isPartial: true },
    words: 'A required property of a request body',
    label: 'this required property',
  },
  'request-parameter': { direction: 'request', holder: 'parameter', words: 'A parameter' },
  'request-parameter-property': {
    ...{ direction: 'request', holder: 'parameter' },
    words: 'A property of an object in a parameter',
  },
  'request-header-property': {
    ...{ direction: 'request', holder: 'parameter', isPartial: true },
    words: 'A header of a request',
  },
  'response-body': { direction: 'response', holder: 'body', words: 'The body of a response' },
  'response-property': { direction: 'response', holder: 'body', words: 'A property of a response body' },
  'response-optional-property': {
    ...{ direction: 'response', holder: 'body', isPartial: true },
    words: 'An optional property of a response body',
    label: 'this optional property',
  },
  'response-required-property': {
    ...{ direction: 'response', holder: 'body', isPartial: true },
    words: 'A required property of a response body',
    label: 'this required property',
  },
  'response-write-only-property': {
    ...{ direction: 'response', holder: 'body', isPartial: true },
    words: 'A write-only property of a response body',
  },
  'response-mediatype': {
    ...{ direction: 'response', holder: 'body', isPartial: true },
    words: 'The body of a response',
  },
  'response-header': { direction: 'response', holder: 'header', words: 'A header of a response' },
  'response-header-property': {
    ...{ direction: 'response', holder: 'header' },
    words: 'A property of an object in a response header',
  },
} as const satisfies Readonly<Record<string, SubjectRow>>
