/** Dotted names. None equals another or begins another at a dot. */
export class TakenNames {
  readonly #names = new Set<string>()
  /** Every beginning of a taken name, up to a dot. */
  readonly #beginnings = new Set<string>()
  readonly #counts = new Map<string, number>()

  constructor(names: Iterable<string>) {
    for (const name of names) this.add(name)
  }

  add(name: string): void {
    this.#names.add(name)
    for (const beginning of beginningsOf(name)) this.#beginnings.add(beginning)
  }

  /** Whether a name is taken, or begins or continues a taken one. */
  meets(name: string): boolean {
    if (this.#names.has(name) || this.#beginnings.has(name)) return true
    return beginningsOf(name).some((beginning) => this.#names.has(beginning))
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
