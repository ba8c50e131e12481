import { isDeepStrictEqual } from 'node:util'
import type { ParameterBinding } from 'duet-runtime'
import { type ParameterReading, readParameter } from 'duet-runtime/parameter'
import type { Json } from '../../load/document.js'
import { isArray, isObject } from '../../load/json.js'
import type { Finding } from '../collector.js'
import { isBad } from '../decide/judgement.js'
import { type OperationPair, report } from './pair.js'
import type { Parameter } from './parameter.js'
import { schemaOf } from './parameter.js'
import { matched, pathOf, titleOf } from './parameters.js'
import { takesUnnamed } from './params.js'
import { bindingOf } from './query-names.js'
import { samplesOf } from './samples.js'

/**
 * How a parameter's text is divided: as one text, a list, or an object. A schema that takes more values may divide the same text
 * otherwise, which containment does not see, so that this reads sample texts by both versions. It asks once all changes of
 * schemas are known: what is told there is not told twice.
 */
export function readingFacts(pairs: readonly OperationPair[]): void {
  for (const pair of pairs)
    for (const [old, fresh] of matched(pair).kept) {
      const [was, is] = [bindingOf(pair.before, old), bindingOf(pair.after, fresh)]
      if (was === undefined || is === undefined || was.json === true || is.json === true) continue
      if (dividedAs(was) !== dividedAs(is)) tell(pair, [old, was], [fresh, is])
    }
}

type Bound = readonly [Parameter, ParameterBinding]

function tell(pair: OperationPair, [old, was]: Bound, [fresh, is]: Bound): void {
  const shown = shownBy(pair, [old, was], [fresh, is])
  const path = pathOf(fresh)
  const level = shown?.isRefused === true ? 'breaking' : 'dangerous'
  if (shown === undefined || isTold(pair, path, level)) return
  const { text, before, after } = shown
  const kinds = [dividedAs(was), dividedAs(is)]
  const becomes = after === undefined ? '' : `becomes ${JSON.stringify(after)}`
  const refused = shown.isRefused ? 'is refused' : ''
  const outcome = [becomes, refused].filter((part) => part !== '').join(' and ')
  report(pair, {
    id: 'request-parameter-reading-changed',
    level,
    message: `${titleOf(fresh)} is read as ${kinds[1]}, no longer as ${kinds[0]}: ${text}, which was ${JSON.stringify(before)}, ${outcome || 'does not arrive'}`,
    ...{ old: old.cursor, new: fresh.cursor, path, values: kinds, protocols: ['rest'] },
    evidence: shown.isRefused ? { witness: before } : { reason: 'the same text arrives as another value' },
  })
}

/** Whether a change at a place or within is as bad for callers over REST. */
function isTold({ tools, after }: OperationPair, path: string, level: Finding['level']): boolean {
  return tools.collector.changes.some(
    (change) =>
      (level === 'breaking' ? change.level === level : isBad(change)) &&
      change.direction === 'request' &&
      change.protocols.includes('rest') &&
      (change.path === path || change.path.startsWith(`${path}/`)) &&
      change.operations.includes(after.name),
  )
}

function dividedAs({ coerce: { types }, entityTag, preferences }: ParameterBinding): string {
  if (entityTag === true) return 'an entity tag'
  if (preferences !== undefined) return 'a list of preferences'
  const isObject = types.includes('object')
  if (!types.includes('array')) return isObject ? 'an object' : 'a text'
  const mayBeText = types.some((type) => type !== 'array' && type !== 'object' && type !== 'null')
  return mayBeText ? 'a list or a text' : 'a list'
}

interface Shown {
  readonly text: string
  readonly before: Json
  /** Undefined where no value arrives. */
  readonly after: Json | undefined
  readonly isRefused: boolean
}

/** The first text of old calls that is refused now, or else one that arrives as another value. */
function shownBy(pair: OperationPair, [old, was]: Bound, [fresh, is]: Bound): Shown | undefined {
  const { judgement } = pair.tools.reach.graph
  const [sender, receiver] = [
    schemaOf(pair.old, old)?.value ?? true,
    schemaOf(pair.new, fresh)?.value ?? true,
  ]
  const isUnread = !takesUnnamed(pair.after.modelled?.params ?? {}, '')
  let other: Shown | undefined
  for (const text of samplesOf(judgement, sender, was)) {
    const [before, after] = [readParameter(was, text), readParameter(is, text)].map(arrived)
    if (before === undefined || isDeepStrictEqual(before, after)) continue
    if (!judgement.isContained('request back', { const: before }, sender)) continue
    const isTaken = (): boolean =>
      after === undefined
        ? !isUnread
        : judgement.passes('request', { const: after }, receiver).verdict !== 'not-contained'
    const isRefused = readParameter(is, text).violations.length > 0 || !isTaken()
    if (isRefused) return { text, before, after, isRefused }
    if (!isDeepStrictEqual(asTexts(before), asTexts(after ?? null)))
      other ??= { text, before, after, isRefused }
  }
  return other
}

function arrived({ value, violations }: ParameterReading): Json | undefined {
  return violations.length > 0 ? undefined : (value as Json | undefined)
}

/** Values with their scalars as texts. One text is a list of one. */
function asTexts(value: Json): Json {
  if (isArray(value)) return value.length === 1 ? asTexts(value[0] ?? null) : value.map(asTexts)
  if (!isObject(value)) return value === null ? '' : String(value)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asTexts(member)]))
}
