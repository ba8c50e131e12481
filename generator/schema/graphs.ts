/** The nodes of a graph that lead back to themselves, in linear time (Tarjan 1972, without recursion). */
export function inRings<Node>(
  nodes: Iterable<Node>,
  next: (node: Node) => Iterable<Node>,
): ReadonlySet<Node> {
  const ringed = new Set<Node>()
  /** The lowest number of an open node that each node leads to. */
  const low = new Map<Node, number>()
  const closed = new Set<Node>()
  const open: Node[] = []
  for (const start of nodes) {
    if (low.has(start)) continue
    const trail: Step<Node>[] = []
    const enter = (node: Node): void => {
      trail.push({ node, number: low.size, rest: next(node)[Symbol.iterator]() })
      low.set(node, low.size)
      open.push(node)
    }
    enter(start)
    for (let step = trail.at(-1); step !== undefined; step = trail.at(-1)) {
      const { node, number, rest } = step
      const { done, value } = rest.next()
      if (done !== true) {
        if (value === node) ringed.add(node)
        else if (!low.has(value)) enter(value)
        else if (!closed.has(value)) low.set(node, Math.min(low.get(node) ?? 0, low.get(value) ?? 0))
        continue
      }
      trail.pop()
      const least = low.get(node) ?? 0
      const above = trail.at(-1)?.node
      if (above !== undefined) low.set(above, Math.min(low.get(above) ?? 0, least))
      if (least !== number) continue
      const group = open.splice(open.lastIndexOf(node))
      for (const member of group) {
        closed.add(member)
        if (group.length > 1) ringed.add(member)
      }
    }
  }
  return ringed
}

interface Step<Node> {
  readonly node: Node
  readonly number: number
  /** What is still to be looked at of what the node leads to. */
  readonly rest: Iterator<Node, undefined>
}

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
