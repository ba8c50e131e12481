import type { Contract, ErrorMapping, Problem } from 'duet-runtime'
import type { Json } from '../load/document.js'
import { clone, isObject, setOwn } from '../load/json.js'
import type { Model } from '../model/model.js'
import { Sampler } from './sampler.js'
import { validSample } from './valid-sample.js'

/**
 * Error bodies as a document declares them: the first example that is valid, else a value made from the schema, which
 * says the problem's text where it has a member for one.
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
    const telling = withText(sample.value, textOf(problem))
    return validator(clone(telling)) ? telling : sample.value
  }
}

function textOf({ detail, errors, title }: Problem): string {
  const [first] = errors ?? []
  return detail ?? (first === undefined ? title : `${first.path} ${first.message}`.trim())
}

/** A value that has a text in its messages, as deep as envelopes of errors go. */
function withText(value: Json, text: string, depth = 2): Json {
  if (!isObject(value) || depth === 0) return value
  const made = clone(value)
  if (!isObject(made)) return value
  for (const [name, member] of Object.entries(value)) {
    const isMessage = typeof member === 'string' && /^(?:error_?)?(?:message|detail|description)$/i.test(name)
    setOwn(made, name, isMessage ? text : withText(member, text, depth - 1))
  }
  return made
}
