import { compareText } from '../../document/cursor.js'
import { EarlierNames } from './earlier-names.js'
import { idNames } from './id-names.js'
import type { EarlierName, Strategy } from './naming.js'
import { pathNames } from './path-names.js'
import { isFree, isPossible, settle } from './settle.js'
import type { NameSource, Names } from './source.js'
import { TakenNames } from './taken-names.js'

/** The names that an operation may have. */
export interface CandidateNames extends Names {
  /** Whether they come from the operationId. */
  readonly isById: boolean
}

export function candidatesOf(source: NameSource, strategy: Strategy): CandidateNames {
  const byId = strategy === 'operationId' ? idNames(source) : undefined
  return { ...(byId ?? pathNames(source)), isById: byId !== undefined }
}

/**
 * Gives each operation its best free name. An operation keeps its earlier name. Otherwise operations with an
 * operationId choose first, then shorter names, then actions on one thing, then shorter paths.
 *
 * @param stated names that `x-rpc-method` gives
 */
export function localNames(
  candidates: ReadonlyMap<NameSource, CandidateNames>,
  stated: Iterable<readonly [NameSource, string]>,
  earlier: readonly EarlierName[],
): ReadonlyMap<NameSource, string> {
  const taken = new TakenNames(stated)
  const names = new Map<NameSource, string>()
  const ordered = [...candidates].map(([source, candidate]) => ({ source, ...candidate })).sort(order)
  const take = (source: NameSource, name: string): void => {
    taken.add(name, source)
    names.set(source, name)
  }
  const keep = (known: (source: NameSource) => string | undefined): void => {
    for (const candidate of ordered) {
      const { source, kept } = candidate
      const name = names.has(source) ? undefined : known(source)
      if (name === undefined || !isFree(name, taken)) continue
      if (kept.includes(name) || isPossible(name, candidate, source)) take(source, name)
    }
  }
  const before = new EarlierNames(earlier)
  for (const { source } of ordered) {
    const name = before.madeFor(source)
    if (name !== undefined && isFree(name, taken)) take(source, name)
  }
  keep((source) => before.byPath(source))
  keep((source) => before.byId(source))
  for (const candidate of ordered)
    if (!names.has(candidate.source)) take(candidate.source, settle(candidate, candidate.source, taken))
  return names
}

type Candidate = CandidateNames & { readonly source: NameSource }

function order(a: Candidate, b: Candidate): number {
  return (
    Number(b.isById) - Number(a.isById) ||
    partsOf(a) - partsOf(b) ||
    a.rank - b.rank ||
    depthOf(a.source) - depthOf(b.source) ||
    compareText(a.source.path, b.source.path) ||
    verbRank(a.source) - verbRank(b.source) ||
    compareText(a.source.verb, b.source.verb)
  )
}

function partsOf({ preferred: [name = ''] }: Candidate): number {
  return name.split('.').length
}

function depthOf({ path }: NameSource): number {
  return path.split('/').length
}

/** The first method in this order is `update`, if several methods of a path update. */
function verbRank({ verb }: NameSource): number {
  const at = ['get', 'patch', 'put', 'post', 'delete'].indexOf(verb)
  return at === -1 ? 5 : at
}
