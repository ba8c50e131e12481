import { isObject, own } from '../load/json.js'
import type { Model, Operation } from '../model/model.js'
import { resolve, schemaMap } from '../model/schema.js'
import type { Addresses } from './address.js'
import type { NeighbourVersion } from './neighbours.js'
import { scriptJson } from './try-it.js'
import { typeText } from './type-text.js'

/**
 * `data.js`: what scripts of the reference know, and no page shows by itself. A script, since a page from a file may fetch
 * nothing. `search` has a list for each operation: name, method, path, summary, field names and URL; `versions` the
 * pages of each version.
 */
export function dataScript(
  model: Model,
  addresses: Addresses,
  versions: readonly NeighbourVersion[],
): string {
  const entries = model.operations.map((operation) => [
    operation.name,
    operation.rest.method,
    `${model.basePath}${operation.rest.path}`,
    operation.summary ?? '',
    fieldNames(model, operation).join(' '),
    addresses.operation(operation),
  ])
  const lists = Object.fromEntries(versions.map(({ version, pages }) => [version, pages]))
  const lines = entries.map((entry) => scriptJson(entry))
  return `globalThis.duet = {"search":[\n${lines.join(',\n')}\n],"versions":${scriptJson(lists)}}\n`
}

/** Params, `__tz` among them, and members of what is answered. */
function fieldNames({ schemas }: Model, { params, result }: Operation): string[] {
  const names = new Set(schemaMap(params, 'properties').map(([name]) => name))
  const whole = resolve(schemas, result)
  const items = isObject(whole) ? own(whole, 'items') : undefined
  const element = isObject(items) ? resolve(schemas, items) : whole
  if (isObject(element)) for (const [name] of schemaMap(element, 'properties')) names.add(name)
  const type = typeText(result)
  return [...names, '__tz', ...(/^[\w ]+$/.test(type) ? [type] : [])]
}
