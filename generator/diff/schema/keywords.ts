import { contains } from '../../contains/contains.js'
import { type Cursor, compareText, objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import { groupOf, type KeywordName } from '../../document/vocabulary.js'
import { compareNumbers, haveSameDigits } from '../../document/written-digits.js'
import { fingerprint, itemFingerprints, memberFingerprint } from '../../schema/canonical.js'
import { hasValidDefault } from '../../schema/defaults/defaults.js'
import { asObject, type Side } from '../change/side.js'
import { actionHasTrait, type BoundName, type SchemaAction } from '../change/table/schema-actions.js'
import { harmless, type Judged } from '../decide/judgement.js'
import { schemasOf } from '../same/discrimination.js'
import { areRounded, withDigits } from '../same/rounded.js'
import { namesOf, pick } from '../same/within.js'
import { typesOf } from '../texts/types.js'
import type { DecidedBy } from './node.js'

/** One changed keyword: the last part of its change id, and the values that differ. */
export interface KeywordChange {
  readonly action: SchemaAction
  /** The keywords that make up the change. */
  readonly keywords: readonly string[]
  readonly old?: Json | undefined
  readonly new?: Json | undefined
  /**
   * For the fingerprint and the message: both values with digits that a double does not hold, or others if the values
   * name schemas.
   */
  readonly values?: readonly Json[]
  /** The verdict, if the schemas of the keywords alone do not decide. */
  readonly judged?: Judged | undefined
  /** Set if the keywords' values do not decide: the catalogue's level applies, unless something else gives a level. */
  readonly unseen?: true
  /**
   * Set if the catalogue's level is the minimum: by convention callers do not rely on what a validator may check beyond
   * it. If `unseen` is set too, only surrounding schemas can make it worse.
   */
  readonly agreed?: true
}

/** What decides the level of a change. */
export function decidedBy({ unseen, agreed }: Pick<KeywordChange, 'unseen' | 'agreed'>): DecidedBy {
  if (agreed === true) return 'convention'
  return unseen === true ? 'catalogue' : 'schema'
}

/** Changes of keywords that hold data: bounds, patterns, enums, defaults and the like. */
export function keywordChanges(a: JsonObject, b: JsonObject, isRequest: boolean): KeywordChange[] {
  return Object.values(comparers).flatMap((changes) => changes(a, b, isRequest))
}

/** Whether validators fill in no default before or after its change, because the schema refuses its own. */
export function isIgnoredDefault(
  before: readonly [Side, Cursor],
  after: readonly [Side, Cursor],
  { keywords }: KeywordChange,
): boolean {
  const isFilled = ([side, { value }]: readonly [Side, Cursor]): boolean =>
    hasValidDefault(schemasOf(side), asObject(value))
  return keywords.includes('default') && !isFilled(before) && !isFilled(after)
}

const bounds: readonly (readonly [keyword: KeywordName, name: BoundName, none?: number])[] = [
  ['maximum', 'max'],
  ['minimum', 'min'],
  ['exclusiveMaximum', 'exclusive-max'],
  ['exclusiveMinimum', 'exclusive-min'],
  ['maxLength', 'max-length'],
  ['minLength', 'min-length', 0],
  ['maxItems', 'max-items'],
  ['minItems', 'min-items'],
  ['maxProperties', 'max-properties'],
  ['minProperties', 'min-properties', 0],
  ['minContains', 'min-contains', 1],
  ['maxContains', 'max-contains'],
]

type Comparer = (a: JsonObject, b: JsonObject, isRequest: boolean) => KeywordChange[]

const comparers: { readonly [name in KeywordName]?: Comparer } = {
  ...Object.fromEntries(
    bounds.map(([keyword, name, none]): [KeywordName, Comparer] => [
      keyword,
      (a, b) => bound(a, b, keyword, name, none),
    ]),
  ),
  enum: enumeration,
  const: (a, b) => simple(a, b, 'const', ['const-added', 'const-removed', 'const-changed']),
  pattern,
  multipleOf: (a, b) =>
    simple(a, b, 'multipleOf', ['multiple-of-set', 'multiple-of-unset', 'multiple-of-changed']),
  uniqueItems: unique,
  dependentRequired: dependent,
  default: (a, b) =>
    simple(a, b, 'default', ['default-value-added', 'default-value-removed', 'default-value-changed']).map(
      (change) => ({ ...change, unseen: true as const }),
    ),
  // `compositionChanges` reports changes inside `contentSchema`.
  contentSchema: (a, b) =>
    content(a, b, 'contentSchema', [
      'content-schema-added',
      'content-schema-removed',
      'content-schema-changed',
    ]).filter(({ action }) => action !== 'content-schema-changed'),
  contentMediaType: (a, b, isRequest) =>
    content(a, b, 'contentMediaType', always('content-media-type-changed')).map((change) =>
      // It only annotates (2020-12, validation, section 8): the receiver still takes what it took.
      (isRequest ? change.new : change.old) === undefined ? { ...change, judged: harmless } : change,
    ),
  contentEncoding: (a, b) => content(a, b, 'contentEncoding', always('content-encoding-changed')),
  'x-extensible-enum': extensible,
  'x-timezone': timezone,
}

/** Keywords whose changes are found: here, by typeActions and propertyChanges, and with a schema's lifecycle. */
export const comparedKeywords: readonly string[] = [
  ...Object.keys(comparers),
  // Reading a document makes a type of `nullable`.
  ...['format', 'nullable', 'required', 'type'],
  ...['discriminator', 'deprecated', 'readOnly', 'writeOnly', 'x-stability-level', 'x-sunset'],
]

function bound(
  a: JsonObject,
  b: JsonObject,
  keyword: string,
  name: BoundName,
  none?: number,
): KeywordChange[] {
  const limit = (schema: JsonObject): number | undefined => {
    const value = own(schema, keyword)
    return typeof value === 'number' ? value : none
  }
  const [old, fresh] = [limit(a), limit(b)]
  const isRounded = old === fresh && old !== undefined && !haveSameDigits(a, b, keyword)
  if (old === fresh && !isRounded) return []
  const isIncreased =
    old !== undefined && fresh !== undefined && (isRounded ? compareNumbers(a, b, keyword) < 0 : fresh > old)
  const how =
    old === undefined ? 'set' : fresh === undefined ? 'unset' : isIncreased ? 'increased' : 'decreased'
  const change = { action: `${name}-${how}` as const, keywords: groupOf(keyword), old, new: fresh }
  return [withDigits(change, [a, keyword], [b, keyword], isRounded)]
}

/** The part of a schema that a change affects. Undefined if that is everything its keywords say. */
export function partOf(
  { action, old, new: fresh }: KeywordChange,
  schema: JsonObject,
): JsonObject | undefined {
  // Judge each of the two bounds alone. Without `minContains`, the lower bound is 1.
  if (actionHasTrait(action, 'fewest contained')) return pick(schema, ['contains', 'minContains'])
  if (actionHasTrait(action, 'most contained'))
    return { ...pick(schema, ['contains', 'maxContains']), minContains: 0 }
  if (!actionHasTrait(action, 'names')) return undefined
  const keyword = 'dependentRequired'
  return { [keyword]: pick(asObject(own(schema, keyword)), namesOf(old, fresh)) }
}

/** What was added, removed or changed under one keyword. */
export function simple(
  a: JsonObject,
  b: JsonObject,
  keyword: string,
  [added, removed, changed]: readonly [SchemaAction, SchemaAction, SchemaAction],
): KeywordChange[] {
  const [old, fresh] = [own(a, keyword), own(b, keyword)]
  if (old === undefined && fresh === undefined) return []
  const haveBoth = old !== undefined && fresh !== undefined
  if (haveBoth && memberFingerprint(a, keyword) === memberFingerprint(b, keyword)) return []
  const action = old === undefined ? added : fresh === undefined ? removed : changed
  const change = { action, keywords: [keyword], old, new: fresh }
  return [withDigits(change, [a, keyword], [b, keyword], haveBoth && areRounded(old, fresh))]
}

/** Changes in what a property requires next to it, one for each property. */
function dependent(a: JsonObject, b: JsonObject): KeywordChange[] {
  const keyword = 'dependentRequired'
  const actions = [
    'dependent-required-added',
    'dependent-required-removed',
    'dependent-required-changed',
  ] as const
  const [old, fresh] = [asObject(own(a, keyword)), asObject(own(b, keyword))]
  return namesOf(old, fresh).flatMap((name) =>
    simple(old, fresh, name, actions).map((change) => ({
      action: change.action,
      keywords: [keyword],
      ...(change.old !== undefined && { old: objectOf([[name, change.old]]) }),
      ...(change.new !== undefined && { new: objectOf([[name, change.new]]) }),
    })),
  )
}

function enumeration(a: JsonObject, b: JsonObject, isRequest: boolean): KeywordChange[] {
  const [old, fresh] = [list(a, 'enum'), list(b, 'enum')]
  const keywords = ['enum']
  if (old === undefined && fresh === undefined) return []
  if (old === undefined) return [{ action: 'became-enum', keywords, new: fresh }]
  if (fresh === undefined) return [{ action: 'enum-removed', keywords, old }]
  const [oldTexts, newTexts] = [old, fresh].map(itemFingerprints)
  const [before, after] = [new Set(oldTexts), new Set(newTexts)]
  // If both versions give types, the types report null.
  const [was, is] = [typesOf(a), typesOf(b)]
  if (areRetyped(old, fresh) && was.length > 0 && is.length > 0 && !was.some((type) => is.includes(type)))
    return []
  const isTyped = was.length > 0 && is.length > 0 && was.includes('null') !== is.includes('null')
  const counts = (value: Json): boolean => value !== null || !isTyped
  const removed = [...old.keys()].filter((at) => counts(old[at] ?? null) && !after.has(oldTexts?.[at] ?? ''))
  const added = [...fresh.keys()].filter(
    (at) => counts(fresh[at] ?? null) && !before.has(newTexts?.[at] ?? ''),
  )
  const loosely = !isRequest && list(b, 'x-extensible-enum') !== undefined
  return [
    ...removed.map((at) => {
      const change = { action: 'enum-value-removed' as const, keywords, old: old[at] }
      const isRounded = fresh.some((value) => areRounded(value, old[at]))
      const found = withDigits(change, [old, at], undefined, isRounded)
      return isRounded && isRequest ? { ...found, judged: { level: 'breaking', evidence: {} } } : found
    }),
    ...added.map((at) => {
      const change = { action: 'enum-value-added' as const, keywords, new: fresh[at] }
      const isRounded = old.some((value) => areRounded(value, fresh[at]))
      const found = withDigits(change, undefined, [fresh, at], loosely || isRounded)
      return isRounded && !isRequest && !loosely
        ? { ...found, judged: { level: 'breaking', evidence: {} } }
        : found
    }),
  ]
}

/** Whether two lists have the same texts as values of other types. If the types change too, they report that. */
function areRetyped(old: readonly Json[], fresh: readonly Json[]): boolean {
  const texts = (values: readonly Json[]): string => fingerprint(values.map(String).sort(compareText))
  return texts(old) === texts(fresh)
}

function list(schema: JsonObject, keyword: string): readonly Json[] | undefined {
  const value = own(schema, keyword)
  return isArray(value) ? value : undefined
}

function pattern(a: JsonObject, b: JsonObject, isRequest: boolean): KeywordChange[] {
  const [change] = simple(a, b, 'pattern', ['pattern-added', 'pattern-removed', 'pattern-changed'])
  if (change === undefined) return []
  const found: Analysis = analysePattern(change.old, change.new)
  return [{ ...change, action: isRequest && found === 'generalized' ? 'pattern-generalized' : change.action }]
}

function unique(a: JsonObject, b: JsonObject): KeywordChange[] {
  const [old, fresh] = [own(a, 'uniqueItems') === true, own(b, 'uniqueItems') === true]
  if (old === fresh) return []
  return [{ action: `unique-items-${fresh ? 'set' : 'unset'}`, keywords: ['uniqueItems'], old, new: fresh }]
}

/** Whether a date-time may omit its offset, and is answered in the zone of the call. */
function timezone(a: JsonObject, b: JsonObject): KeywordChange[] {
  const [old, fresh] = [a, b].map(
    (schema) => own(schema, 'x-timezone') === true && own(schema, 'format') === 'date-time',
  )
  if (old === fresh || a.format !== b.format) return []
  return [{ action: `x-timezone-${fresh ? 'added' : 'removed'}`, keywords: ['x-timezone'], unseen: true }]
}

/** A change in what strings contain. If a version accepts no strings, its type reports that. */
function content(
  a: JsonObject,
  b: JsonObject,
  keyword: KeywordName,
  actions: readonly [SchemaAction, SchemaAction, SchemaAction],
): KeywordChange[] {
  const isOfTexts = [a, b].every((schema) => {
    const types = typesOf(schema)
    return types.length === 0 || types.includes('string')
  })
  if (!isOfTexts || isOfFormat(a, b, keyword) || isOfFormat(b, a, keyword)) return []
  return simple(a, b, keyword, actions).map((change) => ({ ...change, unseen: true as const }))
}

/** The same action, however a keyword changed. */
function always(action: SchemaAction) {
  return [action, action, action] as const
}

/** Whether one version has a format of OpenAPI 3.0 where the other has the equivalent keyword of 3.1. */
function isOfFormat(one: JsonObject, other: JsonObject, keyword: string): boolean {
  const [format, content] = keyword === 'contentEncoding' ? ['byte', 'base64'] : ['binary', bytes]
  return own(one, 'format') === format && own(one, keyword) === undefined && own(other, keyword) === content
}

const bytes = 'application/octet-stream'

function extensible(a: JsonObject, b: JsonObject): KeywordChange[] {
  const [old, fresh] = [list(a, 'x-extensible-enum'), list(b, 'x-extensible-enum')]
  const keywords = ['x-extensible-enum']
  if (old === undefined && fresh === undefined) return []
  if (old === undefined) return [{ action: 'x-extensible-enum-added', keywords, new: fresh, unseen: true }]
  if (fresh === undefined) {
    const listed = new Set(itemFingerprints(list(b, 'enum') ?? []))
    const isKnown = itemFingerprints(old).every((text) => listed.has(text))
    // An enum that still lists the values says no less.
    return [
      { action: 'x-extensible-enum-removed', keywords, old, ...(!isKnown && { unseen: true as const }) },
    ]
  }
  const [oldTexts, newTexts] = [itemFingerprints(old), itemFingerprints(fresh)]
  const [before, after] = [new Set(oldTexts), new Set(newTexts)]
  return [
    ...old.flatMap((value, at) => {
      if (after.has(oldTexts[at] ?? '')) return []
      const change = { action: 'x-extensible-enum-value-removed' as const, keywords, old: value }
      return [withDigits(change, [old, at], undefined, true)]
    }),
    ...fresh.flatMap((value, at) => {
      if (before.has(newTexts[at] ?? '')) return []
      const change = { action: 'x-extensible-enum-value-added' as const, keywords, new: value }
      return [withDigits(change, undefined, [fresh, at], true)]
    }),
  ]
}

type Analysis = 'generalized' | 'changed'

/**
 * Whether the new pattern accepts every text. Whether it accepts what the old one accepted is decided for the whole
 * schema.
 */
function analysePattern(old: Json | undefined, fresh: Json | undefined): Analysis {
  if (typeof old !== 'string' || typeof fresh !== 'string') return 'changed'
  const schema = (pattern: string) => ({ type: 'string', pattern })
  const { verdict } = contains({ type: 'string' }, schema(fresh), { dialect: '2020-12' })
  return verdict === 'contained' ? 'generalized' : 'changed'
}
