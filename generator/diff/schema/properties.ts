import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import { escaped } from '../../document/pointer.js'
import { fingerprint } from '../../schema/canonical.js'
import { defaultOf } from '../../schema/defaults/defaults.js'
import { isLeftOut, type OneWay } from '../../schema/one-way.js'
import { isSchema, requiredOf } from '../../schema/schema.js'
import { whereJson, whereTexts } from '../change/protocol.js'
import { asObject, type Side } from '../change/side.js'
import { changeId, type UnsentKind } from '../change/subject.js'
import { harmless, isBad, type Judged, worse } from '../decide/judgement.js'
import { schemasOf } from '../same/discrimination.js'
import { isAnnotationKeyword } from '../same/same.js'
import { dereferenced, namesOf, within } from '../same/within.js'
import { coercedBy, takesOtherNames } from '../texts/coerced.js'
import type { Difference, SchemaPair, SchemaWalk } from './schema-walk.js'
import { judgeKept, judgeNarrowed, judgeOfAny, judgeUnnamed, stillRequired } from './unnamed-properties.js'

/** Reports properties that were added or removed, became required or optional, or changed inside. */
export function propertyChanges(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): void {
  const [olds, news] = [asObject(own(a, 'properties')), asObject(own(b, 'properties'))]
  for (const name of namesOf(olds, news)) {
    const [old, fresh] = [own(olds, name), own(news, name)]
    const isSame = old !== undefined && fresh !== undefined && walk.sameness.of(old, fresh)
    if (isSame && isRequired(a, name) === isRequired(b, name)) continue
    const at = {
      ...pair,
      path: pair.path + stepTo(name),
      a: old === undefined ? pair.a : within(pair.a, old, 'properties', name),
      b: fresh === undefined ? pair.b : within(pair.b, fresh, 'properties', name),
    }
    const isOneWay = unsentKind(walk, [old ?? true, fresh ?? true]) !== undefined
    const kept = (old === undefined || fresh === undefined) && !isOneWay && stillRequired(walk, pair, name)
    if (kept) walk.visit({ ...at, ...kept })
    else if (old === undefined && fresh !== undefined)
      reportAdded(walk, at, name, dereferenced(walk.new_, at.b).value, b)
    else if (fresh === undefined && old !== undefined)
      reportRemoved(walk, at, name, dereferenced(walk.old, at.a).value, a, b)
    else reportChanged(walk, at, pair, name, a, b)
  }
  for (const name of new Set([...requiredOf(a), ...requiredOf(b)])) {
    if (isRequired(a, name) === isRequired(b, name)) continue
    // The loop above covers what the receiver declares. This one covers what it requires and only the sender declares.
    const [sent, accepted] = walk.isRequest ? [olds, news] : [news, olds]
    if (Object.hasOwn(accepted, name)) continue
    if (Object.hasOwn(sent, name) && !isRequired(walk.isRequest ? b : a, name)) continue
    const id = changeId(walk.traits, false, isRequired(b, name) ? 'became-required' : 'became-optional')
    const at = { ...pair, path: pair.path + stepTo(name) }
    walk.report(at, { id, keywords: [], judged: judgeRequirement(walk, name), at: pair.path })
  }
}

