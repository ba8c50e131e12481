import type { Comparison, Proof } from '../change/change.js'
import { handlersLine } from '../change/handlers.js'
import { inert } from '../change/inert.js'
import type { Level } from '../change/level.js'
import { levels } from '../change/level.js'
import { protocolNames, protocols, verdictRows } from '../change/protocol.js'
import { distinctionOf, type Group, rowGroups } from './groups.js'
import { callsOf, proofsOf } from './proofs.js'
import { headline, operationsOfAlike } from './rows.js'
import { sectionsOf } from './sections.js'
import { usageTexts } from './usage-texts.js'
import {
  bumpText,
  copiesText,
  countsOf,
  countsText,
  listed,
  onlyText,
  outcomesOf,
  positionText,
  reachText,
  remarks,
  unshown,
  waivedText,
} from './words.js'

type Paint = (text: string) => string

/** The terminal colours of the report. */
interface Paints {
  readonly red: Paint
  readonly yellow: Paint
  readonly green: Paint
  readonly bold: Paint
  readonly dim: Paint
}

export interface TextOptions {
  readonly paints?: Paints | undefined
  /** Characters per line. Lines are not shortened if it is absent. */
  readonly columns?: number | undefined
  /** Shows proof, positions and fingerprint below each change. */
  readonly verbose?: boolean | undefined
}

/**
 * A report for terminals: the worst changes first, by operation, one line for each edit, then the verdict of each
 * protocol. Changes for information are only counted, unless `verbose` is set.
 */
export function comparisonText(comparison: Comparison, options: TextOptions = {}): string {
  const { paints = plain, columns = Number.POSITIVE_INFINITY, verbose = false } = options
  const groups = rowGroups(comparison.changes)
  const alike = operationsOfAlike(groups)
  const folded = verbose ? [] : comparison.changes.filter(({ level }) => level === 'info')
  const blocks = levels.flatMap((level) => {
    if (level === 'info' && !verbose) return []
    return sectionsOf(groups.filter((group) => group.level === level)).map(({ title, changes }) =>
      [
        paints.bold(inert(title)),
        ...changes.flatMap((change) => [
          ...lines(change, alike.get(change), paints, columns),
          ...usageTexts(change).map((text) => `    ${paints.dim(inert(text))}`),
          ...(verbose ? details(change, comparison).map((detail) => paints.dim(`      ${detail}`)) : []),
        ]),
      ].join('\n'),
    )
  })
  const more = folded.length === 0 ? [] : [paints.dim(foldedText(folded.length))]
  return `${[...blocks, ...more, summary(comparison, paints, columns)].join('\n\n')}\n`
}

function foldedText(count: number): string {
  return `${count} ${count === 1 ? 'change' : 'changes'} of wording and names for information: --verbose shows ${count === 1 ? 'it' : 'them'}`
}

const levelWidth = Math.max(...levels.map((level) => level.length))

/**
 * A change as one line, or on a terminal as several that fit. The id and names of operations are left out first.
 * `named`: the operations, if another change reads alike.
 */
function lines(
  change: Group,
  named: readonly string[] | undefined,
  paints: Paints,
  columns: number,
): string[] {
  const { level, waiver, adapter, id, operations, copies } = change
  const isShared = operations.length > 1
  const tags = [
    onlyText(change),
    waiver === null ? undefined : 'waived',
    adapter === undefined ? undefined : 'adapted',
  ].flatMap((tag) => (tag === undefined ? [] : [` [${tag}]`]))
  const text = (reach: string): string =>
    inert([headline(change), copiesText(copies), reach, ...tags].join(''))
  const long = text(isShared ? ` ${reachText({ operations: named ?? operations })}` : '')
  const short = isShared && named === undefined ? text(` in ${operations.length} operations`) : long
  const start = `  ${paints[colours[level]](level.padEnd(levelWidth))} `
  const room = Math.max(columns - levelWidth - 3, narrowest)
  if (long.length + 1 + id.length <= room) return [`${start}${long} ${paints.dim(id)}`]
  if (long.length <= room) return [start + long]
  return wrapped(short, room).map((line, index) => (index === 0 ? start : ' '.repeat(levelWidth + 3)) + line)
}

