import type { Protocol } from 'duet-runtime'
import { type Cursor, childPointer } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { compositions, keywordNamed } from '../../document/vocabulary.js'
import { isBinarySchema } from '../../model/content/binary.js'
import { carrierOf } from '../../model/content/carrier.js'
import { mediaTypesOf } from '../../model/content/content.js'
import type { Model, Operation } from '../../model/model.js'
import { referenceOf } from '../../schema/schema.js'
import type { Change } from '../change/change.js'
import type { Finding } from '../change/collector.js'
import { protocols as all, among, whereJson, whereTexts } from '../change/protocol.js'
import { type Endpoint, entriesOf, type Side } from '../change/side.js'
import { typesOf } from '../texts/types.js'
import { type OperationPair, report, reportedIn } from './parts/pair.js'

/**
 * Compares how JSON carries texts and bytes. Every base64 text is a text, so schemas alone show no difference if one
 * replaces the other. This runs after all schema changes are known, to report a break only once.
 */
export function carrierFacts(pairs: readonly OperationPair[]): void {
  for (const pair of pairs) {
    const [was, is] = [partOf(pair.old, pair.before), partOf(pair.new, pair.after)]
    if (was === undefined || is === undefined) continue
    answerCarriers(pair, was, is)
    bodyCarriers(pair, was, is)
  }
}

interface Part {
  readonly model: Model
  readonly operation: Operation
}

function partOf({ model }: Side, { modelled }: Endpoint): Part | undefined {
  return model && modelled && { model, operation: modelled }
}

/** Compares results over JSON-RPC. REST distinguishes them by media type. */
function answerCarriers(pair: OperationPair, was: Part, is: Part): void {
  if (!hasBytes(was) && !hasBytes(is)) return
  const [before, after] = [resultCarriers(was), resultCarriers(is)]
  const change = { path: '', values: [], protocols: whereJson } as const
  if (after.has('base64') && !before.has('base64')) {
    const bytes = bytesOf(pair.new, pair.after)
    tell(pair, 'response', {
      ...change,
      id: 'response-media-type-added',
      level: 'breaking',
      message: after.has('text')
        ? `over JSON-RPC a result may be base64 of bytes, which callers take as a text${bytes.named}`
        : `over JSON-RPC the text cedar comes as Y2VkYXI=, its base64, which callers take as the text itself${bytes.named}`,
      new: bytes.cursor,
    })
  } else if (after.has('text') && !before.has('text') && before.has('base64')) {
    const bytes = bytesOf(pair.old, pair.before)
    tell(pair, 'response', {
      ...change,
      id: 'response-media-type-removed',
      level: 'breaking',
      message: `over JSON-RPC the text cedar comes as it is, which callers decode as base64${bytes.named}`,
      old: bytes.cursor,
    })
  }
}

type Carrier = 'text' | 'base64'

function hasBytes({ operation: { rest } }: Part): boolean {
  return rest.answers?.some(({ kind }) => kind === 'binary') === true
}

/**
 * The carriers that the runtime uses for results: an operation that returns bytes returns texts as base64 too, unless
 * they are JSON.
 */
function resultCarriers(part: Part): ReadonlySet<Carrier> {
  const { answers = [] } = part.operation.rest
  const carriers = new Set<Carrier>()
  const strings = heldBy(part, [part.operation.result])
  if (hasBytes(part) || strings.some(saysBase64)) carriers.add('base64')
  const hasText = answers.some(({ kind }) => kind === 'text')
  const hasJson = answers.length === 0 || answers.some(({ kind }) => kind === 'json')
  const areTextsKept = !hasBytes(part) || (hasJson && !hasText)
  if (areTextsKept && strings.some(isText)) carriers.add('text')
  return carriers
}

/** The bytes in an operation's responses. */
function bytesOf(side: Side, { operation }: Endpoint): { readonly cursor: Cursor; readonly named: string } {
  for (const [status, answer] of entriesOf(side, operation, 'responses')) {
    const found = /^[45]/.test(status)
      ? undefined
      : mediaTypesOf(side.document, answer).find(({ kind }) => kind === 'binary')
    if (found !== undefined)
      return { cursor: found.cursor, named: ` (${found.name} of the response ${status})` }
  }
  return { cursor: operation, named: '' }
}

/** Compares params of JSON-RPC, and of JSON over REST if both versions accept it, even inside a form field. */
function bodyCarriers(pair: OperationPair, was: Part, is: Part): void {
  if (was.operation.binaries === undefined && is.operation.binaries === undefined) return
  const seen = new Map<Json, Set<Json>>()
  const visit = (olds: readonly Json[], news: readonly Json[], way: readonly string[]): void => {
    const [a, b] = [heldBy(was, olds), heldBy(is, news)]
    const [first, other] = [a[0], b[0]]
    if (first === undefined || other === undefined) return
    const others = seen.get(first) ?? new Set()
    if (others.has(other)) return
    seen.set(first, others.add(other))
    const [wasBytes, isBytes] = [a.some(isBinary), b.some(isBinary)]
    if (wasBytes && !isBytes && b.some(isText)) tellBody(pair, way, 'text')
    if (!wasBytes && isBytes && a.some(isText)) tellBody(pair, way, 'base64')
    const [before, after] = [membersOf(a), membersOf(b)]
    for (const [key, { name, schemas }] of before) {
      // A member that is no longer named still arrives if the new version takes any.
      const isArriving = b.every((schema) => isOpen(schema, typeOf(key)))
      visit(schemas, after.get(key)?.schemas ?? (isArriving ? [true] : []), [...way, name])
    }
  }
  visit([was.operation.params], [is.operation.params], [])
}

