import type { Tree } from './document.js'
import { documentPlaces } from './places-document.js'
import { operationPlaces } from './places-operation.js'
import { schemaPlaces } from './places-schema.js'

/**
 * Writes a text into one position of a document, and adds operations that carry it to the output. Positions are
 * independent, so one document can have a text in all of them.
 */
export type TextPosition = (document: Tree, text: string) => void

/** Every position of text, by name. */
export const places: Readonly<Record<string, TextPosition>> = {
  ...documentPlaces,
  ...operationPlaces,
  ...schemaPlaces,
}
