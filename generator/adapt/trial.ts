import { minimised } from '../diff/proof/instances/minimise.js'
import type { Json } from '../document/document.js'
import { clone, isArray, isObject, own } from '../document/json.js'
import type { Operation } from '../model/model.js'
import type { Adaptation, AdaptedOperation, Part } from './adaptation.js'
import type { Attacker } from './attack.js'
import { applied, type PartName } from './plan.js'
import type { StandIns } from './stand-in.js'
import { hasOtherForms } from './unseen.js'

/** The team's converters of a step. */
export interface Team {
  /** What its module exports. */
  readonly adapter: Readonly<Record<string, unknown>>
  /** For what the module got instead of the service, and for the contexts of calls. */
  readonly standIns: StandIns
}

/** What one converter or handler of the team did to the values that were tried. */
export interface Trial {
  readonly operation: string
  readonly part: TriedPart
  readonly cases: number
  /** The operation whose results were written back. */
  readonly reads?: string
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

type TriedPart = PartName | 'handle'

interface Fault {
  /** `loses /name`, or why the receiver refuses what the converter makes. */
  readonly what: string
  /** The value before. Absent if none can be shown. */
  readonly value?: Json
}

/** Runs the team's converters and handlers on values that the sender accepts. */
export async function trials(
  adaptation: Adaptation,
  { adapter, standIns }: Team,
  attacker: Attacker,
): Promise<readonly Trial[]> {
  const found: Trial[] = []
  standIns.run()
  for (const operation of adaptation.operations) {
    if (operation.kind !== 'written' && operation.kind !== 'gone') continue
    const entry = Object.hasOwn(adapter, operation.name) ? adapter[operation.name] : undefined
    if (typeof entry !== 'object' || entry === null) continue
    const trial = new EntryTrial(adaptation, operation, entry, standIns, attacker)
    found.push(...(await trial.run()))
  }
  return found
}

/** Nothing can be said of a converter. The message says why. */
class Untriable extends Error {}

/** What came of one value. */
type Outcome = { readonly fault: string } | { readonly problem: string } | { readonly made: Json }

class EntryTrial {
  readonly #members: ReadonlyMap<string, unknown>

  constructor(
    readonly adaptation: Adaptation,
    readonly operation: AdaptedOperation,
    readonly entry: object,
    readonly standIns: StandIns,
    readonly attacker: Attacker,
  ) {
    this.#members = new Map<string, unknown>(Object.entries(entry))
  }

  async run(): Promise<readonly Trial[]> {
    const { kind, name, parts } = this.operation
    if (typeof this.#members.get('handle') === 'function') return [await this.#handle()]
    const code = this.#members.get('gone')
    if (typeof code === 'string')
      // Of an operation that still exists, every call would fail.
      return kind === 'gone' ? [] : [failing(name, 'handle', `answers ${code} to every call`)]
    if (kind === 'gone') return [failing(name, 'handle', 'has neither a handler nor a problem')]
    const found: Trial[] = []
    for (const part of parts) {
      const trial = await this.#part(part)
      if (trial !== undefined) found.push(trial)
    }
    return found
  }

  async #part(part: Part): Promise<Trial | undefined> {
    const { name, before, after } = this.operation
    const convert = this.#members.get(part.name)
    if (typeof convert !== 'function')
      return part.kind === 'written' ? failing(name, part.name, 'has no converter') : undefined
    if (after === undefined) return undefined
    const [schema, other] = part.name === 'params' ? [before, after] : [after, before]
    const side = part.name === 'piece' ? 'pieces' : part.name
    const { older, next } = this.adaptation
    const [sender, receiver] = part.name === 'params' ? [older, next] : [next, older]
    if (hasOtherForms(sender, schema[side] ?? true) || hasOtherForms(receiver, other[side] ?? true))
      return untriable(name, part.name, otherForms)
    const run = async (value: Json): Promise<Outcome> => {
      const outcome = await this.#outcome(() =>
        convert.call(this.entry, clone(value), this.standIns.of('the caller of a call')),
      )
      if ('problem' in outcome && !this.#hasLoss())
        return { fault: `answers ${outcome.problem}, and declares no loss` }
      if (!('made' in outcome)) return outcome
      const fault =
        touchedPath(applied(part.plan, value), outcome.made, '', part) ??
        this.attacker.refusal(part.name, before, after, outcome.made)
      return fault === undefined ? outcome : { fault }
    }
    return this.#tried(part.name, run, after)
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
      const context = this.standIns.of('the caller of a call')
      const outcome = await this.#outcome(() => handle.call(this.entry, clone(value), context, next.call))
      if (next.unknown !== undefined) throw new Untriable(next.unknown)
      if (next.fault !== undefined) return { fault: next.fault }
      if (!('made' in outcome)) return outcome
      const fault = this.attacker.refusal('result', before, before, outcome.made)
      return fault === undefined ? outcome : { fault: `answers what ${fault}` }
    }
    return this.#tried('handle', run, after ?? before)
  }

