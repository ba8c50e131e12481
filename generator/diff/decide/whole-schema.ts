import type { Schema } from '../../schema/schema.js'

/** A schema as validators read it, with the components that it refers to. */
export interface Whole {
  readonly schema: Schema
  readonly components: ReadonlyMap<string, Schema>
}
