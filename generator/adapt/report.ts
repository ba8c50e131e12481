import type { Json } from '../document/document.js'
import { addToGroup } from '../document/grouping.js'
import { amount } from '../project/terminal.js'
import type { Adaptation, AdaptedOperation, Kind, Part } from './adaptation.js'
import { partText, reasonsLeft, verdictText } from './derived-file.js'
import type { RoundTrip } from './laws.js'
import { derivedLoss } from './loss.js'
import type { Trial } from './team/trial.js'
import type { Merged } from './team-file.js'

const kinds: readonly Kind[] = ['identity', 'derived', 'written', 'gone']

/** The number of operations of each kind. */
function countsOf({ operations }: Pick<Adaptation, 'operations'>): Readonly<Record<Kind, number>> {
  const counts = { identity: 0, derived: 0, written: 0, gone: 0 }
  for (const { kind } of operations) counts[kind] += 1
  return counts
}

/** The table of a step as text: operations that need something, then counts, then what is left to write. */
export function tableText(adaptation: Adaptation, merged: Pick<Merged, 'losses' | 'stubs'>): string {
  const { older, next, operations } = adaptation
  const shown = operations.filter(({ kind }) => kind !== 'identity')
  const rows = shown.map((operation) => rowOf(operation, merged))
  const counts = countsOf(adaptation)
  const total = kinds.map((kind) => `${counts[kind]} ${kind}`).join(', ')
  return [
    `${older.version} to ${next.version}: ${amount(operations.length, 'operation')}: ${total}`,
    ...(rows.length === 0 ? [] : ['', ...columns([head, ...rows])]),
    ...section('Converted', shown.filter(({ kind }) => kind !== 'gone').flatMap(convertedLines)),
    ...section('Problems', [...shown.flatMap(problemLines), ...bodyLines(operations)]),
    ...section('Left to write', reasonLines(shown.filter(({ name }) => merged.stubs.includes(name)))),
    ...section('Written by you', reasonLines(shown.filter(({ name }) => !merged.stubs.includes(name)))),
    '',
  ].join('\n')
}

const head = ['operation', 'params', 'result', 'problems', 'kind', 'verdict']

function rowOf(operation: AdaptedOperation, { losses }: Pick<Merged, 'losses'>): readonly string[] {
  const { name, kind, after, parts } = operation
  const part = (wanted: Part['name']): string => parts.find((one) => one.name === wanted)?.kind ?? '-'
  const pieces = parts.find((one) => one.name === 'piece')
  const result = pieces === undefined ? part('result') : `${part('result')}, pieces ${pieces.kind}`
  const renamed = after === undefined || after.name === name ? name : `${name} -> ${after.name}`
  const loss = losses.get(name) ?? derivedLoss(operation)
  return [
    renamed,
    part('params'),
    result,
    problemsOf(operation),
    kind,
    verdictOf(operation) + (loss === undefined ? '' : `, loses: ${loss}`),
  ]
}

function problemsOf({ kind, problems, errorBodies, parts }: AdaptedOperation): string {
  if (kind === 'gone') return '-'
  const texts = [
    ...(problems.length === 0 ? [] : ['derived']),
    ...parts.flatMap((part) => (part.name === 'error' ? [`bodies ${part.kind}`] : [])),
    ...(errorBodies.length === 0 ? [] : ['bodies differ']),
  ]
  return texts.join(', ') || 'identity'
}

/** The weakest verdict of an operation's parts. */
export function verdictOf({ kind, parts }: AdaptedOperation): string {
  if (kind === 'gone') return '-'
  const derived = parts.map(({ verdict }) => verdict)
  const failed = derived.find((one) => one.kind === 'failed')
  if (failed !== undefined) return verdictText(failed)
  if (derived.some((one) => one.kind === 'open')) return verdictText({ kind: 'open' })
  const held = derived.flatMap((one) => (one.kind === 'held' ? [one.cases] : []))
  return held.length === 0 ? 'proved' : verdictText({ kind: 'held', cases: Math.min(...held) })
}

function convertedLines({ name, parts }: AdaptedOperation): string[] {
  return parts.flatMap((part) => (part.kind === 'derived' ? [`${name}: ${partText(part)}`] : []))
}

function problemLines({ name, problems }: AdaptedOperation): string[] {
  return problems.map(([code, instead]) => `${name}: ${code} becomes ${instead}`)
}

/** Documents often have one error body for all operations. */
function bodyLines(operations: readonly AdaptedOperation[]): string[] {
  const byResponse = new Map<string, string[]>()
  for (const { name, errorBodies } of operations)
    for (const response of errorBodies) addToGroup(byResponse, response, name)
  return Array.from(byResponse, ([response, names]) => {
    const more = names.length > fewest ? ` and ${names.length - fewest} more` : ''
    return `nothing converts the error body of ${response}: ${names.slice(0, fewest).join(', ')}${more}`
  })
}

/** What a person writes. Operations that need the same decision share an entry. */
function reasonLines(operations: readonly AdaptedOperation[]): string[] {
  const groups = new Map<string, AdaptedOperation[]>()
  for (const operation of operations) {
    if (operation.kind !== 'written' && operation.kind !== 'gone') continue
    const texts = operation.parts.flatMap(({ obstacles }) =>
      obstacles.flatMap(({ text, isRepeated }) => (isRepeated === true ? [] : [text])),
    )
    const key = operation.kind === 'gone' ? operation.name : texts.join('\n')
    addToGroup(groups, key, operation)
  }
  return [...groups.values()].flatMap((group) => {
    const alone = group.length > fewest ? group.slice(0, 1) : group
    return alone.flatMap((operation) => {
      const more = group.length > fewest ? ` and ${group.length - 1} more` : ''
      return reasonsLeft(operation).map((reason, index) =>
        index === 0 ? `${operation.name}${more}: ${reason}` : `  ${reason}`,
      )
    })
  })
}

/** So many operations with the same reasons are still shown one by one. */
const fewest = 3

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** The same for programs. */
export function tableValue(
  adaptation: Adaptation,
  merged: Pick<Merged, 'losses' | 'stubs'>,
  laws: readonly RoundTrip[],
  trials: readonly Trial[],
): object {
  return {
    old: adaptation.older.version,
    new: adaptation.next.version,
    counts: countsOf(adaptation),
    operations: adaptation.operations.map((operation) => {
      const loss = merged.losses.get(operation.name) ?? derivedLoss(operation)
      return {
        operation: operation.name,
        to: operation.after?.name ?? null,
        kind: operation.kind,
        verdict: verdictOf(operation),
        ...Object.fromEntries(operation.parts.map((part) => [part.name, partValue(part)])),
        problems: Object.fromEntries(operation.problems),
        errorBodies: operation.errorBodies,
        ...(loss !== undefined && { loss }),
        ...(merged.stubs.includes(operation.name) && { stub: true }),
      }
    }),
    laws,
    ...(trials.length > 0 && { trials }),
  }
}

function partValue({ kind, verdict, steps, obstacles }: Part): object {
  const found: readonly { readonly path: string; readonly text: string; readonly witness?: Json }[] =
    obstacles
  return {
    kind,
    verdict,
    ...(steps.length > 0 && { steps }),
    ...(found.length > 0 && { obstacles: found }),
  }
}
