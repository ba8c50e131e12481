/** Remembers when keys were used, and stores it from time to time: a call does not wait for it. */
export interface KeyUse {
  /** @param id row id of the key */
  note(id: string): void
  /** Stores what was noted. A failure keeps it for the next time. */
  flush(): Promise<void>
}

export function createKeyUse(
  store: (uses: readonly { readonly id: string; readonly at: string }[]) => Promise<void>,
  now: () => number = Date.now,
): KeyUse {
  let uses = new Map<string, number>()
  return {
    note(id) {
      if (uses.size < mostUses || uses.has(id)) uses.set(id, now())
    },
    async flush() {
      const given = uses
      uses = new Map()
      try {
        await store([...given].map(([id, at]) => ({ id, at: new Date(at).toISOString() })))
      } catch (error) {
        for (const [id, at] of given) if (!uses.has(id) && uses.size < mostUses) uses.set(id, at)
        throw error
      }
    },
  }
}

const mostUses = 10_000
