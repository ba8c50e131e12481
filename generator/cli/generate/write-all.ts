import { LockError, withLocks } from '../../cache/lock.js'
import type { Terminal } from '../../project/terminal.js'
import { absolutePath, type Comparison, changedPaths, compare, isClean, unmade } from './comparison.js'
import { refusal } from './refusal.js'
import { commit } from './transaction.js'

/** The result of writing. */
export interface Written {
  /** Why nothing was written, as lines for a person. */
  readonly refused?: string[] | undefined
  /** The differences between the folders and their output when writing began. */
  readonly comparisons: readonly Comparison[]
}

/**
 * Gives every folder its output, or changes nothing. Only one process at a time writes into a folder. It
 * compares the folder again first, because another process may have written since the last comparison.
 */
export async function writeAll(
  comparisons: readonly Comparison[],
  terminal: Pick<Terminal, 'interactive' | 'err'>,
): Promise<Written> {
  if (comparisons.every(isClean)) return { comparisons }
  const folders = comparisons.map(({ output }) => output.folder)
  return withLocks(folders, () => writeNow(comparisons), waitingOn(terminal))
}

/** Shows on a terminal which process this one waits for. */
export function waitingOn({ interactive, err }: Pick<Terminal, 'interactive' | 'err'>) {
  return {
    waiting: (holder: string) => {
      if (interactive) err(`${holder} is writing here. Waiting for it.\n`)
    },
  }
}

function writeNow(before: readonly Comparison[]): Written {
  const comparisons = before.map((one) => {
    const now = compare(one.output)
    // Only digests are available here, and the files matched them a moment ago.
    if ((one.output.hashed && !isClean(now)) || unmade(now).length > 0)
      throw new LockError(`${one.output.label} was changed by another process. Run duet again.`)
    return now
  })
  const refused = refusal(comparisons)
  if (refused !== undefined) return { refused, comparisons }
  commit({
    write: new Map(comparisons.flatMap(writes)),
    remove: comparisons.flatMap((one) => one.extra.map((path) => absolutePath(one, path))),
    roots: comparisons.map(({ output }) => output.folder),
  })
  return { comparisons }
}

/** The manifest comes last, so it never lists files that do not exist yet. */
function writes(comparison: Comparison): [string, string][] {
  const paths = [...comparison.missing, ...changedPaths(comparison)]
  paths.sort((a, b) => Number(a === 'manifest.json') - Number(b === 'manifest.json'))
  return paths.map((path) => [absolutePath(comparison, path), comparison.output.files.get(path) ?? ''])
}
