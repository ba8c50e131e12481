import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { lockName } from '../../cache/lock.js'
import { contentDigest } from '../../cache/store.js'
import { digestInside, linkOnTheWay, manifestFiles, readFolder } from '../../project/folder.js'

/** The files that a folder must contain. */
export interface Output {
  /** Absolute path. */
  readonly folder: string
  /** The name of the folder in messages. Empty for the working directory. */
  readonly label: string
  /** Texts by path. Empty: the folder must be removed. */
  readonly files: Map<string, string>
  /** `files` has SHA-256 digests in place of texts. */
  readonly hashed?: true
  /** SHA-256 of texts that are already hashed. */
  readonly digests?: ReadonlyMap<string, string>
  /** What makes the texts that `files` only has digests of. */
  readonly makers?: Map<string, () => Promise<string>>
  /**
   * Entries at the top of the folder that duet does not own. For generated/ itself, everything that it does
   * not write.
   */
  readonly ignored?: readonly string[]
  /** The command line names this folder, so it may be a symbolic link. A version's own folder may not. */
  readonly chosen?: true
  /** Whether the folder may have files of others next to the output. */
  readonly shared?: true
  /** Whether duet may replace existing files that no manifest lists. */
  readonly owned?: true
}

/** The differences between a folder and its output. Paths are relative to the folder, sorted. */
export interface Comparison {
  readonly output: Output
  readonly missing: readonly string[]
  /** Differs although the manifest has not changed: somebody edited the file. */
  readonly edited: readonly string[]
  /** Differs because the document or duet has changed since the last run. */
  readonly stale: readonly string[]
  /** Exists, but permissions or the disk prevent reading it. */
  readonly unreadable: readonly string[]
  readonly unchanged: readonly string[]
  /** Left from an earlier run. */
  readonly extra: readonly string[]
  /** Not written by duet, but in its way or among its files. */
  readonly foreign: readonly string[]
}

/** Leftovers of a killed run. See transaction.ts. */
const temporary = /(^|\/)\.[^/]*\.duet-(new|old)$/

/** Compares a folder with the output for it. Writes nothing. */
export function compare(output: Output): Comparison {
  const { folder, files } = output
  const root = lstatSync(folder, { throwIfNoEntry: false })
  if (root !== undefined && !root.isDirectory() && !output.shared && !output.chosen) {
    return { output, ...emptyLists(), foreign: [''] }
  }
  const present = readFolder(folder, output.ignored)
  const listed = manifestFiles(folder)
  const digestOf = (path: string) => wantedDigest(path, output)
  const isCurrent =
    files.has('manifest.json') && digestInside(folder, 'manifest.json') === digestOf('manifest.json')
  const result: MutableComparison = { output, ...emptyLists() }
  for (const path of files.keys()) {
    const blocked = linkOnTheWay(folder, path)
    const found = digestInside(folder, path)
    if (blocked !== undefined) result.foreign.push(blocked)
    else if (found === undefined) result.missing.push(path)
    else if (found === digestOf(path)) result.unchanged.push(path)
    else if (!output.owned && listed === undefined) result.foreign.push(path)
    else if (found === 'unreadable') result.unreadable.push(path)
    else (isCurrent ? result.edited : result.stale).push(path)
  }
  for (const path of present.files) {
    if (files.has(path) || lockName.test(path)) continue
    const ours = temporary.test(path) || listed?.has(path)
    ;(ours ? result.extra : result.foreign).push(path)
  }
  result.foreign.push(...present.others)
  for (const key of lists) {
    result[key] = [...new Set(result[key])].sort()
  }
  return result
}

/** Existing files that get new text, sorted. */
export function changedPaths({ edited, stale, unreadable }: Comparison): string[] {
  return [...edited, ...stale, ...unreadable].sort()
}

/** Digests are of bytes: decoded texts may be equal although the bytes differ. */
function wantedDigest(path: string, { files, hashed, digests }: Output): string {
  const wanted = files.get(path) ?? ''
  return hashed ? wanted : (digests?.get(path) ?? contentDigest(wanted))
}

/** Makes the texts of pages that have to be written. */
export async function makeTexts(comparison: Comparison): Promise<void> {
  const { files, makers } = comparison.output
  for (const path of unmade(comparison)) {
    const text = await makers?.get(path)?.()
    if (text !== undefined) files.set(path, text)
    makers?.delete(path)
  }
}

/** The files that have to be written, but have no text yet. */
export function unmade({ output: { makers }, unchanged }: Comparison): string[] {
  return [...(makers?.keys() ?? [])].filter((path) => !unchanged.includes(path))
}

/** Whether a folder contains exactly its output. */
export function isClean(comparison: Comparison): boolean {
  return lists.every((list) => list === 'unchanged' || comparison[list].length === 0)
}

const lists = ['missing', 'edited', 'stale', 'unreadable', 'unchanged', 'extra', 'foreign'] as const

/** The path of a file in messages. */
export function shownPath({ output }: Pick<Comparison, 'output'>, path: string): string {
  return [output.label, path].filter((part) => part !== '').join('/')
}

export function absolutePath({ output }: Pick<Comparison, 'output'>, path: string): string {
  return join(output.folder, path)
}

type Lists = { [K in (typeof lists)[number]]: string[] }
type MutableComparison = Lists & { readonly output: Output }

function emptyLists(): Lists {
  return { missing: [], edited: [], stale: [], unreadable: [], unchanged: [], extra: [], foreign: [] }
}
