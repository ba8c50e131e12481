/**
 * The order of names in the document, for readers. Everything in the model is sorted, so that code has the same bytes
 * whatever the order. Copies lose it, unless they call {@link keepOrderOf}.
 */
const orders = new WeakMap<object, readonly string[]>()

/** Notes the order that the names of a sorted object or list have in the document. */
export function keepOrder(sorted: object, names: readonly string[]): void {
  orders.set(sorted, names)
}

/** Notes the order of the object that another one was made from. */
export function keepOrderOf(source: object, made: object): void {
  const names = orders.get(source)
  if (names !== undefined) orders.set(made, names)
}

/** Undefined if it is not known. */
export function orderOf(sorted: object): readonly string[] | undefined {
  return orders.get(sorted)
}

/** Compares names by their order in the document. Others come after them, and are equal. */
export function writtenOrder(sorted: object): (a: string, b: string) => number {
  const places = new Map(orders.get(sorted)?.map((name, index) => [name, index]))
  const place = (name: string): number => places.get(name) ?? places.size
  return (a, b) => place(a) - place(b)
}
