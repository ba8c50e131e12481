/**
 * The candidate that a misspelt word most likely means, if any: one edit away for words of three or four
 * letters, two for longer ones. Upper and lower case count as equal.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length < 3) return undefined
  const limit = word.length < 5 ? 1 : 2
  let best: { readonly candidate: string; readonly distance: number } | undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit || candidate === word) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { candidate, distance }
  }
  return best?.candidate
}

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours cost 1. */
function editDistance(a: string, b: string): number {
  let previous: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const beforePrevious = previous
    previous = row
    row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      )
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforePrevious[j - 2] ?? 0) + 1)
      row.push(cost)
    }
  }
  return row[b.length] ?? 0
}
