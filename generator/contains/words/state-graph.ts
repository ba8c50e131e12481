/** States of a search for words, the letters between them, and the distance of each from an end. */
export class StateGraph {
  readonly edges: number[][] = []
  readonly accepting: boolean[] = []
  distances: number[] = []
  whole = true

  add(accepting: boolean): void {
    this.edges.push([])
    this.accepting.push(accepting)
  }

  link(from: number, letter: number, to: number): void {
    const row = this.edges[from]
    if (row !== undefined) row[letter] = to
  }

  /** Sets the distance in letters from each state to the nearest accepting one. */
  measure(): void {
    const backwards: number[][] = this.edges.map(() => [])
    this.edges.forEach((row, from) => {
      for (const to of new Set(row)) backwards[to]?.push(from)
    })
    this.distances = this.edges.map((_, i) => (this.accepting[i] === true ? 0 : Number.POSITIVE_INFINITY))
    const queue = [...this.distances.keys()].filter((i) => this.distances[i] === 0)
    for (const at of queue)
      for (const from of backwards[at] ?? [])
        if (this.distances[from] === Number.POSITIVE_INFINITY) {
          this.distances[from] = (this.distances[at] ?? 0) + 1
          queue.push(from)
        }
  }

  /** The length of the longest word, or Infinity. */
  longest(): number {
    const memo = new Map<number, number>()
    const path: { state: number; targets: number[]; best: number }[] = []
    const open = new Set<number>()
    const enter = (state: number): void => {
      open.add(state)
      const targets = [...new Set(this.edges[state] ?? [])].filter((to) =>
        Number.isFinite(this.distances[to]),
      )
      path.push({ state, targets, best: this.accepting[state] === true ? 0 : Number.NEGATIVE_INFINITY })
    }
    if (!Number.isFinite(this.distances[0])) return Number.NEGATIVE_INFINITY
    enter(0)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.targets.pop()
      if (next === undefined) {
        path.pop()
        open.delete(top.state)
        memo.set(top.state, top.best)
        const above = path.at(-1)
        if (above !== undefined) above.best = Math.max(above.best, 1 + top.best)
      } else if (open.has(next)) return Number.POSITIVE_INFINITY
      else {
        const known = memo.get(next)
        if (known === undefined) enter(next)
        else top.best = Math.max(top.best, 1 + known)
      }
    }
    return memo.get(0) ?? Number.NEGATIVE_INFINITY
  }
}
