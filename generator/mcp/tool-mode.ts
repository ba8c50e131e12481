import type { JsonObject } from '../document/document.js'
import type { Model } from '../model/model.js'
import { bytesOf, toolsOf } from './tool-list.js'

/**
 * How agents see the tools of a version: `each`, or three that search, describe and call, if all together have more
 * bytes than the document's `maxBytes`.
 *
 * @param tools those of the version, if they are known
 */
export function toolMode(model: Model, tools?: readonly JsonObject[]): 'each' | 'search' {
  if (model.toolBytes === undefined) return 'each'
  const known = modes.get(model)
  if (known !== undefined) return known
  const mode = bytesOf(tools ?? toolsOf(model)) > model.toolBytes ? 'search' : 'each'
  modes.set(model, mode)
  return mode
}

/** The tools of a version are many, and a review asks for each call. */
const modes = new WeakMap<Model, 'each' | 'search'>()
