import type { Protocol } from 'duet-runtime'
import { type Cursor, childPointer, elements, member, members, objectOf } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import { isObject, own, quoted } from '../../../document/json.js'
import { holdingOf, inPlaceKeywords } from '../../../document/vocabulary.js'
import type { Operation } from '../../../model/model.js'
import { defaultOf } from '../../../schema/defaults/defaults.js'
import { conditional, isLeftOut, tentative } from '../../../schema/one-way.js'
import { type ChangeId, entryOf, hasTrait } from '../../change/catalogue.js'
import type { Finding } from '../../change/collector.js'
import { placeAmong, wayOf } from '../../change/place.js'
import { protocols as all, whereTexts } from '../../change/protocol.js'
import { asObject, referenced, type Side } from '../../change/side.js'
import { changeId } from '../../change/subject.js'
import { contentsOf } from '../../decide/contents.js'
import { isBad, type Judged, judge } from '../../decide/judgement.js'
import { discriminationBy, schemasOf } from '../../same/discrimination.js'
import { samePartsOf } from '../../same/unchanged.js'
import { listOf } from '../../same/within.js'
import { type OperationPair, report, reportedIn } from '../parts/pair.js'
import { requestMedia } from './form.js'
import { schemaOf } from './parameter.js'
import { matched, pathOf, titleOf } from './parameters.js'

/**
 * Reports defaults of properties that both documents declare and that validators fill in for one version only: they
 * fill in none below `anyOf` and the like, unless a discriminator selects the branch. The comparison of schemas does
 * not see that, since it compares a branch with what it was before. Nor does it see a default in a new branch of
 * `allOf`, which others may refuse. It runs after all schema changes are known, to report each default only once.
 */
export function filledDefaultFacts(pairs: readonly OperationPair[]): void {
  for (const pair of pairs) {
    const parameters = parametersOf(pair)
    for (const parameter of parameters) refusedDefault(pair, parameter)
    if (!contentsOf(pair.new.document.root).marks.has('default')) continue
    for (const subject of [...parameters, ...bodiesOf(pair)]) {
      const { old, new: fresh, path } = subject
      const start = [old, fresh].map((cursor): Part[] => [{ cursor, isFilled: true }])
      for (const found of differences(pair, start[0] ?? [], start[1] ?? [], path)) tell(pair, subject, found)
    }
  }
}

interface Subject {
  readonly holder: 'body' | 'parameter'
  readonly title: string
  readonly path: string
  readonly old: Cursor
  readonly new: Cursor
  /** Every call has a parameter of the path, so no default replaces it. */
  readonly isInPath: boolean
}

/** A schema of a value, and whether validators fill in the defaults of its properties. */
interface Part {
  readonly cursor: Cursor
  readonly isFilled: boolean
  /** The property that selects this branch, if no branch takes objects without it: its default never fills. */
  readonly tag?: string | undefined
}

/** A default that only one version's validators fill in. */
interface Found {
  readonly path: string
  readonly action: 'default-value-added' | 'default-value-removed'
  readonly usual: Json
  readonly old: Cursor
  readonly new: Cursor
  /** Whether the new version requires the property. */
  readonly isRequired: boolean
  /** Whether only the new version has the property: it is a change of its own, unless its default is refused. */
  readonly isNew?: true
}

function parametersOf(pair: OperationPair): Subject[] {
  return matched(pair).kept.flatMap(([one, other]): Subject[] => {
    const [old, fresh] = [schemaOf(pair.old, one), schemaOf(pair.new, other)]
    if (old === undefined || fresh === undefined) return []
    return [
      {
        holder: 'parameter',
        title: titleOf(other),
        path: pathOf(other),
        old,
        new: fresh,
        isInPath: other.in === 'path',
      },
    ]
  })
}

function bodiesOf(pair: OperationPair): Subject[] {
  const { pairs } = requestMedia(pair)
  return pairs.flatMap(({ a, b }): Subject[] => {
    const [old, fresh] = [member(a, 'schema'), member(b, 'schema')]
    if (old === undefined || fresh === undefined) return []
    return [{ holder: 'body', title: 'the request body', path: '', old, new: fresh, isInPath: false }]
  })
}

/**
 * Reports a default of a parameter that stays in the document, and that its schema refuses now. If a protocol has a
 * break of the parameter, that says enough.
 */
function refusedDefault(pair: OperationPair, { title, path, old, new: fresh, isInPath }: Subject): void {
  const [was, is] = [
    defaultOf(schemasOf(pair.old), asObject(old.value)),
    defaultOf(schemasOf(pair.new), asObject(fresh.value)),
  ]
  if (isInPath || was === undefined || is !== undefined || isReported(pair, path)) return
  const isBroken = (protocol: Protocol): boolean =>
    reportedIn(pair).some(
      (change) => change.path === path && change.level === 'breaking' && change.protocols.includes(protocol),
    )
  report(pair, {
    id: 'request-parameter-default-value-removed',
    message: `${title}: validators no longer fill in its default (${quoted(was)}), which its schema refuses now`,
    ...{ old, new: fresh, path, values: [was], protocols: all.filter((protocol) => !isBroken(protocol)) },
  })
}

