/** How far the page was scrolled at each entry of the history, in memory alone. */
export interface Heights {
  /** To be called at another entry; one that is new gets its name. */
  enter(): void
  /** Does what gives the entry another address, which takes its name away. */
  keep(readdress: () => void): void
  /** Scrolls to where the entry was left, else to what its fragment names. */
  restore(): void
}

/** @param isShown whether what is scrolled belongs to the entry, and not to the one before it */
export function heightsOf(isShown: () => boolean): Heights {
  const heights = new Map<string, number>()
  let entry = entered()
  addEventListener(
    'scroll',
    () => {
      if (isShown()) heights.set(entry, scrollY)
    },
    { passive: true },
  )
  return {
    enter() {
      entry = entered()
    },
    keep(readdress) {
      const kept = entry
      readdress()
      entry = kept
      history.replaceState({ entry }, '')
    },
    restore() {
      const height = heights.get(entry)
      if (height !== undefined) scrollTo(0, height)
      else named()?.scrollIntoView()
    },
  }
}

/** What the fragment of the address names. `:target` may still be what the entry before it named. */
function named(): Element | null {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)))
  } catch {
    return null
  }
}

/** The name of the entry, which no other has, of this document or of one before it. */
function entered(): string {
  const known: unknown = history.state?.entry
  if (typeof known === 'string') return known
  count += 1
  const entry = `${performance.timeOrigin} ${count}`
  history.replaceState({ entry }, '')
  return entry
}

let count = 0
