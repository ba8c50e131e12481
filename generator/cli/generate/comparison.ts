import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { lockName } from '../../cache/lock.js'
import { contentDigest } from '../../cache/store.js'
import { bytesInside, linkOnTheWay, manifestFiles, readFolder } from '../../project/folder.js'

/** The files that a folder shall hold. */
export interface Output {
  /** Absolute path. */
  readonly folder: string
  /** The folder as messages show it; empty for the working directory. */
  readonly label: string
  /** Texts by path. Empty: the folder shall go. */
  readonly files: ReadonlyMap<string, string>
  /** `files` holds the SHA-256 of each text in its place. */
  readonly hashed?: true
  /** SHA-256 of texts that have been hashed. */
  readonly digests?: ReadonlyMap<string, string>
  /** Entries of the folder's top level that belong to others; for generated/ itself, everything that it does not write. */
  readonly ignored?: readonly string[]
  /** The folder is what the command line names, and may be a link there; a version's own folder may not. */
  readonly chosen?: true
  /** Whether existing files without a manifest that lists them may be replaced. */
  readonly owned?: true
}

/** What is between a folder and the output for it. Paths are relative to the folder, sorted. */
export interface Comparison {
  readonly output: Output
  readonly missing: readonly string[]
  /** Differs although the manifest is the one that would be written: somebody changed the file. */
  readonly edited: readonly string[]
  /** Differs because the document or duet has changed since. */
  readonly stale: readonly string[]
  /** There, and permissions or the disk keep it from being read. */
  readonly unreadable: readonly string[]
  readonly unchanged: readonly string[]
  /** Left from an earlier run. */
  readonly extra: readonly string[]
  /** Not written by duet and in its way, or beside its files. */
  readonly foreign: readonly string[]
}

/** Leftovers of a run that was killed; see transaction.ts. */
const temporary = /(^|\/)\.[^/]*\.duet-(new|old)$/

/** Compares a folder with the output for it. Writes nothing. */
export function compare(output: Output): Comparison {
  const { folder, files } = output
  const root = lstatSync(folder, { throwIfNoEntry: false })
  if (root !== undefined && !root.isDirectory() && !output.owned && !output.chosen) {
    return { output, ...emptyLists(), foreign: [''] }
  }
  const present = readFolder(folder, output.ignored)
  const listed = manifestFiles(folder)
  const isCurrent =
    files.has('manifest.json') && isSame('manifest.json', bytesInside(folder, 'manifest.json'), output)
  const result: MutableComparison = { output, ...emptyLists() }
  for (const path of files.keys()) {
    const blocked = linkOnTheWay(folder, path)
    const found = bytesInside(folder, path)
    if (blocked !== undefined) result.foreign.push(blocked)
    else if (found === undefined) result.missing.push(path)
    else if (isSame(path, found, output)) result.unchanged.push(path)
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

/** Files that are there and get another text, sorted. */
export function changedPaths({ edited, stale, unreadable }: Comparison): string[] {
  return [...edited, ...stale, ...unreadable].sort()
}

/** Byte by byte, or by digests, which costs less where they are there: texts that decode alike may differ. */
function isSame(
  path: string,
  found: Buffer | 'unreadable' | undefined,
  { files, hashed, digests }: Output,
): boolean {
  if (!Buffer.isBuffer(found)) return false
  const wanted = files.get(path) ?? ''
  const digest = hashed ? wanted : digests?.get(path)
  return digest === undefined ? found.equals(Buffer.from(wanted)) : contentDigest(found) === digest
}

/** Whether a folder holds exactly its output. */
export function isClean(comparison: Comparison): boolean {
  return lists.every((list) => list === 'unchanged' || comparison[list].length === 0)
}

const lists = ['missing', 'edited', 'stale', 'unreadable', 'unchanged', 'extra', 'foreign'] as const

/** A path of a comparison as messages show it. */
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
