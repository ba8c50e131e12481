/** Random choices from a seed: a linear congruential generator with the constants of Numerical Recipes. */
export class Random {
  #state

  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** An integer from 0 to below `limit`. */
  below(limit) {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * limit)
  }

  pick(list) {
    return list[this.below(list.length)]
  }

  /** One to `most` of a list, without the duplicates. */
  some(list, most) {
    const size = 1 + this.below(most)
    return [...new Set(Array.from({ length: size }, () => this.pick(list)))]
  }

  /** True once in `times` on average. */
  once(times) {
    return this.below(times) === 0
  }
}
