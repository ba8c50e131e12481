import { builtInErrors } from 'duet-runtime'
import { minimised } from '../../diff/proof/instances/minimise.js'
import type { Json } from '../../document/document.js'
import { clone } from '../../document/json.js'
import type { Operation } from '../../model/model.js'
import { inStep } from '../../project/modules/supervision.js'
import type { Adaptation, AdaptedOperation, Part } from '../adaptation.js'
import type { Attacker } from '../attack.js'
import { schemaOf } from '../plan/part-schemas.js'
import { applied, keep, type PartName } from '../plan/plan.js'
import { hasOtherForms } from '../plan/unseen.js'
import { isStreamed, NextStandIn, otherForms } from './next-stand-in.js'
import { failure, inTime, type Outcome, Untriable } from './outcome.js'
import type { StandIns } from './stand-in.js'
import { readingOf, touchedPath } from './touched.js'

/** The team's converters of a step. */
export interface Team {
  /** What its module exports. */
  readonly adapter: Readonly<Record<string, unknown>>
  /** For what the module got instead of the service, and for the contexts of calls. */
  readonly standIns: StandIns
  /** Entries of the derived file, as the adapter has them where no code of the team replaces them. */
  readonly derived?: Readonly<Record<string, unknown>> | undefined
  /** What the team gives to its converters instead of the context of a call. */
  readonly context?: object | undefined
  /** Tests of the team's own by operation: they try what values cannot try. */
  readonly checks?: ReadonlyMap<string, () => unknown> | undefined
  /** Operations that may have no entry yet: they are stubs. Undefined: any. */
  readonly open?: ReadonlySet<string>
}

/** What one converter or handler of the team did to the values that were tried. */
export interface Trial {
  readonly operation: string
  readonly part: TriedPart
  readonly cases: number
  /** How many of the cases, which the older version accepts, the code answers with a problem; absent: none. */
  readonly refused?: number
  /** The operation whose results were written back. */
  readonly reads?: string
  /** Members that are written back and lost, as the entry declares. */
  readonly lost?: readonly string[]
  readonly fault?: Fault
  /** Why values say nothing of it. */
  readonly untried?: string
}

/** What trying a team's file showed. */
export interface Tried {
  /** Operations that the loaded adapter has an entry for. */
  readonly entries: readonly string[]
  readonly trials: readonly Trial[]
  /** Why its code did not run. */
  readonly unloaded?: string
}

type TriedPart = ValuePart | 'entry' | 'check'
type ValuePart = PartName | 'handle'

interface Fault {
  /** `loses /name`, or why the receiver refuses what the converter makes. */
  readonly what: string
  /** The value before. Absent if none can be shown. */
  readonly value?: Json
}

/**
 * Runs the team's converters and handlers on values that the sender accepts. Where the team's own test of an operation
 * passes, what could not be tried counts as tried.
 */
export async function trials(
  adaptation: Adaptation,
  team: Team,
  attacker: Attacker,
): Promise<readonly Trial[]> {
  const { standIns, checks = new Map<string, () => unknown>() } = team
  const found: Trial[] = []
  standIns.run()
  for (const operation of adaptation.operations) {
    const own = await entryTrials(adaptation, operation, team, attacker)
    const check = checks.get(operation.name)
    if (check === undefined) found.push(...own)
    else
      found.push(...own.filter(({ untried }) => untried === undefined), await checked(operation.name, check))
  }
  const names = new Set(adaptation.operations.map(({ name }) => name))
  for (const name of checks.keys())
    if (!names.has(name))
      found.push(failing(name, 'check', `${adaptation.older.version} has no such operation`))
  return found
}

async function entryTrials(
  adaptation: Adaptation,
  operation: AdaptedOperation,
  { adapter, derived, context, open, standIns }: Team,
  attacker: Attacker,
): Promise<readonly Trial[]> {
  const { kind, name } = operation
  const entry = Object.hasOwn(adapter, name) ? adapter[name] : undefined
  const isLeft = kind === 'written' || kind === 'gone'
  if (isLeft && open?.has(name)) return []
  if (entry === undefined)
    return kind === 'identity' || open === undefined ? [] : [failing(name, 'entry', 'the adapter has none')]
  if (kind === 'identity' && entry === 'identity') return []
  if (!isLeft && derived !== undefined && entry === derived[name]) return []
  if (typeof entry !== 'object' || entry === null)
    return [failing(name, 'entry', `it is ${JSON.stringify(entry)}, and calls do not pass as they are`)]
  const trial = new EntryTrial(adaptation, operation, entry, { standIns, context }, attacker)
  return await trial.run()
}

