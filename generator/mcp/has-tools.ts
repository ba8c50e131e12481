import type { Model } from '../model/model.js'

/** Whether a version has a tool, and so an address for MCP. */
export function hasTools(model: Pick<Model, 'operations'>): boolean {
  const known = found.get(model)
  if (known !== undefined) return known
  const has = model.operations.some(({ tool }) => tool !== undefined)
  found.set(model, has)
  return has
}

/** Operations are many, and each of them asks when its page is written. */
const found = new WeakMap<object, boolean>()
