import { createHash } from 'node:crypto'
import { compareText } from '../document/cursor.js'
import type { Model } from '../model/model.js'
import { isShown } from './fields/fields.js'

/** Addresses in the reference: relative URLs that work on any server and from a file. */
export interface Addresses {
  /** The page of a namespace: `clients.html`. */
  readonly page: (namespace: string) => string
  /** The section of an operation: `clients.html#clients.update`. */
  readonly operation: (operation: { readonly name: string; readonly namespace: string }) => string
  /** The page of a component schema: `schema.client.html`. The list of schemas if it has none. */
  readonly schema: (name: string) => string
}

/** Namespaces that have operations, sorted. */
export function namespacesOf({ operations }: Pick<Model, 'operations'>): string[] {
  return [...new Set(operations.map(({ namespace }) => namespace))].sort(compareText)
}

/** The component schemas with a page: those that a few words do not describe completely. Sorted. */
export function shownSchemas({ schemas }: Pick<Model, 'schemas'>): string[] {
  return [...schemas.keys()].filter((name) => isShown(schemas, name)).sort(compareText)
}

/** The list of all component schemas. */
export const schemasPage = 'schemas.html'

/** All pages of a version, sorted. */
export function pageNames(model: Pick<Model, 'operations' | 'schemas'>): string[] {
  const namespaces = namespacesOf(model)
  const schemas = shownSchemas(model)
  const { page, schema } = addressesOf(namespaces, schemas)
  return ['index.html', schemasPage, ...namespaces.map(page), ...schemas.map(schema)].sort(compareText)
}

/** Pages have the names of what they show, with a digest if a file system or URL could confuse two of them. */
export function addressesOf(namespaces: readonly string[], schemas: readonly string[] = []): Addresses {
  const taken = new Set(reserved)
  const pages = new Map(
    namespaces.map((namespace) => {
      const plain = plainName(namespace)
      return [namespace, fileName(namespace, plain, plain === namespace, taken)]
    }),
  )
  const ofSchemas = new Map(
    schemas.map((name) => [name, fileName(name, `schema.${plainName(name)}`, !/[^\w.-]/.test(name), taken)]),
  )
  const page = (namespace: string): string => pages.get(namespace) ?? 'index.html'
  return {
    page,
    operation: ({ name, namespace }) => `${page(namespace)}#${encodeURIComponent(name)}`,
    schema: (name) => ofSchemas.get(name) ?? schemasPage,
  }
}

/** Reserved by this site and by Windows. */
const reserved = ['index', 'schemas', 'con', 'prn', 'aux', 'nul', 'com1', 'lpt1']

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-')
}

function fileName(name: string, plain: string, isSame: boolean, taken: Set<string>): string {
  const isPlain = isSame && !taken.has(plain) && !/^[.-]|[.-]$/.test(plain) && plain.length < 80
  const found = isPlain ? plain : `${plain.replaceAll(/^[.-]+|[.-]+$/g, '').slice(0, 60)}-${digest(name)}`
  taken.add(found)
  return `${found}.html`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
