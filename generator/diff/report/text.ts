import type { Protocol } from 'duet-runtime'
import type { JsonObject } from '../../document/document.js'
import type { Change, Comparison, Proof } from '../change/change.js'
import { handlersLine } from '../change/handlers.js'
import { inert } from '../change/inert.js'
import type { Level } from '../change/level.js'
import { levels } from '../change/level.js'
import { protocolNames, protocols, verdictRows } from '../change/protocol.js'
import { curlOf, curlOfEnvelope } from './curl.js'
import { distinctionOf, type Group, grouped } from './groups.js'
import { shownJson } from './runs.js'
import { headline, sectionsOf } from './sections.js'
import { usageTexts } from './usage-texts.js'
import {
  bumpText,
  countsOf,
  countsText,
  listed,
  onlyText,
  outcomesOf,
  positionText,
  reachText,
  remarks,
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
  const groups = grouped(comparison.changes)
  const folded = verbose ? [] : comparison.changes.filter(({ level }) => level === 'info')
  const blocks = levels.flatMap((level) => {
    if (level === 'info' && !verbose) return []
    return sectionsOf(groups.filter((group) => group.level === level)).map(({ title, changes }) =>
      [
        paints.bold(inert(title)),
        ...changes.flatMap((change) => [
          line(change, paints, columns),
          ...usageTexts(change).map((text) => `    ${paints.dim(inert(text))}`),
          ...(verbose ? details(change, comparison).map((detail) => paints.dim(`      ${detail}`)) : []),
        ]),
      ].join('\n'),
    )
  })
  const more = folded.length === 0 ? [] : [paints.dim(foldedText(folded.length))]
  return `${[...blocks, ...more, summary(comparison, paints)].join('\n\n')}\n`
}

function foldedText(count: number): string {
  return `${count} ${count === 1 ? 'change' : 'changes'} of wording and names for information: --verbose shows ${count === 1 ? 'it' : 'them'}`
}

const levelWidth = Math.max(...levels.map((level) => level.length))

function line(change: Group, paints: Paints, columns: number): string {
  const { level, waiver, adapter, id, operations } = change
  const tags = [
    ...(operations.length > 1 ? [reachText(change)] : []),
    ...[
      onlyText(change),
      waiver === null ? undefined : 'waived',
      adapter === undefined ? undefined : 'adapted',
    ].flatMap((tag) => (tag === undefined ? [] : [`[${tag}]`])),
  ]
  const tail = inert(['', ...tags].join(' '))
  const start = `  ${paints[colours[level]](level.padEnd(levelWidth))} `
  const path = inert(change.path)
  const message = inert(headline(change))
  const room = Math.max(columns - levelWidth - 3 - tail.length, shortest)
  const named = shortened(message, path, room - id.length - 1)
  if (named !== undefined) return `${start}${named}${tail} ${paints.dim(id)}`
  const bare = shortened(message, path, room) ?? `${message.slice(0, room - 1)}…`
  return `${start}${bare}${tail}`
}

/** The characters that a message keeps on a terminal too narrow for a whole line. */
const shortest = 40

/**
 * The text with at most `room` characters, if necessary without the middle of its path. Undefined if that is not
 * enough.
 */
function shortened(text: string, path: string, room: number): string | undefined {
  const over = text.length - room
  if (over <= 0) return text
  const kept = path.length - over
  return kept < 24 ? undefined : text.replace(path, () => elided(path, kept))
}

/** `/orders/-/cust…/address/country`. */
function elided(path: string, room: number): string {
  const head = Math.floor(room / 3)
  return `${path.slice(0, head)}…${path.slice(path.length - (room - head - 1))}`
}

