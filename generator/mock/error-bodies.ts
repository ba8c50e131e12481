import { STATUS_CODES } from 'node:http'
import type { Contract, ErrorMapping, Problem, Validator } from 'duet-runtime'
import type { Json } from '../document/document.js'
import { clone, isArray, isObject, own, setOwn } from '../document/json.js'
import type { Model } from '../model/model.js'
import { Sampler } from '../samples/sampler.js'
import { validSample } from '../samples/valid-sample.js'
import { resolve, type Schema, subschemas } from '../schema/schema.js'

/**
 * Error bodies that a document declares: the first valid example, else a value generated from the schema. Its
 * members for text, code and status have those of the problem, and its enums the value that is most like the code.
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
    const texts = enumTexts(model.schemas, failure.schema)
    return telling(sample.value, problem, validator, { texts, closest: closestText(texts, problem) })
  }
}

function textOf({ detail, errors, title }: Problem): string {
  const [first] = errors ?? []
  return detail ?? (first === undefined ? title : `${first.path} ${first.message}`.trim())
}

/** The texts of a schema's enums, as deep as error envelopes usually are. */
function enumTexts(schemas: Model['schemas'], root: Schema): ReadonlySet<string> {
  const found = new Set<string>()
  const visited = new Set<Schema>()
  for (const one of visited.add(root)) {
    const schema = resolve(schemas, one)
    if (!isObject(schema) || visited.size > mostSchemas) continue
    const listed = own(schema, 'enum')
    for (const text of isArray(listed) ? listed : []) if (typeof text === 'string') found.add(text)
    for (const below of subschemas(schema)) visited.add(below.schema)
  }
  return found
}

interface Enums {
  readonly texts: ReadonlySet<string>
  readonly closest: string | undefined
}

/** Error bodies of public documents have fewer. */
const mostSchemas = 200

/** The text that is most like the problem's code, else like the name of its status. */
function closestText(texts: ReadonlySet<string>, { code, status }: Problem): string | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const names = [code, STATUS_CODES[status] ?? ''].map(letters)
  const kinds = [...texts]
    .map((text) => ({ text, plain: letters(text) }))
    .filter(({ plain }) => plain.length > 3)
  const alike = (test: (plain: string, name: string) => boolean) =>
    names.flatMap((name) => kinds.find(({ plain }) => test(plain, name))?.text ?? [])
  return [
    ...alike((plain, name) => plain === name),
    ...alike((plain, name) => plain.includes(name) || name.includes(plain)),
  ][0]
}

/**
 * The value with the problem's data in its messages, codes and statuses, if the schema accepts that.
 *
 * @param enums the texts of the schema's enums, and the one that says most of the problem
 */
function telling(value: Json, problem: Problem, validator: Validator, enums: Enums): Json {
  let filled = value
  for (const [path, member] of membersOf(value)) {
    const isOfEnum = typeof member === 'string' && enums.texts.has(member)
    const given = isOfEnum ? enums.closest : textsOf(path.at(-1) ?? '', member, problem)
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
