import type { NameSource } from './source.js'

/** Dotted names. None equals another or begins another at a dot. */
export class TakenNames {
  readonly #owners = new Map<string, NameSource>()
  /** For every beginning of a taken name, up to a dot, the first operation that has such a name. */
  readonly #beginnings = new Map<string, NameSource>()
  readonly #counts = new Map<string, number>()

  constructor(names: Iterable<readonly [NameSource, string]>) {
    for (const [source, name] of names) this.add(name, source)
  }

  add(name: string, owner: NameSource): void {
    this.#owners.set(name, owner)
    for (const beginning of beginningsOf(name))
      if (!this.#beginnings.has(beginning)) this.#beginnings.set(beginning, owner)
  }

  /** Operations whose names equal this name, begin it or continue it. Empty if there are none. */
  rivals(name: string): NameSource[] {
    const names = [name, ...beginningsOf(name)]
    return [...names.map((one) => this.#owners.get(one)), this.#beginnings.get(name)].filter(
      (owner) => owner !== undefined,
    )
  }

  /** Counts up from 2 for each text. Numbers below stay taken. */
  count(text: string): number {
    const number = this.#counts.get(text) ?? 2
    this.#counts.set(text, number + 1)
    return number
  }
}

/** `lnp` and `lnp.gateways` of `lnp.gateways.search`. */
export function beginningsOf(name: string): string[] {
  const found: string[] = []
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
    found.push(name.slice(0, dot))
  return found
}
