import { createHash } from 'node:crypto'
import { compareText } from '../document/cursor.js'
import type { Model } from '../model/model.js'

/** Addresses in the reference: relative URLs that work on any server and from a file. */
export interface Addresses {
  /** The page of a namespace: `clients.html`. */
  readonly page: (namespace: string) => string
  /** The section of an operation: `clients.html#clients.update`. */
  readonly operation: (operation: { readonly name: string; readonly namespace: string }) => string
}

/** Namespaces that have operations, sorted. */
export function namespacesOf({ operations }: Pick<Model, 'operations'>): string[] {
  return [...new Set(operations.map(({ namespace }) => namespace))].sort(compareText)
}

/** The page of all component schemas. */
export const schemasPage = 'schemas.html'

/** All pages of a version, sorted. */
export function pageNames(model: Pick<Model, 'operations'>): string[] {
  const namespaces = namespacesOf(model)
  return ['index.html', schemasPage, ...namespaces.map(addressesOf(namespaces).page)].sort(compareText)
}

/** Pages have the names of their namespaces, with a digest if a file system or URL could confuse two of them. */
export function addressesOf(namespaces: readonly string[]): Addresses {
  const taken = new Set(reserved)
  const pages = new Map<string, string>()
  for (const namespace of namespaces) {
    const plain = namespace.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-')
    const isPlain =
      plain === namespace && !taken.has(plain) && !/^[.-]|[.-]$/.test(plain) && plain.length < 80
    const name = isPlain
      ? plain
      : `${plain.replaceAll(/^[.-]+|[.-]+$/g, '').slice(0, 60)}-${digest(namespace)}`
    taken.add(name)
    pages.set(namespace, `${name}.html`)
  }
  const page = (namespace: string): string => pages.get(namespace) ?? 'index.html'
  return {
    page,
    operation: ({ name, namespace }) => `${page(namespace)}#${encodeURIComponent(name)}`,
  }
}

/** Reserved by this site and by Windows. */
const reserved = ['index', 'schemas', 'con', 'prn', 'aux', 'nul', 'com1', 'lpt1']

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
