import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import {
  exclusiveBounds,
  groupOf,
  isNote,
  itemKeywords,
  keywordNamed,
  keywordsThat,
  memberKeywords,
} from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'
import { asObject, referenced, type Side } from '../change/side.js'
import { actionHasTrait } from '../change/table/schema-actions.js'
import { contentsOf } from '../decide/contents.js'
import type { Judgement } from '../decide/judgement.js'
import { isAnnotationKeyword } from '../same/same.js'
import { pick } from '../same/within.js'
import { areCoercedAlike } from '../texts/coerced.js'
import { typesOf } from '../texts/types.js'
import type { SchemaGraph } from './graph.js'
import type { KeywordChange } from './keywords.js'
import type { Concern, Edge, SchemaFinding, SchemaNode } from './node.js'
import type { Difference, SchemaPair, SchemaWalk } from './schema-walk.js'

/**
 * Removes the findings of a node that are only another spelling, if both versions accept exactly the same values: an
 * `enum` of one value and `const`, branches that became keywords, a type that the values imply. What no validator
 * checks stays, and so does a property that only one version names.
 */
export function dropRespelled(graph: SchemaGraph, node: SchemaNode): void {
  const { findings, edges, a, b, traits } = node
  const { old, new_, judgement } = graph
  const isBranched = edges.filter(isInPlace).length > 1
  if (!isBranched && findings.every(({ about }) => about === 'notes')) return
  // A schema that breaks is not respelled. Skip the expensive check.
  if (findings.some(({ by, judged }) => by === 'schema' && judged.level !== 'compatible')) return
  if (!isBranched && !tradesKeywords(asObject(a.value), asObject(b.value))) return
  const names = namesOfBoth(graph, a.value, b.value)
  let areNotesKept: boolean | undefined
  const context = {
    names,
    get notesAgree() {
      areNotesKept ??= haveSameNotes([old, a.value], [new_, b.value])
      return areNotesKept
    },
  }
  if (!isBranched && !findings.some((finding) => isSpelling(finding, context))) return
  if ([old, new_].some(isEvaluated) || !takeTheSame(judgement, node)) return
  if (traits.isLoose === true && !areCoercedAlike([old, a.value], [new_, b.value])) return
  findings.splice(0, findings.length, ...findings.filter((finding) => !isSpelling(finding, context)))
  if (!context.notesAgree) return
  edges.splice(0, edges.length, ...edges.map((edge) => (isInPlace(edge) ? { ...edge, names } : edge)))
}

/** Whether validators apply the schema at the end of an edge to the same value. */
function isInPlace({ step, as }: Edge): boolean {
  return step === '' && as !== 'child'
}

/**
 * Whether keywords replaced other keywords, or a type was added or removed. A bound that was only removed is a real
 * removal.
 */
function tradesKeywords(a: JsonObject, b: JsonObject): boolean {
  const keywordsMissing = (one: JsonObject, other: JsonObject): string[] =>
    Object.keys(one).filter(
      (key) => !Object.hasOwn(other, key) && !isAnnotationKeyword(key) && !notes.has(key),
    )
  const [removed, added] = [keywordsMissing(a, b), keywordsMissing(b, a)]
  return (removed.length > 0 && added.length > 0) || [...removed, ...added].includes('type')
}

/** Whether a finding says the same in another spelling, for branches that describe these names. */
export function isSpelling(
  { about, property }: SchemaFinding,
  { names, notesAgree: areNotesKept }: { readonly names: ReadonlySet<string>; readonly notesAgree: boolean },
): boolean {
  if (about === 'notes') return false
  return about === 'values' || (areNotesKept && (property === undefined || names.has(property)))
}

/** Whether the keywords of a change mean the same in both versions, for the types of the schemas. */
export function saysTheSame(
  walk: Walk,
  { keywords, unseen }: Pick<KeywordChange, 'keywords' | 'unseen'>,
): boolean {
  const { graph, traits, sender, receiver } = walk
  if (keywords.length === 0 || keywords.includes('type') || unseen === true) return false
  const all = new Set(
    keywords.flatMap((keyword) => equivalents.find((one) => one.includes(keyword)) ?? keyword),
  )
  const isOpen = [...all].every((keyword) => !evaluating.has(keyword))
  if (!isOpen && [graph.old, graph.new_].some(isEvaluated)) return false
  if (listOtherTexts(asObject(sender), asObject(receiver), all)) return false
  const part = (schema: Json): JsonObject => pick(asObject(schema), [...all])
  const typed = (schema: Json): JsonObject => pick(asObject(schema), [...all, 'type'])
  const { judgement } = graph
  const { direction } = traits
  const areSame = (one: Json, other: Json): boolean => judgement.areOne(direction, one, other)
  if (areSame(part(sender), part(receiver))) return true
  // A keyword without effect on the type is not another spelling.
  const isVacuous = judgement.isContained(direction, pick(asObject(sender), ['type']), part(receiver))
  return !isVacuous && areSame(typed(sender), typed(receiver))
}

