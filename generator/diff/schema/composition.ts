import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { choices, compositions, groupOf } from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'
import { asObject } from '../change/side.js'
import { harmless, type Judged, judge } from '../decide/judgement.js'
import { childrenOf } from '../same/family.js'
import { isAnnotationKeyword } from '../same/same.js'
import { labelOf, listOf, namesOf, pick, within } from '../same/within.js'
import { allOfChanges, alternativeChanges, keywordSwap, reference } from './alternatives.js'
import { outline } from './outline.js'
import { isEvaluated } from './respelled.js'
import type { SchemaPair, SchemaWalk } from './schema-walk.js'

/** Compares subschemas other than properties: branches, items, conditions. */
export function compositionChanges(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): void {
  allOfChanges(walk, pair, a, b)
  if (!keywordSwap(walk, pair, a, b))
    for (const keyword of choices) alternativeChanges(walk, pair, a, b, keyword)
  reference(walk, pair, a, b)
  for (const [keyword, name, step] of single) singleChanges(walk, pair, a, b, keyword, name, step)
  additional(walk, pair, a, b)
  for (const [keyword, name, step] of named) namedChanges(walk, pair, a, b, keyword, name, step)
  prefixItems(walk, pair, a, b)
  contentSchema(walk, pair, a, b)
  visitChildren(walk, pair)
}

/**
 * Keyword, its name in ids, and the path step to the values that it describes. The step is empty if that is the value
 * itself.
 */
const single = [
  ['items', 'items', '/-'],
  ['not', 'not', ''],
  ['if', 'if', ''],
  ['then', 'then', ''],
  ['else', 'else', ''],
  ['contains', 'contains', '/-'],
  ['propertyNames', 'property-names', ''],
  ['unevaluatedItems', 'unevaluated-items', '/-'],
  ['unevaluatedProperties', 'unevaluated-properties', '/*'],
] as const

const named = [
  ['patternProperties', 'pattern-property', '/*'],
  ['dependentSchemas', 'dependent-schema', ''],
] as const

/** Keywords whose schemas are compared. */
export const comparedSchemas: readonly string[] = [
  ...compositions,
  ...[...single, ...named].map(([keyword]) => keyword),
  ...['additionalProperties', 'prefixItems'],
  // By propertyChanges.
  'properties',
]

/** Whether a schema with keywords is now one of several alternatives, and nothing else. */
export function wraps(a: JsonObject, b: JsonObject): boolean {
  const rest = (schema: JsonObject): string[] =>
    Object.keys(schema).filter((key) => !isAnnotationKeyword(key))
  const ours = rest(a)
  const isPlain = ours.length > 0 && ![...compositions, '$ref'].some((key) => ours.includes(key))
  return (
    isPlain &&
    rest(b).every((key) => key === 'oneOf' || key === 'discriminator') &&
    listOf(b, 'oneOf').length > 1
  )
}

function singleChanges(
  walk: SchemaWalk,
  pair: SchemaPair,
  a: JsonObject,
  b: JsonObject,
  keyword: string,
  name: (typeof single)[number][1],
  step: string,
): void {
  const [old, fresh] = [own(a, keyword), own(b, keyword)]
  if (old === undefined && fresh === undefined) return
  const keywords = groupOf(keyword)
  const values = [outline(walk.old, old), outline(walk.new_, fresh)]
  if (old === undefined || fresh === undefined) {
    if (isClosedOtherwise(a, b, keyword)) return
    const action = `${name}-${old === undefined ? 'added' : 'removed'}` as const
    walk.report(pair, { action, keywords, old: labelOf(old), new: labelOf(fresh), values })
    return
  }
  const at = { ...pair, a: within(pair.a, old, keyword), b: within(pair.b, fresh, keyword) }
  if (keyword === 'not') {
    if (!walk.sameness.of(old, fresh)) walk.report(at, { action: 'not-changed', keywords, values })
    return
  }
  walk.visit({ ...at, path: pair.path + step }, surrounding(walk, a, b, keyword))
}

/**
 * Whether `unevaluatedProperties: false` and `additionalProperties: false` replace each other: the latter reports it.
 */
function isClosedOtherwise(a: JsonObject, b: JsonObject, keyword: string): boolean {
  const closes = (one: JsonObject, other: JsonObject): boolean =>
    own(one, keyword) === false &&
    own(one, 'additionalProperties') !== false &&
    own(other, 'additionalProperties') === false
  return keyword === 'unevaluatedProperties' && (closes(a, b) || closes(b, a))
}

/** The verdict of a group of keywords, if one of its subschemas cannot be judged alone. */
function surrounding(
  walk: SchemaWalk,
  a: JsonObject,
  b: JsonObject,
  keyword: string,
): (() => Judged) | undefined {
  const has = (key: string): boolean => Object.hasOwn(a, key) || Object.hasOwn(b, key)
  const isFirm = (key: string): boolean => walk.sameness.of(own(a, key) ?? true, own(b, key) ?? true)
  const isLoose =
    keyword === 'if' ||
    (groupOf('if').includes(keyword) && !isFirm('if')) ||
    (keyword === 'contains' && has('maxContains'))
  return isLoose ? () => walk.decide(groupOf(keyword)) : undefined
}

