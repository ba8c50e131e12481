import { digestOf } from '../cache/store.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { parsePointer, valueAt } from '../document/pointer.js'
import { compositions } from '../document/vocabulary.js'
import type { Model } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import { isLeftOut } from '../schema/one-way.js'
import { resolve } from '../schema/schema.js'

/**
 * Names of properties that have a default somewhere in the document, or that one direction omits. May contain
 * other names too, since it does not distinguish examples from schemas.
 *
 * @param pieces parts of earlier runs
 */
export function markedNames(
  model: Model,
  pieces: OperationPieces = new OperationPieces(model),
): ReadonlySet<string> {
  const names = known.get(model) ?? namesOf(model, pieces)
  known.set(model, names)
  return names
}

const known = new WeakMap<Model, ReadonlySet<string>>()

/** Represents those names. They depend on all operations. */
export function markedText(model: Model): string {
  return digestOf(...[...markedNames(model)].sort())
}

function namesOf(model: Model, pieces: OperationPieces): ReadonlySet<string> {
  const { openapi, operations, schemas } = model
  const { paths: _paths, ...others } = openapi
  return new Set([
    ...pieces.ofFrame('marked names', '', () => namesIn([others, ...schemas.values()], schemas)),
    ...operations.flatMap((operation) =>
      pieces.of('marked names', operation, '', () => {
        const written = valueAt(openapi, parsePointer(operation.source.pointer) ?? [])
        return namesIn([written ?? null, operation.params], schemas)
      }),
    ),
  ])
}

function namesIn(values: readonly Json[], schemas: Model['schemas']): string[] {
  const isMarked = (value: JsonObject): boolean =>
    isOneWayOrDefaulted(value) ||
    (Object.hasOwn(value, '$ref') && isOneWayOrDefaulted(resolve(schemas, value))) ||
    (compositions.some((keyword) => Object.hasOwn(value, keyword)) &&
      (isLeftOut(schemas, value, 'readOnly') || isLeftOut(schemas, value, 'writeOnly')))
  const names = new Set<string>()
  const open = [...values]
  // A large document has a million values here.
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) open.push(item)
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        const member = value[name]
        if (typeof member !== 'object' || member === null) continue
        open.push(member)
        if (isObject(member) && isMarked(member)) names.add(name)
      }
    }
  }
  return [...names]
}

function isOneWayOrDefaulted(schema: Json): boolean {
  return (
    isObject(schema) &&
    (Object.hasOwn(schema, 'default') ||
      own(schema, 'readOnly') === true ||
      own(schema, 'writeOnly') === true)
  )
}
