import type { SemVer } from 'semver'
import diff from 'semver/functions/diff.js'
import gt from 'semver/functions/gt.js'
import parse from 'semver/functions/parse.js'
import type { Bump, BumpSize, Change } from './change.js'

/**
 * What semver asks of the new version's number, and what it says. Below 1.0.0 a breaking change needs a minor bump and
 * anything else a patch (semver 2.0.0 item 4, as package managers read it); after a pre-release everything may change
 * (item 9). A date or another name promises nothing, so it declares nothing and is never too small. What is waived is
 * accepted under the number that it has.
 */
export function bumpOf(
  old: string,
  fresh: string,
  changes: readonly (Pick<Change, 'level'> & Partial<Pick<Change, 'waiver'>>)[],
): Bump {
  const [before, after] = [semantic(old), semantic(fresh)]
  const counted = changes.filter(({ waiver }) => waiver === undefined || waiver === null)
  const required = requiredBump(counted, before?.major === 0)
  if (before === undefined || after === undefined) return { required, declared: 'none', ok: true }
  if (!gt(after, before)) return { required, declared: 'none', ok: required === 'none' }
  const kind = diff(before, after)
  const declared: BumpSize = kind === null ? 'none' : (sizes[kind] ?? 'patch')
  return { required, declared, ok: before.prerelease.length > 0 || rank(declared) >= rank(required) }
}

/** A semantic version; one or two numbers are completed by zeros. Undefined for any other text, such as a date. */
export function semantic(version: string): SemVer | undefined {
  const short = /^v?\d+(\.\d+)?$/.exec(version)
  const found = parse(short === null ? version : `${version}${short[1] === undefined ? '.0.0' : '.0'}`)
  return found === null || found.major >= firstYear ? undefined : found
}

/** No API comes this far by its breaking changes: from here on the first number is a year, or a day. */
const firstYear = 1990

function requiredBump(changes: readonly Pick<Change, 'level'>[], early: boolean): BumpSize {
  if (changes.length === 0) return 'none'
  const worst = changes.some(({ level }) => level === 'breaking')
    ? 2
    : changes.some(({ level }) => level !== 'info')
      ? 1
      : 0
  return ranks[Math.max(1, 1 + worst - (early ? 1 : 0))] ?? 'patch'
}

const ranks: readonly BumpSize[] = ['none', 'patch', 'minor', 'major']

function rank(size: BumpSize): number {
  return ranks.indexOf(size)
}

const sizes: { readonly [kind: string]: BumpSize } = {
  major: 'major',
  premajor: 'major',
  minor: 'minor',
  preminor: 'minor',
}
