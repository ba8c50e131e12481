import { decodeBinaries } from 'duet-runtime'
import { isApiError } from 'duet-runtime/client'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'
import { parsePointer, valueAt } from '../document/pointer.js'
import type { Model, Operation } from '../model/model.js'
import { exampleCalls } from '../samples/example-call.js'
import { wordAt } from '../samples/named-text.js'
import { type SentRequest, sentRequest } from '../samples/sent-request.js'
import { arranged } from './arranged.js'
import { filled, lessened } from './carriable.js'

/** A call of an operation, and its result. */
export interface Example {
  /** Undefined if they would be too long to read. */
  readonly params: JsonObject | undefined
  readonly result: Json
  /** Whether the result is an example of the document. */
  readonly hasResult: boolean
  /** Undefined if REST cannot represent the params. */
  readonly request: SentRequest | undefined
  /** The params that REST cannot represent. */
  readonly uncarried: readonly string[]
  /** If the document has several: the params, first those above, and the results. */
  readonly requests: readonly (ExampleName & { readonly params: JsonObject })[]
  readonly results: readonly (ExampleName & { readonly result: Json })[]
  /** JSON pointers of the words in any of the params, which stand for what a reader enters. */
  readonly open: readonly string[]
}

interface ExampleName {
  readonly name: string
  readonly summary?: string
  readonly description?: string
}

/** Maximum characters of an example's params in JSON: each language repeats them. */
const mostOfExample = 20_000

/** The initial examples of samples and forms: only what REST can represent, without optional parts if necessary. */
export function examplesOf(model: Model): (operation: Operation) => Promise<Example> {
  const calls = exampleCalls(model, { named: true })
  return async (operation) => {
    const call = calls(operation)
    const result = arranged(model.schemas, operation.result, call.result)
    const first = await shownCall(model, operation, call.params)
    const [, ...others] = call.requests
    const requests: Example['requests'][number][] = []
    let room = mostOfExamples
    for (const { params, ...named } of first.params === undefined ? [] : others) {
      const shown = await shownCall(model, operation, params)
      room -= JSON.stringify(shown.params ?? '').length
      if (shown.params !== undefined && room >= 0) requests.push({ ...named, params: shown.params })
    }
    const results = call.results.map((one) => ({
      ...one,
      result: arranged(model.schemas, operation.result, one.result),
    }))
    const [named] = call.requests
    const isChoice = requests.length > 0 && named !== undefined && first.params !== undefined
    return {
      ...first,
      result,
      hasResult: call.hasResult,
      requests: isChoice ? [{ ...named, params: first.params }, ...requests] : [],
      results: results.length > 1 ? results.slice(0, mostResults) : [],
      open: [...call.open].filter((pointer) =>
        [first, ...requests].some(
          ({ params = {} }) => valueAt(params, parsePointer(pointer) ?? []) === wordAt(pointer),
        ),
      ),
    }
  }
}

/** Maximum characters of the other params that an operation has as examples, and maximum number of results. */
const mostOfExamples = 60_000
const mostResults = 20

/** The params that a page shows for those of an example. */
async function shownCall(
  model: Model,
  operation: Operation,
  example: JsonObject,
): Promise<Pick<Example, 'params' | 'request' | 'uncarried'>> {
  const written = arranged(model.schemas, operation.params, example)
  const params = withoutConditions(operation, isObject(written) ? written : {})
  if (JSON.stringify(params).length > mostOfExample)
    return { params: undefined, request: undefined, uncarried: [] }
  const first = await triedWith(operation, params)
  let last = first
  for (const lessen of [filled, () => undefined]) {
    if (last.uncarried.length === 0) break
    const names = new Set(last.uncarried)
    last = await triedWith(operation, lessened(model.schemas, operation, last.params, names, lessen))
  }
  return last.request === undefined ? first : last
}

/** The client's REST request. Without one, the reason. */
async function triedWith(
  operation: Operation,
  params: JsonObject,
): Promise<Pick<Example, 'request' | 'uncarried'> & { readonly params: JsonObject }> {
  try {
    return { params, request: await sentRequest(operation, withFiles(operation, params)), uncarried: [] }
  } catch (error) {
    const pointers = isApiError(error) ? error.violations.map(({ path }) => path) : []
    const names = pointers.flatMap((pointer) => parsePointer(pointer)?.slice(0, 1) ?? [])
    return { params, request: undefined, uncarried: [...new Set(names)] }
  }
}

/** REST sends the bytes that the params hold as base64. */
function withFiles({ binaries }: Operation, params: JsonObject): Readonly<Record<string, unknown>> {
  return binaries === undefined ? params : (decodeBinaries(params, binaries) as Record<string, unknown>)
}

/** An optional key or version fits one call at most, and would make the next one fail. */
function withoutConditions({ rest, idempotencyKey }: Operation, params: JsonObject): JsonObject {
  const left = rest.parameters.filter(
    ({ in: place, name, param, required }) =>
      place === 'header' && !required && (param === idempotencyKey || /^if-/i.test(name)),
  )
  const names = new Set(left.map(({ param }) => param))
  return objectOf(Object.entries(params).filter(([name]) => !names.has(name)))
}