/** The characters of a line's text on a terminal that is too narrow for more. */
const narrowest = 40

/** Breaks a text at spaces, and words that are too long anywhere. */
function wrapped(text: string, room: number): string[] {
  const broken: string[] = []
  let rest = text
  while (rest.length > room) {
    const space = rest.lastIndexOf(' ', room)
    const at = space > room / 3 ? space : room
    broken.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return [...broken, rest]
}

function details(change: Group, comparison: Comparison): string[] {
  const { old, new: fresh, waiver, adapter, handlers, operations, copies = [] } = change
  return [
    `rule         ${change.id}`,
    `old          ${old === null ? 'missing' : inert(positionText(old))}`,
    `new          ${fresh === null ? 'missing' : inert(positionText(fresh))}`,
    ...proofsOf(change).flatMap((proof) => proofLines(proof, comparison)),
    ...(copies.length > 0 ? [`copies       ${inert(listed(copies, mostNames))}`] : []),
    ...(operations.length > 1 ? [`operations   ${inert(listed(operations, mostNames))}`] : []),
    ...(handlers.length > 0 ? [`handlers     ${inert(listed(handlers, mostNames))}`] : []),
    ...(waiver === null ? [] : [`waived       ${inert(waivedText(waiver))}`]),
    ...(adapter === undefined ? [] : [`adapter      ${inert(adapter)}`]),
    ...change.parts.map((part) =>
      inert(`fingerprint  ${part.fingerprint} ${distinctionOf(part, change)}`).trimEnd(),
    ),
  ]
}

/** A change of a shared schema may reach any number of operations. A line names no more than these. */
const mostNames = 12

function proofLines(proof: Proof, comparison: Comparison): string[] {
  const reason = unshown(proof)
  if (reason !== undefined) return [`proof        ${inert(reason)}`]
  if (proof.status !== 'verified') return []
  const calls = callsOf(proof)
  const outcomes = outcomesOf(proof, comparison).map(({ version, answer }) => `${version} ${answer}`)
  return [
    `proof        ${inert(outcomes.join(', '))}`,
    ...calls.map(({ title, text }) => `${title.padEnd(12)} ${text}`),
  ]
}

function summary(comparison: Comparison, paints: Paints, columns: number): string {
  const { old, new: fresh, verdict, bump, changes } = comparison
  const width = Math.max(...protocols.map((protocol) => protocolNames[protocol].length))
  const look = handlersLine(changes)
  const fitted = (text: string): string[] =>
    wrapped(inert(text), Math.max(columns - 2, narrowest)).map((line, at) => (at === 0 ? line : `  ${line}`))
  return [
    ...remarks(comparison).flatMap(fitted),
    ...fitted(
      `${old.file} (${old.version}) to ${fresh.file} (${fresh.version}): ${countsText(countsOf(changes))}`,
    ),
    ...verdictRows(verdict).map(({ protocol, name, verdict: found }) => {
      const colour = found === 'identical' ? 'dim' : colours[found]
      const counts = countsOf(changes, protocol)
      const countsSuffix = counts.length === 0 ? '' : `: ${countsText(counts)}`
      return `  ${name.padEnd(width)}  ${paints[colour](found)}${countsSuffix}`
    }),
    `version bump: ${bumpText(comparison)}${bump.ok ? '' : paints.red(' (not enough)')}`,
    ...(look === undefined ? [] : fitted(look)),
  ].join('\n')
}

const colours = {
  breaking: 'red',
  dangerous: 'yellow',
  compatible: 'green',
  info: 'dim',
} as const satisfies {
  readonly [level in Level]: keyof Paints
}

const as = (text: string): string => text
const plain: Paints = { red: as, yellow: as, green: as, bold: as, dim: as }
