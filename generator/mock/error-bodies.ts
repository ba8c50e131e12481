import type { Contract, ErrorMapping, Problem, Validator } from 'duet-runtime'
import type { Json } from '../document/document.js'
import { clone, isArray, isObject, setOwn } from '../document/json.js'
import type { Model } from '../model/model.js'
import { Sampler } from '../samples/sampler.js'
import { validSample } from '../samples/valid-sample.js'

/**
 * Error bodies that a document declares: the first valid example, else a value generated from the schema. Its
 * members for text, code and status have those of the problem.
 */
export function errorBodiesOf(model: Model, { validators }: Contract, seed: string): ErrorMapping<unknown> {
  const sampler = new Sampler(model.schemas, 'result')
  const operations = new Map(model.operations.map((operation) => [operation.name, operation]))
  return (problem, declared) => {
    if (declared === undefined) return undefined
    const { operation, response } = declared
    const failure = operations.get(operation)?.failures.find((one) => one.response === response)
    const validator = validators[operation]?.errors?.[response]
    if (failure?.schema === undefined || validator === undefined) return undefined
    const shown = failure.examples.find((example) => validator(clone(example)))
    if (shown !== undefined) return shown
    const key = [seed, operation, response, problem.code].join('\n')
    const sample = validSample(sampler, failure.schema, validator, key)
    if ('reason' in sample) return undefined
    return telling(sample.value, problem, validator)
  }
}

function textOf({ detail, errors, title }: Problem): string {
  const [first] = errors ?? []
  return detail ?? (first === undefined ? title : `${first.path} ${first.message}`.trim())
}

/** The value with the problem's data in its messages, codes and statuses, if the schema accepts that. */
function telling(value: Json, problem: Problem, validator: Validator): Json {
  let filled = value
  for (const [path, member] of membersOf(value)) {
    const given = textsOf(path.at(-1) ?? '', member, problem)
    if (given === undefined) continue
    const made = clone(filled)
    const holder = path.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(Object(at), key), made)
    if (!isObject(holder)) continue
    setOwn(holder, path.at(-1) ?? '', given)
    if (validator(clone(made))) filled = made
  }
  return filled
}

/** The members of objects and lists, as deep as error envelopes usually are. */
function membersOf(value: Json, path: readonly string[] = []): [readonly string[], Json][] {
  if ((!isObject(value) && !isArray(value)) || path.length > 2) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...(isArray(value) ? [] : [[[...path, name], member] as [string[], Json]]),
    ...membersOf(member, [...path, name]),
  ])
}

/** The problem's data for a member of this name. Undefined if it has none. */
function textsOf(name: string, member: Json, problem: Problem): Json | undefined {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '')
  const isText = typeof member === 'string'
  if (!isText && typeof member !== 'number') return undefined
  if (/^(?:error)?(?:message|detail|description)$/.test(plain)) return isText ? textOf(problem) : undefined
  if (/^(?:error)?code$/.test(plain)) return isText ? problem.code : problem.status
  if (/^(?:http)?status(?:code)?$/.test(plain)) return isText ? String(problem.status) : problem.status
  return undefined
}
