import type { Json, JsonObject } from '../../../document/document.js'
import { isArray, isObject, own } from '../../../document/json.js'
import type { Model } from '../../../model/model.js'
import { referenceOf } from '../../../schema/schema.js'
import type { Way } from '../../change/place.js'
import { listOf } from '../../same/within.js'
import type { Whole } from './instances.js'

/** References in a row. More are a cycle. */
const mostReferences = 20

/**
 * How many segments of a path lead to the first schema that reads several of its parts together, such as a union: a
 * change below one part may then decide what another one does. Undefined if each part is read by itself.
 */
export function firstChoice({ model, schema }: Whole, way: Way): number | undefined {
  return within(model.schemas, schema, way, 0, 0)
}

function within(
  schemas: Model['schemas'],
  schema: Json,
  way: Way,
  depth: number,
  references: number,
): number | undefined {
  if (!isObject(schema)) return undefined
  const name = way[depth]
  const branches = ['oneOf', 'anyOf'].flatMap((key) => listOf(schema, key))
  const possible = branches.filter((branch) => takes(schemas, branch, name))
  if (possible.length > 1 || choosing.some((key) => own(schema, key) !== undefined)) return depth
  const reference = referenceOf(schema)
  const target = reference === undefined ? undefined : schemas.get(reference)
  const around = references < mostReferences && target !== undefined ? [target] : []
  const same = [...around, ...possible, ...listOf(schema, 'allOf')].map((part) =>
    within(schemas, part, way, depth, references + 1),
  )
  const next = name === undefined ? [] : membersAt(schema, name)
  const found = [...same, ...next.map((part) => within(schemas, part, way, depth + 1, 0))]
  return found.reduce(
    (least, one) => (least === undefined || (one ?? least) < least ? one : least),
    undefined,
  )
}

/** Keywords that judge several members of a value together. */
const choosing = ['not', 'if', 'dependentSchemas', 'minProperties', 'maxProperties', 'contains']

/** Whether a branch may be meant by a value that has such a member. */
function takes(schemas: Model['schemas'], branch: Json, name: string | undefined): boolean {
  if (name === undefined || !isObject(branch)) return branch !== false
  const reference = referenceOf(branch)
  const type = own(asTarget(schemas, branch, reference), 'type')
  const wanted = name === '-' ? 'array' : 'object'
  return type === undefined || (isArray(type) ? type.includes(wanted) : type === wanted)
}

function asTarget(schemas: Model['schemas'], branch: JsonObject, reference: string | undefined): JsonObject {
  const target = reference === undefined ? branch : schemas.get(reference)
  return isObject(target) ? target : branch
}

function membersAt(schema: JsonObject, name: string): readonly Json[] {
  const properties = own(schema, 'properties')
  const member = isObject(properties) ? own(properties, name) : undefined
  const others = name === '-' ? [own(schema, 'items'), ...listOf(schema, 'prefixItems')] : []
  const found = [member, ...others, name === '*' ? own(schema, 'additionalProperties') : undefined]
  return found.filter((part) => part !== undefined)
}