function additional(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): void {
  const keyword = 'additionalProperties'
  const [old, fresh] = [own(a, keyword) ?? true, own(b, keyword) ?? true]
  if (isObject(old) && isObject(fresh)) {
    const at = { ...pair, a: within(pair.a, old, keyword), b: within(pair.b, fresh, keyword) }
    walk.visit({ ...at, path: `${pair.path}/*` })
    return
  }
  // Explicitly open `additionalProperties` mark properties as evaluated, for the schemas around them as well.
  const isExplicit = Object.hasOwn(a, keyword) !== Object.hasOwn(b, keyword)
  const counts = [walk.old, walk.new_].some(isEvaluated)
  if (fingerprint(asSchema(old)) === fingerprint(asSchema(fresh)) && !(isExplicit && counts)) return
  const how = fresh === false ? 'removed' : old === false ? 'added' : 'changed'
  walk.report(pair, {
    action: `additional-properties-${how}`,
    keywords: [],
    old: labelOf(old),
    new: labelOf(fresh),
    values: [outline(walk.old, old), outline(walk.new_, fresh)],
    judged: others(walk, a, b),
  })
}

/**
 * Judges properties that neither schema names. Next to a reference, the sender's schema may say more than is compared
 * here.
 */
function others(walk: SchemaWalk, a: JsonObject, b: JsonObject): Judged {
  const [sender, receiver] = [asObject(walk.sender), asObject(walk.receiver)]
  const free = (names: readonly string[]): JsonObject => objectOf(names.map((name) => [name, true] as const))
  const known = free(namesOf(own(a, 'properties'), own(b, 'properties')))
  const patterns = free(namesOf(own(receiver, 'patternProperties'), undefined))
  const part = (schema: JsonObject, patternProperties: JsonObject): JsonObject => ({
    ...pick(schema, ['type', 'additionalProperties']),
    properties: { ...asObject(own(schema, 'properties')), ...known },
    patternProperties,
  })
  const { type: _, ...constraints } = part(receiver, patterns)
  return walk.passes(
    part(sender, { ...patterns, ...asObject(own(sender, 'patternProperties')) }),
    constraints,
  )
}

function asSchema(value: Json): Json {
  return value === true ? {} : value
}

function namedChanges(
  walk: SchemaWalk,
  pair: SchemaPair,
  a: JsonObject,
  b: JsonObject,
  keyword: string,
  name: (typeof named)[number][1],
  step: string,
): void {
  const [olds, news] = [asObject(own(a, keyword)), asObject(own(b, keyword))]
  const [missing, others] = [olds, news].map((one, index) =>
    namesOf(one, undefined).filter((key) => !Object.hasOwn(index === 0 ? news : olds, key)),
  )
  const isSwapped = missing?.length === 1 && others?.length === 1
  for (const key of namesOf(olds, news)) {
    const [old, fresh] = [own(olds, key), own(news, key)]
    if (old !== undefined && fresh !== undefined) {
      const at = { ...pair, a: within(pair.a, old, keyword, key), b: within(pair.b, fresh, keyword, key) }
      walk.visit({ ...at, path: pair.path + step })
    } else {
      const action = `${name}-${old === undefined ? 'added' : 'removed'}` as const
      const shownKey = { ...(old === undefined ? { new: key } : { old: key }) }
      const isAccepted = (old !== undefined) !== walk.isRequest
      const constraint = { [keyword]: objectOf([[key, old ?? fresh ?? true]]) }
      // A new pattern refuses only by its schema. If one took the place of another, only what is sent by the sender's
      // can be refused.
      const judged = isSwapped ? harmless : walk.passes(walk.sender, constraint)
      walk.report(pair, {
        ...{ action, keywords: groupOf(keyword), ...shownKey },
        ...(isAccepted && { judged }),
      })
    }
  }
}

/** Compares what a string contains. Validators of the string do not check that. */
function contentSchema(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): void {
  const keyword = 'contentSchema'
  const [old, fresh] = [own(a, keyword), own(b, keyword)]
  if (old === undefined || fresh === undefined || walk.sameness.of(old, fresh)) return
  const [sender, receiver] = walk.isRequest ? [old, fresh] : [fresh, old]
  const { level } = judge(walk.judgement.passes(walk.traits.direction, sender, receiver))
  walk.report(pair, {
    action: 'content-schema-changed',
    keywords: [keyword],
    values: [outline(walk.old, old), outline(walk.new_, fresh)],
    judged: { level, evidence: {} },
    unseen: true,
  })
}

function prefixItems(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): void {
  const [olds, news] = [listOf(a, 'prefixItems'), listOf(b, 'prefixItems')]
  // AJV skips `contains` in arrays that are too short for the first prefix item.
  const isContained = Object.hasOwn(a, 'contains') && Object.hasOwn(b, 'contains')
  const keywords = [...groupOf('prefixItems'), ...(isContained ? groupOf('contains') : [])]
  const surrounding = isContained ? (): Judged => walk.decide(keywords) : undefined
  for (let index = 0; index < Math.max(olds.length, news.length); index++) {
    const [old, fresh] = [olds[index], news[index]]
    if (old !== undefined && fresh !== undefined) {
      const [one, other] = [
        within(pair.a, old, 'prefixItems', index),
        within(pair.b, fresh, 'prefixItems', index),
      ]
      walk.visit({ ...pair, a: one, b: other, path: `${pair.path}/${index}` }, surrounding)
    } else {
      const action = `prefix-items-${old === undefined ? 'added' : 'removed'}` as const
      const values = [outline(walk.old, old), outline(walk.new_, fresh)]
      walk.report(pair, { action, keywords, old: labelOf(old), new: labelOf(fresh), values })
    }
  }
}

/** Compares the children that both versions have of a discriminated base. */
function visitChildren(walk: SchemaWalk, pair: SchemaPair): void {
  const { old, new_, node } = walk
  const others = childrenOf(new_, node.b.value)
  for (const [name, a] of childrenOf(old, node.a.value)) {
    const b = others.get(name)
    if (b !== undefined) walk.visit({ ...pair, a, b }, undefined, undefined, 'child')
  }
}
