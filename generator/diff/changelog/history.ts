import type { Protocol } from 'duet-runtime'
import { own } from '../../document/json.js'
import { compareVersions } from '../../model/version-order.js'
import { entryOf } from '../change/catalogue.js'
import type { Change, Comparison, Verdicts } from '../change/change.js'
import { lifecycleOf } from '../change/lifecycle.js'
import { callableProtocols, protocols } from '../change/protocol.js'
import { asObject, type Side } from '../change/side.js'
import type { Section } from '../change/table/columns.js'
import { compare } from '../compare.js'
import { rowGroups } from '../report/groups.js'
import { headline } from '../report/rows.js'
import { adviceOn } from './advice.js'

/** The changes of a version compared with the one before. */
export interface Release {
  readonly version: string
  /** The version before it. Null for the first. */
  readonly since: string | null
  readonly verdict: Verdicts | null
  readonly entries: { readonly [kind in Exclude<Kind, 'lost'>]: readonly Entry[] } & {
    /** What callers of the version before lose, whom an adapter serves. Absent: nothing. */
    readonly lost?: readonly Entry[]
  }
}

export type Kind = 'breaking' | 'lost' | Section

export const kinds: readonly Kind[] = ['breaking', 'lost', 'added', 'changed', 'deprecated', 'removed']

/** One change that an API's user should know. */
export interface Entry {
  /** Null for the document as a whole. */
  readonly operation: string | null
  readonly message: string
  readonly protocols: readonly Protocol[]
  /** All operations, by the names that the newest version with them has. */
  readonly operations: readonly string[]
  /** What callers do about a breaking change. */
  readonly advice?: string
}

/** What callers of an older version lose if the next one serves them: by the older operation. */
export type LossesOf = (older: Side, next: Side) => ReadonlyMap<string, string>

/** The releases in semver order, newest first. Each is compared with the one before. */
export function historyOf(sides: readonly Side[], lossesOf: LossesOf = () => new Map()): Release[] {
  const ordered = [...sides].sort((a, b) => compareVersions(a.version, b.version))
  return ordered.map((side, index) => release(ordered[index - 1], side, lossesOf)).reverse()
}

function release(old: Side | undefined, fresh: Side, lossesOf: LossesOf): Release {
  const { version } = fresh
  if (old === undefined) {
    const added = fresh.endpoints
      .filter(({ webhook }) => !webhook)
      .map((endpoint) =>
        entry(endpoint.name, `${endpoint.method} ${endpoint.path}`, callableProtocols(protocols, endpoint)),
      )
    const entries = { ...none, added: sorted(added), deprecated: deprecations(undefined, fresh) }
    return { version, since: null, verdict: null, entries }
  }
  const comparison = compare(old, fresh)
  const lost = losses(old, lossesOf(old, fresh))
  const of = (kind: Kind): Entry[] =>
    rowGroups(comparison.changes.filter((change) => kindOf(change) === kind)).map((change) => ({
      ...{ operation: subjectOf(change), message: headline(change), protocols: change.protocols },
      operations: change.operations,
      ...(kind === 'breaking' && { advice: adviceOn(change, credentialsOf(change, fresh)) }),
    }))
  return {
    version,
    since: old.version,
    verdict: comparison.verdict,
    entries: {
      breaking: of('breaking'),
      ...(lost.length > 0 && { lost }),
      added: of('added'),
      changed: of('changed'),
      deprecated: [...deprecations({ old, comparison }, fresh), ...of('deprecated')],
      removed: of('removed'),
    },
  }
}

/** The schemes that operations accept: `apiKey or jwt`. Undefined if they accept different ones, or calls without any. */
function credentialsOf({ operations }: Pick<Change, 'operations'>, { endpoints }: Side): string | undefined {
  const found = new Set(
    endpoints
      .filter(({ name, operation, webhook }) =>
        // What changed in the document reaches operations that say nothing themselves.
        operations.length === 0
          ? !webhook && own(asObject(operation.value), 'security') === undefined
          : operations.includes(name),
      )
      .map(({ modelled }) => modelled?.security.map((schemes) => Object.keys(schemes).join(' with ')) ?? [])
      .map((ways) => (ways.includes('') ? '' : ways.join(' or '))),
  )
  const [credentials] = found
  return found.size > 1 || credentials === '' ? undefined : credentials
}

const none = { breaking: [], added: [], changed: [], deprecated: [], removed: [] }

/** Losses of operations that a version has. */
function losses({ endpoints }: Side, found: ReadonlyMap<string, string>): Entry[] {
  const lost = endpoints.flatMap((endpoint) => {
    const loss = endpoint.webhook ? undefined : found.get(endpoint.name)
    return loss === undefined ? [] : [entry(endpoint.name, loss, callableProtocols(protocols, endpoint))]
  })
  return sorted(lost)
}

function entry(operation: string, message: string, of: readonly Protocol[]): Entry {
  return { operation, message, protocols: of, operations: [operation] }
}

function sorted(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => ((a.operation ?? '') < (b.operation ?? '') ? -1 : 1))
}

function subjectOf({ operation, operations }: Change): string | null {
  const [first, second] = operations
  return second === undefined ? operation : `${first}, ${second}${operations.length > 2 ? ', …' : ''}`
}

/**
 * The changelog section of a change. Undefined for changes that callers do not notice, and for those read from the
 * documents instead.
 */
function kindOf({ id, level }: Change): Kind | undefined {
  const { section } = entryOf(id)
  if (level === 'info' || section === null) return undefined
  return level === 'breaking' ? 'breaking' : section
}

/** Operations that are deprecated from this version on, or whose sunset has changed. */
function deprecations(
  before: { readonly old: Side; readonly comparison: Comparison } | undefined,
  fresh: Side,
): Entry[] {
  const named = before?.comparison.pairs.filter(({ callers }) => callers !== 'path')
  const pairs = new Map(named?.map((pair) => [pair.new, pair.old]))
  const olds = new Map(before?.old.endpoints.map((endpoint) => [endpoint.name, endpoint]))
  const found = fresh.endpoints.flatMap((endpoint) => {
    const { name, operation } = endpoint
    const { deprecated, sunset } = lifecycleOf(operation.value)
    const old = olds.get(pairs.get(name) ?? '')
    const was = old && lifecycleOf(old.operation.value)
    if (!deprecated || (was?.deprecated && was.sunset === sunset)) return []
    const end = sunset === undefined || sunset === 'invalid' ? 'no end is announced' : `it ends on ${sunset}`
    return [entry(name, `deprecated; ${end}`, callableProtocols(protocols, endpoint))]
  })
  return sorted(found)
}
