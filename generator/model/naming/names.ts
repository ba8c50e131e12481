import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { compareText } from '../../document/cursor.js'
import { classicName, classicNames } from './classic.js'
import { candidatesOf, localNames } from './local-names.js'
import type { EarlierName, Naming, Strategy } from './naming.js'
import { reportOwnMembers } from './own-members.js'
import { Rivals } from './rivals.js'
import { type NameSource, reserved, titleOf } from './source.js'
import { statedNames } from './stated.js'

/**
 * The dotted name of every operation, in the order of the sources. Names are unique, and none is a dotted prefix of
 * another, so each is a leaf of the client. Names of `x-rpc-method` take precedence over all others.
 *
 * @param diagnostics receives names of `x-rpc-method` that are invalid or clash, and a warning for each clash of other
 *   names
 */
export function nameOperations(
  sources: readonly NameSource[],
  diagnostics: Diagnostic[],
  { strategy = 'operationId', earlier = [] }: Naming = {},
): string[] {
  const stated = statedNames(
    sources.filter(({ method }) => method !== undefined),
    diagnostics,
  )
  const derived = sources
    .filter(({ method }) => method === undefined)
    .sort((a, b) => compareText(a.path, b.path) || compareText(a.verb, b.verb))
  const { wanted, found } =
    strategy === 'classic' ? byClassic(derived, stated) : byWish(derived, stated, strategy, earlier)
  const names = new Map([...stated, ...found])
  reportRenamed(sources, names, wanted, diagnostics)
  reportOwnMembers(names, diagnostics)
  return sources.map((source) => names.get(source) ?? '')
}

interface Found {
  /** The name of each operation if there were no clashes. */
  readonly wanted: Names
  readonly found: Names
}

type Names = ReadonlyMap<NameSource, string>

function byClassic(derived: readonly NameSource[], stated: Names): Found {
  const wanted = new Map(derived.map((source) => [source, classicName(source)]))
  return { wanted, found: classicNames(derived, stated) }
}

function byWish(
  derived: readonly NameSource[],
  stated: Names,
  strategy: Strategy,
  earlier: readonly EarlierName[],
): Found {
  const candidates = new Map(derived.map((source) => [source, candidatesOf(source, strategy)]))
  const wanted = new Map([...candidates].map(([source, { preferred }]) => [source, preferred[0] ?? '']))
  return { wanted, found: localNames(candidates, stated, earlier) }
}

/** Reports every operation that does not have the wanted name, with the operation that has it. */
function reportRenamed(
  sources: readonly NameSource[],
  names: Names,
  wantedNames: Names,
  diagnostics: Diagnostic[],
): void {
  const rivals = new Rivals(sources, (source) => names.get(source) ?? '')
  const others = new Rivals([...wantedNames.keys()], (source) => wantedNames.get(source) ?? '')
  for (const [source, wanted] of wantedNames) {
    const name = names.get(source) ?? ''
    if (name === wanted) continue
    const rival = rivals.of(source, wanted) ?? others.of(source, wanted)
    diagnostics.push(renamed(source, name, wanted, rival))
  }
}

function renamed(
  source: NameSource,
  name: string,
  wanted: string,
  rival: NameSource | undefined,
): Diagnostic {
  const reason =
    rival !== undefined
      ? `${wanted} clashes with the name of ${titleOf(rival)}`
      : reserved.has(wanted)
        ? `${wanted} is reserved`
        : `it had this name before; it would now be ${wanted}`
  const message = `${titleOf(source)} is named ${name}, since ${reason}`
  const related = rival && { related: [{ message: titleOf(rival), at: rival.at() }] }
  return diagnose('operation-renamed', message, source.at(), related)
}