function reportAdded(walk: SchemaWalk, at: SchemaPair, name: string, schema: Json, b: JsonObject): void {
  const required = isRequired(b, name)
  const [readOnly, writeOnly] = [has(walk.new_, schema, 'readOnly'), has(walk.new_, schema, 'writeOnly')]
  const change = { keywords: [], new: name, at: parentOf(at), property: name }
  if (walk.isRequest) {
    const isParameter = walk.traits.holder === 'parameter'
    const must = required && !readOnly
    const header = isParameter && walk.traits.isHeader === true
    const noun = header ? 'header-property' : 'property'
    const isFilled = must && hasDefault(walk.new_, at.b.value)
    const withDefault = isFilled && !isParameter
    const id = must
      ? isParameter && !header
        ? 'request-parameter-property-became-required'
        : withDefault
          ? 'new-required-request-property-with-default'
          : (`new-required-request-${noun}` as const)
      : (`new-optional-request-${isParameter ? 'parameter-property' : 'property'}` as const)
    const needed = must ? judgeRequirement(walk, name, at.b.value) : harmless
    const judged = readOnly && !walk.describes(name) ? undefined : judgeNarrowed(walk, name)
    // Requests without the property get the default, and by convention callers did not send the property.
    if (isFilled) walk.report(at, { ...change, id, judged: needed })
    else if (must) walk.report(at, { ...change, id, judged: worse(needed, judged ?? harmless) })
    else {
      const ofAny = readOnly ? undefined : judgeOfAny(walk, name)
      walk.report(at, { ...change, id, ...verdictOrConvention(judged, readOnly), ofAny })
    }
    return
  }
  if (walk.traits.holder === 'header') return
  const id =
    `response-${required ? 'required' : 'optional'}-${writeOnly ? 'write-only-' : ''}property-added` as const
  walk.report(at, {
    ...change,
    id,
    ...verdictOrConvention(writeOnly ? undefined : judgeUnnamed(walk, name), writeOnly),
  })
}

function reportRemoved(
  walk: SchemaWalk,
  at: SchemaPair,
  name: string,
  schema: Json,
  a: JsonObject,
  b: JsonObject,
): void {
  const change = { keywords: [], old: name, at: parentOf(at), property: name }
  if (walk.isRequest) {
    const id =
      walk.traits.holder === 'parameter' ? 'request-parameter-property-removed' : 'request-property-removed'
    // The old version refused a read-only property, so callers do not send it: only its absence can matter.
    if (has(walk.old, schema, 'readOnly'))
      walk.report(at, {
        ...change,
        id,
        ...unsent,
        judged: isRequired(b, name) ? judgeAbsence(walk, name) : harmless,
      })
    else {
      const judged = judgeUnnamed(walk, name) ?? judgeKept(walk, name)
      const isText = judged?.level === 'compatible' && becomesText(walk, name)
      if (isText) walk.report(at, { ...change, id, unseen: true, judged: readAsText, protocols: whereTexts })
      walk.report(at, {
        ...change,
        id,
        ...verdictOrConvention(judged, false),
        ...(isText && { protocols: whereJson }),
      })
    }
    return
  }
  if (walk.traits.holder === 'header') {
    walk.report(at, { ...change, id: 'response-header-property-removed', agreed: true })
    return
  }
  const [required, writeOnly] = [isRequired(a, name), has(walk.old, schema, 'writeOnly')]
  const id =
    `response-${required ? 'required' : 'optional'}-${writeOnly ? 'write-only-' : ''}property-removed` as const
  const typed = judgeNarrowed(walk, name) ?? judgeKept(walk, name)
  if (writeOnly) walk.report(at, { ...change, id, ...unsent })
  else if (required)
    walk.report(at, { ...change, id, judged: worse(judgeRequirement(walk, name), typed ?? harmless) })
  else walk.report(at, { ...change, id, ...verdictOrConvention(typed, false) })
}

/**
 * Whether REST converted the text of a property to another type, and now reads it as text because only a rule for
 * unnamed properties describes it.
 */
function becomesText({ traits, old, new_, sender, receiver }: SchemaWalk, name: string): boolean {
  if (traits.isLoose !== true) return false
  const typesBy = (side: Side, schema: Json): string => {
    const { properties = {}, values } = coercedBy(side, schema)
    const read = Object.hasOwn(properties, name) ? properties[name] : values
    return read?.types.join() ?? 'string'
  }
  return typesBy(old, sender) !== 'string' && typesBy(new_, receiver) === 'string'
}

const readAsText: Judged = {
  level: 'dangerous',
  evidence: { reason: 'over REST its text is now read as a string' },
}

/** The verdict, if there is one. Otherwise the convention decides, or nothing does if the property is never sent. */
function verdictOrConvention(
  judged: Judged | undefined,
  isUnsent: boolean,
): Pick<Difference, 'judged' | 'unseen' | 'agreed'> {
  if (judged !== undefined) return { judged }
  return isUnsent ? unsent : { agreed: true }
}

