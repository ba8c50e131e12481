import type { Json } from '../../document/document.js'
import { clone } from '../../document/json.js'
import { inStep } from '../../project/modules/supervision.js'
import type { Adaptation } from '../adaptation.js'
import type { Attacker } from '../attack.js'
import {
  type ConverterOf,
  derivedConverter,
  derivedLossOf,
  type LossOf,
  type RoundTrip,
  roundTrips,
} from '../laws.js'
import { applied } from '../plan/plan.js'
import { inTime } from './outcome.js'
import { callSeconds, type Team, type Trial, trials } from './trial.js'

/** Runs the team's converters and handlers alone, and then what callers read and write back through them. */
export async function teamTrials(
  adaptation: Adaptation,
  team: Team,
  attacker: Attacker,
): Promise<readonly Trial[]> {
  const found = await trials(adaptation, team, attacker)
  const faulty = new Set(found.filter(({ fault }) => fault !== undefined).map(({ operation }) => operation))
  const trips = await roundTrips(adaptation, attacker, converters(team, faulty), lossOf(team))
  const written = new Set(
    adaptation.operations
      .filter(({ kind, name }) => kind === 'written' || found.some(({ operation }) => operation === name))
      .map(({ name }) => name),
  )
  return [
    ...found,
    ...trips.filter(({ read, write }) => written.has(read) || written.has(write)).map(tripTrial),
  ]
}

/** The team's converters of what it writes, next to those that are derived. Operations with a fault have none. */
function converters({ adapter, derived, standIns, context }: Team, faulty: ReadonlySet<string>): ConverterOf {
  return (operation, name) => {
    const part = operation.parts.find((one) => one.name === name)
    const entry = Object.hasOwn(adapter, operation.name) ? adapter[operation.name] : undefined
    const isLeft = operation.kind === 'written' || operation.kind === 'gone'
    if (part === undefined || (!isLeft && (typeof entry !== 'object' || entry === derived?.[operation.name])))
      return derivedConverter(operation, name)
    if (faulty.has(operation.name) || typeof entry !== 'object' || entry === null) return undefined
    const convert = new Map<string, unknown>(Object.entries(entry)).get(name)
    if (typeof convert !== 'function')
      return part.kind === 'written' ? undefined : (value) => applied(part.plan, value)
    return async (value) => {
      try {
        const caller = standIns.of('the caller of a call', context)
        const made: unknown = await inStep(`${operation.name} ${name}`, callSeconds, () =>
          inTime(() => convert.call(entry, clone(value), caller)),
        )
        return standIns.missed() === undefined ? (made as Json) : undefined
      } catch {
        standIns.missed()
        return undefined
      }
    }
  }
}

/** An entry with a loss says in words what is lost. */
function lossOf({ adapter, derived }: Team): LossOf {
  return (operation, member) => {
    const entry = Object.hasOwn(adapter, operation.name) ? adapter[operation.name] : undefined
    if (typeof entry !== 'object' || entry === null || entry === derived?.[operation.name])
      return derivedLossOf(operation, member)
    return 'loss' in entry && typeof entry.loss === 'string' && entry.loss.trim() !== ''
  }
}

function tripTrial({ read, write, cases, lost, counterexample }: RoundTrip): Trial {
  const trial: Trial = {
    operation: write,
    part: 'params',
    cases,
    reads: read,
    ...(lost !== undefined && { lost }),
  }
  if (counterexample === undefined) return trial
  const what = `a caller that writes back what ${read} reads changes what it reads next`
  return { ...trial, fault: { what, value: counterexample.written } }
}
