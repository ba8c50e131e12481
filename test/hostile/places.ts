import type { Tree } from './document.js'
import { documentPlaces } from './places-document.js'
import { operationPlaces } from './places-operation.js'
import { schemaPlaces } from './places-schema.js'

/**
 * Writes a text into one place of a document, with the operations that make it reach the output. Places do not
 * touch each other, so that one document can hold a text in all of them.
 */
export type Place = (document: Tree, text: string) => void

/** Every place that text can stand in, by name. */
export const places: Readonly<Record<string, Place>> = {
  ...documentPlaces,
  ...operationPlaces,
  ...schemaPlaces,
}
