import { decodeBinaries, type OperationValidators, type Validator } from 'duet-runtime'
import { VersionReading } from '../adapt/version-reading.js'
import type { JsonObject } from '../document/document.js'
import { clone, isObject } from '../document/json.js'
import type { Operation } from '../model/model.js'
import { Random } from '../samples/random.js'
import { Sampler } from '../samples/sampler.js'
import { validSample } from '../samples/valid-sample.js'
import { LazyValidators } from '../validators/lazy-validators.js'
import { Caller, type Sent } from './caller.js'
import type { Case } from './cases/case.js'
import { formatCases, readOnlyCases } from './cases/format-cases.js'
import { InvalidCases } from './cases/invalid-cases.js'
import { NarrowingCases } from './cases/narrowing-cases.js'
import { edgeCases, firstCases } from './cases/valid-cases.js'
import type { Exercised } from './exercised.js'
import { Declarations } from './judge/declarations.js'
import { EarlierJudge } from './judge/earlier-judge.js'
import { DocumentJudge } from './judge/judge.js'
import { KnownValues } from './known-values.js'
import { safety } from './safety.js'
import type { ProbeOptions, Surroundings } from './surroundings.js'

/** Runs a document against a server, operation by operation. */
export class Probe {
  readonly #caller: Caller
  readonly #validators: LazyValidators
  readonly #reading: VersionReading
  readonly #invalid: InvalidCases
  readonly #sampler: Sampler
  readonly #known: KnownValues
  readonly #narrowing: NarrowingCases | undefined

  constructor(
    readonly around: Surroundings,
    readonly options: ProbeOptions,
  ) {
    const { document, model } = around
    this.#validators = new LazyValidators(model)
    const declarations = new Declarations(document, model.operations)
    const { now } = around
    const judge =
      now === undefined
        ? new DocumentJudge(model, declarations, this.#validators)
        : new EarlierJudge(now, model.version, declarations, around.places)
    this.#caller = new Caller(around, declarations, this.#validators, judge, options)
    this.#reading = new VersionReading(model, 'readOnly')
    this.#invalid = new InvalidCases(this.#reading)
    this.#sampler = new Sampler(model.schemas, 'params')
    this.#known = new KnownValues(options.data)
    this.#narrowing = now && new NarrowingCases(this.#reading, new VersionReading(now, 'readOnly'))
  }

  async run(): Promise<readonly Exercised[]> {
    const { model, isOver, onOperation } = this.around
    const ordered = inOrder(model.operations)
    const table: Exercised[] = []
    for (const [index, operation] of ordered.entries()) {
      const { method, path } = operation.rest
      const row: Exercised = { operation: operation.name, method, path, calls: 0, isReached: false }
      table.push(row)
      const reason = isOver() ? 'the run ended before' : this.#unsent(operation)
      if (reason !== undefined) row.why = reason
      else {
        onOperation(index, ordered.length, operation.name)
        const before = this.around.target.sent
        await this.#exercise(operation, row)
        row.calls = this.around.target.sent - before
      }
    }
    return table
  }

  #unsent(operation: Operation): string | undefined {
    const data = this.options.data.operations.get(operation.name)
    if (data?.skip === true) return 'the data file leaves it out'
    if (['TRACE', 'CONNECT'].includes(operation.rest.method))
      return `no client sends ${operation.rest.method}`
    if (safety(operation) === 'unsafe' && !this.options.isUnsafe && data?.unsafe !== true)
      return 'it may change something: --unsafe calls it'
    return undefined
  }

