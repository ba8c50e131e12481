import compare from 'semver/functions/compare.js'
import valid from 'semver/functions/valid.js'

/** As semver orders them, the oldest first; versions that it cannot read come first, in the order of their text. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [valid(a), valid(b)]
  if (first !== null && second !== null) return compare(first, second)
  return Number(first !== null) - Number(second !== null) || (a < b ? -1 : a > b ? 1 : 0)
}
