/** A column of a table, whose heading may sort it. */
export interface Column<Name extends string> {
  readonly label: string
  /** The name to sort by. Undefined: the heading does not sort. */
  readonly name?: Name
  readonly isNumber?: boolean
  /** Shown to screen readers alone. */
  readonly isHidden?: boolean
}

export interface Order<Name extends string> {
  readonly column: Name
  readonly isDescending: boolean
}

/** The order that a query asks for as `sort=login` or `sort=-login`. The default for an unknown one. */
export function orderOf<Name extends string>(
  query: URLSearchParams,
  columns: readonly Column<Name>[],
  otherwise: Order<Name>,
): Order<Name> {
  const text = query.get('sort') ?? ''
  const column = columns.find(({ name }) => name === text.replace(/^-/, ''))?.name
  return column === undefined ? otherwise : { column, isDescending: text.startsWith('-') }
}

/** The value of `sort` for an order. Empty for the default one. */
export function sortText<Name extends string>(order: Order<Name>, otherwise: Order<Name>): string {
  if (order.column === otherwise.column && order.isDescending === otherwise.isDescending) return ''
  return `${order.isDescending ? '-' : ''}${order.column}`
}

/** The headings of a table. A click on the sorted one turns the order round. */
export function headingsOf<Name extends string>(
  path: string,
  filter: Readonly<Record<string, string>>,
  columns: readonly Column<Name>[],
  order: Order<Name>,
) {
  return columns.map(({ label, name, isNumber, isHidden }) => {
    if (name === undefined) return { label, isNumber, isHidden }
    const isSorted = name === order.column
    const turns = isSorted ? !order.isDescending : isNumber === true
    const query = new URLSearchParams({ ...filter, sort: `${turns ? '-' : ''}${name}` })
    return {
      label,
      isNumber,
      href: `${path}?${query}`,
      ...(isSorted && {
        direction: order.isDescending ? 'descending' : 'ascending',
        mark: order.isDescending ? '↓' : '↑',
      }),
    }
  })
}

/**
 * The order as a field, for screens that show no headings.
 * @param unsorted words for the default order, if that is no column's
 */
export function sortChoice<Name extends string>(
  columns: readonly Column<Name>[],
  order: Order<Name>,
  otherwise: Order<Name>,
  unsorted?: string,
) {
  const options = columns.flatMap(({ label, name: column }) =>
    column === undefined
      ? []
      : [
          [sortText({ column, isDescending: false }, otherwise), label] as const,
          [sortText({ column, isDescending: true }, otherwise), `${label}, descending`] as const,
        ],
  )
  return choiceOf('sort', 'Sort by', sortText(order, otherwise), [
    ...(unsorted === undefined ? [] : [['', unsorted] as const]),
    ...options,
  ])
}

/** A query without empty values. */
export function filterOf(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}

/** A field to choose from. */
export function choiceOf(
  name: string,
  label: string,
  chosen: string,
  options: readonly (readonly [value: string, label: string])[],
) {
  return {
    name,
    label,
    options: options.map(([value, text]) => ({ value, label: text, isChosen: value === chosen })),
  }
}
