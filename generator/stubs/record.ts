import type { Json } from '../document/document.js'
import { isArray, isObject, type MutableObject, own, setOwn } from '../document/json.js'
import type { Signature } from './signatures.js'

/** What scaffolding has to remember between two versions; `.duet.json` in the handler folder. */
export interface FolderRecord {
  readonly version: string
  /** Module that the handlers import, as a file of the folder's top level writes it. */
  readonly api: string
  /** Handler interface of each namespace. */
  readonly interfaces: ReadonlyMap<string, string>
  /** An operation whose file could not be read since an earlier version is here as it was then. */
  readonly operations: ReadonlyMap<string, RecordedOperation>
  /** Module of the generated package by file, of files that could not be read when the folder went on to `api`. */
  readonly behind: ReadonlyMap<string, string>
  /** Operations that the document no longer has and that would not come back to their place by themselves. */
  readonly gone: ReadonlyMap<string, GoneOperation>
  /** New name by old name of operations, and of namespaces as `clients.*`, that code has asked for by the old one. */
  readonly former: ReadonlyMap<string, string>
}

export interface RecordedOperation {
  readonly rest: string
  /** File of the handler; absent: it is not in the folder, or in a shape that duet does not know. */
  readonly file?: string
  readonly types: readonly string[]
  /** Absent: an earlier duet wrote the record. */
  readonly signature?: Signature
  /** Digest of the doc comment that duet wrote last; a comment that differs is the team's. Absent: duet wrote none. */
  readonly comment?: string
  /** Local names whose imports duet added for this operation's code. */
  readonly imports?: readonly string[]
}

export interface GoneOperation extends RecordedOperation {
  readonly after: Anchor
}

/** Place of a member: behind another one (none: at the front) and behind this many comments of their own. */
export interface Anchor {
  readonly after?: string
  readonly comments?: number
  /** Of a member that has begun on the line of what stands before it: the space between. */
  readonly space?: string
  /** Behind all others; `open`: without a comma. */
  readonly last?: 'open' | 'closed'
  /** In an object that a call is given, where nothing but its own text gives it types. */
  readonly given?: true
}

export const recordFile = '.duet.json'

/** Reads a record; undefined where the text is none. */
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
      gone: mapOf(own(value, 'gone'), (item) => {
        const operation = recorded(item)
        return operation && { ...operation, after: anchorOf(isObject(item) ? own(item, 'place') : undefined) }
      }),
    }
  } catch {
    return undefined
  }
}

/** The record's text: the same for the same record. */
export function recordText(record: FolderRecord): string {
  const gone = [...record.gone].map(([name, { after, ...operation }]): [string, object] => [
    name,
    { ...operation, place: after },
  ])
  const value = {
    version: record.version,
    api: record.api,
    interfaces: sorted(record.interfaces),
    operations: sorted(record.operations),
    ...(record.behind.size > 0 && { behind: sorted(record.behind) }),
    ...(record.former.size > 0 && { former: sorted(record.former) }),
    ...(gone.length > 0 && { gone: sorted(gone) }),
  }
  return `${JSON.stringify(value, undefined, 2)}\n`
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
  const imports = strings(own(value, 'imports'))
  const [params, result] = strings(own(value, 'signature'))
  return {
    rest,
    types: strings(own(value, 'types')),
    ...(params !== undefined && result !== undefined && { signature: [params, result] as const }),
    ...(typeof file === 'string' && { file }),
    ...(typeof comment === 'string' && { comment }),
    ...(imports.length > 0 && { imports }),
  }
}

function anchorOf(value: Json | undefined): Anchor {
  if (value === undefined || !isObject(value)) return {}
  const [after, comments] = [own(value, 'after'), own(value, 'comments')]
  const [space, last] = [own(value, 'space'), own(value, 'last')]
  return {
    ...(typeof after === 'string' && { after }),
    ...(typeof comments === 'number' && { comments }),
    ...(typeof space === 'string' && /^\s*$/.test(space) && { space }),
    ...(own(value, 'given') === true && { given: true as const }),
    ...((last === 'open' || last === 'closed') && { last }),
  }
}

function strings(value: Json | undefined): string[] {
  return value !== undefined && isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
