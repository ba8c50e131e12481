import { join } from 'node:path'
import { readText } from '../document/file.js'
import { linkOnTheWay, readFolder, readInside } from '../project/folder.js'
import { type FolderRecord, parseRecord, recordFile } from './record.js'

/** What stands in a handler folder. Symbolic links are never followed. */
export interface HandlerFiles {
  /** Texts of the TypeScript files, by path within the folder. */
  readonly files: ReadonlyMap<string, string>
  /** TypeScript files that can't be read, with the reason. */
  readonly unreadable: ReadonlyMap<string, string>
  /** Paths that are not files. */
  readonly blocked: ReadonlySet<string>
  readonly record: FolderRecord | undefined
  /** The record's file as it is. */
  readonly recordText: string | undefined
  /** The record's path can't be written to. */
  readonly recordBlocked: boolean
}

/** Reads a handler folder; one that does not exist is an empty one. */
export function readHandlerFiles(folder: string): HandlerFiles {
  const { files: paths, others, emptyFolders } = readFolder(folder, ['node_modules', 'dist'])
  const files = new Map<string, string>()
  const unreadable = new Map<string, string>()
  const folders = [...paths].flatMap((path) => parents(path))
  for (const path of [...paths].filter(isTypeScript)) {
    const read = readText(join(folder, path))
    if ('text' in read) files.set(path, read.text)
    else unreadable.set(path, `it cannot be read (${read.reason})`)
  }
  for (const path of [...others].filter(isTypeScript))
    unreadable.set(path, 'it is a link or no file at all, which duet does not follow')
  const recordText = readInside(folder, recordFile)
  return {
    files,
    unreadable,
    blocked: new Set([...others, ...emptyFolders, ...folders]),
    record: recordText === undefined ? undefined : parseRecord(recordText),
    recordText,
    recordBlocked: linkOnTheWay(folder, recordFile) !== undefined,
  }
}

function isTypeScript(path: string): boolean {
  return /\.m?ts$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path)
}

function parents(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
