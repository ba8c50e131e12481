import type { Protocol } from 'duet-runtime'
import { listed as namesIn } from '../../project/terminal.js'
import type { Change, Comparison, Proof, Verdict, Waiver } from '../change/change.js'
import type { Level } from '../change/level.js'
import { levels } from '../change/level.js'
import { someNames, verdictRows } from '../change/protocol.js'
import { unitsOf } from '../change/units.js'
import { pairingWarning } from '../pairing/score.js'

/** What a verdict means for callers of a protocol. */
const verdictMeanings: { readonly [verdict in Verdict]: string } = {
  identical: 'Nothing changes for callers.',
  compatible: 'Callers keep working as they are.',
  dangerous: 'Some callers may have to change.',
  breaking: 'Callers must change.',
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
    const found = unitsOf(
      changes.filter(
        (change) => change.level === level && (protocol === undefined || change.protocols.includes(protocol)),
      ),
    )
    const isWaived = ({ waiver }: Change): boolean => waiver !== null
    const waived = found.filter((parts) => parts.every(isWaived)).length
    const adapted =
      found.filter((parts) => parts.every((part) => isWaived(part) || part.adapter !== undefined)).length -
      waived
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

/** What a protocol's verdict means for its callers, apart from the changes that a waiver or an adapter covers. */
export function meaningOf(verdict: Verdict, counts: readonly Count[]): string {
  const count = counts.find(({ level }) => level === verdict)
  const accepted = count && acceptedText(count)
  return accepted === undefined
    ? verdictMeanings[verdict]
    : `${accepted.replace(/^./, (sign) => sign.toUpperCase())}.`
}

/**
 * `7 breaking changes. REST and JSON-RPC callers must change.` If a waiver or an adapter covers all changes, it says
 * that instead.
 */
export function leadText({ verdict, changes }: Comparison): string {
  const rows = verdictRows(verdict)
  const worst = (['breaking', 'dangerous', 'compatible'] as const).find((one) =>
    rows.some((row) => row.verdict === one),
  )
  if (worst === undefined) return changes.length === 0 ? 'Nothing has changed.' : verdictMeanings.identical
  const found = countsOf(changes).find(({ level }) => level === worst)
  const { count = 0, waived = 0, adapted = 0 } = found ?? {}
  const counted = `${count} ${worst} ${count === 1 ? 'change' : 'changes'}`
  const accepted = found && acceptedText(found)
  if (accepted !== undefined) return `${counted}, ${accepted}.`
  const open = changes.filter(
    ({ level, waiver, adapter }) => level === worst && waiver === null && adapter === undefined,
  )
  const who = rows.flatMap(({ protocol, name }) =>
    open.some(({ protocols }) => protocols.includes(protocol)) ? [name] : [],
  )
  const parts = [
    ...(waived === 0 ? [] : [`${waived} waived`]),
    ...(adapted === 0 ? [] : [`${adapted} adapted`]),
  ]
  const most = parts.length === 0 ? '' : `, ${parts.join(', ')}`
  const meaning = verdictMeanings[worst]
    .replace(/^Callers/, `${namesIn(who)} callers`)
    .replace(/^Some callers/, `Some ${namesIn(who)} callers`)
  return `${counted}${most}. ${meaning}`
}

/** `all waived`, if a waiver or an adapter covers all changes of a level. Undefined if none covers one of them. */
function acceptedText({ count, waived, adapted }: Count): string | undefined {
  if (count === 0 || waived + adapted < count) return undefined
  if (adapted === 0) return 'all waived'
  if (waived > 0) return `${adapted} of them adapted, ${waived} waived`
  return 'all adapted: callers of the old version need not change'
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
export function reachText({ operations }: Pick<Change, 'operations'>): string {
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
