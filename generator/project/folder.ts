import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isArray, isObject, own } from '../document/json.js'

/** What stands in a folder; paths are relative to it, with forward slashes. Symbolic links are never followed. */
export interface Folder {
  readonly files: ReadonlySet<string>
  /** Links, sockets and the like: nothing that duet writes. */
  readonly others: ReadonlySet<string>
  /** Folders in which nothing stands, which is nothing that git keeps, either. */
  readonly emptyFolders: ReadonlySet<string>
}

/** Everything below a folder; empty where it does not exist. `ignored` names entries of its top level. */
export function readFolder(root: string, ignored: readonly string[] = []): Folder {
  const folder = { files: new Set<string>(), others: new Set<string>(), emptyFolders: new Set<string>() }
  const visit = (path: string) => {
    const entries = entriesOf(join(root, path))
    if (entries.length === 0 && path !== '') folder.emptyFolders.add(path)
    for (const entry of entries) {
      if (path === '' && ignored.includes(entry.name)) continue
      const inner = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory()) visit(inner)
      else (entry.isFile() ? folder.files : folder.others).add(inner)
    }
  }
  visit('')
  return folder
}

/** A file's bytes; `unreadable` where permissions or the disk keep them, undefined where there is no such file or a link stands on the way to it. */
export function bytesInside(root: string, path: string): Buffer | 'unreadable' | undefined {
  if (linkOnTheWay(root, path) !== undefined) return undefined
  try {
    return readFileSync(join(root, path))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : 'unreadable'
  }
}

/** A file's text; undefined where it cannot be read. */
export function readInside(root: string, path: string): string | undefined {
  const bytes = bytesInside(root, path)
  return Buffer.isBuffer(bytes) ? bytes.toString() : undefined
}

/** The part of a path below the root that is a link, or a file where a folder is needed. */
export function linkOnTheWay(root: string, path: string): string | undefined {
  const parts = path.split('/')
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join('/')
    const status = lstatSync(join(root, part), { throwIfNoEntry: false })
    if (status === undefined) return undefined
    const fits = length < parts.length ? status.isDirectory() : status.isFile()
    if (!fits) return part
  }
  return undefined
}

/** Files that the manifest in a folder says duet has written; undefined where it has no manifest of duet. */
export function manifestFiles(root: string): ReadonlySet<string> | undefined {
  const text = readInside(root, 'manifest.json')
  if (text === undefined) return undefined
  try {
    const manifest: unknown = JSON.parse(text)
    const outputs = isObject(manifest) ? own(manifest, 'outputs') : undefined
    if (!isArray(outputs)) return undefined
    const paths = outputs.map((output) => (isObject(output) ? own(output, 'path') : undefined))
    return new Set([...paths.filter((path) => typeof path === 'string'), 'manifest.json'])
  } catch {
    return undefined
  }
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
