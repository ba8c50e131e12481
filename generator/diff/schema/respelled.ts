import { canonical } from '../../contains/values/value.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { asObject, referenced, type Side } from '../change/side.js'
import { contentsOf } from '../decide/contents.js'
import type { Judgement } from '../decide/judgement.js'
import { isAnnotationKeyword } from '../same/same.js'
import { pick } from '../same/within.js'
import { areCoercedAlike } from '../texts/coerced.js'
import { typesOf } from '../texts/types.js'
import type { SchemaGraph } from './graph.js'
import type { KeywordChange } from './keywords.js'
import type { Concern, Edge, SchemaFinding, SchemaNode } from './node.js'
import type { Route } from './route.js'
import type { Difference, SchemaWalk, Stop } from './schema-walk.js'

/**
 * Takes from a node what only says the same in other words, where each version takes exactly the values that the other takes:
 * an `enum` of one value and `const`, branches that became keywords, a type that the values show. What no validator sees
 * stays, and so does a property that only one of the two names.
 */
export function dropRespelled(graph: SchemaGraph, node: SchemaNode): void {
  const { findings, edges, a, b, traits } = node
  const { old, new_, judgement } = graph
  const isBranched = edges.filter(isInPlace).length > 1
  if (!isBranched && findings.every(({ about }) => about === 'notes')) return
  // What breaks by itself is no spelling, and asking costs.
  if (findings.some(({ by, judged }) => by === 'schema' && judged.level !== 'compatible')) return
  if (!isBranched && !tradesKeywords(asObject(a.value), asObject(b.value))) return
  const names = namesOfBoth(graph, a.value, b.value)
  const said = { names, areNotesKept: haveSameNotes([old, a.value], [new_, b.value]) }
  if (!isBranched && !findings.some((finding) => isSpelling(finding, said))) return
  if ([old, new_].some(isEvaluated) || !takeTheSame(judgement, node)) return
  if (traits.isLoose === true && !areCoercedAlike([old, a.value], [new_, b.value])) return
  findings.splice(0, findings.length, ...findings.filter((finding) => !isSpelling(finding, said)))
  if (!said.areNotesKept) return
  edges.splice(0, edges.length, ...edges.map((edge) => (isInPlace(edge) ? { ...edge, names } : edge)))
}

/** Whether validators of a schema ask its values of the one that an edge leads to. */
function isInPlace({ step, as }: Edge): boolean {
  return step === '' && as !== 'child'
}

/** Whether keywords came in the place of others, or a type in that of none: a bound that only went is none the less gone. */
function tradesKeywords(a: JsonObject, b: JsonObject): boolean {
  const lacking = (one: JsonObject, other: JsonObject): string[] =>
    Object.keys(one).filter(
      (key) => !Object.hasOwn(other, key) && !isAnnotationKeyword(key) && !notes.has(key),
    )
  const [gone, come] = [lacking(a, b), lacking(b, a)]
  return (gone.length > 0 && come.length > 0) || [...gone, ...come].includes('type')
}

/** Whether a finding stands in branches that together say the same in other words. */
export function isRespelled({ around, length }: Route, finding: SchemaFinding): boolean {
  if (around?.names === undefined) return false
  const isBeside = finding.property === undefined || length === around.at?.length
  return isBeside && isSpelling(finding, { names: around.names, areNotesKept: true })
}

function isSpelling(
  { about, property }: SchemaFinding,
  { names, areNotesKept }: { readonly names: ReadonlySet<string>; readonly areNotesKept: boolean },
): boolean {
  if (about === 'notes') return false
  return about === 'values' || (areNotesKept && (property === undefined || names.has(property)))
}

/** Whether the keywords of a change say the same in both versions, in whatever words, for the types that the schemas have. */
export function saysTheSame(
  walk: Walk,
  { keywords, unseen }: Pick<KeywordChange, 'keywords' | 'unseen'>,
): boolean {
  const { graph, traits, sender, receiver } = walk
  if (keywords.length === 0 || keywords.includes('type') || unseen === true) return false
  const all = new Set(keywords.flatMap((keyword) => families.find((one) => one.includes(keyword)) ?? keyword))
  const isOpen = [...all].every((keyword) => !evaluating.has(keyword))
  if (!isOpen && [graph.old, graph.new_].some(isEvaluated)) return false
  if (listOtherTexts(asObject(sender), asObject(receiver), all)) return false
  const part = (schema: Json): JsonObject => pick(asObject(schema), [...all])
  const typed = (schema: Json): JsonObject => pick(asObject(schema), [...all, 'type'])
  const { judgement } = graph
  const { direction } = traits
  const areSame = (one: Json, other: Json): boolean => judgement.areOne(direction, one, other)
  if (areSame(part(sender), part(receiver))) return true
  // A keyword that means nothing to the type is no spelling of another.
  const isVacuous = judgement.isContained(direction, pick(asObject(sender), ['type']), part(receiver))
  return !isVacuous && areSame(typed(sender), typed(receiver))
}

