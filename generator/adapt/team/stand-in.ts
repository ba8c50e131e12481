/** Thrown by what only a running service has. */
class Missing extends Error {
  override readonly name = 'Missing'
}

/**
 * Represents what only a running service can give an adapter: its database, or the caller of a call. Building the adapter
 * may use it freely. A converter that uses it afterwards cannot be tried.
 */
export class StandIns {
  #isRunning = false
  #missed: string | undefined

  /**
   * @param what a name for people: `the running service`
   * @param given members that it has
   */
  of(what: string, given: object = {}): object {
    return this.#standIn(what, true, given)
  }

  /** From now on, uses are noted. */
  run(): void {
    this.#isRunning = true
  }

  /** What was used since the last question. */
  missed(): string | undefined {
    const missed = this.#missed
    this.#missed = undefined
    return missed
  }

  /** Taking members out of the whole says nothing: `(params, { signal }) => params`. */
  #standIn(what: string, isWhole: boolean, given: object = {}): object {
    const note = (): void => {
      if (!this.#isRunning) return
      this.#missed = what
      throw new Missing(what)
    }
    const part = (): object => {
      note()
      return this.#standIn(what, false)
    }
    return new Proxy(function standIn() {}, {
      get: (_, name) => {
        if (Object.hasOwn(given, name)) return Reflect.get(given, name)
        if (name === Symbol.toPrimitive && !this.#isRunning) return () => ''
        return isWhole ? this.#standIn(what, false) : part()
      },
      apply: part,
      construct: part,
      has: (target, name) => {
        note()
        return Reflect.has(target, name)
      },
      ownKeys: (target) => {
        note()
        return Reflect.ownKeys(target)
      },
      set: () => {
        note()
        return true
      },
    })
  }
}
