/**
 * What can be reached from a node, itself last: each behind those that it leads to, as far as there is no ring.
 * A recursive answer that is kept for every node never goes deep in this order, however long a row of references.
 */
export function leavesFirst<Node>(
  start: Node,
  next: (node: Node) => readonly Node[],
  isKnown: (node: Node) => boolean,
): Node[] {
  const order: Node[] = []
  const entered = new Set<Node>()
  const stack = isKnown(start) ? [] : [{ node: start, leaving: false }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node, leaving } = top
    if (leaving) order.push(node)
    if (leaving || entered.has(node)) continue
    entered.add(node)
    stack.push({ node, leaving: true })
    for (const other of next(node))
      if (!entered.has(other) && !isKnown(other)) stack.push({ node: other, leaving: false })
  }
  return order
}
