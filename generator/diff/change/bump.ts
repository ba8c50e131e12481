import type { SemVer } from 'semver'
import diff from 'semver/functions/diff.js'
import gt from 'semver/functions/gt.js'
import parse from 'semver/functions/parse.js'
import type { Bump, BumpSize, Change } from './change.js'

/**
 * The version bump that semver requires and the one that the new version declares. Below 1.0.0 a breaking change needs
 * a minor bump and any other a patch (semver 2.0.0 item 4, as package managers read it). After a pre-release anything
 * may change (item 9). A date or another name promises nothing: it declares nothing and is never too small. Waived
 * changes count neither way: they are accepted under the number that the version has.
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

/** A semantic version, with missing numbers filled in as zeros. Undefined for other texts, such as a date. */
export function semantic(version: string): SemVer | undefined {
  const short = /^v?\d+(\.\d+)?$/.exec(version)
  const found = parse(short === null ? version : `${version}${short[1] === undefined ? '.0.0' : '.0'}`)
  return found === null || found.major >= firstYear ? undefined : found
}

/** No API has so many breaking changes: from here on, the first number is a year or a date. */
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
