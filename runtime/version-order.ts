import type { Adapter } from './server/adapter.js'

/**
 * The newest of several versions.
 *
 * @param names versions, which must be from the oldest to the newest
 * @param adapters by the older version of each pair of neighbours
 * @throws Error for no version, for one that is there twice, for another order, and for adapters that adapt nothing
 */
export function newestOf(names: readonly string[], adapters: Readonly<Record<string, Adapter>>): string {
  const newest = names.at(-1)
  if (newest === undefined) throw new Error('createVersions needs at least one version')
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`createVersions has two versions ${twice}. Remove one of them.`)
  const later = names.findIndex((name, at) => at > 0 && isOlder(name, names[at - 1] ?? ''))
  if (later > 0)
    throw new Error(
      `createVersions needs versions from the oldest to the newest, but ${names[later - 1]} is before ${names[later]}. ` +
        'Change their order.',
    )
  for (const name of Object.keys(adapters)) {
    if (name === newest)
      throw new Error(
        `adapters has an entry for ${name}, the newest version, whose handlers serve it. Name an adapter after the older ` +
          'version of its step.',
      )
    if (!names.includes(name))
      throw new Error(`adapters: There is no version ${name}. ${versionsText(names)}`)
  }
  return newest
}

/** `Versions: 1.0.0, 1.1.0.` */
export function versionsText(names: readonly string[]): string {
  return `Versions: ${names.join(', ')}.`
}

/** By the precedence of Semantic Versioning 2.0.0, item 11. Names that begin with no number have no order. */
function isOlder(one: string, other: string): boolean {
  const [ours, theirs] = [parsed(one), parsed(other)]
  if (ours === undefined || theirs === undefined) return false
  const byNumber = compared(ours.release, theirs.release)
  if (byNumber !== 0) return byNumber < 0
  if (ours.prerelease.length === 0 || theirs.prerelease.length === 0)
    return ours.prerelease.length > theirs.prerelease.length
  return compared(ours.prerelease, theirs.prerelease) < 0
}

function parsed(
  name: string,
): { readonly release: readonly Part[]; readonly prerelease: readonly Part[] } | undefined {
  const [, release = '', prerelease] = /^v?(\d+(?:\.\d+)*)(?:-([^+]*))?(?:\+.*)?$/.exec(name) ?? []
  if (release === '') return undefined
  return { release: partsOf(release), prerelease: prerelease === undefined ? [] : partsOf(prerelease) }
}

type Part = string | number

function partsOf(text: string): readonly Part[] {
  return text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

/** Negative if the first list is before the second. A number is before a text, and a list before a longer one. */
function compared(one: readonly Part[], other: readonly Part[]): number {
  for (const [index, part] of one.entries()) {
    const theirs = other[index]
    if (theirs === undefined) return 1
    if (part === theirs) continue
    if (typeof part === typeof theirs) return part < theirs ? -1 : 1
    return typeof part === 'number' ? -1 : 1
  }
  return one.length - other.length
}
