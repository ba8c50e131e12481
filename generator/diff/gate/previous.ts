import rcompare from 'semver/functions/rcompare.js'
import { semantic } from '../change/bump.js'

/**
 * The version whose callers a new version must keep: the greatest release below it with the same major number, and
 * below 1.0.0 the same minor number. Undefined if there is none, or if the new version promises nothing.
 */
export function previousVersion(version: string, others: readonly string[]): string | undefined {
  const own = semantic(version)
  if (own === undefined) return undefined
  const kept = others.flatMap((name) => {
    const other = semantic(name)
    const isKept =
      other !== undefined &&
      other.prerelease.length === 0 &&
      other.major === own.major &&
      (own.major > 0 || other.minor === own.minor) &&
      other.compare(own) < 0
    return isKept ? [{ name, other }] : []
  })
  return kept.sort((a, b) => rcompare(a.other, b.other))[0]?.name
}
