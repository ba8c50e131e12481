/**
 * An entry of the search: an operation, or another explained thing, whose method is empty and whose path is a
 * description. Field names are separated by spaces.
 */
export type Entry = readonly [
  name: string,
  method: string,
  path: string,
  summary: string,
  fields: string,
  href: string,
]

export interface Match {
  /** What people call it: an operation's title. */
  readonly title: string
  readonly name: string
  readonly path: string
  readonly href: string
  /** The match, if neither name nor path shows it; else the summary. */
  readonly why: string
}

/** The best matches, and the number of all matches. */
export interface Matches {
  readonly best: readonly Match[]
  readonly total: number
}

interface SearchedEntry {
  readonly entry: Entry
  /** Name, method and path, summary, fields, in lower case. */
  readonly keys: readonly string[]
  readonly length: number
}

/**
 * Finds entries that contain each word in their name, path, summary or fields. Exact names and paths come
 * first, then those that begin with the text, then operations; then by how well each word matches, shorter
 * entries first. If there are none, each word may have a typing error, or be the singular of a plural.
 */
export function finderOf(entries: readonly Entry[]): (text: string) => Matches {
  // Lower case once, not at each keystroke.
  const known = entries.map((entry): SearchedEntry => {
    const [name, method, path, summary, fields] = entry
    const keys = [name, `${method} ${path}`, summary, fields].map((text) => text.trim().toLowerCase())
    return { entry, keys, length: name.length + path.length }
  })
  const find = (words: readonly string[]): Matches => {
    if (words.length === 0) return { best: [], total: 0 }
    const found: { one: SearchedEntry; score: number }[] = []
    for (const one of known) {
      const scores = words.map((word) => fit(one.keys, word))
      if (scores.includes(0)) continue
      const isOperation = one.entry[1] !== ''
      const score = wholeFit(one, words.join(' ')) + (isOperation ? operationFirst : 0)
      found.push({ one, score: scores.reduce((sum, each) => sum + each, score) })
    }
    found.sort((a, b) => b.score - a.score || inOrder(a.one, b.one))
    return { best: found.slice(0, most).map(({ one }) => shown(one, words)), total: found.length }
  }
  let vocabulary: ReadonlyMap<string, number> | undefined
  return (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    const matches = find(words)
    if (matches.total > 0 || words.length === 0) return matches
    vocabulary ??= vocabularyOf(known)
    const said = vocabulary
    return find(words.map((word) => stem(spelled(word, said) ?? word)))
  }
}

/** What the singular and the plural of a word share: `currenc` of currency and currencies. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|y|s)$/, '') : word
}

/** All words of the entries, each with its letters. */
function vocabularyOf(entries: readonly SearchedEntry[]): ReadonlyMap<string, number> {
  // One split of all texts takes a third of the time of one for each.
  const words = new Set(
    entries
      .map(({ keys }) => keys.join(' '))
      .join(' ')
      .split(/[^a-z0-9]+/),
  )
  return new Map(Array.from(words, (word) => [word, lettersOf(word)]))
}

/** The set of a word's letters, as bits. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

/** The number of bits that are set. */
function size(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** The known word that a word with a typing error stands for: one or, in a long word, two letters differ. */
function spelled(word: string, vocabulary: ReadonlyMap<string, number>): string | undefined {
  if (word.length < 4 || vocabulary.has(word)) return undefined
  const letters = lettersOf(word)
  let best: string | undefined
  let least = word.length < 8 ? 2 : 3
  for (const [known, others] of vocabulary) {
    if (Math.abs(known.length - word.length) >= least) continue
    // An error changes at most two letters of the set: one that is missing, and one that is extra.
    if (size(letters ^ others) > 2 * (least - 1)) continue
    const found = distance(word, known, least)
    if (found >= least) continue
    best = known
    least = found
  }
  return best
}

/** Insertions, deletions, changes and swaps of neighbours (optimal string alignment), up to `limit`. */
function distance(a: string, b: string, limit: number): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (before[j - 2] ?? 0) + 1)
      row.push(value)
      least = Math.min(least, value)
    }
    if (least >= limit) return limit
    before = last
    last = row
  }
  return last[b.length] ?? limit
}

const most = 20

/** More than the sum of all words' scores, unless the search is very long. */
const operationFirst = 500

function inOrder(a: SearchedEntry, b: SearchedEntry): number {
  return a.length - b.length || (a.entry[0] < b.entry[0] ? -1 : 1)
}

/**
 * How well the whole text matches a name, a path, or a method and path: equals it, or is its beginning up to
 * the end of a part.
 */
function wholeFit({ keys: [name = '', call = ''] }: SearchedEntry, typed: string): number {
  const starts = [name, call, call.slice(call.indexOf(' ') + 1)].filter((text) => text.startsWith(typed))
  if (starts.includes(typed)) return 2000
  return starts.some((text) => !inWord.test(text[typed.length] ?? '')) ? 1000 : 0
}

const inWord = /[a-z0-9_-]/

/**
 * How well a word matches, in this order: in a name, a path, a summary, a field; within one by its best
 * position. 0: no match.
 */
function fit(keys: readonly string[], word: string): number {
  for (const [index, key] of keys.entries()) {
    let best = -1
    for (let at = key.indexOf(word); at !== -1 && best < 15; at = key.indexOf(word, at + 1))
      best = Math.max(best, placeFit(key, word, at))
    if (best !== -1) return 100 - 20 * index + best
  }
  return 0
}

/** A whole text, a whole part of it, the start of a part, or inside a part. */
function placeFit(key: string, word: string, at: number): number {
  const before = key.charCodeAt(at - 1)
  if (isLetter(before)) return 0
  const end = at + word.length
  if (at === 0 && end === key.length) return 19
  const isWhole = !isJoining(before) && !isLetter(key.charCodeAt(end)) && !isJoining(key.charCodeAt(end))
  return isWhole ? 15 : 10
}

/** Whether a code is that of `a` to `z` or `0` to `9`. False for NaN, before and after a text. */
function isLetter(code: number): boolean {
  return (code > 96 && code < 123) || (code > 47 && code < 58)
}

/** Whether a code is that of `-` or `_`. */
function isJoining(code: number): boolean {
  return code === 45 || code === 95
}

function shown({ entry, keys: [name = '', call = ''] }: SearchedEntry, words: readonly string[]): Match {
  const [, method, path, summary, fields, href] = entry
  const hidden = words.filter((word) => !name.includes(word) && !call.includes(word))
  const names = hidden.length === 0 ? [] : fields.split(' ')
  const field =
    names.find((one) => hidden.includes(one.toLowerCase())) ??
    names.find((one) => hidden.some((word) => one.toLowerCase().includes(word)))
  const isOperation = method !== ''
  const stated = summary.replace(/ \(operationId .*\)$/, '')
  const title = isOperation && stated !== '' ? stated : entry[0]
  const why = field !== undefined ? `field ${field}` : title === summary ? '' : summary
  const place = field !== undefined && isOperation ? `${href}/${encodeURIComponent(field)}` : href
  return { title, name: entry[0], path: `${method} ${path}`.trim(), href: place, why }
}
