import { diff, gt, parse } from 'semver'
import type { Bump, BumpSize, Change } from './change.js'

/**
 * What semver asks of the new version's number, and what it says. Below 1.0.0 a breaking change needs a minor bump and
 * anything else a patch (semver 2.0.0 item 4, as package managers read it); between pre-releases of one version everything may
 * change (item 9). Versions that are no semver declare nothing.
 */
export function bumpOf(old: string, fresh: string, changes: readonly Pick<Change, 'level'>[]): Bump {
  const [before, after] = [parse(old, { loose: true }), parse(fresh, { loose: true })]
  const early = before !== null && before.major === 0
  const required = requiredBump(changes, early)
  if (before === null || after === null || !gt(after, before))
    return { required, declared: 'none', ok: required === 'none' }
  const within = before.prerelease.length > 0 && before.compare(after) !== 0
  const kind = diff(before, after)
  const declared: BumpSize = kind === null ? 'none' : (sizes[kind] ?? 'patch')
  return { required, declared, ok: within || rank(declared) >= rank(required) }
}

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
