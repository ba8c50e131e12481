import type { Json, JsonObject } from '../load/document.js'
import { exampleCalls } from '../mock/example-call.js'
import { type SentRequest, sentRequest } from '../mock/sent-request.js'
import { objectOf } from '../model/cursor.js'
import type { Model, Operation } from '../model/model.js'

/** A call of an operation, and what it answers. */
export interface Example {
  /** Undefined where they would be too long to read. */
  readonly params: JsonObject | undefined
  readonly result: Json
  /** Undefined where REST cannot carry the params. */
  readonly request: SentRequest | undefined
}

/** Characters of JSON that the params of an example may take: they are written again in every language. */
const mostOfExample = 20_000

/** The examples that samples and forms begin with. */
export function examplesOf(model: Model): (operation: Operation) => Promise<Example> {
  const calls = exampleCalls(model)
  return async (operation) => {
    const call = calls(operation)
    const { result } = call
    const params = withoutOptionalHeaders(operation, call.params)
    if (JSON.stringify(params).length > mostOfExample)
      return { params: undefined, result, request: undefined }
    const request = await sentRequest(operation, params).catch(() => undefined)
    return { params, result, request }
  }
}

/** A key or a version that is made up suits one call at most, and the next one fails because of it. */
function withoutOptionalHeaders({ rest }: Operation, params: JsonObject): JsonObject {
  const left = rest.parameters.filter((each) => each.in === 'header' && !each.required)
  const names = new Set(left.map(({ param }) => param))
  return objectOf(Object.entries(params).filter(([name]) => !names.has(name)))
}