/** Whether two schemas list different texts, and so clearly differ. */
function listOtherTexts(one: JsonObject, other: JsonObject, keywords: ReadonlySet<string>): boolean {
  if (!keywords.has('enum') || [...keywords].some((key) => key !== 'enum' && key !== 'const')) return false
  const [texts, others] = [textsOf(one), textsOf(other)]
  if (texts === undefined || others === undefined) return false
  return [...texts].some((text) => !others.has(text)) || [...others].some((text) => !texts.has(text))
}

/** The listed values of a schema, if all are texts that its type accepts. */
function textsOf(schema: JsonObject): ReadonlySet<Json> | undefined {
  const [listed, types] = [own(schema, 'enum'), typesOf(schema)]
  const isPlain = !Object.hasOwn(schema, 'const') && (types.length === 0 || types.includes('string'))
  const isOfTexts = isPlain && isArray(listed) && listed.every((value) => typeof value === 'string')
  return isOfTexts ? new Set(listed) : undefined
}

/** What a difference concerns. */
export function concernOf({ unseen, property, keywords, action }: Difference, { a, b }: SchemaPair): Concern {
  if (property !== undefined) return 'parts'
  const [one, other] = [asObject(a.value), asObject(b.value)]
  // Report a changed type, and a changed format even if no validator knows it.
  const isOther =
    own(one, 'format') !== own(other, 'format') || (typesOf(one).length > 0 && typesOf(other).length > 0)
  if (unseen === true || (keywords.includes('type') && isOther)) return 'notes'
  return keywords.length > 0 || (action !== undefined && actionHasTrait(action, 'null')) ? 'values' : 'parts'
}

/**
 * Whether changed keywords only describe values of a type that one version's schema has and the other's has not: the
 * change of the type says it.
 */
export function isOfChangedType({ keywords }: Difference, { a, b }: SchemaPair): boolean {
  const [olds, news] = [typesOf(asObject(a.value)), typesOf(asObject(b.value))]
  if (olds.length === 0 || news.length === 0 || keywords.length === 0) return false
  return keywords.every((keyword) => {
    const described = keywordNamed(keyword)?.of?.split(' or ') ?? []
    const isOf = (type: string): boolean => described.includes(type === 'integer' ? 'number' : type)
    return olds.some(isOf) !== news.some(isOf)
  })
}

/** The sender's schema produces the values that the receiver's must accept. */
type Walk = Pick<SchemaWalk, 'graph' | 'traits' | 'sender' | 'receiver'>

/** Keywords that can state the same constraint. */
const equivalents: readonly (readonly string[])[] = [
  ['enum', 'const'],
  ...exclusiveBounds,
  ['minItems', ...groupOf('contains')],
  ['dependentRequired', 'dependentSchemas'],
]

/**
 * Keywords that affect a surrounding `unevaluatedItems` or `unevaluatedProperties`, not only the values they accept.
 */
const evaluating = keywordsThat(
  ({ name }) =>
    itemKeywords.has(name) ||
    memberKeywords.has(name) ||
    groupOf('if').includes(name) ||
    name === 'dependentSchemas',
)

/** Whether each version accepts every value of the other. */
function takeTheSame(judgement: Judgement, { traits: { direction }, a, b }: SchemaNode): boolean {
  const [sender, receiver] = direction === 'request' ? [a, b] : [b, a]
  return judgement.areOne(direction, sender.value, receiver.value)
}

/** The properties that both schemas describe. */
function namesOfBoth({ described }: SchemaGraph, a: Json, b: Json): ReadonlySet<string> {
  const others = described.new.of(b)
  return new Set([...described.old.of(a)].filter((name) => others.has(name)))
}

/** Whether two schemas, with everything they refer to, agree on what no validator checks. */
function haveSameNotes(one: readonly [Side, Json], other: readonly [Side, Json]): boolean {
  const [ours, theirs] = [notesOf(...one), notesOf(...other)]
  return ours.size === theirs.size && [...ours].every((note) => theirs.has(note))
}

function notesOf(side: Side, schema: Json): Set<string> {
  const [seen, found] = [new Set<Json>(), new Set<string>()]
  const waiting: Json[] = [schema]
  for (let at = waiting.pop(); at !== undefined && seen.size < many; at = waiting.pop()) {
    if (isArray(at)) waiting.push(...at)
    if (!isObject(at) || seen.has(at)) continue
    seen.add(at)
    for (const [key, value] of Object.entries(at))
      if (notes.has(key)) found.add(`${key} ${fingerprint(value)}`)
      else if (typeof value === 'object' && value !== null) waiting.push(value)
    const target = referenced(side, at.$ref)
    if (target !== undefined) waiting.push(target.value)
  }
  return found
}

/** Larger schemas stay undecided anyway. */
const many = 400
const notes = keywordsThat((keyword) => keyword.name === 'format' || isNote(keyword))

/** Whether a schema of the document constrains what others leave unevaluated. */
export function isEvaluated({ document }: Side): boolean {
  return contentsOf(document.root).isEvaluated
}
