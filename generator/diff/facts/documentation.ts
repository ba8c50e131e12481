import { type Cursor, member, rootCursor } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { keywordsThat, valueKeywords } from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'
import { entriesOf, memberOf, referenced, type Side } from '../change/side.js'
import { onlyBranch } from '../same/same.js'
import { areEqual, samePartsOf } from '../same/unchanged.js'
import { type OperationPair, report, type Tools, titleOf } from './parts/pair.js'

/**
 * Compares the descriptions of an operation, its parameters and its responses. Referenced parts are compared elsewhere.
 */
export function documentationFacts(pair: OperationPair): void {
  const { before, after } = pair
  const changed = changedTexts([pair.old, before.operation.value], [pair.new, after.operation.value])
  if (changed.length === 0) return
  report(pair, {
    id: 'api-description-changed',
    message: `the documentation of ${titleOf(after)} changed: ${shown(changed)}`,
    old: before.operation,
    new: after.operation,
    values: changed,
  })
}

/** Compares the description of the service, and those of components with the same name. */
export function documentDocumentationFacts(old: Side, new_: Side, { collector }: Tools): void {
  const same = samePartsOf(old.document.root, new_.document.root)
  const say = (title: string, a: Cursor | undefined, b: Cursor | undefined): void => {
    if (a === undefined || b === undefined) return
    if ((a.pointer === b.pointer && same.haveReference(a.pointer)) || areEqual(a.value, b.value)) return
    const changed = changedTexts([old, a.value], [new_, b.value])
    if (changed.length === 0) return
    const message = `the documentation of ${title} changed: ${shown(changed)}`
    collector.add({ id: 'api-description-changed', message, old: a, new: b, values: [title, ...changed] })
  }
  const [a, b] = [old, new_].map(({ document }) => rootCursor(document))
  say('the service', a && member(a, 'info'), b && member(b, 'info'))
  const [olds, news] = [memberOf(old, a, 'components'), memberOf(new_, b, 'components')]
  for (const [section, noun] of sections) {
    const [before, after] = [entriesOf(old, olds, section), entriesOf(new_, news, section)]
    for (const [name, cursor] of before) say(`${noun} ${name}`, cursor, after.get(name))
  }
}

const sections = [
  ['schemas', 'the schema'],
  ['parameters', 'the parameter'],
  ['responses', 'the response'],
  ['requestBodies', 'the request body'],
  ['headers', 'the header'],
] as const

/** The paths of texts that differ, or that only one version has. */
function changedTexts([old, a]: readonly [Side, Json], [new_, b]: readonly [Side, Json]): string[] {
  const changed: string[] = []
  // A schema may contain only itself.
  const visit = (one: Json, other: Json, way: string, isMap: boolean, steps = 0): void => {
    if (steps > deep || one === other || changed.length >= enough) return
    if (isArray(one) && isArray(other)) {
      const [ours, theirs] = [byName(old, one), byName(new_, other)]
      for (const [name, item] of ours) visit(item, theirs.get(name) ?? null, `${way}/${name}`, false)
    }
    if (!isObject(one) || !isObject(other)) return
    if (!isMap && isLonely(one) !== isLonely(other)) {
      visit(unwrapped(one), unwrapped(other), way, isMap, steps + 1)
      return
    }
    if (isReference(one) !== isReference(other)) {
      const [ours, theirs] = [inPlace(old, one), inPlace(new_, other)]
      // A reference without a target stays a reference.
      if (isReference(ours) === isReference(theirs)) visit(ours, theirs, way, isMap, steps + 1)
      return
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      // The content of extensions is not ours to compare.
      if (!isMap && key.startsWith('x-')) continue
      const [was, is] = [one[key], other[key]]
      if (!isMap && words.has(key)) {
        if (fingerprint(was ?? null) !== fingerprint(is ?? null)) changed.push(`${way}/${key}`)
      } else if (was !== undefined && is !== undefined && !(!isMap && valueKeywords.has(key)))
        visit(was, is, `${way}/${key}`, !isMap && maps.has(key))
    }
  }
  visit(a, b, '', false)
  return changed
}

function isReference(value: JsonObject): boolean {
  return typeof value.$ref === 'string'
}

/** Items by position. Parameters by location and name, because their order does not matter. */
function byName(side: Side, items: readonly Json[]): Map<string, Json> {
  const named = items.map((item): [string, Json] => {
    const { in: place, name } = isObject(item) ? inPlace(side, item) : {}
    return [`${String(place)} ${String(name)}`, item]
  })
  const isNamed = named.every(([name]) => !name.includes('undefined'))
  return new Map(isNamed ? named : items.map((item, index) => [String(index), item]))
}

/** Whether a schema is only one `allOf` branch, perhaps with texts next to it. */
function isLonely(value: JsonObject): boolean {
  return onlyBranch(value) === 'allOf'
}

function unwrapped(value: JsonObject): JsonObject {
  const { allOf, ...beside } = value
  const [branch] = isArray(allOf) ? allOf : []
  return isLonely(value) && isObject(branch) ? { ...branch, ...beside } : value
}

/** The target of a reference, with the texts next to the reference. */
function inPlace(side: Side, value: JsonObject): JsonObject {
  const target = referenced(side, value.$ref)?.value
  if (!isObject(target)) return value
  const { $ref: _, ...beside } = value
  return { ...target, ...beside }
}

/** The maximum number of references and branches on the way to one schema. */
const deep = 50
/** More changes than this are not listed. */
const enough = 100
const words: ReadonlySet<string> = new Set(['summary', 'description', 'title', 'externalDocs'])
/** Members whose own members have names that the document's author chooses. */
const maps: ReadonlySet<string> = new Set([
  ...keywordsThat(({ holds }) => holds === 'schema-map'),
  ...['responses', 'headers', 'content', 'callbacks', 'links', 'encoding'],
])

function shown(changed: readonly string[]): string {
  const [first = '', ...others] = changed
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