/** Compares the schemas of one value, and of the values in it. */
function* differences(
  pair: OperationPair,
  olds: readonly Part[],
  news: readonly Part[],
  path: string,
  seen: Set<string> = new Set(),
): Iterable<Found> {
  if (areIdentical(pair, olds, news)) return
  const [old] = olds
  const [was, is] = [inPlace(pair.old, olds), inPlace(pair.new, news)]
  const key = JSON.stringify(
    [was, is].map((parts) => parts.map(({ cursor, isFilled }) => [cursor.pointer, isFilled])),
  )
  if (seen.has(key) || seen.size > many) return
  seen.add(key)
  for (const [name, one, other] of common(was, is, propertiesOf)) {
    const at = childPointer(path, name)
    const isRequired = is.some(({ cursor }) => listOf(asObject(cursor.value), 'required').includes(name))
    const found = difference(pair, one, other)
    if (found !== undefined) yield { ...found, path: at, isRequired }
    yield* differences(pair, one, other, at, seen)
  }
  const known = propertiesOf(was)
  for (const [name, parts] of propertiesOf(is)) {
    const found = known.has(name) ? undefined : usualOf(pair.new, filledOf(parts))
    if (found === undefined || old === undefined) continue
    const ends = { old: old.cursor, new: found.cursor, path: childPointer(path, name) }
    yield { ...ends, action: 'default-value-added', usual: found.usual, isRequired: false, isNew: true }
  }
  for (const [step, one, other] of common(was, is, othersOf))
    yield* differences(pair, one, other, `${path}/${step}`, seen)
}

function areIdentical(pair: OperationPair, olds: readonly Part[], news: readonly Part[]): boolean {
  const parts = samePartsOf(pair.old.document.root, pair.new.document.root)
  return (
    olds.length === news.length &&
    olds.every(({ cursor, isFilled }, index) => {
      const other = news[index]
      return other?.isFilled === isFilled && parts.have(cursor.value, other.cursor.value)
    })
  )
}

/** More values in one value take too long. */
const many = 1000

/** The schemas of the values in a value, by property or by step. */
type Within = (parts: readonly Part[]) => ReadonlyMap<string, readonly Part[]>

function common(
  was: readonly Part[],
  is: readonly Part[],
  within: Within,
): (readonly [step: string, old: readonly Part[], fresh: readonly Part[]])[] {
  const news = within(is)
  return [...within(was)].flatMap(([step, one]) => {
    const other = news.get(step)
    return other === undefined ? [] : [[step, one, other] as const]
  })
}

function difference(
  { old: before, new: after }: OperationPair,
  olds: readonly Part[],
  news: readonly Part[],
): Omit<Found, 'path' | 'isRequired'> | undefined {
  const [was, is] = [usualOf(before, filledOf(olds)), usualOf(after, filledOf(news))]
  const [old, fresh] = [was ?? usualOf(before, olds), is ?? usualOf(after, news)]
  if ((was === undefined) === (is === undefined) || old === undefined || fresh === undefined) return undefined
  return {
    ...(was === undefined
      ? ({ action: 'default-value-added', usual: fresh.usual } as const)
      : ({ action: 'default-value-removed', usual: was.usual } as const)),
    ...{ old: old.cursor, new: fresh.cursor },
  }
}

function filledOf(parts: readonly Part[]): readonly Part[] {
  return parts.filter(({ isFilled }) => isFilled)
}

function usualOf(side: Side, parts: readonly Part[]): { usual: Json; cursor: Cursor } | undefined {
  const schemas = schemasOf(side)
  for (const { cursor } of parts) {
    const schema = asObject(cursor.value)
    const usual = isLeftOut(schemas, schema, 'readOnly') ? undefined : defaultOf(schemas, schema)
    if (usual !== undefined) return { usual, cursor }
  }
  return undefined
}

/** All schemas of a value, behind references and in branches. */
function inPlace(side: Side, parts: readonly Part[]): readonly Part[] {
  const found = new Map<string, Part>()
  const waiting = [...parts]
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    const { cursor, isFilled, tag } = at
    const schema = cursor.value
    const known = found.get(cursor.pointer)
    if (!isObject(schema) || (known !== undefined && (known.isFilled || !isFilled))) continue
    found.set(cursor.pointer, at)
    const target = referenced(side, own(schema, '$ref'))
    if (target !== undefined) waiting.push({ cursor: target, isFilled, tag })
    const chosen = discriminationBy(side, schema)
    const selecting = chosen?.absent === undefined ? chosen?.property : undefined
    for (const keyword of inPlaceKeywords) {
      if (conditional.has(keyword)) continue
      const isChosen = keyword === chosen?.keyword
      const isBelow = isFilled && (isChosen || !tentative.has(keyword))
      const below = { isFilled: isBelow, tag: isChosen ? selecting : tag }
      waiting.push(...schemasAt(cursor, keyword).map((one) => ({ cursor: one, ...below })))
    }
  }
  return [...found.values()]
}

