import type { Paragraph } from '../code/literal.js'
import type { Schema } from '../schema/schema.js'

/** A schema as openapi-typescript gets it, by the name of its type. */
export interface PreparedType {
  readonly name: string
  readonly prepared: Schema
  /** The schema as JSON. */
  readonly json: string
  /** The documentation of the property of each schema in it. */
  readonly docs: ReadonlyMap<object, readonly Paragraph[]>
  /** Set if the type is printed as another's name. */
  readonly alias?: object
}

/** A type's text. */
export interface PrintedType {
  /** Lines between the braces of an interface. Absent for other types. */
  readonly members?: readonly string[]
  readonly text: string
  /** Whether it uses the type WithRequired. */
  readonly withRequired: boolean
  /** Types whose schemas were needed. */
  readonly resolved: readonly string[]
}