/** A property that is never sent appears in no value, but may distinguish the branches of a surrounding schema. */
const unsent = { unseen: true, agreed: true } as const

function parentOf({ path }: SchemaPair): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function reportChanged(
  walk: SchemaWalk,
  at: SchemaPair,
  outer: SchemaPair,
  name: string,
  a: JsonObject,
  b: JsonObject,
): void {
  const { holder } = walk.traits
  const [old, fresh] = [dereferenced(walk.old, at.a).value, dereferenced(walk.new_, at.b).value]
  const kind = unsentKind(walk, [old, fresh]) ?? at.kind
  const [was, is] = [isRequired(a, name), isRequired(b, name)]
  if (was !== is) {
    const withDefault = is && walk.isRequest && hasDefault(walk.new_, at.b.value)
    const id =
      withDefault && holder === 'body'
        ? 'request-property-became-required-with-default'
        : changeId(walk.traits, false, is ? 'became-required' : 'became-optional', kind)
    const judged = judgeRequirement(walk, name, is ? at.b.value : true)
    const change = { id, keywords: [], judged, at: outer.path }
    if (isBad(judged) && outer.path === '' && hasWhateverArrives(walk, name)) {
      walk.report({ ...at, kind }, { ...change, judged: harmless, protocols: whereTexts })
      walk.report({ ...at, kind }, { ...change, protocols: whereJson })
    } else walk.report({ ...at, kind }, change)
  }
  if (holder !== 'header') reportMutability(walk, at, name, [old, fresh], [was, is])
  const withoutDefault = was && is ? judgeMissingDefault(walk, at, name) : undefined
  if (withoutDefault === undefined) {
    walk.visit({ ...at, kind })
    return
  }
  const { default: usual, ...rest } = asObject(at.a.value)
  const { default: other, ...kept } = asObject(at.b.value)
  const action = `default-value-${other === undefined ? 'removed' : 'changed'}` as const
  const id = changeId(walk.traits, false, action, kind)
  walk.report(
    { ...at, kind },
    {
      ...{ id, keywords: [], old: usual, new: other, judged: withoutDefault, at: outer.path },
      ...(fingerprint(usual ?? null) === fingerprint(other ?? null) && {
        words: 'the schema refuses its own default, which is no longer filled in',
      }),
    },
  )
  const [a_, b_] = [
    { ...at.a, value: rest },
    { ...at.b, value: kept },
  ]
  walk.visit({ ...at, kind, a: a_, b: b_ })
}

/**
 * Judges a required property whose own default validators no longer fill in: the default was removed, or the schema
 * refuses it. A default behind a reference or in a branch is a change of its own.
 */
function judgeMissingDefault(walk: SchemaWalk, at: SchemaPair, name: string): Judged | undefined {
  if (!walk.isRequest || own(asObject(at.a.value), 'default') === undefined) return undefined
  const { judgement } = walk
  const usual = defaultOf(schemasOf(walk.new_), asObject(at.b.value))
  if (usual !== undefined && judgement.isContained('request', { const: usual }, at.b.value)) return undefined
  const { type = 'object', required = [] } = asObject(walk.sender)
  const judged = walk.passes({ type, required }, { required: [name] }, walk.sender)
  return isBad(judged) ? judged : undefined
}

/**
 * Judges whether the sender sends a property that the receiver requires. `schema`: the property's schema. If it has a
 * default, the property counts as required and a break is dangerous: whether validators fill in the default depends on
 * the operation.
 */
function judgeRequirement(walk: SchemaWalk, name: string, schema: Json = true): Judged {
  const isDefaulted = walk.isRequest && hasDefault(walk.new_, schema)
  if (!isDefaulted && !isRequired(asObject(walk.receiver), name)) return harmless
  const { type = 'object', required = [] } = asObject(walk.sender)
  const judged = walk.passes({ type, required }, { required: [name] }, walk.sender)
  return judged.level === 'breaking' && isDefaulted ? { level: 'dangerous', evidence: {} } : judged
}

