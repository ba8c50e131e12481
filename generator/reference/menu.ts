import type { Model, Operation } from '../model/model.js'
import type { Addresses } from './address.js'
import type { Pages } from './pages.js'
import type { Part } from './paging/parts.js'
import { sentence, tagTitle } from './titles.js'
import { tagsOf } from './written.js'

/** The menu of every page: all groups of operations, the page's own one with its operations. */
export interface Menu {
  readonly before: string
  readonly open: object | undefined
  readonly after: string
}

/** An operation in lists. */
export interface Line {
  readonly name: string
  readonly title: string
  readonly method: string
  readonly path: string
  readonly isDeprecated: boolean
  readonly href: string
}

/** Namespaces that readers look for together: those of a tag, else those with the same first part. */
export interface Group {
  readonly title: string
  /** The document's text on the tag. */
  readonly description: string | undefined
  readonly namespaces: readonly string[]
}

/** Generates the menu of each page. Links to other pages are the same on all of them, so they are rendered once. */
export class Menus {
  readonly #groups: readonly (Group & { readonly links: readonly string[] })[]
  readonly #links: readonly string[]

  constructor(
    groups: readonly Group[],
    readonly addresses: Addresses,
    pages: Pages,
  ) {
    const link = (label: string, namespace: string): string =>
      pages.render('reference/link', { label, href: addresses.page(namespace) })
    this.#groups = groups.map((group) => ({
      ...group,
      links: group.namespaces.map((namespace) => link(namespaceTitle(namespace, group), namespace)),
    }))
    this.#links = groups.map(({ title, namespaces: [first = ''] }) => link(title, first))
  }

  /** @param page what the page shows of a namespace; undefined for pages of all */
  of(
    page: (Pick<Part, 'namespace' | 'paging'> & { readonly operations: readonly Line[] }) | undefined,
  ): Menu {
    const open = page?.namespace
    const index = this.#groups.findIndex(({ namespaces }) => open !== undefined && namespaces.includes(open))
    const group = this.#groups[index]
    if (group === undefined || page === undefined || open === undefined)
      return { before: this.#links.join(''), open: undefined, after: '' }
    const place = group.namespaces.indexOf(open)
    return {
      before: this.#links.slice(0, index).join(''),
      open: {
        group: group.title,
        isAlone: group.namespaces.length === 1,
        before: group.links.slice(0, place).join(''),
        title: namespaceTitle(open, group),
        href: this.addresses.page(open),
        operations: page.operations,
        paging: page.paging,
        after: group.links.slice(place + 1).join(''),
      },
      after: this.#links.slice(index + 1).join(''),
    }
  }
}

/** What a namespace is called in its group: the only one has the group's name. */
export function namespaceTitle(namespace: string, { title, namespaces }: Group): string {
  if (namespaces.length === 1) return title
  const [first = '', ...others] = namespace.split('.')
  return sentence(others.length === 0 ? first : others.join(' '))
}

/** The groups of a document, in the order of its tags; others after them, as their operations come. */
export function groupsOf(
  model: Model,
  namespaces: readonly string[],
  operationsOf: (namespace: string) => readonly Operation[],
): Group[] {
  const found = new Map<string, { tag: string | undefined; namespaces: string[] }>()
  for (const namespace of namespaces) {
    const tag = operationsOf(namespace).flatMap((operation) => tagsOf(model, operation))[0]
    const key = tag === undefined ? `namespace ${namespace.split('.')[0]}` : `tag ${tag}`
    const group = found.get(key) ?? { tag, namespaces: [] }
    found.set(key, group)
    group.namespaces.push(namespace)
  }
  const tags = declaredTags(model)
  const place = (tag: string | undefined): number => {
    const at = tags.findIndex(({ name }) => name === tag)
    return at === -1 ? tags.length : at
  }
  return [...found.values()]
    .sort((a, b) => place(a.tag) - place(b.tag))
    .map(({ tag, namespaces: members }) => ({
      title: tag === undefined ? sentence(members[0]?.split('.')[0] ?? '') : tagTitle(model, tag),
      description: tags.find(({ name }) => name === tag)?.description,
      namespaces: members,
    }))
}

function declaredTags({ openapi }: Model): { readonly name: string; readonly description?: string }[] {
  const tags = Array.isArray(openapi.tags) ? openapi.tags : []
  return tags.flatMap((tag) => {
    if (tag === null || typeof tag !== 'object' || Array.isArray(tag)) return []
    const { name, description } = tag
    if (typeof name !== 'string') return []
    return [{ name, ...(typeof description === 'string' && { description }) }]
  })
}
