/**
 * Forms of a schema as a type. `result`: the content of a response, with the properties that the document
 * requires, since nobody fills in defaults there, and without write-only ones. `input`: what a handler receives,
 * with defaults filled in. `send`: what a caller sends, with defaults optional. Both omit read-only properties.
 */
export type OwnForm = 'result' | 'input' | 'send'

/**
 * `family-`: a base together with its children, the schemas that extend it by `allOf`, distinguished by its
 * discriminator.
 */
export type TypeForm = OwnForm | `family-${OwnForm}`
