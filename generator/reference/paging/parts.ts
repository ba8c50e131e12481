import type { Operation } from '../../model/model.js'
import { type Addresses, operationsOnPage } from '../address.js'

/** What a page shows of a namespace. */
export interface Part {
  readonly path: string
  readonly namespace: string
  readonly operations: readonly Operation[]
  /** Undefined if the page shows all of them. */
  readonly paging: Paging | undefined
}

/** The place of a page among those of its namespace. */
interface Paging {
  /** The number of its first operation, from 1. */
  readonly first: number
  readonly last: number
  readonly total: string
  readonly previous: string | undefined
  readonly next: string | undefined
  /** The first page, the last one, and those around this one. */
  readonly links: readonly PageLink[]
}

interface PageLink {
  readonly number: number
  readonly href: string
  readonly isThis: boolean
  /** Whether pages before it have no link. */
  readonly isApart: boolean
}

/** @param operations by namespace, in the order of the document */
export function partsOf(
  operations: ReadonlyMap<string, readonly Operation[]>,
  addresses: Addresses,
): readonly Part[] {
  return [...operations].flatMap(([namespace, members]) =>
    addresses.pages(namespace).map((path, index, paths) => ({
      path,
      namespace,
      operations: members.slice(index * operationsOnPage, (index + 1) * operationsOnPage),
      paging: paths.length === 1 ? undefined : pagingOf(index, paths, members.length),
    })),
  )
}

function pagingOf(index: number, paths: readonly string[], total: number): Paging {
  const shown = [...paths.keys()].filter(
    (at) => at === 0 || at === paths.length - 1 || Math.abs(at - index) <= near,
  )
  const links = shown.map((at, place) => ({
    number: at + 1,
    href: paths[at] ?? '',
    isThis: at === index,
    isApart: at - (shown[place - 1] ?? -1) > 1,
  }))
  return {
    first: index * operationsOnPage + 1,
    last: Math.min((index + 1) * operationsOnPage, total),
    total: total.toLocaleString('en'),
    previous: paths[index - 1],
    next: paths[index + 1],
    links,
  }
}

/** How many pages before and after one it links to. */
const near = 2