function details(change: Group, comparison: Comparison): string[] {
  const { old, new: fresh, waiver, adapter, handlers, operations } = change
  return [
    `rule         ${change.id}`,
    `old          ${old === null ? 'not there' : inert(positionText(old))}`,
    `new          ${fresh === null ? 'not there' : inert(positionText(fresh))}`,
    ...proofsOf(change).flatMap((proof) => proofLines(proof, comparison)),
    ...(operations.length > 1 ? [`operations   ${inert(listed(operations, mostNames))}`] : []),
    ...(handlers.length > 0 ? [`handlers     ${inert(listed(handlers, mostNames))}`] : []),
    ...(waiver === null ? [] : [`waived       ${inert(waivedText(waiver))}`]),
    ...(adapter === undefined ? [] : [`adapter      ${inert(adapter)}`]),
    ...change.parts.map((part) =>
      inert(`fingerprint  ${part.fingerprint} ${distinctionOf(part, change)}`).trimEnd(),
    ),
  ]
}

/** The proof of a group, and one for a protocol that it does not show. */
function proofsOf({ proof, parts }: Group): Proof[] {
  const [first] = parts
  const others = parts.filter(
    ({ protocols: [protocol] }) => !first?.protocols.some((one) => one === protocol),
  )
  return [proof, ...others.slice(0, 1).map((part) => part.proof)]
}

/** For the operations that a change of a shared schema reaches. */
const mostNames = 12

function proofLines(proof: Proof, comparison: Comparison): string[] {
  if (proof.status === 'not-applicable') return []
  if (proof.status === 'unproven') return [`proof        none: ${inert(proof.reason)}`]
  const calls = callsOf(proof)
  const outcomes = outcomesOf(proof, comparison).map(({ version, answer }) => `${version} ${answer}`)
  return [
    `proof        ${inert(outcomes.join(', '))}`,
    ...calls.map(({ title, text }) => `${title.padEnd(12)} ${text}`),
  ]
}

interface ShownCall {
  readonly title: string
  readonly text: string
  readonly value: JsonObject
  readonly isCommand: boolean
}

/** A proof as what a person sends or receives: command lines of calls, JSON of responses. */
export function callsOf(proof: Proof): ShownCall[] {
  if (proof.status !== 'verified') return []
  const { jsonrpcPath, mcpPath, credentials } = proof
  // What the service sends, be it a response or a message, is not a command.
  const isCommand = proof.old === 'accepts'
  const commands: { readonly [protocol in Protocol]: (value: JsonObject) => string } = {
    rest: (value) => curlOf(value, credentials),
    jsonrpc: (value) => curlOfEnvelope(value, credentials, ' ', jsonrpcPath),
    mcp: (value) => curlOfEnvelope(value, credentials, ' ', mcpPath),
  }
  return protocols.flatMap((protocol) => {
    const value = proof[protocol]
    if (value === undefined) return []
    const text = isCommand ? commands[protocol](value) : shownJson(value)
    return [{ title: protocolNames[protocol], text, value, isCommand }]
  })
}

/** `by ada until 2027-01-01: nobody calls it`. */
export function waivedText({ owner, expires, reason }: NonNullable<Change['waiver']>): string {
  return `by ${owner} until ${expires}: ${reason}`
}

function summary(comparison: Comparison, paints: Paints): string {
  const { old, new: fresh, verdict, bump, changes } = comparison
  const width = Math.max(...protocols.map((protocol) => protocolNames[protocol].length))
  const look = handlersLine(changes)
  return [
    ...remarks(comparison).map(inert),
    inert(
      `${old.file} (${old.version}) to ${fresh.file} (${fresh.version}): ${countsText(countsOf(changes))}`,
    ),
    ...verdictRows(verdict).map(({ protocol, name, verdict: found }) => {
      const colour = found === 'identical' ? 'dim' : colours[found]
      const counts = countsOf(changes, protocol)
      const countsSuffix = counts.length === 0 ? '' : `: ${countsText(counts)}`
      return `  ${name.padEnd(width)}  ${paints[colour](found)}${countsSuffix}`
    }),
    `version bump: ${bumpText(comparison)}${bump.ok ? '' : paints.red(' (not enough)')}`,
    ...(look === undefined ? [] : [inert(look)]),
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