  async #exercise(operation: Operation, row: Exercised): Promise<void> {
    const { model, secrets } = this.around
    const accepts = acceptsOf(this.#validators.of(operation), operation)
    const { seed } = this.options
    const first = firstCases(operation, this.#sampler, accepts, model.openapi, seed)
    if (first.length === 0) {
      row.why = 'no params were found that its schema accepts'
      return
    }
    const isSecured =
      operation.security.length > 0 && operation.security.every((each) => Object.keys(each).length > 0)
    if (isSecured && secrets.of(operation) === undefined) {
      if (this.#narrowing === undefined) await this.#caller.callWithout(operation, first[0] ?? {})
      row.why = `it needs a credential: ${secrets.missingFor(operation).join(' or ')}`
      return
    }
    const variants = first.flatMap((params) => this.#known.variants(operation, params))
    const different = [...new Map(variants.map((params) => [JSON.stringify(params), params])).values()]
    const valid = different.filter((params) => accepts(clone(params))).slice(0, mostFirst)
    let accepted: JsonObject | undefined
    for (const params of valid) {
      const sent = await this.#caller.call(operation, { kind: 'valid', params, what: 'with valid params' })
      note(row, sent)
      for (const { result } of sent.outcomes) if (result !== undefined) this.#known.learn(operation, result)
      if (row.isReached) accepted = params
      if (row.isReached || this.around.isOver()) break
    }
    const bases = [...(accepted === undefined ? [] : [accepted]), ...valid]
    for (const one of this.#cases(operation, accepts, accepted, bases)) {
      if (this.around.isOver()) return
      const sent = await this.#caller.call(operation, one)
      if (one.kind === 'valid') note(row, sent)
    }
    if (this.#narrowing !== undefined) return
    const [base] = bases
    if (base !== undefined) await this.#caller.callBroken(operation, base, this.options.isUnsafe)
    if (isSecured && accepted !== undefined) await this.#caller.callWithout(operation, accepted)
  }

  /** An accepted call with other ids that results had. Only of safe ones: others would change more. */
  #others(operation: Operation, accepts: Validator, accepted: JsonObject): Case[] {
    if (safety(operation) !== 'safe') return []
    const random = new Random(`${this.options.seed} ${operation.name} ids`)
    return this.#known
      .others(operation, accepted, random)
      .filter((params) => accepts(clone(params)))
      .map((params) => ({ kind: 'valid', params, what: 'with other ids of results' }))
  }

  #cases(
    operation: Operation,
    accepts: Validator,
    accepted: JsonObject | undefined,
    bases: readonly JsonObject[],
  ): readonly Case[] {
    const half = Math.ceil(this.options.cases / 2)
    const edges = accepted === undefined ? [] : edgeCases(this.#reading, operation, accepted, accepts)
    const random = new Random(`${this.options.seed} ${operation.name}`)
    const others = accepted === undefined ? [] : this.#others(operation, accepts, accepted).slice(0, half)
    const valid = [...others, ...some(edges, half - others.length, random)]
    for (let turn = 1; valid.length < half && turn <= mostSamples; turn++) {
      const seed = `${this.options.seed} ${operation.name} ${turn}`
      const sample = validSample(this.#sampler, operation.params, accepts, seed)
      if (!('value' in sample) || !isObject(sample.value)) break
      const params = this.#known.variants(operation, sample.value)[0] ?? sample.value
      if (accepts(clone(params))) valid.push({ kind: 'valid', params, what: 'with params of its schemas' })
    }
    if (this.#narrowing !== undefined) return [...this.#narrowing.of(operation, bases, accepts), ...valid]
    const invalid = some(this.#invalid.of(operation, bases, accepts), half, random)
    const open = [formatCases, readOnlyCases].flatMap((casesOf) => casesOf(this.#reading, operation, bases))
    return [...valid, ...invalid, ...some(open, half, random)]
  }
}

/** At most `count` cases, in their order. Each seed leaves out others. */
function some(cases: readonly Case[], count: number, random: Random): Case[] {
  const kept = [...cases]
  while (kept.length > count) kept.splice(random.integer(0, kept.length - 1), 1)
  return kept
}

/** Calls that look for a first success. */
const mostFirst = 6

/** Samples with other optional params. */
const mostSamples = 3

function note(row: Exercised, { outcomes, reasons }: Sent): void {
  if (outcomes.some(({ verdict }) => verdict === 'accepted')) {
    row.isReached = true
    delete row.why
  } else if (!row.isReached) {
    const [first] = outcomes
    row.why ??=
      first === undefined
        ? (reasons[0] ?? 'no call was answered')
        : `no valid call succeeded: ${first.answer.status}`
  }
}

/** A validator of params as JSON, in which files are base64 texts. */
function acceptsOf({ params }: OperationValidators, { binaries }: Operation): Validator {
  const accepts: Validator = (value) => {
    const isValid = params(binaries === undefined ? value : decodeBinaries(value, binaries))
    accepts.errors = params.errors ?? null
    return isValid
  }
  return accepts
}

/** First what lists, then what creates, so that operations with an id find one. What removes comes last. */
function inOrder(operations: readonly Operation[]): Operation[] {
  const rank = ({ rest: { method, path } }: Operation): number => {
    const variables = path.split('{').length - 1
    const isRead = method === 'GET' || method === 'HEAD'
    const stage = method === 'DELETE' ? 4 : variables === 0 ? (isRead ? 0 : 1) : isRead ? 2 : 3
    return stage * 1000 + variables * 100 + path.split('/').length
  }
  return [...operations].sort((a, b) => rank(a) - rank(b))
}
