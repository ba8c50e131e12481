import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { decodePercent } from './pointer.js'
import type { Source } from './source.js'

/** A `$ref` taken apart: a file on this machine and what follows the `#`. */
export interface Reference {
  readonly absolute: string
  readonly fragment: string
}

/** A URL or a network path; a single letter before the colon is a drive of Windows. */
const remote = /^([A-Za-z][A-Za-z0-9+.-]+:|\/\/)/

/** Where a `$ref` of a file leads (RFC 3986 section 5, files alone), or why it is not followed. */
export function parseReference(text: string, from: Source): Reference | 'remote' | 'unsupported' {
  if (remote.test(text)) return 'remote'
  const hash = text.indexOf('#')
  const file = hash === -1 ? text : text.slice(0, hash)
  const fragment = hash === -1 ? '' : text.slice(hash + 1)
  if (fragment !== '' && !decodePercent(fragment).startsWith('/')) return 'unsupported'
  const absolute = file === '' ? from.absolute : resolve(dirname(from.absolute), decodePercent(file))
  return { absolute: file === '' ? absolute : real(absolute), fragment }
}

/** Whether a file lies in one of the folders, symbolic links resolved. */
export function isInside(folders: readonly string[], absolute: string): boolean {
  return folders.some((folder) => {
    const path = relative(real(folder), absolute)
    return path !== '' && !path.startsWith('..') && !isAbsolute(path)
  })
}

/** The path with symbolic links resolved as far as it exists. */
export function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : resolve(real(parent), relative(parent, path))
  }
}
