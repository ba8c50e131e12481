import { childPointer } from '../../document/cursor.js'
import type { JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { leftOutNames, requiredNames } from '../../schema/one-way.js'
import { isSchema } from '../../schema/schema.js'
import { asObject, type Side } from '../change/side.js'
import { schemasOf } from '../same/discrimination.js'
import { listOf } from '../same/within.js'
import { matchBranches } from './branches.js'
import type { SchemaPair, SchemaWalk } from './schema-walk.js'

/**
 * Reports properties that one branch of an `allOf` marks and another branch requires. Responses lack a property that becomes
 * write only, and old requests lack one that was read only. If one branch does both, the comparison of that branch reports it.
 */
export function leftOutOfParts(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): void {
  const [olds, news] = [listOf(a, 'allOf'), listOf(b, 'allOf')]
  if (olds.length === 0 || news.length === 0 || walk.traits.holder !== 'body') return
  const { isRequest, old, new_ } = walk
  const mark = isRequest ? 'readOnly' : 'writeOnly'
  const marked = (side: Side, schema: unknown): ReadonlySet<string> =>
    isSchema(schema) ? leftOutNames(schemasOf(side), schema, mark) : none
  const required = (side: Side, schema: unknown): ReadonlySet<string> =>
    isSchema(schema) ? requiredNames(schemasOf(side), schema) : none
  // Old requests could not send the property, new responses no longer have it.
  const missing = ([one, other]: readonly [unknown, unknown]): string[] => {
    const [was, is] = [marked(old, one), marked(new_, other)]
    const [before, after, needed] = isRequest
      ? [was, is, required(new_, other)]
      : [is, was, required(old, one)]
    return [...before].filter((name) => !after.has(name) && needed.has(name))
  }
  const names = missing([a, b])
  if (names.length === 0) return
  const { pairs } = matchBranches(walk, olds, news)
  const reported = new Set(pairs.flatMap(([one, other]) => missing([olds[one], news[other]])))
  const ownNames = (schema: JsonObject): JsonObject => asObject(own(schema, 'properties'))
  for (const name of names) {
    const at = { ...pair, path: pair.path + childPointer('', name) }
    const isOwn = Object.hasOwn(ownNames(a), name) && Object.hasOwn(ownNames(b), name)
    const isOwnRequired = listOf(isRequest ? b : a, 'required').includes(name)
    if (reported.has(name) || (isOwn && isOwnRequired)) continue
    const id =
      `${walk.traits.direction}-required-property-became-${isRequest ? 'not-read-only' : 'write-only'}` as const
    const judged = walk.passes(walk.sender, { required: [name] })
    walk.report(at, { id, keywords: [], judged, at: pair.path })
  }
}

const none: ReadonlySet<string> = new Set()
