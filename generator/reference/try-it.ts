import type { Json, JsonObject } from '../load/document.js'
import { isObject } from '../load/json.js'
import { runtimeOperation } from '../mock/sent-request.js'
import type { Model, Operation, Schema } from '../model/model.js'
import { isSchema, mapSubschemas, referenceOf } from '../model/schema.js'
import type { Example } from './operation-view.js'

/** JSON for the script that tries an operation, safe within a `script` element. */
export type TryIt = (operation: Operation, example: Example) => string

/** What the script of the reference knows of an operation. */
export function tryItOf(model: Model): TryIt {
  return (operation, { params }) => {
    const { name, rest, rpc, source, security, errors, idempotent, datetimes, binaries } =
      runtimeOperation(operation)
    const entry = { name, rest, rpc, source, security, errors, idempotent, datetimes, binaries }
    return scriptJson({
      operation: JSON.parse(JSON.stringify(entry)),
      params: expanded(model, operation.params, 0, new Set()),
      example: params,
    })
  }
}

/** A schema with its references replaced, down to where forms end and JSON is typed instead. */
function expanded(
  model: Model,
  schema: Schema,
  depth: number,
  within: ReadonlySet<string>,
): JsonObject[string] {
  const name = referenceOf(schema)
  if (name !== undefined) {
    const target = model.schemas.get(name)
    if (target === undefined || within.has(name) || depth > deepest) return {}
    const inner = expanded(model, target, depth, new Set([...within, name]))
    const { $ref: _, ...beside } = isObject(schema) ? schema : {}
    return isObject(inner) ? { ...inner, ...beside } : inner
  }
  if (!isObject(schema)) return schema
  return depth > deepest
    ? {}
    : mapSubschemas(schema, (part) =>
        isSchema(part) ? (expanded(model, part, depth + 1, within) as Schema) : true,
      )
}

const deepest = 4

/**
 * JSON that holds nothing which ends a `script` element or begins a comment in it (HTML, script data state), nor what
 * ends lines or turns the order of characters round (CVE-2021-42574).
 */
export function scriptJson(value: Json): string {
  return JSON.stringify(value).replace(
    /[<\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
