import { isDeepStrictEqual } from 'node:util'
import type { Coercion, ParameterBinding } from 'duet-runtime'
import { type ParameterReading, readParameter } from 'duet-runtime/parameter'
import { childPointer } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import type { Finding } from '../../change/collector.js'
import { isBad } from '../../decide/judgement.js'
import { asTexts } from '../../texts/as-texts.js'
import { type OperationPair, report } from '../parts/pair.js'
import { type Parameter, schemaOf } from './parameter.js'
import { matched, pathOf, titleOf } from './parameters.js'
import { takesUnnamed } from './params.js'
import { bindingOf, isExploded } from './query-names.js'
import { samplesOf } from './samples.js'

/**
 * Compares how a parameter's text is split: as one text, a list, or an object. A schema that accepts more values may
 * split the same text differently, which containment does not show. So this reads sample texts with both versions. It
 * runs after all schema changes are known, to report each change only once.
 */
export function readingFacts(pairs: readonly OperationPair[]): void {
  for (const pair of pairs)
    for (const [old, fresh] of matched(pair).kept) {
      const [was, is] = [bindingOf(pair.before, old), bindingOf(pair.after, fresh)]
      if (was === undefined || is === undefined || was.json === true || is.json === true) continue
      for (const division of divisions(was, is)) tell(pair, [old, was], [fresh, is], division)
    }
}

type Bound = readonly [Parameter, ParameterBinding]

function tell(pair: OperationPair, [old, was]: Bound, [fresh, is]: Bound, { at, kinds }: Division): void {
  const shown = shownBy(pair, [old, was], [fresh, is])
  const path = pathOf(fresh) + at
  const title = at === '' ? titleOf(fresh) : `${at} of ${titleOf(fresh)}`
  const level = shown?.isRefused === true ? 'breaking' : 'dangerous'
  if (shown === undefined || isTold(pair, path, level)) return
  const { text, before, after } = shown
  const becomes = after === undefined ? '' : `becomes ${JSON.stringify(after)}`
  const refused = shown.isRefused ? 'is refused' : ''
  const outcome = [becomes, refused].filter((part) => part !== '').join(' and ')
  report(pair, {
    id: 'request-parameter-reading-changed',
    level,
    message: `${title} is read as ${kinds[1]}, no longer as ${kinds[0]}: ${text}, which was ${JSON.stringify(before)}, ${outcome || 'does not arrive'}`,
    ...{ old: old.cursor, new: fresh.cursor, path, values: kinds, protocols: ['rest'] },
    evidence: shown.isRefused
      ? { witness: before, at: pathOf(fresh) }
      : { reason: 'the same text arrives as another value' },
  })
}

/**
 * Whether a change at a path, inside it or around it is as bad for REST callers. A removed member breaks only if a call
 * shows it, which proofs find out.
 */
function isTold({ tools, after }: OperationPair, path: string, level: Finding['level']): boolean {
  return tools.collector.changes.some(
    (change) =>
      (level === 'breaking' && change.id !== 'request-parameter-property-removed'
        ? change.level === level
        : isBad(change)) &&
      change.direction === 'request' &&
      change.protocols.includes('rest') &&
      (change.path === path ||
        change.path.startsWith(`${path}/`) ||
        (change.path !== '' && path.startsWith(`${change.path}/`))) &&
      change.operations.includes(after.name),
  )
}

/** A position where the versions split a text differently. */
interface Division {
  /** The path within the parameter. */
  readonly at: string
  readonly kinds: readonly [string, string]
}

function divisions(was: ParameterBinding, is: ParameterBinding): Division[] {
  const kinds = kindsOf(dividedAs(was), dividedAs(is), was.coerce, is.coerce)
  if (kinds !== undefined) return [{ at: '', kinds }]
  const members = new Map(membersOf(is))
  return membersOf(was).flatMap(([name, one]) => {
    const other = members.get(name)
    const kinds = other && kindsOf(shapedAs(one), shapedAs(other), one, other)
    return kinds === undefined ? [] : [{ at: childPointer('', name), kinds }]
  })
}

/** Undefined where both divide a text alike. */
function kindsOf(
  was: string,
  is: string,
  one: Coercion,
  other: Coercion,
): readonly [string, string] | undefined {
  if (was !== is) return [was, is]
  const [before, after] = [listedAs(was, one), listedAs(is, other)]
  return before === after ? undefined : [before, after]
}

/** The members of an object that have texts of their own. */
function membersOf(binding: ParameterBinding): [string, Coercion][] {
  const areApart = binding.style === 'deepObject' || isExploded(binding)
  return areApart ? Object.entries(binding.coerce.properties ?? {}) : []
}

function dividedAs({ coerce, entityTag, preferences }: ParameterBinding): string {
  if (entityTag === true) return 'an entity tag'
  return preferences === undefined ? shapedAs(coerce) : 'a list of preferences'
}

function shapedAs({ types }: Coercion): string {
  if (!types.includes('array')) return types.includes('object') ? 'an object' : 'a text'
  const mayBeText = types.some((type) => type !== 'array' && type !== 'object' && type !== 'null')
  return mayBeText ? 'a list or a text' : 'a list'
}

/** An empty text is an item of a list of texts. Of other items it is an empty list. */
function listedAs(shape: string, { items, prefix: [first = items] = [] }: Coercion): string {
  if (shape !== 'a list') return shape
  const isText = first?.types.some((type) => type === 'string' || type === 'null') ?? true
  return isText ? 'a list of texts' : 'a list'
}

interface Shown {
  readonly text: string
  readonly before: Json
  /** Undefined if no value arrives. */
  readonly after: Json | undefined
  readonly isRefused: boolean
}

/** The first text of old calls that is now refused, or else one that arrives as another value. */
function shownBy(pair: OperationPair, [old, was]: Bound, [fresh, is]: Bound): Shown | undefined {
  const { judgement } = pair.tools.reach.graph
  const [sender, receiver] = [
    schemaOf(pair.old, old)?.value ?? true,
    schemaOf(pair.new, fresh)?.value ?? true,
  ]
  const isUnread = !takesUnnamed(pair.after.modelled?.params ?? {}, '')
  let other: Shown | undefined
  for (const text of [...samplesOf(judgement, sender, was), ...emptyTexts(was, is)]) {
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

/** Empty texts of a list, or of a member that is one, where both versions have lists there. */
function emptyTexts(was: ParameterBinding, is: ParameterBinding): string[] {
  const areLists = (one: Coercion, other: Coercion | undefined): boolean =>
    [one, other].every((coerce) => coerce?.types.includes('array') === true)
  const members = new Map(membersOf(is))
  const names = membersOf(was).flatMap(([name, one]) => (areLists(one, members.get(name)) ? [name] : []))
  const ofMembers = names.map((name) => (was.style === 'deepObject' ? `${was.name}[${name}]=` : `${name}=`))
  if (!areLists(was.coerce, is.coerce) || was.in === 'path') return ofMembers
  return [was.in === 'query' ? `${was.name}=` : '', ...ofMembers]
}

function arrived({ value, violations }: ParameterReading): Json | undefined {
  return violations.length > 0 ? undefined : (value as Json | undefined)
}