async function checked(operation: string, check: () => unknown): Promise<Trial> {
  try {
    await inStep(`${operation} check`, 15, () => inTime(check, 10))
    return { operation, part: 'check', cases: 0 }
  } catch (error) {
    return failing(operation, 'check', error instanceof Error ? error.message : String(error))
  }
}

class EntryTrial {
  readonly #members: ReadonlyMap<string, unknown>

  constructor(
    readonly adaptation: Adaptation,
    readonly operation: AdaptedOperation,
    readonly entry: object,
    readonly given: Pick<Team, 'standIns' | 'context'>,
    readonly attacker: Attacker,
  ) {
    this.#members = new Map<string, unknown>(Object.entries(entry))
  }

  async run(): Promise<readonly Trial[]> {
    const { kind, name, parts, after } = this.operation
    if (typeof this.#members.get('handle') === 'function') return [await this.#handle()]
    const code = this.#members.get('gone')
    if (typeof code === 'string' && !this.#isKnown(code))
      return [
        failing(name, 'handle', `answers ${code}, which ${this.adaptation.older.version} does not have`),
      ]
    if (typeof code === 'string')
      // Of an operation that still exists, every call would fail.
      return kind === 'gone' ? [] : [failing(name, 'handle', `answers ${code} to every call`)]
    if (kind === 'gone') return [failing(name, 'handle', 'has neither a handler nor a problem')]
    const to = this.#members.get('to') ?? name
    if (to !== after?.name) return [failing(name, 'entry', `it calls ${String(to)}, not ${after?.name}`)]
    const lost = Object.entries(this.#problems()).find(([, code]) => !this.#isKnown(String(code)))
    if (lost !== undefined)
      return [
        failing(
          name,
          'entry',
          `problems name ${lost[1]}, which ${this.adaptation.older.version} does not have`,
        ),
      ]
    const found: Trial[] = []
    for (const part of [...parts, ...this.#additions()]) {
      const trial = await this.#part(part)
      if (trial !== undefined) found.push(trial)
    }
    return found
  }

  #problems(): object {
    const problems = this.#members.get('problems')
    return typeof problems === 'object' && problems !== null ? problems : {}
  }

  /** Error bodies that the documents need not or cannot convert, but the entry does. */
  #additions(): readonly Part[] {
    const { parts, before, after, errorBodies } = this.operation
    const isNamed = parts.some((part) => part.name === 'error')
    if (isNamed || typeof this.#members.get('error') !== 'function') return []
    if (after === undefined || before.failures.length === 0 || after.failures.length === 0) return []
    const verdict = { kind: 'proved' } as const
    // Which members may change is the team's to say.
    const obstacles = errorBodies.length === 0 ? [] : [{ path: '', text: '' }]
    return [{ name: 'error', kind: 'identity', plan: keep, steps: [], obstacles, verdict }]
  }

  async #part(part: Part): Promise<Trial | undefined> {
    const { name, before, after } = this.operation
    const convert = this.#members.get(part.name)
    if (typeof convert !== 'function')
      return part.kind === 'written' || part.plan.kind !== 'keep'
        ? failing(name, part.name, 'has no converter')
        : undefined
    if (after === undefined) return undefined
    const [schema, other] = part.name === 'params' ? [before, after] : [after, before]
    const [made, wanted] = [schemaOf(schema, part.name), schemaOf(other, part.name)]
    const { older, next } = this.adaptation
    const [sender, receiver] = part.name === 'params' ? [older, next] : [next, older]
    if (hasOtherForms(sender, made ?? true) || hasOtherForms(receiver, wanted ?? true))
      return untriable(name, part.name, otherForms)
    const sent = readingOf(sender, made)
    const received = readingOf(receiver, wanted)
    const run = async (value: Json): Promise<Outcome> => {
      const outcome = await this.#outcome(part.name, () =>
        convert.call(this.entry, clone(value), ...this.#more(part.name)),
      )
      if ('problem' in outcome && !this.#hasLoss())
        return { fault: `answers ${outcome.problem}, and declares no loss` }
      if (!('made' in outcome)) return outcome
      if (part.name === 'error' && outcome.isLate)
        return { fault: 'returns a promise, which error bodies do not wait for' }
      const fault =
        touchedPath(applied(part.plan, value), outcome.made, { ...part, sent, received }) ??
        this.attacker.refusal(part.name, before, after, outcome.made)
      return fault === undefined ? outcome : { fault }
    }
    return this.#tried(part.name, run, after)
  }

  /** What a converter gets besides the value. */
  #more(part: PartName): readonly unknown[] {
    if (part === 'piece') return []
    return part === 'error' ? [this.operation.before.failures[0]?.response] : [this.#context()]
  }

  async #handle(): Promise<Trial> {
    const { name, before, after } = this.operation
    const { older } = this.adaptation
    const handle = this.#members.get('handle')
    if (typeof handle !== 'function') throw new TypeError('No handler')
    if (isStreamed(before)) return untriable(name, 'handle', 'it answers more than one JSON value')
    if (hasOtherForms(older, before.params) || hasOtherForms(older, before.result))
      return untriable(name, 'handle', otherForms)
    const next = new NextStandIn(this.adaptation, this.attacker)
    const run = async (value: Json): Promise<Outcome> => {
      next.begin()
      const context = this.#context()
      const outcome = await this.#outcome('handle', () =>
        handle.call(this.entry, clone(value), context, next.call),
      )
      if (next.unknown !== undefined) throw new Untriable(next.unknown)
      if (next.fault !== undefined) return { fault: next.fault }
      if (!('made' in outcome)) return outcome
      const fault = this.attacker.refusal('result', before, before, outcome.made)
      return fault === undefined ? outcome : { fault: `answers what ${fault}` }
    }
    return this.#tried('handle', run, after ?? before)
  }

  async #outcome(part: ValuePart, run: () => unknown): Promise<Outcome> {
    let outcome: Outcome
    try {
      outcome = await inStep(`${this.operation.name} ${part}`, callSeconds, async () => {
        const made = run()
        return { made: ((await inTime(() => made)) ?? null) as Json, isLate: made instanceof Promise }
      })
    } catch (error) {
      if (error instanceof Untriable) throw error
      outcome = failure(error)
    }
    const missed = this.given.standIns.missed()
    if (missed !== undefined) throw new Untriable(`it needs ${missed}`)
    return outcome
  }

