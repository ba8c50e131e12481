import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'
import type { ExampleText, Model, Operation } from '../model/model.js'
import { requiredOf } from '../schema/schema.js'
import { Sampler } from './sampler.js'

export interface ExampleCall {
  readonly params: JsonObject
  readonly result: Json
  /** Whether the result is an example of the document. */
  readonly hasResult: boolean
  /** The document's different params, these first, and different results. Empty if it has no example of them. */
  readonly requests: readonly (Named & { readonly params: JsonObject })[]
  readonly results: readonly (Named & { readonly result: Json })[]
  /** JSON pointers of words in any of the params, once these are read: what the document has no value of. */
  readonly open: ReadonlySet<string>
}

/** An example of the document. */
interface Named extends ExampleText {
  readonly name: string
}

/**
 * A call of each operation: an example of the document, else one generated from the schemas with what is required, and
 * at least one field of the body. Required params without an example are generated next to the others. The same for the
 * same model. Not validated.
 *
 * @param options.named for a form: no more than what is required, and nothing of a body that may be left out. Names in
 *   capitals stand for what the reader enters, so for all that the document has no value of
 */
export function exampleCalls(
  model: Model,
  { named = false }: { readonly named?: boolean } = {},
): (operation: Operation) => ExampleCall {
  const params = new Sampler(model.schemas, 'params')
  const results = new Sampler(model.schemas, 'result')
  return (operation) => {
    const sampling = { seed: operation.name, refused: new Map<string, number>() }
    const whole = operation.examples.filter((example) => example.params !== undefined)
    // A response's example has no params of its own.
    const complete = whole.find(({ params }) => isStated(params)) ?? whole[0]
    const answered = operation.examples.find((example) => example.result !== undefined)
    const begun = operation.examples.find((example) => example.some !== undefined)
    const open = new Set<string>()
    const made = (): JsonObject => {
      const sampled = (brief: boolean) =>
        withoutOptional(
          operation,
          params.sample(operation.params, { ...sampling, brief, ...(named && { open }) }),
        )
      const least = sampled(true)
      if (named) return withoutOptionalBody(operation, least)
      const isEnough = operation.rest.body === undefined || bodyFields(operation, least).length > 0
      if (isEnough) return least
      return objectOf([...Object.entries(least), ...bodyFields(operation, sampled(false)).slice(0, 1)])
    }
    const first = complete ?? begun
    const paramsOf = ({ params: all, some }: Operation['examples'][number]): JsonObject | undefined =>
      isObject(all) ? all : isObject(some) ? completed(operation, some, made()) : undefined
    const firstResult = first?.result ?? answered?.result
    return {
      params: (first && paramsOf(first)) ?? made(),
      hasResult: firstResult !== undefined,
      result: firstResult ?? results.sample(operation.result, sampling),
      open,
      get requests() {
        const others = operation.examples.filter((example) => example !== first)
        const all = [...(first === undefined ? [] : [first]), ...others].flatMap((example) => {
          const params = paramsOf(example)
          const isOther = example !== first && !isStated(params)
          return params === undefined || isOther ? [] : [{ name: example.name, params, ...example.about }]
        })
        return different(all, ({ params }) => params)
      },
      get results() {
        const shown = operation.examples.filter(({ result }) => result !== undefined)
        const [before, after] = [
          shown.filter(({ result }) => result === firstResult),
          shown.filter(({ result }) => result !== firstResult),
        ]
        const all = [...before, ...after].map(({ name, result = null, resultAbout }) => ({
          ...{ name, result, ...resultAbout },
        }))
        return different(all, ({ result }) => result)
      },
    }
  }
}

function isStated(params: Json | undefined): boolean {
  return isObject(params) && Object.keys(params).length > 0
}

/** The first of each value. */
function different<Item>(items: readonly Item[], shownIn: (item: Item) => Json): Item[] {
  const known = new Map<string, Item>()
  for (const item of items) {
    const text = JSON.stringify(shownIn(item))
    if (!known.has(text)) known.set(text, item)
  }
  return [...known.values()]
}

/** Without the fields of a body that may be left out. */
function withoutOptionalBody(operation: Operation, params: JsonObject): JsonObject {
  if (operation.rest.body?.required !== false) return params
  const fields = new Set(bodyFields(operation, params).map(([name]) => name))
  return objectOf(Object.entries(params).filter(([name]) => !fields.has(name)))
}

function bodyFields({ rest }: Operation, params: JsonObject): [name: string, value: Json][] {
  const elsewhere = new Set(rest.parameters.map(({ param }) => param))
  return Object.entries(params).filter(([name]) => !elsewhere.has(name))
}

/** The document's params, and generated ones for required params without an example. */
function completed({ params }: Operation, shown: JsonObject, made: JsonObject): JsonObject {
  const missing = requiredOf(params).filter(
    (name) => !Object.hasOwn(shown, name) && Object.hasOwn(made, name),
  )
  return objectOf([...missing.map((name) => [name, made[name] ?? null] as const), ...Object.entries(shown)])
}

/** Params of an operation without its optional parameters. Keeps the fields of the body. */
export function withoutOptional(
  {
    rest,
  }: {
    readonly rest: { readonly parameters: readonly { readonly param: string; readonly required: boolean }[] }
  },
  made: Json,
): JsonObject {
  const paramsOf = (isNeeded: boolean) =>
    new Set(rest.parameters.flatMap(({ param, required }) => (required === isNeeded ? [param] : [])))
  // A path parameter and a query parameter that share their name are one param.
  const [needed, optional] = [paramsOf(true), paramsOf(false)]
  const isMade = (name: string) => needed.has(name) || !optional.has(name)
  return objectOf(Object.entries(isObject(made) ? made : {}).filter(([name]) => isMade(name)))
}
