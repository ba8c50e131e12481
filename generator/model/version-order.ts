import compare from 'semver/functions/compare.js'
import { packageVersion } from './package-version.js'

/** Compares versions of documents in the order of their packages, the oldest first. Equal ones by their text. */
export function compareVersions(a: string, b: string): number {
  return compare(packageVersion(a), packageVersion(b)) || (a < b ? -1 : a > b ? 1 : 0)
}