/** Whether two schemas list different texts, which plainly is not the same. */
function listOtherTexts(one: JsonObject, other: JsonObject, keywords: ReadonlySet<string>): boolean {
  if (!keywords.has('enum') || [...keywords].some((key) => key !== 'enum' && key !== 'const')) return false
  const [texts, others] = [textsOf(one), textsOf(other)]
  if (texts === undefined || others === undefined) return false
  return [...texts].some((text) => !others.has(text)) || [...others].some((text) => !texts.has(text))
}

/** What a schema lists, where that is texts, all of which it takes by its type. */
function textsOf(schema: JsonObject): ReadonlySet<Json> | undefined {
  const [listed, types] = [own(schema, 'enum'), typesOf(schema)]
  const isPlain = !Object.hasOwn(schema, 'const') && (types.length === 0 || types.includes('string'))
  const isOfTexts = isPlain && isArray(listed) && listed.every((value) => typeof value === 'string')
  return isOfTexts ? new Set(listed) : undefined
}

/** What a difference is about. */
export function concernOf({ unseen, property, keywords, action }: Difference, { a, b }: Stop): Concern {
  if (property !== undefined) return 'parts'
  const [one, other] = [asObject(a.value), asObject(b.value)]
  // Formats that no validator knows are none the less told, and so is another type.
  const isOther =
    own(one, 'format') !== own(other, 'format') || (typesOf(one).length > 0 && typesOf(other).length > 0)
  if (unseen === true || (keywords.includes('type') && isOther)) return 'notes'
  return keywords.length > 0 || action?.startsWith('became-') === true ? 'values' : 'parts'
}

/** Two schemas of which the one makes values that the other has to take. */
type Walk = Pick<SchemaWalk, 'graph' | 'traits' | 'sender' | 'receiver'>

/** Keywords by which the same is said in several ways. */
const families: readonly (readonly string[])[] = [
  ['enum', 'const'],
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
  ['minItems', 'contains', 'minContains', 'maxContains'],
  ['dependentRequired', 'dependentSchemas'],
]

/** Keywords of which `unevaluatedItems` and `unevaluatedProperties` around them see more than the values that they take. */
const evaluating: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'contains', 'if', 'then', 'else', 'dependentSchemas'],
  ...['properties', 'patternProperties', 'additionalProperties'],
])

/** Whether each of two versions takes every value that the other takes. */
function takeTheSame(judgement: Judgement, { traits: { direction }, a, b }: SchemaNode): boolean {
  const [sender, receiver] = direction === 'request' ? [a, b] : [b, a]
  return judgement.areOne(direction, sender.value, receiver.value)
}

/** Names of properties of which both schemas say something. */
function namesOfBoth({ described }: SchemaGraph, a: Json, b: Json): ReadonlySet<string> {
  const others = described.new.of(b)
  return new Set([...described.old.of(a)].filter((name) => others.has(name)))
}

/** Whether two schemas, with all that they lead to, say the same of what no validator sees. */
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
      if (notes.has(key)) found.add(`${key} ${canonical(value)}`)
      else if (typeof value === 'object' && value !== null) waiting.push(value)
    const target = referenced(side, at.$ref)
    if (target !== undefined) waiting.push(target.value)
  }
  return found
}

/** Of schemas that lead to more, nothing is decided anyway. */
const many = 400
const notes: ReadonlySet<string> = new Set([
  ...['default', 'deprecated', 'discriminator', 'format', 'readOnly', 'writeOnly'],
  ...['contentSchema', 'contentMediaType', 'contentEncoding'],
  ...['x-sunset', 'x-stability-level', 'x-extensible-enum', 'x-timezone'],
])

function isEvaluated({ document }: Side): boolean {
  return contentsOf(document.root).isEvaluated
}