  async #outcome(run: () => unknown): Promise<Outcome> {
    let outcome: Outcome
    try {
      outcome = { made: ((await inTime(run)) ?? null) as Json }
    } catch (error) {
      if (error instanceof Untriable) throw error
      outcome = failure(error)
    }
    const missed = this.standIns.missed()
    if (missed !== undefined) throw new Untriable(`it needs ${missed}`)
    return outcome
  }

  async #tried(part: TriedPart, run: (value: Json) => Promise<Outcome>, after: Operation): Promise<Trial> {
    const { name, before } = this.operation
    const sent = part === 'handle' ? 'params' : part
    const cases = this.attacker.cases(sent, before, after)
    const about = { operation: name, part, cases: cases.length }
    const problems = new Set<string>()
    const reasons: string[] = []
    let made = 0
    for (const value of cases) {
      try {
        const outcome = await run(value)
        if ('made' in outcome) made += 1
        if ('problem' in outcome) problems.add(outcome.problem)
        if ('fault' in outcome) return { ...about, fault: await this.#least(sent, value, run, after) }
      } catch (error) {
        if (!(error instanceof Untriable)) throw error
        // Another value may show a fault, but waiting for each takes time.
        if (reasons.push(error.message) === fewest) break
      }
    }
    const [reason = cases.length === 0 ? 'no value to try was found' : undefined] = reasons
    if (reason !== undefined) return untriable(name, part, reason)
    if (made > 0) return about
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

  #hasLoss(): boolean {
    const loss = this.#members.get('loss')
    return typeof loss === 'string' && loss.trim() !== ''
  }
}

const fewest = 5
const otherForms = 'its code has values that JSON does not have'

function failing(operation: string, part: TriedPart, what: string): Trial {
  return { operation, part, cases: 0, fault: { what } }
}

function untriable(operation: string, part: TriedPart, untried: string): Trial {
  return { operation, part, cases: 0, untried }
}

function isStreamed({ pieces, rest: { answers = [] } }: Operation): boolean {
  return pieces !== undefined || answers.some(({ kind }) => kind !== 'json')
}

function untold(error: unknown): undefined {
  if (!(error instanceof Untriable)) throw error
}

/** What was thrown. The team's runtime may be another copy than that of this process. */
function failure(error: unknown): Outcome {
  if (!(error instanceof Error)) return { fault: `throws ${String(error)}` }
  const code: unknown = 'code' in error ? error.code : undefined
  return error.name === 'ProblemError' && typeof code === 'string'
    ? { problem: code }
    : { fault: `throws ${error.message}` }
}

async function inTime(run: () => unknown): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Untriable('it did not end within a second')), 1000)
  })
  try {
    return await Promise.race([run(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Represents the next version: it checks params, and answers samples. */
class NextStandIn {
  fault: string | undefined
  unknown: string | undefined
  #calls = 0
  readonly #results = new Map<Operation, readonly Json[]>()

  constructor(
    readonly adaptation: Adaptation,
    readonly attacker: Attacker,
  ) {}

  begin(): void {
    this.fault = undefined
    this.unknown = undefined
    this.#calls = 0
  }

  readonly call = async (to: string, params: unknown): Promise<unknown> => {
    const { next } = this.adaptation
    const operation = next.operations.find(({ name }) => name === to)
    if (operation === undefined) return this.#refuse(`calls ${to}, which ${next.version} does not have`)
    if (hasOtherForms(next, operation.params) || hasOtherForms(next, operation.result))
      return this.#giveUp(otherForms)
    if (isStreamed(operation)) return this.#giveUp(`${to} answers more than one JSON value`)
    if (this.#calls >= mostCalls) return this.#giveUp(`it sends more than ${mostCalls} calls`)
    const refusal = this.attacker.refusal('params', operation, operation, (params ?? {}) as Json)
    if (refusal !== undefined) return this.#refuse(`calls ${to} with what ${refusal}`)
    const results = this.#results.get(operation) ?? this.attacker.cases('result', operation, operation)
    this.#results.set(operation, results)
    if (results.length === 0) return this.#giveUp(`no result of ${to} was found`)
    return clone(results[this.#calls++ % results.length] ?? null)
  }

  #refuse(fault: string): never {
    this.fault ??= fault
    throw new Error(fault)
  }

  #giveUp(reason: string): never {
    this.unknown ??= reason
    throw new Error(reason)
  }
}

const mostCalls = 1000

/** The path of the first member that both versions know and that a converter removes or changes. */
function touchedPath(
  expected: Json,
  made: Json | undefined,
  path: string,
  { obstacles }: Pick<Part, 'obstacles'>,
): string | undefined {
  if (obstacles.some((obstacle) => covers(obstacle.path, path))) return undefined
  if (made === undefined) return `loses ${path}`
  if (isArray(expected) && isArray(made)) {
    if (expected.length !== made.length) return `changes the length of ${path || 'the list'}`
    return first(expected, (item, index) => touchedPath(item, made[index], `${path}/${index}`, { obstacles }))
  }
  if (isObject(expected) && isObject(made))
    return first(Object.entries(expected), ([name, member]) =>
      touchedPath(member, own(made, name), `${path}/${name}`, { obstacles }),
    )
  return JSON.stringify(expected) === JSON.stringify(made) ? undefined : `changes ${path || 'the value'}`
}

function first<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a path is at or below one with `*` for any item. */
function covers(pattern: string, path: string): boolean {
  const [parts, names] = [pattern.split('/').slice(1), path.split('/').slice(1)]
  return parts.length <= names.length && parts.every((part, index) => part === '*' || part === names[index])
}
