import { createHash } from 'node:crypto'
import type { Protocol, ShadowChange, ShadowChanges, ShadowOperation, Sign } from 'duet-runtime'
import { compareText } from '../../document/cursor.js'
import { escaped } from '../../document/pointer.js'
import type { Operation } from '../../model/model.js'
import { entryOf, hasTrait } from '../change/catalogue.js'
import type { Change, Comparison, Paired, Place } from '../change/change.js'
import { placeAmong, type Way, wayOf } from '../change/place.js'
import { byProtocol, following, protocols, whereNames } from '../change/protocol.js'
import type { Side } from '../change/side.js'
import { inheriting } from '../change/side.js'
import { isExploded } from '../facts/request/query-names.js'
import { keywordsOf } from '../proof/calls/attribution.js'
import { asQueryName } from '../proof/query-names.js'
import { schemeOf } from '../proof/showing.js'

/**
 * How to recognise the calls that each change breaks, for `shadow` of `createApi`. The comparison must have its proofs,
 * since some distinguish the protocols. Undefined if one of the documents has no model.
 *
 * @param passing whether the new version accepts all calls of an operation, as far as no change says otherwise: those
 *   without some headers
 */
export function signsOf(
  comparison: Comparison,
  old: Side,
  fresh: Side,
  passing: Passing = () => undefined,
): ShadowChanges | undefined {
  if (old.model === undefined || fresh.model === undefined) return undefined
  const operations = (side: Side) =>
    new Map((side.model?.operations ?? []).map((operation) => [operation.name, operation]))
  const signs = new Signs(comparison, operations(old), operations(fresh), inheriting(old), passing)
  for (const change of comparison.changes) signs.add(change)
  const { title: api } = old.model
  return { duet: 'shadow/1', api, from: old.version, to: fresh.version, operations: signs.operations() }
}

type Passing = (before: Operation, after: Operation, protocol: Protocol) => readonly string[] | undefined

type Operations = ReadonlyMap<string, Operation>

class Signs {
  readonly #found = new Map<string, { readonly changes: ShadowChange[]; readonly words: string[] }>()

  constructor(
    readonly comparison: Comparison,
    readonly before: Operations,
    readonly after: Operations,
    readonly inheriting: ReadonlySet<string>,
    readonly passing: Passing,
  ) {}

  add(change: Change): void {
    if (change.level !== 'breaking' && change.level !== 'dangerous') return
    for (const name of this.#reached(change)) {
      const before = this.before.get(name)
      if (before === undefined) continue
      const { fingerprint } = change
      for (const { protocols: own, sign } of this.#signs(change, before)) {
        const known = this.#found.get(name) ?? { changes: [], words: [] }
        this.#found.set(name, known)
        known.changes.push({ fingerprint, protocols: own, ...sign })
        known.words.push(change.message)
      }
    }
  }

  /** Every operation of the old version, since its name in the new one may differ. */
  operations(): ShadowChanges['operations'] {
    const names = [...this.before.keys()].sort(compareText)
    return Object.fromEntries(
      names.map((name): [string, ShadowOperation] => {
        const { changes = [], words = [] } = this.#found.get(name) ?? {}
        const next = Object.fromEntries(
          protocols.flatMap((protocol) => {
            const found = this.#nextOf(name, protocol)
            return found === undefined ? [] : [[protocol, found] as const]
          }),
        )
        const text = JSON.stringify([next, changes, words])
        const watched = createHash('sha256').update(text).digest('hex').slice(0, 16)
        const passing = this.#passing(name, changes)
        const passes = [...passing.keys()]
        const unless = [...passing.values()].flat()
        const passed = { ...(passes.length > 0 && { passes }), ...(unless.length > 0 && { unless }) }
        return [name, { watched, next, changes, ...passed }]
      }),
    )
  }

  /** The protocols over which no call of an operation needs a try, with the headers of calls that need one. */
  #passing(name: string, changes: readonly ShadowChange[]): ReadonlyMap<Protocol, readonly string[]> {
    const before = this.before.get(name)
    const found = new Map<Protocol, readonly string[]>()
    for (const protocol of protocols) {
      const after = this.after.get(this.#nextOf(name, protocol) ?? '')
      if (before === undefined || after === undefined) continue
      if (changes.some((change) => change.protocols.includes(protocol))) continue
      const headers = this.passing(before, after, protocol)
      if (headers !== undefined) found.set(protocol, headers)
    }
    return found
  }

  /** Names of the old version's operations whose callers may notice a change. */
  #reached({ id, operations }: Change): readonly string[] {
    if (hasTrait(id, 'removal')) return operations
    if (operations.length > 0)
      return [...new Set(operations.flatMap((name) => this.#oldsOf(name).map(({ old }) => old)))]
    return hasTrait(id, 'inherited') ? [...this.inheriting] : [...this.before.keys()]
  }

  #oldsOf(name: string): readonly Paired[] {
    return this.comparison.pairs.filter((pair) => pair.new === name)
  }

  #nextOf(name: string, protocol: Protocol): string | undefined {
    const own = this.comparison.pairs.filter((pair) => pair.old === name)
    const found =
      own.find(({ callers }) => following(callers)?.includes(protocol)) ??
      own.find(({ callers }) => callers === undefined)
    return found?.new
  }

