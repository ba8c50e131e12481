import type { Addresses } from './address.js'
import type { Pages } from './pages.js'

/** The menu of every page: all namespaces by their first part, the page's own one with its operations. */
export interface Menu {
  readonly before: string
  readonly open: object | undefined
  readonly after: string
}

/** An operation in lists. */
export interface Line {
  readonly name: string
  readonly member: string
  readonly summary: string
  readonly method: string
  readonly path: string
  readonly isDeprecated: boolean
  readonly href: string
}

/** Generates the menu of each page. Links to other pages are the same on all of them, so they are rendered once. */
export class Menus {
  readonly #groups: readonly Group[]
  readonly #links: readonly string[]

  constructor(
    namespaces: readonly string[],
    readonly addresses: Addresses,
    pages: Pages,
  ) {
    const link = (label: string, namespace: string): string =>
      pages.render('reference/link', { label, href: addresses.page(namespace) })
    this.#groups = groupsOf(namespaces).map(([name, members]) => ({
      name,
      members,
      links: members.map((namespace) => link(namespace, namespace)),
    }))
    this.#links = this.#groups.map(({ name, members: [first = name, ...others], links: [alone = ''] }) =>
      others.length === 0 ? alone : link(name, first),
    )
  }

  /** @param open the page's namespace; undefined for the index */
  of(open: string | undefined, operations: readonly Line[]): Menu {
    const index = this.#groups.findIndex(({ members }) => open !== undefined && members.includes(open))
    const group = this.#groups[index]
    if (group === undefined || open === undefined)
      return { before: this.#links.join(''), open: undefined, after: '' }
    const place = group.members.indexOf(open)
    return {
      before: this.#links.slice(0, index).join(''),
      open: {
        group: group.name,
        isAlone: group.members.length === 1,
        before: group.links.slice(0, place).join(''),
        namespace: open,
        href: this.addresses.page(open),
        operations,
        after: group.links.slice(place + 1).join(''),
      },
      after: this.#links.slice(index + 1).join(''),
    }
  }
}

interface Group {
  readonly name: string
  readonly members: readonly string[]
  /** HTML, one link for each member. */
  readonly links: readonly string[]
}

/** Namespaces by their first part, for documents with hundreds of them. */
function groupsOf(namespaces: readonly string[]): [name: string, members: string[]][] {
  const groups = new Map<string, string[]>()
  for (const namespace of namespaces) {
    const [name = namespace] = namespace.split('.')
    groups.set(name, [...(groups.get(name) ?? []), namespace])
  }
  return [...groups]
}