/** Whether a parameter has a property over REST if it arrives at all: it arrives only with one of its properties. */
function hasWhateverArrives({ old, node, traits, sender }: SchemaWalk, name: string): boolean {
  const { isEmptyAbsent = false, holder, lists = '' } = traits
  if (!isEmptyAbsent || holder !== 'parameter' || !node.isRoot) return false
  const { type: _, properties, required: __, ...others } = asObject(sender)
  const isPlain = Object.keys(others).every(
    (keyword) => keyword === 'additionalProperties' || isAnnotationKeyword(keyword),
  )
  // In brackets any name is one of its properties: `f[other]`.
  const takesOthers = lists.includes('nested')
    ? others.additionalProperties !== false
    : takesOtherNames(old, sender)
  return isPlain && !takesOthers && Object.keys(asObject(properties)).every((key) => key === name)
}

function hasDefault(side: Side, schema: Json): boolean {
  return defaultOf(schemasOf(side), asObject(schema)) !== undefined
}

/** Whether the sender leaves a property out or the receiver refuses it. Undefined if it is sent. */
function unsentKind(
  { isRequest, old: was, new_: is }: SchemaWalk,
  [old, fresh]: Both,
): UnsentKind | undefined {
  if (!isRequest) return has(is, fresh, 'writeOnly') ? 'write-only' : undefined
  return has(was, old, 'readOnly') || has(is, fresh, 'readOnly') ? 'read-only' : undefined
}

/** Requests may not have read-only properties, and responses leave write-only ones out. */
function reportMutability(
  walk: SchemaWalk,
  at: SchemaPair,
  name: string,
  [old, fresh]: Both,
  [was, is]: Required,
): void {
  const { isRequest, traits } = walk
  for (const [key, title] of [
    ['readOnly', 'read-only'],
    ['writeOnly', 'write-only'],
  ] as const) {
    const [before, after] = [has(walk.old, old, key), has(walk.new_, fresh, key)]
    if (before === after) continue
    const id =
      `${traits.direction}-${is ? 'required' : 'optional'}-property-became-${after ? '' : 'not-'}${title}` as const
    const change = { id, keywords: [] }
    if (key !== (isRequest ? 'readOnly' : 'writeOnly')) walk.report(at, { ...change, unseen: true })
    // The old version's validators refuse a property that every new response has.
    else if (!isRequest && before && is)
      walk.report(at, { ...change, unseen: true, judged: walk.passes(fresh, { not: {} }) })
    else if (isRequest && after)
      reportUnlessHarmless(walk, at, { ...change, judged: walk.passes(old, { not: {} }) })
    else if (isRequest ? is : after && was)
      reportUnlessHarmless(walk, at, { ...change, judged: judgeAbsence(walk, name), at: parentOf(at) })
    else walk.report(at, { ...change, ...unsent })
  }
}

type Both = readonly [old: Json, fresh: Json]
type Required = readonly [was: boolean, is: boolean]

/** A surrounding schema may make up for the break: another branch may accept the same values. */
function reportUnlessHarmless(walk: SchemaWalk, at: SchemaPair, change: Difference): void {
  const isBroken = change.judged !== undefined && change.judged !== harmless
  walk.report(at, isBroken ? change : { ...change, judged: undefined, ...unsent })
}

/** Judges what the sender sends without a property that it leaves out, and that the receiver requires. */
function judgeAbsence(walk: SchemaWalk, name: string): Judged {
  const { properties, required, type = 'object' } = asObject(walk.sender)
  const left = Object.entries(asObject(properties)).filter(([key]) => key !== name)
  const others = isArray(required) ? required.filter((key) => key !== name) : []
  const without = { type, properties: objectOf([...left, [name, false]]), required: others }
  return walk.passes(without, { required: [name] })
}

function stepTo(name: string): string {
  return `/${escaped(name)}`
}

function isRequired(schema: JsonObject, name: string): boolean {
  return requiredOf(schema).includes(name)
}

/** Whether a property, or the schema that it refers to, has a mark. */
function has(side: Side, schema: Json, mark: OneWay): boolean {
  return isSchema(schema) && isLeftOut(schemasOf(side), schema, mark)
}