  async #tried(part: ValuePart, run: (value: Json) => Promise<Outcome>, after: Operation): Promise<Trial> {
    const { name, before } = this.operation
    const sent = part === 'handle' ? 'params' : part
    const cases = this.attacker.cases(sent, before, after)
    const about = { operation: name, part, cases: cases.length }
    const problems = new Set<string>()
    const reasons: string[] = []
    let made = 0
    let refused = 0
    for (const value of cases) {
      try {
        const outcome = await run(value)
        if ('made' in outcome) made += 1
        if ('problem' in outcome) {
          refused += 1
          problems.add(outcome.problem)
        }
        if ('fault' in outcome) return { ...about, fault: await this.#least(sent, value, run, after) }
      } catch (error) {
        if (!(error instanceof Untriable)) throw error
        // Another value may show a fault, but waiting for each takes time.
        if (reasons.push(error.message) === fewest) break
      }
    }
    const [reason = cases.length === 0 ? 'no value to try was found' : undefined] = reasons
    if (reason !== undefined) return untriable(name, part, reason)
    if (made > 0) return refused > 0 ? { ...about, refused } : about
    return { ...about, fault: { what: `answers ${[...problems].join(' or ')} to every call` } }
  }

  async #least(
    part: PartName,
    value: Json,
    run: (value: Json) => Promise<Outcome>,
    after: Operation,
  ): Promise<Fault> {
    const { before } = this.operation
    // A call that omits a param with a default is smaller.
    const faultOf = async (less: Json): Promise<string | undefined> => {
      const whole = this.attacker.accepted(part, before, after, less)
      if (whole === undefined) return undefined
      const outcome = await run(whole).catch(untold)
      return outcome !== undefined && 'fault' in outcome ? outcome.fault : undefined
    }
    const least = await minimised(value, async (less) => (await faultOf(less)) !== undefined)
    return { what: (await faultOf(least)) ?? '', value: least }
  }

  #context(): object {
    return this.given.standIns.of('the caller of a call', this.given.context)
  }

  #isKnown(code: string): boolean {
    return this.adaptation.older.errors.has(code) || Object.hasOwn(builtInErrors, code)
  }

  #hasLoss(): boolean {
    const loss = this.#members.get('loss')
    return typeof loss === 'string' && loss.trim() !== ''
  }
}

const fewest = 5

/** Longer than what is waited for. */
export const callSeconds = 5

function failing(operation: string, part: TriedPart, what: string): Trial {
  return { operation, part, cases: 0, fault: { what } }
}

function untriable(operation: string, part: TriedPart, untried: string): Trial {
  return { operation, part, cases: 0, untried }
}

function untold(error: unknown): undefined {
  if (!(error instanceof Untriable)) throw error
}
