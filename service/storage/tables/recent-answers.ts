import { LRUCache } from 'lru-cache'

interface RecentAnswersOptions<Answer> {
  /** Answers that are kept at most; the one asked for longest ago goes. */
  readonly most: number
  /** How old an answer may be, in milliseconds, counted from when the database was asked. */
  readonly ms: number
  /** Less for one of them. */
  readonly msOf?: (answer: Answer) => number | undefined
  /** Whose answer it is, to forget all of one owner's at once. */
  readonly ownerOf?: (answer: Answer) => string
}

/**
 * What the database answered a short while ago, to be answered again without asking it. Calls that ask the same at
 * the same time ask once. That there is no answer is not kept. A question that was under way when something was
 * forgotten may have seen what was before: its answer is not kept, and later calls ask anew.
 */
export class RecentAnswers<Answer extends object> {
  readonly #options: RecentAnswersOptions<Answer>
  readonly #kept: LRUCache<string, Answer>
  readonly #keysOf = new Map<string, Set<string>>()
  #underWay = new Map<string, Promise<Answer | undefined>>()

  constructor(options: RecentAnswersOptions<Answer>) {
    this.#options = options
    this.#kept = new LRUCache({
      max: options.most,
      ttl: options.ms,
      dispose: (answer, key) => this.#disown(answer, key),
    })
  }

  /** The answer that is kept for the key, else that of `ask`. Rejects as `ask` does. */
  get(key: string, ask: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
    const kept = this.#kept.get(key)
    if (kept !== undefined) return Promise.resolve(kept)
    const underWay = this.#underWay
    const asked = underWay.get(key)
    if (asked !== undefined) return asked
    const start = performance.now()
    const asking = ask()
      .then((answer) => {
        if (answer !== undefined && underWay === this.#underWay) this.#keep(key, answer, start)
        return answer
      })
      .finally(() => underWay.delete(key))
    underWay.set(key, asking)
    return asking
  }

  forget(key: string): void {
    this.#underWay = new Map()
    this.#kept.delete(key)
  }

  forgetOwner(owner: string): void {
    this.#underWay = new Map()
    for (const key of [...(this.#keysOf.get(owner) ?? [])]) this.#kept.delete(key)
  }

  forgetAll(): void {
    this.#underWay = new Map()
    this.#kept.clear()
  }

  #keep(key: string, answer: Answer, start: number): void {
    const { ms, msOf, ownerOf } = this.#options
    // To the cache 0 means forever.
    const ttl = Math.floor(Math.min(ms, msOf?.(answer) ?? ms))
    if (ttl < 1) return
    this.#kept.set(key, answer, { ttl, start })
    if (ownerOf === undefined) return
    const owner = ownerOf(answer)
    const keys = this.#keysOf.get(owner)
    if (keys === undefined) this.#keysOf.set(owner, new Set([key]))
    else keys.add(key)
  }

  #disown(answer: Answer, key: string): void {
    const owner = this.#options.ownerOf?.(answer)
    if (owner === undefined) return
    const keys = this.#keysOf.get(owner)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysOf.delete(owner)
  }
}