/** Whether REST may carry a value within a field of the body as JSON. */
function takesJson({ modelled }: Endpoint, field: string, isWithin: boolean): boolean {
  const body = modelled?.rest.body
  if (body?.media === undefined) return body !== undefined
  return body.media.some(({ kind, fields }) => {
    const binding = fields?.find(({ name }) => name === field)
    return kind === 'json' || (isWithin && carrierOf(kind, binding) === 'JSON')
  })
}

function tellBody(pair: OperationPair, way: readonly string[], carrier: Carrier): void {
  const body = pair.before.modelled?.rest.body
  const [first = '', ...others] = way
  const wire = Object.entries(body?.rename ?? {}).find(([, param]) => param === first)?.[0] ?? first
  const names = body?.kind === 'param' ? others : [wire, ...others]
  const [field = ''] = names
  const isJson = [pair.before, pair.after].every((version) => takesJson(version, field, names.length > 1))
  const protocols: readonly Protocol[] = isJson ? all : whereJson
  const path = childPointer('', ...names)
  const where = path === '' ? 'the request body' : `${path} of the request body`
  const by = among(protocols, whereTexts) ? 'that send JSON' : 'over JSON-RPC'
  const isText = carrier === 'text'
  tell(pair, 'request', {
    id: `request-${path === '' ? 'body' : 'property'}-content-encoding-changed`,
    level: isText ? 'dangerous' : 'breaking',
    message: isText
      ? `${where}: callers ${by} send base64, which is now taken as the text itself`
      : `${where}: callers ${by} send a text, which is now taken as base64 of bytes`,
    ...(!isText && { evidence: { witness: '###' } }),
    ...{ old: pair.before.operation, new: pair.after.operation },
    ...{ path, protocols, values: [isText ? 'base64' : 'text', carrier] },
  })
}

/** Reports a change for the protocols over which nothing breaks at its path. */
function tell(pair: OperationPair, direction: Change['direction'], finding: Finding): void {
  const broken = reportedIn(pair).filter(
    (change) => change.level === 'breaking' && change.direction === direction && change.path === finding.path,
  )
  const isBroken = (protocol: Protocol) => broken.some(({ protocols }) => protocols.includes(protocol))
  const protocols = (finding.protocols ?? []).filter((protocol) => !isBroken(protocol))
  if (protocols.length > 0) report(pair, { ...finding, protocols })
}

/** The schemas that a value may match, with references and compositions resolved. */
function heldBy({ model }: Part, schemas: readonly Json[]): Json[] {
  const found = new Set<Json>()
  const waiting = [...schemas]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (found.has(at)) continue
    found.add(at)
    if (!isObject(at)) continue
    const name = referenceOf(at)
    const target = name === undefined ? undefined : model.schemas.get(name)
    if (target !== undefined) waiting.push(target)
    for (const keyword of compositions) {
      const branches = own(at, keyword)
      if (isArray(branches)) waiting.push(...branches)
    }
  }
  return [...found]
}

interface Below {
  /** As in a path. */
  readonly name: string
  readonly schemas: readonly Json[]
}

/** The nested schemas of some schemas. Those at the same position in both versions have the same key. */
function membersOf(schemas: readonly Json[]): Map<string, Below> {
  const members = new Map<string, Below>()
  const add = (key: string, name: string, schema: Json): void => {
    members.set(key, { name, schemas: [...(members.get(key)?.schemas ?? []), schema] })
  }
  for (const schema of schemas.filter(isObject)) {
    for (const [kind, below] of Object.entries(schema)) {
      const isMap = kind === 'properties' || kind === 'patternProperties'
      if (kind === 'items') add(kind, '-', below)
      else if (kind === 'additionalProperties') add(kind, '*', below)
      else if (kind === 'prefixItems' && isArray(below))
        below.forEach((item, index) => {
          add(`${kind} ${index}`, '-', item)
        })
      else if (isMap && isObject(below))
        for (const [name, value] of Object.entries(below))
          add(`${kind} ${name}`, kind === 'properties' ? name : '*', value)
    }
  }
  return members
}

/** The type of the values that have a member with a key of `membersOf`. */
function typeOf(key: string): string | undefined {
  return keywordNamed(key.split(' ')[0] ?? '')?.of
}

/** Whether a schema accepts values of a type, with members that it does not name. */
function isOpen(schema: Json, type: string | undefined): boolean {
  if (!isObject(schema)) return schema === true
  const types = typesOf(schema)
  return (
    (types.length === 0 ? !isBinarySchema(schema) : types.some((one) => one === type)) &&
    ['additionalProperties', 'unevaluatedProperties'].every((keyword) => own(schema, keyword) === undefined)
  )
}

function isBinary(schema: Json): boolean {
  return isObject(schema) && isBinarySchema(schema)
}

function saysBase64(schema: Json): boolean {
  if (!isObject(schema)) return false
  return own(schema, 'format') === 'byte' || own(schema, 'contentEncoding') === 'base64'
}

const shaping = ['$ref', '$binary', ...compositions, 'const', 'enum', 'not', 'properties']

/** Whether a schema accepts texts that are not base64. */
function isText(schema: Json): boolean {
  if (schema === true) return true
  if (!isObject(schema) || saysBase64(schema)) return false
  if (own(schema, 'type') !== undefined) return typesOf(schema).includes('string')
  return !shaping.some((keyword) => own(schema, keyword) !== undefined)
}
