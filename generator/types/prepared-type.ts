import type { Paragraph } from '../code/literal.js'
import type { Schema } from '../schema/schema.js'

/** A schema as openapi-typescript gets it, by the name of its type. */
export interface PreparedType {
  readonly name: string
  readonly prepared: Schema
  /** The schema as JSON. */
  readonly json: string
  /** What is to be said of the property that each schema within it is of. */
  readonly docs: ReadonlyMap<object, readonly Paragraph[]>
  /** Set where the type is printed as another's name. */
  readonly alias?: object
}

/** A type's text. */
export interface PrintedType {
  /** Lines between the braces of an interface; absent for other types. */
  readonly members?: readonly string[]
  readonly text: string
  /** Whether it names the type WithRequired. */
  readonly withRequired: boolean
  /** Types whose schemas it was asked for. */
  readonly resolved: readonly string[]
}
