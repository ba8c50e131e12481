import { existsSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { decodePercent } from '../document/pointer.js'
import { isRemote } from './remote.js'
import type { Source } from './source.js'

/** A parsed `$ref`: a file, and after the `#` a JSON pointer or an anchor. */
export interface Reference {
  /** A local path, or the address of a remote file. */
  readonly absolute: string
  /** The path before symbolic links are resolved. */
  readonly written: string
  readonly fragment: string
}

/** A URL or a network path. A single letter before the colon is a Windows drive. */
const remote = /^([A-Za-z][A-Za-z0-9+.-]+:|\/\/)/

/** The target of a `$ref` (RFC 3986 section 5). `unsupported` if it is neither a file nor a web address. */
export function parseReference(text: string, from: Source): Reference | 'unsupported' {
  const hash = text.indexOf('#')
  const file = hash === -1 ? text : text.slice(0, hash)
  const fragment = hash === -1 ? '' : text.slice(hash + 1)
  if (file !== '' && (remote.test(file) || isRemote(from.absolute))) {
    const base = isRemote(from.absolute) ? from.absolute : 'https://host'
    if (!URL.canParse(file, base)) return 'unsupported'
    const { href } = new URL(file, base)
    return isRemote(href) ? { absolute: href, written: href, fragment } : 'unsupported'
  }
  const absolute = file === '' ? from.absolute : resolve(dirname(from.absolute), decodePercent(file))
  return { absolute: file === '' ? absolute : real(absolute), written: absolute, fragment }
}

/** Whether a file is in one of the folders, with symbolic links resolved. */
export function isInside(folders: readonly string[], absolute: string): boolean {
  return folders.some((folder) => {
    const path = relative(real(folder), absolute)
    return path !== '' && !path.startsWith('..') && !isAbsolute(path)
  })
}

/**
 * The project of a folder, in whatever folder the command runs: the nearest ancestor with `.git` or
 * `package.json`, else the parent folder. Empty if that is a shared folder.
 */
export function projectFolder(folder: string): string[] {
  for (let path = folder; !isShared(path); path = dirname(path))
    if (marks.some((name) => existsSync(join(path, name)))) return [path]
  const parent = dirname(folder)
  return isShared(parent) ? [] : [parent]
}

const marks = ['.git', 'package.json']

/** Whether a folder contains more than one project: a home folder, the folder of temporary files, the root. */
export function isShared(folder: string): boolean {
  return [dirname(folder), homedir(), tmpdir()].some((shared) => real(shared) === real(folder))
}

/** The path with symbolic links resolved, as far as it exists. */
export function real(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : resolve(real(parent), relative(parent, path))
  }
}
