import { join } from 'node:path'
import type { Json } from '../document/document.js'
import { readText } from '../document/file.js'
import { isArray, isObject, type MutableObject, own, setOwn } from '../document/json.js'
import { linkOnTheWay, readFolder, readInside } from '../project/folder.js'
import type { Signature } from './required-operations.js'

/** The files of a handler folder. Symbolic links are never followed. */
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

/** Reads a handler folder. A folder that does not exist counts as empty. */
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
    unreadable.set(path, 'it is a link, or not a file: duet skips it')
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

/** What scaffolding remembers from run to run: `.duet.json` in the handler folder. */
export interface FolderRecord {
  readonly version: string
  /** Module that the handlers import, as a file of the folder's top level writes it. */
  readonly api: string
  /** Handler interface of each namespace. */
  readonly interfaces: ReadonlyMap<string, string>
  /** An operation in a file that could not be read keeps its entry of an earlier version. */
  readonly operations: ReadonlyMap<string, RecordedOperation>
  /** By file, for files that could not be read when the folder moved to `api`: the module that they still import. */
  readonly behind: ReadonlyMap<string, string>
  /** New name by old name, of operations and namespaces (`clients.*`) whose old names code still uses. */
  readonly former: ReadonlyMap<string, string>
}

export interface RecordedOperation {
  readonly rest: string
  /** File of the handler. Absent: it is outside the folder, or duet can't read its form. */
  readonly file?: string
  readonly types: readonly string[]
  /** Absent: an earlier duet wrote the record. */
  readonly signature?: Signature
  /** Digest of the doc comment that duet wrote last. Any other comment is the team's. Absent: duet wrote none. */
  readonly comment?: string
}

export const recordFile = '.duet.json'

/** Reads a record; undefined if the text is not one. */
export function parseRecord(text: string): FolderRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return undefined
    const [version, api] = [own(value, 'version'), own(value, 'api')]
    if (typeof version !== 'string' || typeof api !== 'string') return undefined
    return {
      version,
      api,
      interfaces: mapOf(own(value, 'interfaces'), textOf),
      operations: mapOf(own(value, 'operations'), recorded),
      behind: mapOf(own(value, 'behind'), textOf),
      former: mapOf(own(value, 'former'), textOf),
    }
  } catch {
    return undefined
  }
}

/** The record's text: the same for the same record. */
export function recordText(record: FolderRecord): string {
  const value = {
    version: record.version,
    api: record.api,
    interfaces: sorted(record.interfaces),
    operations: sorted(record.operations),
    ...(record.behind.size > 0 && { behind: sorted(record.behind) }),
    ...(record.former.size > 0 && { former: sorted(record.former) }),
  }
  return `${JSON.stringify(value, undefined, 2)}\n`
}

function isTypeScript(path: string): boolean {
  return /\.m?ts$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path)
}

function parents(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function sorted(entries: Iterable<readonly [string, unknown]>): object {
  const object: MutableObject = {}
  for (const [key, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
    setOwn(object, key, value as Json)
  return object
}

function mapOf<T>(value: Json | undefined, read: (item: Json) => T | undefined): Map<string, T> {
  const map = new Map<string, T>()
  if (value === undefined || !isObject(value)) return map
  for (const [key, item] of Object.entries(value)) {
    const found = read(item)
    if (found !== undefined) map.set(key, found)
  }
  return map
}

function textOf(value: Json): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function recorded(value: Json): RecordedOperation | undefined {
  if (!isObject(value)) return undefined
  const [rest, file, comment] = [own(value, 'rest'), own(value, 'file'), own(value, 'comment')]
  if (typeof rest !== 'string') return undefined
  const [params, result] = strings(own(value, 'signature'))
  return {
    rest,
    types: strings(own(value, 'types')),
    ...(params !== undefined && result !== undefined && { signature: [params, result] as const }),
    ...(typeof file === 'string' && { file }),
    ...(typeof comment === 'string' && { comment }),
  }
}

function strings(value: Json | undefined): string[] {
  return value !== undefined && isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
