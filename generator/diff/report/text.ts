import type { Change, Comparison, Level } from '../change.js'
import { handlersLine } from '../gate/handlers.js'
import { unlikeness } from '../pairing/score.js'

type Paint = (text: string) => string

/** What the report needs of a terminal's colours. */
export interface Paints {
  readonly red: Paint
  readonly yellow: Paint
  readonly green: Paint
  readonly bold: Paint
  readonly dim: Paint
}

/** For a person: changes grouped by operation, one line each, then the verdicts. */
export function comparisonText(comparison: Comparison, paints: Paints = plain): string {
  const groups = new Map<string, Change[]>()
  for (const change of comparison.changes) {
    const title = change.operation ?? 'the document'
    groups.set(title, [...(groups.get(title) ?? []), change])
  }
  const blocks = [...groups].map(([title, changes]) =>
    [paints.bold(inert(title)), ...changes.map((change) => line(change, paints))].join('\n'),
  )
  return `${[...blocks, summary(comparison, paints)].join('\n\n')}\n`
}

function line({ level, protocols, message, id, waiver }: Change, paints: Paints): string {
  const only = protocols.length === 1 ? ` [${protocols[0]} only]` : ''
  const accepted =
    waiver === null ? '' : paints.dim(` (waived by ${inert(waiver.owner)} until ${waiver.expires})`)
  return `  ${paints[colours[level]](level.padEnd(10))} ${inert(message)}${only}${accepted} ${paints.dim(id)}`
}

function summary(
  { old, new: fresh, verdict, bump, changes, pairs, pairing }: Comparison,
  paints: Paints,
): string {
  const guessed = pairs.filter(({ by }) => by === 'similarity')
  const counts = (['breaking', 'dangerous', 'compatible', 'info'] as const).flatMap((level) => {
    const found = changes.filter((change) => change.level === level)
    const waived = found.filter(({ waiver }) => waiver !== null).length
    return found.length === 0 ? [] : [`${found.length} ${level}${waived === 0 ? '' : ` (${waived} waived)`}`]
  })
  const [unlike, look] = [unlikeness(pairing), handlersLine(changes)]
  return [
    ...guessed.map(
      (pair) => `${inert(pair.old)} was taken for ${inert(pair.new)} (alike by ${pair.score.toFixed(2)})`,
    ),
    ...(unlike === undefined ? [] : [paints.yellow(unlike)]),
    `${inert(old.file)} (${inert(old.version)}) to ${inert(fresh.file)} (${inert(fresh.version)}): ${counts.join(', ') || 'no changes'}`,
    `REST ${verdict.rest}, JSON-RPC ${verdict.jsonrpc}`,
    `version bump: ${bump.required} required, ${bump.declared} declared${bump.ok ? '' : paints.red(' (not enough)')}`,
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

/** Text of a document without control characters, which terminals obey. */
export function inert(text: string): string {
  return [...text].map((sign) => (/\p{C}/u.test(sign) ? '\ufffd' : sign)).join('')
}
