/** The scroll position of each history entry, only in memory. */
export interface Heights {
  /** Call this after a change of the history entry; a new entry gets an id. */
  enter(): void
  /** Runs code that changes the entry's address, which removes its id. */
  keep(readdress: () => void): void
  /** Scrolls to the entry's last position, else to its fragment. */
  restore(): void
}

/** @param isShown whether the page already shows this entry, and not the previous one */
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

/** The element of the address's fragment. `:target` may still be that of the previous entry. */
function named(): Element | null {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)))
  } catch {
    return null
  }
}

/** The entry's id, unique across documents. */
function entered(): string {
  const known: unknown = history.state?.entry
  if (typeof known === 'string') return known
  count += 1
  const entry = `${performance.timeOrigin} ${count}`
  history.replaceState({ entry }, '')
  return entry
}

let count = 0
