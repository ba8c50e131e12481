import type { Json } from '../load/document.js'
import { isArray, isObject, own } from '../load/json.js'
import type { Model } from '../model/model.js'
import { resolve } from '../model/schema.js'

/**
 * Names of properties that somewhere in the document have a default, or are left out of one direction. More names
 * than that, since examples are not told from schemas.
 */
export function markedNames(model: Model): ReadonlySet<string> {
  const names = known.get(model) ?? namesOf(model)
  known.set(model, names)
  return names
}

const known = new WeakMap<Model, ReadonlySet<string>>()

function namesOf({ openapi, operations, schemas }: Model): ReadonlySet<string> {
  const isMarked = (value: Json): boolean => {
    if (!isObject(value)) return false
    const target = resolve(schemas, value)
    return [value, target].some(
      (schema) =>
        isObject(schema) &&
        (Object.hasOwn(schema, 'default') ||
          own(schema, 'readOnly') === true ||
          own(schema, 'writeOnly') === true),
    )
  }
  const names = new Set<string>()
  const open: Json[] = [openapi, ...schemas.values(), ...operations.map(({ params }) => params)]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isArray(value)) open.push(...value)
    if (!isObject(value)) continue
    for (const [name, member] of Object.entries(value)) {
      if (isMarked(member)) names.add(name)
      if (typeof member === 'object') open.push(member)
    }
  }
  return names
}
