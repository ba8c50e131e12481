import { entryOf, hasTrait } from '../diff/change/catalogue.js'
import type { Change, Comparison } from '../diff/change/change.js'
import type { Adaptation, AdaptedOperation } from './adaptation.js'
import { stepName, verdictText } from './derived-file.js'
import type { Planned } from './folder.js'
import { derivedLoss } from './loss.js'
import { verdictOf } from './report.js'
import type { Trial, Tried } from './team/trial.js'
import { refusesCalls } from './team/untried.js'

/**
 * The comparison with what adapts each breaking or dangerous change: all operations that it reaches must be served, by
 * a derived file as it is generated now, or by code of the team that is no stub, was tried, and fails for no value. A
 * converter that refuses calls leaves those callers to the change, whatever loss it declares.
 */
export function covered(
  comparison: Comparison,
  adaptation: Adaptation,
  planned: Planned,
  tried: Tried,
): Comparison {
  const served = servedBy(adaptation, planned, tried)
  const changes = comparison.changes.map((change): Change => {
    if (!isAdaptable(change) || change.operations.length === 0) return change
    const found = change.operations.map((name) => served.get(name))
    if (found.includes(undefined)) return change
    return { ...change, adapter: [...new Set(found)].join(', ') }
  })
  return { ...comparison, changes }
}

/** By the operations' names in both versions. */
function servedBy(
  adaptation: Adaptation,
  planned: Planned,
  { entries, trials, unloaded }: Tried,
): ReadonlyMap<string, string> {
  const step = stepName(adaptation)
  // Without an adapter that loads, not even its derived entries serve anyone.
  const isServed = unloaded === undefined && !planned.isUnserved
  const isFresh = isServed && !planned.write.has(`${step}.derived.ts`)
  const open = new Set([...planned.stubs, ...planned.added])
  const isFound = planned.left.length === 0
  const textOf = (operation: AdaptedOperation): string | undefined => {
    if (!isFresh) return undefined
    const { kind, name } = operation
    const own = trials.filter((trial) => trial.operation === name)
    if (own.some(({ fault, untried }) => fault !== undefined || untried !== undefined)) return undefined
    if (own.some(refusesCalls)) return undefined
    if ((kind === 'identity' || kind === 'derived') && own.every(({ reads }) => reads !== undefined))
      return `${kind}: ${verdictOf(operation)}${lossText(derivedLoss(operation))}`
    if (!isFound || open.has(name) || !entries.includes(name)) return undefined
    return `${step}.ts, ${shownBy(own, step)}${lossText(planned.losses.get(name))}`
  }
  const served = new Map<string, string>()
  for (const operation of adaptation.operations) {
    const text = textOf(operation)
    if (text === undefined) continue
    served.set(operation.name, text)
    if (operation.after !== undefined) served.set(operation.after.name, text)
  }
  return served
}

function lossText(loss: string | undefined): string {
  return loss === undefined ? '' : ` (callers lose: ${loss})`
}

/** What the trials of an entry say together. */
function shownBy(trials: readonly Trial[], step: string): string {
  // A problem for every call needs no trial.
  if (trials.length === 0) return 'answers a problem'
  const counts = trials.flatMap(({ part, cases }) => (part === 'check' ? [] : [cases]))
  if (trials.length > counts.length) return `checked by ${step}.check.ts`
  return verdictText({ kind: 'held', cases: Math.min(...counts) })
}

/**
 * Whether serving an operation can undo a change: one of its address, its params or its results. Nothing converts
 * credentials, messages, the headers of answers and the document's own error bodies, and an announcement stays one.
 */
function isAdaptable({ id, level, evidence }: Change): boolean {
  if (level !== 'breaking' && level !== 'dangerous') return false
  const { direction, holder, action, section, handlers } = entryOf(id)
  if (direction === null) return hasTrait(id, 'move') || hasTrait(id, 'removal')
  const isAnnouncement = section === 'deprecated' || (action !== undefined && handlers === 'never')
  const isHeader = direction === 'response' && holder === 'header'
  const { sent } = evidence ?? {}
  const isOther = sent !== undefined && sent.status?.startsWith('2') !== true
  return !isAnnouncement && !isHeader && !isOther
}
