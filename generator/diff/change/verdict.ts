import type { Protocol } from 'duet-runtime'
import { compareText } from '../../document/cursor.js'
import { bumpOf } from './bump.js'
import type { Change, Comparison, Verdict } from './change.js'
import { type Level, levels } from './level.js'

/** The verdict and the bump that follow from the changes between two versions. */
export function conclusionOf(
  old: string,
  fresh: string,
  found: readonly Change[],
  protocols: readonly Protocol[],
): Pick<Comparison, 'verdict' | 'bump' | 'changes'> {
  const changes = inOrder(found)
  return {
    verdict: verdictsOf(changes, protocols),
    bump: bumpOf(old, fresh, changes),
    changes,
  }
}

function verdictsOf(changes: readonly Change[], protocols: readonly Protocol[]): Comparison['verdict'] {
  const verdicts = protocols.map((protocol) => [protocol, verdictOf(changes, protocol)])
  return Object.fromEntries(verdicts) as Comparison['verdict']
}

/** The worst level of a protocol's changes. */
function verdictOf(changes: readonly Pick<Change, 'level' | 'protocols'>[], protocol: Protocol): Verdict {
  const found = new Set(
    changes.filter(({ protocols }) => protocols.includes(protocol)).map(({ level }) => level),
  )
  const worst: Level | undefined = levels.find((level) => found.has(level))
  return worst === undefined ? 'identical' : worst === 'info' ? 'compatible' : worst
}

/** By operation, the worst first. */
function inOrder(changes: readonly Change[]): Change[] {
  return [...changes].sort(
    (a, b) =>
      compareText(a.operation ?? '', b.operation ?? '') ||
      levels.indexOf(a.level) - levels.indexOf(b.level) ||
      compareText(a.path, b.path) ||
      compareText(a.id, b.id) ||
      compareText(a.fingerprint, b.fingerprint),
  )
}
