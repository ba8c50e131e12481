import { problem } from '../problem.js'

/** Who wants a password hashed. */
export interface Hasher {
  /** Has one hash made at a time. */
  readonly subject: string
  /** Whether it goes before others: it is authenticated, or its address has signed in with this login before. */
  readonly isKnown: boolean
  /** Called when its turn comes. It may throw to refuse the hash. */
  readonly begin?: () => void
}

/**
 * Runs hashes of passwords, few at a time. Known hashers go first, then subjects take turns, so one that wants many
 * keeps another waiting for at most one of them. Beyond the bound the subject with the most waiting hashes loses the
 * last of them.
 */
export class HashLine {
  readonly #bounds: { readonly atOnce: number; readonly waiting: number }
  readonly #running = new Set<string>()
  /** Waiting hashes by subject. The subject whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(bounds: { readonly atOnce: number; readonly waiting: number }) {
    this.#bounds = bounds
  }

  /** Hashes that run now. */
  get running(): number {
    return this.#running.size
  }

  /** @throws ProblemError `unavailable` if too many wait, or what `begin` throws */
  async run<Result>(hasher: Hasher, hash: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((start, reject) => this.#add({ hasher, start, reject }))
    try {
      hasher.begin?.()
      return await hash()
    } finally {
      this.#running.delete(hasher.subject)
      this.#startNext()
    }
  }

  #add(waiting: Waiting): void {
    const { subject } = waiting.hasher
    this.#waiting.set(subject, [...(this.#waiting.get(subject) ?? []), waiting])
    this.#startNext()
    const all = [...this.#waiting.values()]
    if (all.reduce((sum, { length }) => sum + length, 0) <= this.#bounds.waiting) return
    const unknown = all.filter(([first]) => first?.hasher.isKnown === false)
    // Of equal lines the latest one.
    const longest = (unknown.length > 0 ? unknown : all).reduce((most, line) =>
      line.length >= most.length ? line : most,
    )
    const last = longest.pop()
    if (longest.length === 0 && last !== undefined) this.#waiting.delete(last.hasher.subject)
    last?.reject(problem('unavailable', { detail: 'Too many logins at the same time. Try again shortly.' }))
  }

  #startNext(): void {
    while (this.#running.size < this.#bounds.atOnce) {
      const free = [...this.#waiting].filter(([subject]) => !this.#running.has(subject))
      const [subject, line] = free.find(([, [first]]) => first?.hasher.isKnown) ?? free[0] ?? []
      const next = line?.shift()
      if (subject === undefined || line === undefined || next === undefined) return
      this.#waiting.delete(subject)
      if (line.length > 0) this.#waiting.set(subject, line)
      this.#running.add(subject)
      next.start()
    }
  }
}

interface Waiting {
  readonly hasher: Hasher
  readonly start: () => void
  readonly reject: (error: unknown) => void
}
