import type { Protocol } from 'duet-runtime'
import type { Change, Comparison, Proof, Verdict, Waiver } from '../change/change.js'
import type { Level } from '../change/level.js'
import { levels } from '../change/level.js'
import { someNames } from '../change/protocol.js'
import { pairingWarning } from '../pairing/score.js'

/** What a verdict means for callers of a protocol. */
export const verdictMeanings: { readonly [verdict in Verdict]: string } = {
  identical: 'Nothing changes for callers.',
  compatible: 'Callers keep working as they are.',
  dangerous: 'Some callers may have to change.',
  breaking: 'Callers have to change.',
}

/** The number of changes with a level, and how many of them are waived. */
export interface Count {
  readonly level: Level
  readonly count: number
  readonly waived: number
  readonly adapted: number
}

/** The worst first, without levels that have no change. */
export function countsOf(changes: readonly Change[], protocol?: Protocol): Count[] {
  return levels.flatMap((level) => {
    const found = changes.filter(
      (change) => change.level === level && (protocol === undefined || change.protocols.includes(protocol)),
    )
    const waived = found.filter(({ waiver }) => waiver !== null).length
    const adapted = found.filter((one) => one.waiver === null && one.adapter !== undefined).length
    return found.length === 0 ? [] : [{ level, count: found.length, waived, adapted }]
  })
}

/** `6 breaking (2 waived), 1 compatible`, or `no changes`. */
export function countsText(counts: readonly Count[]): string {
  const parts = counts.map(({ level, count, waived, adapted }) => {
    const accepted = [
      ...(waived === 0 ? [] : [`${waived} waived`]),
      ...(adapted === 0 ? [] : [`${adapted} adapted`]),
    ]
    return `${count} ${level}${accepted.length === 0 ? '' : ` (${accepted.join(', ')})`}`
  })
  return parts.join(', ') || 'no changes'
}

/** `major required, minor declared`. */
export function bumpText({ bump }: Comparison): string {
  return `${bump.required} required, ${bump.declared} declared`
}

/** The names of the two versions in a sentence: their numbers, or `old` and `new` if those are equal or missing. */
export function sideNames({ old, new: fresh }: Comparison): { readonly old: string; readonly new: string } {
  const differ = old.version !== fresh.version && old.version !== '' && fresh.version !== ''
  return differ ? { old: old.version, new: fresh.version } : { old: 'old', new: 'new' }
}

/**
 * How each version responds to a proof. Names the operation if it is not the change's own, and the address if it has
 * moved.
 */
export function outcomesOf(
  { old, new: fresh, operation, newAddress = {} }: Extract<Proof, { status: 'verified' }>,
  comparison: Comparison,
): readonly { readonly version: string; readonly answer: string }[] {
  const names = sideNames(comparison)
  const where = operation === undefined ? '' : ` (in ${operation})`
  const addresses = Object.values(newAddress).map((address) => ` (asked at ${address})`)
  return [
    { version: names.old, answer: old },
    { version: names.new, answer: [fresh, where, ...addresses].join('') },
  ]
}

/** Why a proof shows no call. Undefined if it shows one, or if there can be none. */
export function unshown(proof: Proof): string | undefined {
  if (proof.status === 'unproven') return `none: ${proof.reason}`
  return proof.status === 'alike' ? `as for ${proof.fingerprint}, of the same edit` : undefined
}

/** `REST only`. Undefined if all callers notice. */
export function onlyText({ protocols }: Pick<Change, 'protocols'>): string | undefined {
  const names = someNames(protocols)
  return names === '' ? undefined : `${names} only`
}

/** A message that begins with words of ours has a capital; names of the document stay. */
export function asSentence(message: string): string {
  return message.replace(/^the /, 'The ')
}

/** `in 46 operations: clients.get, clients.update and 44 more`. */
export function reachText({ operations }: Change): string {
  return `in ${operations.length} operations: ${listed(operations, operations.length === 3 ? 3 : 2)}`
}

/** The first names, and the number of the others. */
export function listed(names: readonly string[], most: number): string {
  const rest = names.length - most
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** `file:line:column`. */
export function positionText({ file, line, column }: { file: string; line: number; column: number }): string {
  return `${file}:${line}:${column}`
}

/** Warnings about the comparison itself: operations paired by similarity, and documents that hardly belong together. */
export function remarks({ pairs, pairing }: Comparison): string[] {
  const guessed = pairs
    .filter(({ by }) => by === 'similarity')
    .map((pair) => `${pair.old} was taken for ${pair.new} (alike by ${pair.score.toFixed(2)})`)
  const unlike = pairingWarning(pairing)
  return unlike === undefined ? guessed : [...guessed, unlike]
}

/** ` (and 2 copies)`. Empty without copies. */
export function copiesText(copies: readonly string[] = []): string {
  return copies.length === 0 ? '' : ` (and ${copies.length === 1 ? 'a copy' : `${copies.length} copies`})`
}

/** `by ada until 2027-01-01: nobody calls it`. */
export function waivedText({ owner, expires, reason }: Waiver): string {
  return `by ${owner} until ${expires}: ${reason}`
}
