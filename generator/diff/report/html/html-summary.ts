import type { Bump, Change, Comparison, Verdict } from '../../change/change.js'
import { inert } from '../../change/inert.js'
import { verdictRows } from '../../change/protocol.js'
import type { Gate } from '../../gate/gate.js'
import type { References } from '../references.js'
import { bumpText, type Count, countsOf, countsText, leadText, remarks, sideNames } from '../words.js'

/** The head of the page: which API, what happens to the callers of each protocol, what has to be done. */
export function summaryView(comparison: Comparison, gate: Gate | undefined, references: References): object {
  const { old, new: fresh, verdict, bump, changes } = comparison
  const handlers = [...new Set(changes.flatMap((change) => change.handlers))].sort()
  const names = sideNames(comparison)
  const side = ({ file, version }: typeof old, name: string, reference: References['old']) => ({
    file: inert(file),
    version: inert(version),
    name: inert(name),
    reference: reference?.index,
  })
  return {
    old: side(old, names.old, references.old),
    new: side(fresh, names.new, references.new),
    api: inert(comparison.title),
    lead: leadText(comparison),
    verdicts: verdictRows(verdict).map(({ protocol, name, verdict }) => {
      const counts = countsOf(changes, protocol)
      return {
        name,
        verdict,
        counts: countsText(counts),
        bar: barOf(counts),
      }
    }),
    bump: { text: bumpText(comparison), ...bumpOutcome(bump) },
    usage: usageText(changes),
    failing: gate === undefined || gate.ok ? undefined : inert(gate.reasons.join(', ')),
    remarks: remarks(comparison).map(inert),
    handlers: handlers.slice(0, mostHandlers).map(inert),
    handlerCount: handlers.length,
    moreHandlers: Math.max(0, handlers.length - mostHandlers),
  }
}

const mostHandlers = 40

/**
 * `of 4 breaking or dangerous changes, 3 are in use, 1 is not in use`. Undefined without ledgers, which are asked
 * about these levels alone.
 */
function usageText(changes: readonly Change[]): string | undefined {
  const verdicts = changes.flatMap(({ usage }) => usage?.verdict ?? [])
  if (verdicts.length === 0) return undefined
  const all = verdicts.length
  const found = (['used', 'unused', 'unknown'] as const)
    .map((verdict) => ({ verdict, count: verdicts.filter((one) => one === verdict).length }))
    .flatMap(({ verdict, count }) => (count === 0 ? [] : [usageWords[verdict](count)]))
  return `Of ${all} breaking or dangerous ${all === 1 ? 'change' : 'changes'}, ${found.join(', ')}`
}

const usageWords = {
  used: (count: number) => `${count} ${count === 1 ? 'is' : 'are'} in use`,
  unused: (count: number) => `${count} ${count === 1 ? 'is' : 'are'} not in use`,
  unknown: (count: number) => `${count} may be in use: the recorded calls do not say`,
}

/** Rectangles of an image that is 100 wide. */
function barOf(counts: readonly Count[]): readonly object[] {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  let x = 0
  return counts.map(({ level, count }) => {
    const width = (100 * count) / total
    const part = { level, x: x.toFixed(2), width: width.toFixed(2) }
    x += width
    return part
  })
}

/** A version that is not a semantic version neither makes a promise nor keeps one. */
function bumpOutcome({ ok, required, declared }: Bump): { answer: string; tone: Verdict } {
  if (!ok) return { answer: 'not enough', tone: 'breaking' }
  const isSilent = declared === 'none' && required !== 'none'
  return isSilent ? { answer: 'not declared', tone: 'identical' } : { answer: 'fits', tone: 'compatible' }
}
