import compare from 'semver/functions/compare.js'
import { packageVersion } from './package-version.js'

/** Versions of documents as their packages are ordered, the oldest first; where these are equal, by their text. */
export function compareVersions(a: string, b: string): number {
  return compare(packageVersion(a), packageVersion(b)) || (a < b ? -1 : a > b ? 1 : 0)
}
