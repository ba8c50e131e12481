import { documentId } from '../code/documentation.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { parseFragment, valueAt } from '../document/pointer.js'
import { timezoneParameter } from '../model/build/timezone-parameter.js'
import type { Model, Operation } from '../model/model.js'
import { referenceOf, referenceTo, resolve, type Schema } from '../schema/schema.js'
import type { Addresses } from './address.js'
import type { Changes, PlaceChanges } from './changes.js'
import { type Choice, choicesWithin, type ShownChoice, shownChoices } from './choices.js'
import type { Example } from './example.js'
import { type Assumed, assumedOf, type Badge, badgesOf, type Field, type Fields } from './fields.js'
import { inlineHtml, markdownHtml } from './markdown.js'
import { samplesOf } from './samples/samples.js'
import { variablesOf } from './samples/variables.js'
import type { TryIt } from './try-it.js'

/** The template data of an operation. */
export interface OperationView {
  readonly name: string
  readonly anchor: string
  readonly href: string
  readonly summary: string
  readonly description: string
  readonly badges: readonly Badge[]
  readonly assumed: Assumed | undefined
  readonly rest: { readonly method: string; readonly path: string; readonly routed: boolean }
  readonly rpc: string | undefined
  /** The operationId, if it differs from the name. */
  readonly documentId: string | undefined
  readonly security: readonly string[]
  readonly params: readonly ParamField[]
  readonly paramsLabel: string
  /** Members of a body or of a param that only some of its alternatives have. */
  readonly choices: readonly Choice<ParamField>[]
  readonly result: ResultView
  readonly resultLabel: string
  readonly errors: readonly ErrorView[]
  readonly failures: readonly FailureView[]
  readonly samples: ReturnType<typeof samplesOf>
  readonly shown: readonly ShownChoice[]
  /** Params of the example that have no REST samples. */
  readonly uncarried: readonly string[]
  /** The variables from which the samples read their credentials: `API_KEY`. */
  readonly variables: readonly string[]
  readonly answers: { readonly rest: string | undefined; readonly jsonrpc: string | undefined }
  readonly tryIt: string
  /** Undefined if nothing has changed since the previous version. */
  readonly changes: PlaceChanges | undefined
}

/** A param, and its location in REST. */
interface ParamField extends Field {
  readonly place: string
}

interface ResultView {
  readonly type: Field['type']
  readonly fields: readonly Field[]
  /** Statuses and media types of REST: `200 application/json; 204 no content`. */
  readonly rest: string
}

interface ErrorView {
  readonly code: string
  readonly title: string
  readonly status: number
  readonly rpc: number
  /** The component with the extension members of the problem. */
  readonly members: Field['type']
}

/** An error body in the document's own format. */
interface FailureView {
  /** `404`, `4XX` or `default`. */
  readonly response: string
  /** `application/json` */
  readonly media: string
  readonly type: Field['type']
  readonly fields: readonly Field[]
  readonly label: string
}

/** What an operation's view needs besides the operation. */
interface Surroundings {
  readonly addresses: Addresses
  readonly module: string
  readonly tryIt: TryIt
  readonly changes: Changes | undefined
}

export function operationView(
  model: Model,
  operation: Operation,
  example: Example,
  fields: Fields,
  { addresses, module, tryIt, changes }: Surroundings,
): OperationView {
  const { name, rest, rpc } = operation
  return {
    name,
    anchor: name,
    href: addresses.operation(operation),
    summary: operation.summary === undefined ? '' : inlineHtml(operation.summary),
    description: operation.description === undefined ? '' : markdownHtml(operation.description),
    badges: operationBadges(operation),
    assumed: assumedOf(writtenOf(model, operation)),
    rest: { method: rest.method, path: `${model.basePath}${rest.path}`, routed: operation.routed },
    rpc: rpc === false ? undefined : rpc,
    documentId: documentId(operation),
    security: securityTexts(operation),
    params: [...placed(operation, fields.of(operation.params)), timezoneField(model, operation)],
    choices: choicesWithin(operation.params, fields).map((choice, index) => ({
      ...choice,
      group: `${name}-choice-${index}`,
      places: choice.of === '',
      branches: choice.branches.map((branch) => ({
        ...branch,
        label: [`Parameters of ${name}`, choice.of, branch.title].filter((text) => text !== '').join(': '),
        fields: placed(operation, branch.fields),
      })),
    })),
    paramsLabel: `Parameters of ${name}`,
    result: resultOf(operation, fields),
    resultLabel: `Result of ${name}`,
    errors: operation.errors.flatMap((code) => errorView(model, code, fields) ?? []),
    failures: failuresOf(operation, fields),
    samples:
      example.params === undefined
        ? []
        : samplesOf(model, operation, example.params, operation.routed ? example.request : undefined, module),
    shown: example.params === undefined ? [] : shownChoices(operation.params, fields, example.params),
    uncarried: operation.routed ? example.uncarried : [],
    variables: variablesOf(model, operation),
    answers: answersOf(operation, example.result),
    tryIt: tryIt(operation, example),
    changes: changes?.of(name),
  }
}

/** An operation as its document declares it. */
export function writtenOf({ openapi }: Model, { source }: Operation): JsonObject {
  const written = valueAt(openapi, parseFragment(source.pointer.slice(1)) ?? [])
  return isObject(written) ? written : {}
}

function operationBadges({ deprecation, provenance, stability }: Operation): Badge[] {
  const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)
  return [
    ...badgesOf(provenance === undefined ? {} : { 'x-provenance': provenance }),
    ...(deprecation === undefined ? [] : [deprecated(deprecation, day)]),
    ...(stability === undefined ? [] : [{ text: stability, tone: 'is-plain' }]),
  ]
}

