import type { Json, JsonObject } from '../load/document.js'
import { isObject } from '../load/json.js'
import { runtimeOperation } from '../mock/sent-request.js'
import type { Model, Operation, Schema } from '../model/model.js'
import { isSchema, mapSubschemas, referenceOf } from '../model/schema.js'
import type { Example } from './example.js'
import { inlineHtml } from './markdown.js'

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
      params: expanded(model.schemas, operation.params),
      example: params ?? {},
    })
  }
}

/** A schema with its references replaced and its descriptions as HTML, down to where forms end and JSON is typed instead. */
function expanded(schemas: Model['schemas'], params: Schema): Schema {
  let room = mostSchemas
  const inner = (schema: Schema, depth: number, within: ReadonlySet<string>): Schema => {
    room -= 1
    const followed = new Set(within)
    const target = targetOf(schema, followed)
    if (!isObject(target)) return target
    if (depth > deepest || room < 0) return {}
    const { description } = target
    const told = typeof description === 'string' ? { description: inlineHtml(description) } : {}
    return mapSubschemas({ ...target, ...told }, (part) =>
      isSchema(part) ? inner(part, depth + 1, followed) : true,
    )
  }
  return inner(params, 0, new Set())

  /** What a row of references leads to, with what stands beside them; their names go to `followed`. */
  function targetOf(schema: Schema, followed: Set<string>): Schema {
    let [found, beside]: [Schema, JsonObject] = [schema, {}]
    for (let name = referenceOf(found); name !== undefined; name = referenceOf(found)) {
      const target = schemas.get(name)
      if (target === undefined || followed.has(name)) return {}
      followed.add(name)
      const { $ref: _, ...others } = isObject(found) ? found : {}
      beside = { ...others, ...beside }
      found = target
    }
    return isObject(found) ? { ...found, ...beside } : found
  }
}

const deepest = 4
/** Schemas of one form: what comes after them is typed as JSON too, since each may lead to all others again. */
const mostSchemas = 5_000

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
