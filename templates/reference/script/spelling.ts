/** All words of texts in lower case, each with its letters. */
export function vocabularyOf(texts: readonly string[]): ReadonlyMap<string, number> {
  // One split of all texts takes a third of the time of one for each.
  const words = new Set(texts.join(' ').split(/[^a-z0-9]+/))
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
export function spelled(word: string, vocabulary: ReadonlyMap<string, number>): string | undefined {
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
