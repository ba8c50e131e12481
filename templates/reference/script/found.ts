import { spelled, vocabularyOf } from './spelling.js'

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
  /** The match, if neither title, name nor path shows it; else the summary, unless it is the title. */
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
  /** The summary without the operationId. */
  readonly title: string
  readonly length: number
}

/**
 * Finds entries that contain each word in their name, path, summary or fields. Exact names and paths come
 * first, then those that begin with the text, then operations; then by how well each word matches, and how much of
 * a title several words are, shorter entries first. If there are none, a path may have values in place of its
 * parameters. If there are still none, each word may have a typing error, or be the singular of a plural, and names
 * count as their words. If there are none yet, one word of three may be missing.
 */
export function finderOf(entries: readonly Entry[]): (text: string) => Matches {
  // Lower case once, not at each keystroke.
  const known = entries.map((entry): SearchedEntry => {
    const [name, method, path, summary, fields] = entry
    const keys = [name, `${method} ${path}`, summary, fields].map((text) => text.trim().toLowerCase())
    return { entry, keys, title: titleOf(summary).toLowerCase(), length: name.length + path.length }
  })
  const find = (words: readonly string[], mostMissing = 0): Matches => {
    if (words.length === 0) return { best: [], total: 0 }
    const found: { one: SearchedEntry; score: number }[] = []
    for (const one of known) {
      const scores = words.map((word) => fit(one.keys, word))
      const missing = words.filter((_, index) => scores[index] === 0)
      if (missing.length > mostMissing) continue
      const isOperation = one.entry[1] !== ''
      const score = wholeFit(one, words.join(' ')) + titleFit(one, words) + (isOperation ? operationFirst : 0)
      // Long words say more than `all` or `the`.
      const lost = missing.length * missingLast + missing.join('').length * missingLetter
      found.push({ one, score: scores.reduce((sum, each) => sum + each, score - lost) })
    }
    found.sort((a, b) => b.score - a.score || inOrder(a.one, b.one))
    return { best: found.slice(0, most).map(({ one }) => shown(one, words)), total: found.length }
  }
  let vocabulary: ReadonlyMap<string, number> | undefined
  return (text) => {
    const typed = text.split(/\s+/).filter(Boolean)
    const matches = find(typed.map((word) => word.toLowerCase()))
    if (matches.total > 0 || typed.length === 0) return matches
    const called = known.filter(({ entry }) => isCalled(entry, typed))
    if (called.length > 0) {
      called.sort((a, b) => parametersOf(a) - parametersOf(b) || inOrder(a, b))
      return { best: called.slice(0, most).map((one) => shown(one, [])), total: called.length }
    }
    vocabulary ??= vocabularyOf(known.flatMap(({ keys }) => keys))
    const said = vocabulary
    const names = typed.map((name) => {
      const lower = name.toLowerCase()
      return spelled(lower, said) ?? lower.replace(/[a-z\d]+/g, (word) => spelled(word, said) ?? word)
    })
    for (const similar of [find(names), find(names.map(stem))]) if (similar.total > 0) return similar
    const words = typed.flatMap(wordsOf).map((word) => stem(spelled(word, said) ?? word))
    const apart = find(words)
    return apart.total > 0 ? apart : find(words, Math.floor(words.length / 3))
  }
}

/** The words of a name: `amount_captured`, `issues/create-comment`, `createChat`. */
function wordsOf(name: string): string[] {
  const apart = name.replace(/([a-z\d])(?=[A-Z])/g, '$1 ').toLowerCase()
  return apart.split(/[\s_./-]+/).filter(Boolean)
}

/** What the singular and the plural of a word share: `currenc` of currency and currencies. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|y|s)$/, '') : word
}

const most = 20

/** More than the sum of all words' scores, unless the search is very long. */
const operationFirst = 500

/** More than a whole match is worth: entries with more of the words come first. */
const missingLast = 5_000
/** More than the score of a word. */
const missingLetter = 200

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
 * More than names are worth before titles, if all of several words are in the title: the more, the shorter it is, and
 * if it begins with them.
 */
function titleFit({ title }: SearchedEntry, words: readonly string[]): number {
  if (words.length < 2 || !words.every((word) => fit([title], word) > 0)) return 0
  const text = words.join(' ')
  return 50 * words.length + (100 * text.length) / title.length + (title.startsWith(text) ? 100 : 0)
}

/** Whether a path, or a method and a path, is that of a call: with values in place of parameters. */
function isCalled([, method, template]: Entry, typed: readonly string[]): boolean {
  const [path = '', asked = method, ...others] = [...typed].reverse()
  if (!path.startsWith('/') || method === '' || asked.toUpperCase() !== method || others.length > 0)
    return false
  const values = path
    .replace(/[?#].*/, '')
    .split('/')
    .slice(1)
  // The typed path may be below the base path. It begins with a name, not with a value.
  const segments = template.split('/').slice(-values.length)
  if (segments.length < values.length || segments[0]?.includes('{')) return false
  return segments.every((segment, index) => fits(segment.toLowerCase(), values[index]?.toLowerCase() ?? ''))
}

function fits(segment: string, value: string): boolean {
  const parts = segment.split(/\{[^{}]*\}/)
  const [before = '', after = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return segment === value
  return value.length > before.length + after.length && value.startsWith(before) && value.endsWith(after)
}

function parametersOf({ entry: [, , path] }: SearchedEntry): number {
  return path.split('{').length
}

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

function titleOf(summary: string): string {
  return summary.replace(/ \(operationId .*\)$/, '')
}

function shown({ entry, keys: [name = '', call = ''] }: SearchedEntry, words: readonly string[]): Match {
  const [, method, path, summary, fields, href] = entry
  const hidden = words.filter((word) => !name.includes(word) && !call.includes(word))
  const names = hidden.length === 0 ? [] : fields.split(' ')
  const field =
    names.find((one) => hidden.includes(one.toLowerCase())) ??
    names.find((one) => hidden.some((word) => one.toLowerCase().includes(word)))
  const isOperation = method !== ''
  const stated = titleOf(summary)
  const title = isOperation && stated !== '' ? stated : entry[0]
  const isTold = title === stated && hidden.every((word) => title.toLowerCase().includes(word))
  const why = field !== undefined ? `field ${field}` : isTold || title === summary ? '' : summary
  const place = field !== undefined && isOperation ? `${href}/${encodeURIComponent(field)}` : href
  return { title, name: entry[0], path: `${method} ${path}`.trim(), href: place, why }
}
