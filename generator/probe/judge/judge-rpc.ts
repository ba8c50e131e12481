import type { Validator } from 'duet-runtime'
import { handed } from '../../diff/proof/calls/service.js'
import { childPointer } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject, own, parsed } from '../../document/json.js'
import type { Model, Operation } from '../../model/model.js'
import type { TargetResponse } from '../target.js'
import type { Declarations } from './declarations.js'
import { exactly } from './exact.js'
import { type Fault, faultsAt, serverFails, unknownCode } from './fault.js'
import { bodyFaults } from './judge-rest.js'

/** The response to a JSON-RPC request with the id 1. */
export type Envelope =
  | { readonly result: Json; readonly error?: undefined }
  | {
      readonly result?: undefined
      readonly error: { readonly code: number; readonly data: Json | undefined }
    }

/**
 * The envelope of a response. A sentence if it is none (JSON-RPC 2.0, section 5).
 *
 * @param name of the protocol, for the sentence
 * @param read a reader of JSON
 */
export function envelopeOf({ body }: TargetResponse, name = 'JSON-RPC', read = parsed): Envelope | string {
  const value = read(body)
  if (value === undefined) return `The response over ${name} is not JSON`
  if (!isObject(value) || own(value, 'jsonrpc') !== '2.0')
    return `The response over ${name} has no jsonrpc '2.0'`
  const [result, error] = [own(value, 'result'), own(value, 'error')]
  if ((result === undefined) === (error === undefined))
    return `The response over ${name} must have either result or error`
  if (result !== undefined && own(value, 'id') !== 1)
    return `The response over ${name} has another id than the request`
  if (result !== undefined) return { result }
  const code = isObject(error ?? null) ? own(error as JsonObject, 'code') : undefined
  if (typeof code !== 'number' || !Number.isInteger(code))
    return `The error over ${name} has no whole number as code`
  return { error: { code, data: own(error as JsonObject, 'data') } }
}

/** What a response over JSON-RPC contradicts in the document, whatever its call was. */
export function rpcFaults(
  model: Model,
  declarations: Declarations,
  operation: Operation,
  result: Validator,
  what: string,
  answer: TargetResponse,
): Fault[] {
  const at = declarations.position(childPointer(operation.source.pointer, 'responses'))
  const faults = faultsAt(at)
  const { status } = answer
  const envelope = envelopeOf(answer, undefined, exactly)
  if (status >= 500 && status !== 503)
    return faults('server-error', String(status), serverFails(status, what))
  if (typeof envelope === 'string') {
    // Authentication and limits may answer before the protocol does.
    return [401, 403, 429, 503].includes(status) ? [] : faults('envelope-invalid', envelope, envelope)
  }
  if (envelope.error === undefined)
    return bodyFaults(result, handed(operation, envelope.result), 'The result over JSON-RPC', 'result', at)
  const { code, data } = envelope.error
  if (code === internalError)
    return faults(
      'server-error',
      String(code),
      `The server fails with ${code} over JSON-RPC, on a call ${what}`,
    )
  const named = problemCode(data)
  const known = named === undefined ? undefined : model.errors.get(named)
  if (named !== undefined && known === undefined && !operation.errors.includes(named))
    return faults('undeclared-code', named, unknownCode(named))
  if (known !== undefined && known.rpc !== code) {
    const message = `The server answers ${named} with ${code} over JSON-RPC. The catalogue has ${known.rpc}`
    return faults('undeclared-code', `${named} ${code}`, message)
  }
  return []
}

/** -32603 (JSON-RPC 2.0, section 5.1). */
export const internalError = -32_603

/** The code of a problem, of either protocol. */
export function problemCode(problem: Json | undefined): string | undefined {
  const code = isObject(problem ?? null) ? own(problem as JsonObject, 'code') : undefined
  return typeof code === 'string' ? code : undefined
}
