/**
 * The nodes that can be reached from a node, each after those that it leads to, except in cycles. The node
 * itself is last. In this order a recursive result that is stored per node never recurses deeply, however long
 * a chain of references is.
 */
export function leavesFirst<Node>(
  start: Node,
  next: (node: Node) => readonly Node[],
  isKnown: (node: Node) => boolean,
): Node[] {
  if (isKnown(start)) return []
  const order: Node[] = []
  const entered = new Set<Node>()
  const stack = [{ node: start, leaving: false }]
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