function deprecated(
  { since, sunset }: NonNullable<Operation['deprecation']>,
  day: (seconds: number) => string,
): Badge {
  const parts = [
    'deprecated',
    ...(since === undefined ? [] : [`since ${day(since)}`]),
    ...(sunset === undefined ? [] : [`removed after ${day(sunset)}`]),
  ]
  return { text: parts.join(', '), tone: 'is-dangerous' }
}

/** One text for each alternative: `apiKey`, `oauth (read, write) and apiKey`, `none`. */
function securityTexts({ security }: Operation): string[] {
  return security.map((requirement) => {
    const parts = Object.entries(requirement).map(([scheme, scopes]) =>
      scopes.length === 0 ? scheme : `${scheme} (${scopes.join(', ')})`,
    )
    return parts.length === 0 ? 'none' : parts.join(' and ')
  })
}

/** Rows of params, with the location of each in REST. */
function placed({ rest }: Operation, rows: readonly Field[]): ParamField[] {
  const bindings = new Map(rest.parameters.map((binding) => [binding.param, binding]))
  let place = ''
  return rows.map((field) => {
    if (field.depth > 0) return { ...field, place: '' }
    const binding = bindings.get(field.name)
    place = rest.body === undefined ? 'query' : 'body'
    if (binding !== undefined) {
      const renamed = binding.name === binding.param ? '' : ` ${binding.name}`
      place = `${binding.in}${renamed}`
    }
    return { ...field, place }
  })
}

/** `__tz`. No params schema has it, since every call accepts it. A body that is one param has no room for it. */
function timezoneField(model: Model, operation: Operation): ParamField {
  const declared = timezoneParameter(model, operation)
  const { description } = declared
  return {
    name: '__tz',
    depth: 0,
    type: [{ text: 'string' }],
    required: false,
    facts: operation.rpc === false ? '' : 'Over JSON-RPC it is one of the params.',
    description: typeof description === 'string' ? inlineHtml(description) : '',
    badges: badgesOf(declared),
    assumed: assumedOf(declared),
    place: operation.rest.body?.kind === 'param' ? 'query' : 'query or body',
  }
}

function resultOf({ result, rest }: Operation, fields: Fields): ResultView {
  const rows = fields.of(elementOf(result))
  const whole = resolve(fields.schemas, elementOf(result))
  const isNamed = referenceOf(elementOf(result)) !== undefined && isObject(whole)
  return {
    type: fields.type(result),
    // A long component has its own section on the page, because many operations refer to it.
    fields: isNamed && rows.length > shortEnough ? [] : rows,
    rest: restAnswers(rest),
  }
}

/** A code of the catalogue, with the extension members of its problem. */
export function errorView(
  { errors, errorMembers }: Model,
  code: string,
  fields: Fields,
): ErrorView | undefined {
  const definition = errors.get(code)
  if (definition === undefined) return undefined
  const { title, status, rpc } = definition
  const component = errorMembers.get(code)
  const members = component === undefined ? [] : fields.type({ $ref: referenceTo(component) })
  return { code, title, status, rpc, members }
}

function failuresOf({ name, failures }: Operation, fields: Fields): FailureView[] {
  return failures.flatMap(({ response, type: media, schema }): FailureView[] => {
    if (schema === undefined) return []
    const rows = referenceOf(elementOf(schema)) === undefined ? fields.of(elementOf(schema)) : []
    const label = `Body of ${response} of ${name}`
    return [{ response, media, type: fields.type(schema), fields: rows, label }]
  })
}

function restAnswers(rest: Operation['rest']): string {
  const statuses = [...new Set([rest.status, ...(rest.statuses ?? []), rest.emptyStatus ?? rest.status])]
  const bare = new Set([204, 205, 304, ...(rest.bare ?? [])])
  const media = rest.answers?.map(({ type }) => type).join(', ') ?? 'application/json'
  const described = (some: readonly number[], content: string): string[] =>
    some.length === 0 ? [] : [`${some.join(', ')} ${content}`]
  return [
    ...described(
      statuses.filter((status) => !bare.has(status)),
      media,
    ),
    ...described(
      statuses.filter((status) => bare.has(status)),
      'no content',
    ),
  ].join('; ')
}

const shortEnough = 16

/** The items of an array, however nested. A schema that is not an array stays. */
export function elementOf(schema: Schema): Schema {
  const items = isObject(schema) ? own(schema, 'items') : undefined
  return isObject(items) ? elementOf(items) : schema
}

/** The same result over both protocols. */
function answersOf({ rest, rpc, routed }: Operation, result: Json): OperationView['answers'] {
  const isEmpty = rest.status === 204 || result === null
  const shown = shortened(result, 0)
  return {
    rest: routed ? [`HTTP ${rest.status}`, ...(isEmpty ? [] : [shortJson(shown)])].join('\n\n') : undefined,
    jsonrpc: rpc === false ? undefined : `HTTP 200\n\n${shortJson({ jsonrpc: '2.0', id: 1, result: shown })}`,
  }
}

/** JSON with a maximum number of lines. */
function shortJson(value: Json): string {
  const lines = JSON.stringify(value, null, 2).split('\n')
  return lines.length <= mostLines ? lines.join('\n') : [...lines.slice(0, mostLines), '…'].join('\n')
}

/** Keeps the first two items of a list, or just one of a nested list. */
function shortened(value: Json, depth: number): Json {
  if (isArray(value)) return value.slice(0, depth === 0 ? 2 : 1).map((item) => shortened(item, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, depth + 1)]))
}

const mostLines = 60
