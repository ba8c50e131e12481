/**
 * Forms of a schema as a type. `result`: what an answer holds, defaults present, nothing write-only.
 * `input`: what a handler gets, defaults filled in. `send`: what a caller sends, defaults optional; both
 * without what is read-only.
 */
export type OwnForm = 'result' | 'input' | 'send'

/** `family-`: a base together with the schemas that take it by `allOf`, as its discriminator tells them apart. */
export type TypeForm = OwnForm | `family-${OwnForm}`