function schemasAt(cursor: Cursor, keyword: string): readonly Cursor[] {
  const value = member(cursor, keyword)
  const held = holdingOf(keyword)
  if (held === 'schemas') return elements(value)
  return held === 'schema-map' ? members(value) : held === 'schema' && value !== undefined ? [value] : []
}

function propertiesOf(parts: readonly Part[]): Map<string, Part[]> {
  return grouped(parts, ({ cursor }) =>
    members(member(cursor, 'properties')).map((property) => [property.key, property] as const),
  )
}

/** The schemas of items and of unnamed properties. */
function othersOf(parts: readonly Part[]): Map<string, Part[]> {
  return grouped(parts, ({ cursor }) => [
    ...schemasAt(cursor, 'items').map((items) => ['-', items] as const),
    ...schemasAt(cursor, 'prefixItems').map((item, index) => [String(index), item] as const),
    ...schemasAt(cursor, 'additionalProperties').map((others) => ['*', others] as const),
    ...schemasAt(cursor, 'patternProperties').map((others) => ['*', others] as const),
  ])
}

function grouped(
  parts: readonly Part[],
  read: (part: Part) => readonly (readonly [string, Cursor])[],
): Map<string, Part[]> {
  const found = new Map<string, Part[]>()
  for (const part of parts)
    for (const [step, cursor] of read(part))
      found.set(step, [...(found.get(step) ?? []), { cursor, isFilled: part.isFilled && step !== part.tag }])
  return found
}

function tell(pair: OperationPair, { holder, title }: Subject, found: Found): void {
  const { action, path, usual, old, new: fresh, isNew = false } = found
  const id = changeId({ direction: 'request', holder }, false, action)
  if (isReported(pair, path)) return
  const judged = judgedIn(pair, id, found)
  if (isNew && (judged.level ?? 'compatible') === 'compatible') return
  const how = isNew
    ? 'validators fill in its default, which other schemas may refuse'
    : action === 'default-value-added'
      ? 'validators now fill in its default, which was in a branch that they tried'
      : 'validators no longer fill in its default, which is in a branch that they try now'
  report(pair, {
    id,
    message: `${path} of ${title}: ${how} (${quoted(usual)})`,
    ...judged,
    ...{ old, new: fresh, path, values: [usual], copy: `${old.pointer} ${fresh.pointer}` },
  })
}

/** Whether a change of the default is reported already. */
function isReported(pair: OperationPair, path: string): boolean {
  return reportedIn(pair).some((change) => change.path === path && hasTrait(change.id, 'filled in'))
}

function judgedIn(
  pair: OperationPair,
  id: ChangeId,
  { path, action, isRequired }: Found,
): Pick<Finding, 'level' | 'evidence' | 'protocols'> {
  const { judged, ...about } = judgedBy(pair, id, path)
  if (judged !== undefined && isBad(judged)) return { ...judged, ...about }
  if (!isRequired || action === 'default-value-added') return about
  const reason = 'calls without it are accepted, and nothing arrives in its place'
  return { level: 'dangerous', evidence: { reason }, ...about }
}

/** The verdict on calls without the property. If only one version has the body as one param, on bodies without it. */
function judgedBy(
  { old, new: fresh, before, after, tools }: OperationPair,
  id: ChangeId,
  path: string,
): { readonly judged?: Judged; readonly protocols?: readonly Protocol[] } {
  const [was, is] = [before.modelled, after.modelled]
  if (was === undefined || is === undefined || old.model === undefined || fresh.model === undefined) return {}
  const change = { id, direction: 'request', path } as const
  const [way, other] = [placeAmong(change, was), placeAmong(change, is)]
  const isWhole = String(way) === String(other)
  const [one, another] = isWhole ? [was, is] : [bodyOf(was), bodyOf(is)]
  const sides = [
    { model: old.model, operation: one },
    { model: fresh.model, operation: another },
  ] as const
  const verdict = tools.reach.wholes.fills(...sides, isWhole ? way : wayOf(path))
  // Over JSON-RPC such params are others altogether.
  const about = isWhole ? {} : { protocols: whereTexts }
  if (verdict === undefined) return about
  const { level, evidence } = judge(verdict)
  const { witness } = evidence
  if (witness === undefined) return { judged: { level, evidence }, ...about }
  const { body } = was.rest
  const isOfBody = isWhole && body?.kind === 'param' && entryOf(id).holder === 'body'
  const sent = isOfBody ? (own(asObject(witness), body.param ?? 'body') ?? null) : witness
  return { judged: { level, evidence: { witness: sent, at: '' } }, ...about }
}

/** The operation with nothing but its body as params. */
function bodyOf(operation: Operation): Operation {
  const { params, rest } = operation
  const { body, parameters } = rest
  const properties = asObject(own(asObject(params), 'properties'))
  if (body?.kind === 'param') return { ...operation, params: asObject(own(properties, body.param ?? 'body')) }
  const others = new Set(parameters.map(({ param }) => param))
  const left = Object.entries(properties).filter(([name]) => !others.has(name))
  const required = listOf(asObject(params), 'required').filter((name) => !others.has(String(name)))
  return { ...operation, params: { ...asObject(params), properties: objectOf(left), required } }
}
