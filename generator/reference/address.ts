import { createHash } from 'node:crypto'
import { compareText } from '../document/cursor.js'
import { groupBy } from '../document/grouping.js'
import { writtenOrder } from '../document/written-order.js'
import type { Model, Operation } from '../model/model.js'
import { isShown } from './fields/fields.js'

/** Addresses in the reference: relative URLs that work on any server and from a file. */
export interface Addresses {
  /** The first page of a namespace: `clients.html`. */
  readonly page: (namespace: string) => string
  /** All pages of a namespace, each with {@link operationsOnPage} operations at most: `clients-2.html`. */
  readonly pages: (namespace: string) => readonly string[]
  /** The section of an operation: `clients.html#clients.update`. */
  readonly operation: (operation: Named) => string
  /** The page of a component schema: `schema.client.html`. The list of schemas if it has none. */
  readonly schema: (name: string) => string
}

type Named = Pick<Operation, 'name' | 'namespace'>

/** The most operations of a page. Pages of GitHub and Stripe with so many load within 300 ms. */
export const operationsOnPage = 50

/** The operations of each namespace, both in the order of the document. */
export function byNamespace<One extends Named>(operations: readonly One[]): Map<string, One[]> {
  const inOrder = writtenOrder(operations)
  return groupBy(
    [...operations].sort((a, b) => inOrder(a.name, b.name)),
    ({ namespace }) => namespace,
  )
}

/** The component schemas with a page: those that a few words do not describe completely. Sorted. */
export function shownSchemas({ schemas }: Pick<Model, 'schemas'>): string[] {
  return [...schemas.keys()].filter((name) => isShown(schemas, name)).sort(compareText)
}

/** The list of all component schemas. */
export const schemasPage = 'schemas.html'

/** All pages of a version, sorted. */
export function pageNames(model: Pick<Model, 'operations' | 'schemas'>): string[] {
  const schemas = shownSchemas(model)
  const { pages, schema } = addressesOf(model.operations, schemas)
  const ofOperations = [...byNamespace(model.operations).keys()].flatMap((namespace) => pages(namespace))
  return ['index.html', schemasPage, ...ofOperations, ...schemas.map(schema)].sort(compareText)
}

/**
 * Pages have the names of what they show, with a digest if a file system or URL could confuse two of them.
 *
 * @param operations as the model lists them, which knows their order in the document
 */
export function addressesOf(operations: readonly Named[], schemas: readonly string[] = []): Addresses {
  const taken = new Set(reserved)
  const namespaces = byNamespace(operations)
  const firsts = new Map(
    [...namespaces.keys()].sort(compareText).map((namespace) => {
      const plain = plainName(namespace)
      return [namespace, fileName(namespace, plain, plain === namespace, taken)]
    }),
  )
  const ofSchemas = new Map(
    schemas.map((name) => [name, fileName(name, `schema.${plainName(name)}`, !/[^\w.-]/.test(name), taken)]),
  )
  // Further pages come last, so that none takes the name of another namespace.
  const pages = new Map(
    Array.from(firsts, ([namespace, first]) => {
      const count = Math.ceil((namespaces.get(namespace)?.length ?? 0) / operationsOnPage)
      const further = Array.from({ length: count - 1 }, (_, index) => {
        const name = `${first.replace(/\.html$/, '')}-${index + 2}`
        return fileName(name, name, true, taken)
      })
      return [namespace, [first, ...further]]
    }),
  )
  const ofOperations = new Map(
    Array.from(namespaces, ([namespace, members]) => {
      const own = pages.get(namespace) ?? []
      return members.map(({ name }, index) => [name, own[Math.floor(index / operationsOnPage)]] as const)
    }).flat(),
  )
  const page = (namespace: string): string => firsts.get(namespace) ?? 'index.html'
  return {
    page,
    pages: (namespace) => pages.get(namespace) ?? [],
    operation: ({ name, namespace }) =>
      `${ofOperations.get(name) ?? page(namespace)}#${encodeURIComponent(name)}`,
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
