import type { Field } from './fields.js'

/** A field in a list of fields, with its own fields below. */
export interface FieldNode extends Field {
  /** The anchor of its row: `clients.update/credit`. */
  readonly id: string
  /** Its location in REST. Empty for fields of a body's value, and outside of requests. */
  readonly place: string
  /** Marked as such. Of requests, those that are required are marked instead. */
  readonly isOptional: boolean
  readonly children: readonly FieldNode[]
  /** `3 fields`. Empty without children. */
  readonly more: string
}

/** Rows as a tree. Each is found by its anchor below `id`. */
export function fieldTree<Row extends Field & { readonly place?: string }>(
  rows: readonly Row[],
  id: string,
  taken: Set<string> = new Set(),
): FieldNode[] {
  const [first] = rows
  if (first === undefined) return []
  const found: FieldNode[] = []
  for (let at = 0; at < rows.length; ) {
    const row = rows[at]
    if (row === undefined) break
    let end = at + 1
    while (end < rows.length && (rows[end]?.depth ?? 0) > row.depth) end += 1
    const own = unique(`${id}/${row.name}`, taken)
    const children = fieldTree(rows.slice(at + 1, end), own, taken)
    const { length } = children
    found.push({
      ...row,
      id: own,
      place: row.place ?? '',
      isOptional: false,
      children,
      more: length === 0 ? '' : `${length} ${length === 1 ? 'field' : 'fields'}`,
    })
    at = end
  }
  return found
}

/** An anchor is a text without spaces (HTML, the id attribute). */
function unique(wanted: string, taken: Set<string>): string {
  const plain = wanted.replaceAll(/\s+/g, '-')
  let id = plain
  for (let count = 2; taken.has(id); count += 1) id = `${plain}~${count}`
  taken.add(id)
  return id
}