  #signs(change: Change, before: Operation): readonly Signed[] {
    const { protocols: all, direction } = change
    const own = all.filter((protocol) => before.rpc !== false || !whereNames.includes(protocol))
    if (own.length === 0) return []
    const whole = wholeSign(change, this.after)
    if (whole !== undefined) return [{ protocols: own, sign: whole }]
    if (direction !== 'request' || change.operation === null) return []
    const nexts = byProtocol((protocol) => this.#nextOf(before.name, protocol))
    return protocolsByNext(own, nexts).flatMap(({ name, protocols: some }) => {
      const after = this.after.get(name)
      if (after === undefined) return []
      const found = placesOf(change, name).flatMap((place) => signsAt(change, place, before, after))
      const different = new Map(found.map((sign) => [JSON.stringify(sign), sign]))
      return Array.from(different.values(), (sign) => ({ protocols: some, sign }))
    })
  }
}

interface Signed {
  readonly protocols: readonly Protocol[]
  readonly sign: Sign
}

/** The sign of a change that does not depend on the call's values. */
function wholeSign(change: Change, after: Operations): Sign | undefined {
  const { id } = change
  if (hasTrait(id, 'move') || hasTrait(id, 'removal')) return { sign: 'address' }
  if (id === 'server-path-changed' || id === 'rpc-path-changed') return { sign: 'call' }
  if (hasTrait(id, 'credentials') || schemeOf(change) !== undefined) return { sign: 'credentials' }
  if (id === 'request-body-media-type-removed') return { sign: 'media type' }
  if (id !== 'endpoint-shadowed') return undefined
  const taker = [...after.values()].find(({ source }) => source.pointer === change.new?.pointer)
  return taker && { sign: 'taker', operation: taker.name }
}

/** The signs of a change in the values at a place. */
function signsAt(
  change: Change,
  { path, at }: Omit<Place, 'operation'>,
  before: Operation,
  after: Operation,
): Sign[] {
  const { id } = change
  const { action } = entryOf(id)
  if (hasTrait(id, 'body form')) return [{ sign: 'violation', path: '', keywords: [] }]
  const ways = [placeAmong(change, before, path), placeAmong(change, after, path)]
  if (id === 'rpc-param-name-changed') ways.push(wayOf(change.evidence?.at ?? ''), wayOf(path))
  const texts = [...new Set(ways.map(textOf))]
  const isAboutDefault = action?.startsWith('default-value-') === true
  if (isAboutDefault) return texts.map((text) => ({ sign: 'absence', path: text }))
  const asName = asQueryName(before, placeAmong(change, before, path))
  if (asName !== undefined && !hasTrait(id, 'absence')) texts.push(textOf(asName))
  // If the type changed, any keyword of the new type may refuse an old value.
  const keywords = hasTrait(id, 'text') ? [] : (keywordsOf(change) ?? [])
  const around = at === undefined ? undefined : textOf(placeAmong(change, after, at))
  const names = isRewritten(change, before, path) ? [unnamed] : []
  const signs = texts.map(
    (text): Sign => ({
      sign: 'violation',
      path: text,
      keywords,
      ...(around !== undefined && around !== text && { around }),
    }),
  )
  return [...signs, ...names]
}

/** A query name that belongs to no parameter any more. */
const unnamed: Sign = { sign: 'violation', path: '/*', keywords: ['additionalProperties'] }

/** Whether the query names of an object's members may have changed. */
function isRewritten({ id }: Change, { rest }: Operation, path: string): boolean {
  const binding = rest.parameters.find(({ param, name }) => [param, name].includes(wayOf(path)[0] ?? ''))
  if (!hasTrait(id, 'other names') || entryOf(id).holder !== 'parameter' || binding === undefined)
    return false
  return binding.style === 'deepObject' || isExploded(binding)
}

/** Where a change occurs in an operation of the new version. */
function placesOf({ path, operation, evidence }: Change, name: string): readonly Omit<Place, 'operation'>[] {
  const places = (evidence?.places ?? []).filter((place) => place.operation === name)
  if (places.length > 0) return places
  if (operation === name || evidence?.elsewhere === undefined)
    return [{ path, ...(evidence?.at !== undefined && { at: evidence.at }) }]
  return evidence.elsewhere.flatMap((one) => (one.operation === name ? [{ path: one.path }] : []))
}

function protocolsByNext(
  own: readonly Protocol[],
  nexts: { readonly [protocol in Protocol]: string | undefined },
): readonly { readonly name: string; readonly protocols: readonly Protocol[] }[] {
  const names = [...new Set(own.flatMap((protocol) => nexts[protocol] ?? []))]
  return names.map((name) => ({ name, protocols: own.filter((protocol) => nexts[protocol] === name) }))
}

/** A JSON pointer in which `*` matches any item and any name. */
function textOf(way: Way): string {
  return way.map((name) => `/${name === '-' ? '*' : escaped(name)}`).join('')
}
