import type { OperationValidators, Validator } from '../contract/contract.js'
import { exactInt64, nativeInt64 } from '../contract/int64.js'
import { MAX_DEPTH } from '../contract/json.js'
import type { Int64Graph, Int64Positions, Operation } from '../contract/operation.js'
import { tokensOf } from '../contract/pointer.js'
import { violationsOf } from '../contract/violations.js'
import { countingSteps } from '../patterns/pattern-account.js'
import { type JsonObject, setMember } from '../values/object.js'
import { inDraft07 } from './draft-07.js'
import { jsonSchemaOf } from './json-schema.js'

/** Standard Schema version 1, with its JSON Schema extension (https://standardschema.dev). */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProperties<Input, Output>
}

export interface StandardProperties<Input, Output> {
  readonly version: 1
  readonly vendor: 'duet'
  /** Does not change the value: fills defaults into a copy. */
  readonly validate: (value: unknown) => StandardResult<Output>
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
  /**
   * Throws an Error for a target other than `draft-2020-12` and `draft-07`, and for an operation without a JSON-RPC
   * method.
   */
  readonly jsonSchema: {
    readonly input: (options: { readonly target: string }) => Record<string, unknown>
    readonly output: (options: { readonly target: string }) => Record<string, unknown>
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path: readonly PropertyKey[]
}

/** The Standard Schemas of each operation: turn params as sent into params as a handler receives them. */
export type StandardSchemas<Types> = {
  readonly [Name in keyof Types]: Types[Name] extends {
    params: infer Params
    input: infer Input
    result: infer Result
  }
    ? { readonly params: StandardSchema<Params, Input>; readonly result: StandardSchema<Result> }
    : never
}

/**
 * @param openrpc reads the OpenRPC document, which has the JSON Schemas
 *
 * @param operations those whose int64 integers are not numbers
 */
export function standardSchemas<Types>(
  validators: Readonly<Record<string, OperationValidators>>,
  openrpc: () => unknown,
  operations: Readonly<Record<string, Operation>> = {},
): StandardSchemas<Types> {
  const entries = Object.entries(validators).map(([name, { params, result }]) => {
    const int64 = Object.hasOwn(operations, name) ? operations[name]?.int64 : undefined
    const schema = (validator: Validator, part: 'params' | 'result'): StandardSchema => {
      const jsonSchema = ({ target }: { readonly target: string }) => {
        if (target !== 'draft-2020-12' && target !== 'draft-07')
          throw new Error(
            `The JSON Schema of ${name} is available in draft-2020-12 or draft-07, not in ${target}`,
          )
        const found = jsonSchemaOf(openrpc(), name, part)
        return target === 'draft-07' ? inDraft07(found) : found
      }
      return {
        '~standard': {
          version: 1,
          vendor: 'duet',
          validate: (value) => validated(validator, value, int64 && { as: int64.as, graph: int64[part] }),
          jsonSchema: { input: jsonSchema, output: jsonSchema },
        },
      }
    }
    return [name, { params: schema(params, 'params'), result: schema(result, 'result') }]
  })
  return Object.fromEntries(entries)
}

interface Int64s {
  readonly as: Int64Positions['as']
  readonly graph: Int64Graph | undefined
}

function validated(validator: Validator, value: unknown, int64: Int64s | undefined): StandardResult<unknown> {
  const whole = copyOf(value, 0)
  const copy = int64 === undefined || whole === tooDeep ? whole : exactInt64(whole, int64.as, int64.graph)
  if (copy === tooDeep)
    return { issues: [{ message: `must nest at most ${MAX_DEPTH} levels deep`, path: [] }] }
  if (countingSteps(() => validator(copy)))
    return { value: int64 === undefined ? copy : nativeInt64(copy, int64.as, int64.graph) }
  const issues = violationsOf(validator, []).map(({ path, message }) => ({
    message,
    path: segmentsOf(path, value),
  }))
  return { issues }
}

const tooDeep = Symbol('too deep')

/** Copies arrays and plain objects; shares files and class instances. */
function copyOf(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  const isArray = Array.isArray(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!isArray && prototype !== Object.prototype && prototype !== null) return value
  if (depth === MAX_DEPTH) return tooDeep
  const copy: unknown[] | JsonObject = isArray ? [] : {}
  for (const key of Object.keys(value)) {
    const member = copyOf(Reflect.get(value, key), depth + 1)
    if (member === tooDeep) return tooDeep
    if (Array.isArray(copy)) copy.push(member)
    else setMember(copy, key, member)
  }
  return copy
}

/** The keys of a JSON pointer; array indices are numbers. */
function segmentsOf(pointer: string, value: unknown): readonly PropertyKey[] {
  let parent: unknown = value
  return tokensOf(pointer).map((key) => {
    const segment = Array.isArray(parent) ? Number(key) : key
    parent = typeof parent === 'object' && parent !== null ? Reflect.get(parent, key) : undefined
    return segment
  })
}
