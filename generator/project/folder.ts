import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentDigest } from '../cache/store.js'
import type { JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'

/** The content of a folder. Paths are relative to it, with forward slashes. Never follows symbolic links. */
export interface Folder {
  readonly files: ReadonlySet<string>
  /** Links, sockets and other things that duet never writes. */
  readonly others: ReadonlySet<string>
  /** Empty folders. Git does not keep those either. */
  readonly emptyFolders: ReadonlySet<string>
}

/** Everything below a folder. Empty if it does not exist. `ignored` names entries of its top level. */
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

/**
 * A file's bytes. `unreadable` if permissions or the disk prevent reading; undefined if there is no such file
 * or the path contains a link.
 */
export function bytesInside(root: string, path: string): Buffer | 'unreadable' | undefined {
  if (linkOnTheWay(root, path) !== undefined) return undefined
  try {
    return readFileSync(join(root, path))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : 'unreadable'
  }
}

/** A file's text. Undefined if it cannot be read. */
export function readInside(root: string, path: string): string | undefined {
  const bytes = bytesInside(root, path)
  return Buffer.isBuffer(bytes) ? bytes.toString() : undefined
}

/** The part of a path below the root that is a link, or a file in place of a folder. */
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

/**
 * The SHA-256 of a file's bytes. If they cannot be read, the result of {@link bytesInside}. Remembered until the
 * file's status changes: a run compares a large output twice.
 */
export function digestInside(root: string, path: string): string | undefined {
  if (linkOnTheWay(root, path) !== undefined) return undefined
  const file = join(root, path)
  const status = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  const state = status && [status.ino, status.size, status.mtimeNs, status.ctimeNs].join(' ')
  const known = digests.get(file)
  if (known !== undefined && known.state === state) return known.digest
  digests.delete(file)
  const bytes = bytesInside(root, path)
  if (!Buffer.isBuffer(bytes)) return bytes
  const digest = contentDigest(bytes)
  // Two writes within a tick of a file system's clock leave the same status.
  if (state !== undefined && Date.now() - Number(status?.ctimeMs) > longestTick)
    digests.set(file, { state, digest })
  return digest
}

const digests = new Map<string, { readonly state: string; readonly digest: string }>()

/** Milliseconds. */
const longestTick = 3000

/** The manifest of a folder. Undefined if duet has not written one. */
export function manifestInside(root: string): JsonObject | undefined {
  const text = readInside(root, 'manifest.json')
  if (text === undefined) return undefined
  try {
    const manifest: unknown = JSON.parse(text)
    return isObject(manifest) && isArray(own(manifest, 'outputs')) ? manifest : undefined
  } catch {
    return undefined
  }
}

/** The files that the manifest of a folder lists. Undefined if it has no manifest of duet. */
export function manifestFiles(root: string): ReadonlySet<string> | undefined {
  const manifest = manifestInside(root)
  const outputs = manifest && own(manifest, 'outputs')
  if (!isArray(outputs)) return undefined
  const paths = outputs.map((output) => (isObject(output) ? own(output, 'path') : undefined))
  return new Set([...paths.filter((path) => typeof path === 'string'), 'manifest.json'])
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
