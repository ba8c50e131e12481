import type { Budget } from '../../patterns/budget.js'
import type { Walk } from './word-walk.js'
import type { Words } from './words.js'

/** No witness needs more characters. */
const longest = 2 ** 20

/**
 * Words by their exact length. The states exactly n letters before an end follow from those for n - 1, so
 * they repeat after a while: a few of them decide any length.
 */
export class LongWords {
  /** For each number of letters, the states from which some word of that length leads to an end. */
  readonly #layers: (readonly boolean[])[] = []
  /** Where the layers begin to repeat, if known. */
  #repeats: { readonly from: number; readonly period: number } | undefined

  constructor(
    readonly walk: Walk,
    readonly budget: Budget,
  ) {}

  /**
   * One word of min to max letters, the shortest possible, or the proof that there is none. Undefined if
   * neither is known.
   */
  between(min: number, max: number): Words | undefined {
    const graph = this.walk.graph()
    if (!graph.whole || graph.edges.length * graph.edges.length > 1_000_000) return undefined
    const known = new Map<string, number>()
    let layer: readonly boolean[] = graph.accepting
    for (let length = 0; this.#repeats === undefined && length <= Math.min(max, longest); length++) {
      this.budget.spend(graph.edges.length / 8)
      const key = layer.map(Number).join('')
      const from = known.get(key)
      if (from === undefined) {
        known.set(key, length)
        this.#layers.push(layer)
        const next = layer
        layer = graph.edges.map((row) => row.some((to) => next[to] === true))
      } else this.#repeats = { from, period: length - from }
      if (this.#layers.length > 20_000) return undefined
    }
    const last = Math.min(max, min + this.#layers.length)
    for (let length = min; length <= last; length++) {
      if (this.#layer(length)?.[0] !== true) continue
      const word = length > longest ? undefined : this.#spell(length)
      return word === undefined ? undefined : { words: [word], complete: false }
    }
    return { words: [], complete: true }
  }

  #layer(length: number): readonly boolean[] | undefined {
    const { from, period } = this.#repeats ?? { from: this.#layers.length, period: 1 }
    return this.#layers[length < from ? length : from + ((length - from) % period)]
  }

  #spell(length: number): string | undefined {
    let state = 0
    const letters: number[] = []
    for (let left = length - 1; left >= 0; left--) {
      this.budget.spend(0.01)
      const layer = this.#layer(left)
      const row: readonly number[] = this.walk.graph().edges[state] ?? []
      const letter = row.findIndex((to) => layer?.[to] === true)
      const to = row[letter]
      if (to === undefined) return undefined
      letters.push(letter)
      state = to
    }
    const names = new Map([...new Set(letters)].map((letter) => [letter, this.walk.character(letter)]))
    return letters.map((letter) => names.get(letter) ?? '').join('')
  }
}
