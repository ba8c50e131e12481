import { childPointer } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { leftOutNames, type OneWay, requiredNames } from '../../schema/one-way.js'
import { isSchema } from '../../schema/schema.js'
import type { ChangeId } from '../change/catalogue.js'
import { asObject, type Side } from '../change/side.js'
import { schemasOf } from '../same/discrimination.js'
import { listOf } from '../same/within.js'
import { matchBranches } from './branches.js'
import type { SchemaNode } from './node.js'
import type { SchemaPair, SchemaWalk } from './schema-walk.js'

/**
 * Reports properties that one branch of an `allOf` marks and another branch requires. Responses lack a property that
 * becomes write only, and old requests lack one that was read only. Old clients refuse a property that was write only.
 * If one branch does both, the comparison of that branch reports it.
 */
export function leftOutOfParts(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): void {
  const [olds, news] = [listOf(a, 'allOf'), listOf(b, 'allOf')]
  if (olds.length === 0 || news.length === 0 || walk.traits.holder !== 'body') return
  for (const rule of walk.isRequest ? ofRequests : ofResponses) {
    const names = changedNames(walk, rule, [a, b])
    if (names.length === 0) continue
    const { pairs } = matchBranches(walk, olds, news)
    const reported = new Set(
      pairs.flatMap(([one, other]) => changedNames(walk, rule, [olds[one], news[other]])),
    )
    const ownNames = (schema: JsonObject): JsonObject => asObject(own(schema, 'properties'))
    for (const name of names) {
      const isOwn = Object.hasOwn(ownNames(a), name) && Object.hasOwn(ownNames(b), name)
      const isOwnRequired = listOf(rule.requiring === 'new' ? b : a, 'required').includes(name)
      if (reported.has(name) || (isOwn && isOwnRequired)) continue
      const required = { required: [name] }
      const judged = walk.passes(walk.sender, rule.isRevealed ? { not: required } : required)
      const at = { ...pair, path: pair.path + childPointer('', name) }
      walk.report(at, {
        ...{ id: rule.id, keywords: [], judged, at: pair.path },
        ...(rule.isRevealed && { unseen: true }),
      })
    }
  }
}

interface Rule {
  readonly id: ChangeId
  readonly mark: OneWay
  /** The version whose schema has the mark. */
  readonly marking: 'old' | 'new'
  /** The version whose schema requires the property. */
  readonly requiring: 'old' | 'new'
  /** Whether the sender now has the property, which the receiver refuses. */
  readonly isRevealed: boolean
}

const ofRequests: readonly Rule[] = [
  {
    ...{ id: 'request-required-property-became-not-read-only', mark: 'readOnly' },
    ...{ marking: 'old', requiring: 'new', isRevealed: false },
  },
]
const ofResponses: readonly Rule[] = [
  {
    ...{ id: 'response-required-property-became-write-only', mark: 'writeOnly' },
    ...{ marking: 'new', requiring: 'old', isRevealed: false },
  },
  {
    ...{ id: 'response-required-property-became-not-write-only', mark: 'writeOnly' },
    ...{ marking: 'old', requiring: 'new', isRevealed: true },
  },
]

/** The properties that a rule is about, in the schema of each version. */
function changedNames(
  { old, new_ }: SchemaWalk,
  { mark, marking, requiring }: Rule,
  [one, other]: readonly [unknown, unknown],
): string[] {
  const marked = (side: Side, schema: unknown): ReadonlySet<string> =>
    isSchema(schema) ? leftOutNames(schemasOf(side), schema, mark) : none
  const required = (side: Side, schema: unknown): ReadonlySet<string> =>
    isSchema(schema) ? requiredNames(schemasOf(side), schema) : none
  const [was, is] = [marked(old, one), marked(new_, other)]
  const [having, lacking] = marking === 'old' ? [was, is] : [is, was]
  const needed = requiring === 'new' ? required(new_, other) : required(old, one)
  return [...having].filter((name) => !lacking.has(name) && needed.has(name))
}

const none: ReadonlySet<string> = new Set()

/** The schema of the values that count as sent: of an optional body, all but the empty object. */
export function sentBy({ traits: { isEmptyAbsent, holder }, isRoot }: SchemaNode, stated: Json): Json {
  if (!isRoot || isEmptyAbsent !== true || holder !== 'body' || stated === false) return stated
  const { minProperties } = asObject(stated)
  const least = typeof minProperties === 'number' ? Math.max(1, minProperties) : 1
  return { ...asObject(stated), minProperties: least }
}
