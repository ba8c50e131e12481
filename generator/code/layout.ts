import { createHash } from 'node:crypto'
import { posix } from 'node:path'

/**
 * File for a new namespace, with its name. The name gets a suffix if it is taken, in any case, or if it has a
 * meaning for a tool (`x.test.ts`, `x.d.ts`, `con.ts` on Windows).
 *
 * @param taken paths in the folder, in any case
 */
export function namespaceFile(namespace: string, taken: Iterable<string>): string {
  const used = new Set([...taken, 'index.ts', 'principal.ts'].map((path) => path.toLowerCase()))
  const wanted = baseName(namespace)
  for (let number = 1; ; number++) {
    const path = `${number === 1 ? wanted : `${wanted}_${number}`}.ts`
    if (!used.has(path.toLowerCase())) return path
  }
}

/** Whether a file's name is the one that duet gives to a namespace's file. */
export function isNamespaceFile(path: string, namespace: string): boolean {
  return path === `${baseName(namespace)}.ts`
}

/** `clients` of `clients.get`, `default` of a name without a dot. */
export function namespaceOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot === -1 ? 'default' : name.slice(0, dot)
}

/** `get` of `clients.get`. */
export function memberOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** Name of a namespace's constant: `iam.auth.jwt` as `iamAuthJwt`. */
export function namespaceConstant(namespace: string, taken: ReadonlySet<string>): string {
  const words = namespace.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Unnamed'
  const camel = /^[0-9]/.test(joined) ? `n${joined}` : joined.charAt(0).toLowerCase() + joined.slice(1)
  const wanted = reserved.has(camel) ? `${camel}Handlers` : camel
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}${number}`
    if (!taken.has(name)) return name
  }
}

/** The first 16 hexadecimal digits of a SHA-256. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** The specifier by which one file of the folder imports another. */
export function specifierOf(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to.replace(/\.ts$/, '.js').replace(/\.mts$/, '.mjs'))
  return path.startsWith('.') ? path : `./${path}`
}

/** Converts a specifier for the folder's top level to one for a file in a subfolder. */
export function specifierFrom(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  // `relative` would start from the process's folder, which may have too few parents.
  const top = '/\0'.repeat(specifier.split('..').length)
  const path = posix.relative(posix.join(top, posix.dirname(file)), posix.join(top, specifier))
  return path.startsWith('.') ? path : `./${path}`
}

/** Whether scaffolding reads a file's code. It skips tests and declarations. */
export function isSource(path: string): boolean {
  return !/\.(?:test|spec)\.m?ts$|\.d\.m?ts$/.test(path)
}

const longest = 100

function baseName(namespace: string): string {
  const cut =
    namespace.length <= longest
      ? namespace
      : `${namespace.slice(0, longest)}_${digest(namespace).slice(0, 8)}`
  const clashing = /(?:^|\.)(?:test|spec|d)$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(cut)
  return clashing ? `${cut}_` : cut
}

/** Words that cannot name a constant, and names that the scaffolded files use themselves. */
const reserved = new Set([
  ...'arguments await break case catch class const continue debugger default delete do else enum eval'.split(
    ' ',
  ),
  ...'export extends false finally for function if implements import in instanceof interface let new'.split(
    ' ',
  ),
  ...'null package private protected public return static super switch this throw true try typeof'.split(' '),
  ...'undefined var void while with yield async NaN Infinity globalThis'.split(' '),
  ...'handlers problem principal'.split(' '),
])
