import type { JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { parseFragment, valueAt } from '../document/pointer.js'
import type { Model, Operation } from '../model/model.js'

/** An operation as its document declares it. */
export function writtenOf({ openapi }: Model, { source }: Operation): JsonObject {
  const written = valueAt(openapi, parseFragment(source.pointer.slice(1)) ?? [])
  return isObject(written) ? written : {}
}

export function tagsOf(model: Model, operation: Operation): string[] {
  const tags = own(writtenOf(model, operation), 'tags')
  return isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []
}

/** A member of an object, if it is an object. Otherwise an empty object. */
export function memberOf(object: JsonObject, name: string): JsonObject {
  const member = own(object, name)
  return isObject(member) ? member : {}
}

/** A member of an object, if it is a text that says something. */
export function textOf(object: JsonObject, name: string): string | undefined {
  const text = own(object, name)
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
}
