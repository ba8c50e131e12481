import { day, documentId } from '../code/documentation.js'
import { isObject, own } from '../document/json.js'
import { timezoneParameter } from '../model/build/timezone-parameter.js'
import type { Model, Operation } from '../model/model.js'
import { referenceOf, referenceTo, type Schema } from '../schema/schema.js'
import type { Addresses } from './address.js'
import type { Changes, PlaceChanges } from './changes.js'
import { type ConsoleView, consoleView } from './console-view.js'
import type { Example } from './example.js'
import { type Choice, choicesWithin, type ShownChoice, shownChoices } from './fields/choices.js'
import { type FieldNode, fieldTree } from './fields/field-tree.js'
import { type Badge, badgesOf, type Field, type Fields, type Note, noteOf } from './fields/fields.js'
import { pathOrder } from './fields/path-order.js'
import { markdownHtml } from './html/markdown.js'
import { variablesOf } from './samples/variables.js'
import { longSummaryOf, titleOf } from './titles.js'
import type { TryIt } from './try-it.js'
import { writtenOf } from './written.js'

/** The template data of an operation. */
export interface OperationView {
  readonly name: string
  readonly title: string
  readonly anchor: string
  readonly href: string
  /** The summary, if it is not the title. */
  readonly summary: string
  readonly description: string
  readonly badges: readonly Badge[]
  readonly note: Note | undefined
  readonly rest: { readonly method: string; readonly path: string; readonly routed: boolean }
  readonly rpc: string | undefined
  /** The tool's name over MCP. */
  readonly tool: string | undefined
  /** The operationId, if it differs from the name. */
  readonly documentId: string | undefined
  readonly security: readonly string[]
  readonly params: readonly FieldNode[]
  /** Members of a body or of a param that only some of its alternatives have. */
  readonly choices: readonly Choice<FieldNode>[]
  readonly result: ResultView
  readonly errors: readonly ErrorView[]
  readonly failures: readonly FailureView[]
  readonly console: ConsoleView
  readonly shown: readonly ShownChoice[]
  /** Params of the example that have no REST samples. */
  readonly uncarried: readonly string[]
  /** The variables from which the samples read their credentials: `API_KEY`. */
  readonly variables: readonly string[]
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
  readonly fields: readonly FieldNode[]
  /** Whether its many fields are folded at first. */
  readonly isLong: boolean
  readonly count: number
  /** What REST answers, by its statuses. */
  readonly answers: readonly RestAnswer[]
}

/** Successes of REST that are alike: `200 application/json`, `204 No content`. */
interface RestAnswer {
  readonly statuses: string
  /** The media types other than JSON. */
  readonly media: string
  /** What is said of responses without a body. Empty if they have one. */
  readonly empty: string
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
  /** `404`, `4XX` or `default`; `403, 404`. */
  readonly response: string
  /** The media type, unless it is JSON. */
  readonly media: string
  readonly type: Field['type']
  readonly fields: readonly FieldNode[]
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
  const { name, rest, rpc, tool } = operation
  const taken = new Set<string>()
  const summary = longSummaryOf(operation)
  const params = fieldTree(placed(operation, fields.of(operation.params)), name, taken)
  const timezone = fieldTree([timezoneField(model, operation)], name, taken)
  return {
    name,
    title: titleOf(operation),
    anchor: name,
    href: addresses.operation(operation),
    summary: summary === undefined ? '' : markdownHtml(summary),
    description: operation.description === undefined ? '' : markdownHtml(operation.description),
    badges: operationBadges(operation),
    note: noteOf(writtenOf(model, operation)),
    rest: { method: rest.method, path: `${model.basePath}${rest.path}`, routed: operation.routed },
    rpc: rpc === false ? undefined : rpc,
    tool: tool?.name,
    documentId: documentId(operation),
    security: securityTexts(operation),
    params: [...inOrder(operation, params), ...timezone],
    choices: choicesWithin(operation.params, fields).map((choice, index) => ({
      ...choice,
      isFirst: index === 0 && params.length === 0,
      group: `${name}-choice-${index}`,
      branches: choice.branches.map((branch) => ({
        ...branch,
        fields: inOrder(operation, fieldTree(placed(operation, branch.fields), name, taken)),
      })),
    })),
    result: resultOf(operation, fields, taken),
    errors: operation.errors
      .flatMap((code) => errorView(model, code, fields) ?? [])
      .sort((a, b) => a.status - b.status),
    failures: failuresOf(operation, fields, taken),
    console: consoleView(model, operation, example, module),
    shown: example.params === undefined ? [] : shownChoices(operation.params, fields, example.params),
    uncarried: operation.routed ? example.uncarried : [],
    variables: variablesOf(model, operation),
    tryIt: tryIt(operation, example),
    changes: changes?.of(name),
  }
}

