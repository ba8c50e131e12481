/** One operation as it is searched for: name, method, path, summary, field names, URL. */
export type Entry = readonly [
  name: string,
  method: string,
  path: string,
  summary: string,
  fields: string,
  href: string,
]

export interface Found {
  readonly name: string
  readonly path: string
  readonly href: string
  /** Why it was found, where neither its name nor its path says so; else what it does. */
  readonly why: string
}

/** Finds operations by words that each stand in their name, path, summary or fields, the best first. */
export function finderOf(entries: readonly Entry[]): (text: string) => Found[] {
  // In lower case once, not at each key.
  const known = entries.map((entry) => {
    const [name, method, path, summary, fields] = entry
    return { entry, keys: [name, `${method} ${path}`, summary, fields].map((text) => text.toLowerCase()) }
  })
  return (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return []
    const found: { entry: Entry; score: number }[] = []
    for (const { entry, keys } of known) {
      const scores = words.map((word) => fit(keys, word))
      if (scores.includes(0)) continue
      found.push({ entry, score: scores.reduce((sum, score) => sum + score, 0) })
    }
    found.sort((a, b) => b.score - a.score || (a.entry[0] < b.entry[0] ? -1 : 1))
    return found.slice(0, most).map(({ entry }) => shown(entry, words))
  }
}

const most = 20

/** How well a word fits: in a name before a path, a summary, a field; at its start before its middle. 0: not at all. */
function fit(keys: readonly string[], word: string): number {
  for (const [index, key] of keys.entries()) {
    const at = key.indexOf(word)
    if (at === -1) continue
    const isStart = at === 0 || /[^a-z0-9]/.test(key[at - 1] ?? '')
    return 100 - 20 * index + (isStart ? 10 : 0) + (key.length === word.length ? 5 : 0)
  }
  return 0
}

function shown([name, method, path, summary, fields, href]: Entry, words: readonly string[]): Found {
  const holds = (text: string): boolean => words.some((word) => text.toLowerCase().includes(word))
  const field = holds(`${name} ${path}`) ? undefined : fields.split(' ').find(holds)
  return { name, path: `${method} ${path}`, href, why: field === undefined ? summary : `field ${field}` }
}
