import { type Contract, exactInt64, jsonText, ProblemError, pieceText, type Validator } from 'duet-runtime'
import type { Json } from '../document/document.js'
import { clone, isObject } from '../document/json.js'
import { isBinarySchema } from '../model/content/binary.js'
import type { Model, Operation } from '../model/model.js'
import { typesWithin } from '../samples/media-types.js'
import { Sampler } from '../samples/sampler.js'
import { validSample } from '../samples/valid-sample.js'
import { canonical } from '../schema/canonical.js'
import { type Schema, schemaList } from '../schema/schema.js'

/**
 * The responses of a mock: the result of the example with the call's params, else that of the first example
 * with a result, else a value generated from the schema. The operation's own validator has accepted each.
 */
export class MockResponses {
  readonly #sampler: Sampler

  /** @param seed the same seed and params give the same response */
  constructor(
    model: Model,
    readonly contract: Contract,
    readonly seed: string,
  ) {
    this.#sampler = new Sampler(model.schemas, 'result')
  }

  /** Throws a ProblemError `not_implemented` if it finds no valid response. */
  answer(operation: Operation, params: unknown): unknown {
    const validator = this.contract.validators[operation.name]?.result
    if (validator === undefined) throw new Error(`The contract has no validator for ${operation.name}`)
    const { int64 } = operation
    const text = textOf(int64 === undefined ? params : exactInt64(params, int64.as, int64.params))
    for (const result of shownResults(operation, text)) {
      const found = acceptable(result, operation, validator, 'utf8')
      if (found !== undefined) return framed(found.result, operation)
    }
    const seed = [this.seed, operation.name, text].join('\n')
    const stream = this.#stream(operation, seed, validator)
    if (stream !== undefined) return stream
    const accepts = acceptance(operation, validator)
    let reason = ''
    for (const schema of contents(operation)) {
      const sample = validSample(this.#sampler, schema, accepts, seed)
      if ('reason' in sample) reason ||= sample.reason
      else return acceptable(streamed(sample.value, operation), operation, validator, 'base64')?.result
    }
    throw new ProblemError('not_implemented', {
      detail: `The mock has no valid response of ${operation.name}: ${reason}. Add an example to the response.`,
    })
  }

  /** A few pieces, if the operation returns only a stream and the document describes it. */
  #stream(operation: Operation, seed: string, whole: Validator): AsyncIterable<Json> | undefined {
    const { pieces } = operation
    const write = framing(operation)
    const validator = this.contract.validators[operation.name]?.piece
    if (pieces === undefined || write === undefined || validator === undefined) return undefined
    const samples = [1, 2, 3].map((number) =>
      validSample(this.#sampler, pieces, validator, `${seed}\n${number}`),
    )
    const values = samples.flatMap((sample) => ('value' in sample ? [sample.value] : []))
    return values.length > 0 && whole(values.map(write).join('')) ? each(values) : undefined
  }
}

async function* each(values: readonly Json[]): AsyncIterable<Json> {
  yield* values
}

/** Results of the document's examples. One for the same params comes first. */
function shownResults({ examples }: Operation, params: string): Json[] {
  const shown = examples.flatMap(({ result, ...example }) =>
    result === undefined ? [] : [{ ...example, result }],
  )
  const same = shown.filter((example) => example.params !== undefined && textOf(example.params) === params)
  return [...same, ...shown].map(({ result }) => result)
}

/** The schemas of an operation's contents: JSON, then text, then bytes, then nothing. */
function contents({ result, rest }: Operation): readonly Schema[] {
  if (!isObject(result) || Object.keys(result).join() !== 'anyOf') return [result]
  const isMixed = rest.answers !== undefined || rest.statuses !== undefined
  const rank = (schema: Schema): number => {
    if (isBinarySchema(schema)) return 2
    if (!isObject(schema) || Object.keys(schema).join() !== 'type') return 0
    return schema.type === 'null' ? 3 : schema.type === 'string' ? 1 : 0
  }
  return isMixed ? [...schemaList(result, 'anyOf')].sort((a, b) => rank(a) - rank(b)) : [result]
}

/** A value as a handler returns it, with bytes as a Blob. Undefined if it is invalid. */
function acceptable(
  value: Json,
  { rest }: Operation,
  validator: Validator,
  encoding: 'base64' | 'utf8',
): { readonly result: unknown } | undefined {
  if (validator(clone(value))) return { result: value }
  const media = rest.answers?.find(({ kind }) => kind === 'binary')
  if (media === undefined || typeof value !== 'string') return undefined
  const [type] = typesWithin(media.type)
  const result = new Blob([Buffer.from(value, encoding)], { type })
  return validator(result) ? { result } : undefined
}

/** A text as one piece of a stream, if the operation returns only a stream. */
function streamed(value: Json, operation: Operation): Json {
  const write = framing(operation)
  if (typeof value !== 'string' || write === undefined) return value
  return write(operation.rest.answers?.[0]?.data === undefined ? value : { data: value })
}

/** An example of a stream of events: its text, or a text that is the data of one event. */
function framed(result: unknown, operation: Operation): unknown {
  const isData = typeof result === 'string' && !/^(?:data|event|id|retry)?:/m.test(result)
  return isData && operation.rest.answers?.[0]?.kind === 'events' ? streamed(result, operation) : result
}

/** How to write a piece of a stream. Undefined if the operation also returns something else. */
function framing({ rest: { answers = [] } }: Operation): ((piece: Json) => string) | undefined {
  const [first] = answers
  if (first?.kind !== 'events' && first?.kind !== 'lines') return undefined
  return answers.every(({ kind }) => kind === first.kind) ? (piece) => pieceText(piece, first) : undefined
}

/** A validator that also accepts the representation of bytes. */
function acceptance(operation: Operation, validator: Validator): Validator {
  const accepts: Validator = (value) => {
    const found = acceptable(value as Json, operation, validator, 'base64')
    accepts.errors = validator.errors ?? null
    return found !== undefined
  }
  return accepts
}

function textOf(params: unknown): string {
  return jsonText(canonical(params as Json))
}