function operationBadges({ deprecation, stability }: Operation): Badge[] {
  return [
    ...(deprecation === undefined ? [] : [deprecated(deprecation, day)]),
    ...(stability === undefined ? [] : [{ text: stability, tone: 'is-plain' }]),
  ]
}

function deprecated(
  { since, sunset }: NonNullable<Operation['deprecation']>,
  day: (seconds: number) => string,
): Badge {
  const parts = [
    'Deprecated',
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

/** By their location in REST: those in the path in its order, others in that of the document. */
function inOrder(operation: Operation, params: readonly FieldNode[]): FieldNode[] {
  const rank = ({ place }: FieldNode): number => places.indexOf(place.split(' ', 1)[0] ?? '')
  const byPath = pathOrder(operation.rest)
  return [...params].sort((a, b) => rank(a) - rank(b) || byPath(a.name, b.name))
}

const places = ['path', 'body', 'query', 'header', 'cookie']

/** `__tz`. No params schema has it, since every call accepts it. A body that is one param has no room for it. */
function timezoneField(model: Model, operation: Operation): ParamField {
  const declared = timezoneParameter(model, operation)
  const stated = typeof declared.description === 'string' ? declared.description : ''
  const inParams = operation.rpc === false ? '' : 'Over JSON-RPC it is one of the params.'
  return {
    name: '__tz',
    depth: 0,
    type: [{ text: 'string' }],
    component: undefined,
    required: false,
    facts: [],
    values: undefined,
    description: markdownHtml(`${stated}\n\n${inParams}`.trim()),
    badges: badgesOf(declared),
    note: noteOf(declared),
    place: operation.rest.body?.kind === 'param' ? 'query' : 'query or body',
  }
}

function resultOf({ name, result, rest }: Operation, fields: Fields, taken: Set<string>): ResultView {
  const rows = received(fieldTree(fields.of(elementOf(result)), name, taken))
  const count = rows.length
  return {
    type: fields.type(result),
    fields: rows,
    count,
    isLong: count > shortEnough,
    answers: restAnswers(rest),
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

function failuresOf({ name, failures }: Operation, fields: Fields, taken: Set<string>): FailureView[] {
  const found = failures.flatMap(({ response, type: media, schema }): FailureView[] => {
    if (schema === undefined) return []
    const rows = referenceOf(elementOf(schema)) === undefined ? fields.of(elementOf(schema)) : []
    const shown = media === 'application/json' ? '' : media
    return [
      { response, media: shown, type: fields.type(schema), fields: received(fieldTree(rows, name, taken)) },
    ]
  })
  return joined(found)
}

/** One row for responses that are the same component in the same media type. */
function joined(found: readonly FailureView[]): FailureView[] {
  const rows = new Map<string, FailureView>()
  for (const one of found) {
    const isComponent = one.fields.length === 0 && one.type.some(({ href }) => href !== undefined)
    const key = isComponent ? JSON.stringify([one.media, one.type]) : `only ${one.response} ${one.media}`
    const known = rows.get(key)
    rows.set(key, known === undefined ? one : { ...known, response: `${known.response}, ${one.response}` })
  }
  return [...rows.values()]
}

/** Fields that a caller receives: those that may be absent are marked, not those that are always there. */
export function received(nodes: readonly FieldNode[]): FieldNode[] {
  return nodes.map((node) => ({
    ...node,
    required: false,
    isOptional: !node.required,
    children: received(node.children),
  }))
}

function restAnswers(rest: Operation['rest']): RestAnswer[] {
  const statuses = [...new Set([rest.status, ...(rest.statuses ?? []), rest.emptyStatus ?? rest.status])]
  const bare = new Set([204, 205, 304, ...(rest.bare ?? [])])
  const types = rest.answers?.map(({ type }) => type) ?? []
  const media = types.every((type) => type === 'application/json') ? '' : types.join(', ')
  const full = statuses.filter((status) => !bare.has(status))
  return [
    ...(full.length === 0 ? [] : [{ statuses: full.join(', '), media, empty: '' }]),
    ...statuses
      .filter((status) => bare.has(status))
      .map((status) => ({ statuses: String(status), media: '', empty: reasons.get(status) ?? 'No body' })),
  ]
}

/** RFC 9110, section 15. */
const reasons: ReadonlyMap<number, string> = new Map([
  [204, 'No content'],
  [205, 'Reset content'],
  [304, 'Not modified'],
])

const shortEnough = 16

/** The items of an array, however nested. A schema that is not an array stays. */
export function elementOf(schema: Schema): Schema {
  const items = isObject(schema) ? own(schema, 'items') : undefined
  return isObject(items) ? elementOf(items) : schema
}
