import parse from 'semver/functions/parse.js'

/**
 * The semantic version under which npm accepts a document's version. npm refuses packages with versions such
 * as `1.0` or `2020-09-14`.
 *
 * 1. A semantic version stays, without a leading `v`.
 * 2. In any other text the last sequence of numbers with dots counts (`1.697.4` of `2020-09-14_1.697.4`). If
 * there is none, all its numbers count (`2020.9.14` of `2020-09-14`).
 * 3. Missing numbers are 0. A fourth number, and a word for a pre-release (`1.0-beta2`), follow a dash.
 */
export function packageVersion(version: string): string {
  const found = parse(version)
  if (found !== null) return found.version
  const named = preRelease.exec(version)?.[0] ?? ''
  const plain = version.replace(named, ' ')
  const dotted = plain.match(/\d+(?:\.\d+)+/g)?.at(-1)
  const numbers = dotted?.split('.') ?? plain.match(/\d+/g) ?? []
  const [major = 0n, minor = 0n, patch = 0n, ...rest] = numbers.map(BigInt)
  const tail = [...(dotted === undefined ? [] : rest), ...(named === '' ? [] : [named.toLowerCase()])]
  const text = `${major}.${minor}.${patch}${tail.length === 0 ? '' : `-${tail.join('.')}`}`
  return parse(text)?.version ?? '0.0.0'
}

const preRelease = /(?<![a-z])(?:alpha|beta|rc|pre|preview|draft|dev|snapshot|canary|next)\d*(?![a-z])/i
