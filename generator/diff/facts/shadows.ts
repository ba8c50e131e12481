import type { Json } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import { precedenceOf } from '../../model/build/routes.js'
import { fingerprint } from '../../schema/canonical.js'
import { wherePaths } from '../change/protocol.js'
import { asObject, type Endpoint, type Side } from '../change/side.js'
import { haveSamePath, isRouted, shapeOf } from '../pairing/pairing.js'
import { resolve } from '../same/same.js'
import { type OperationPair, report, titleOf } from './parts/pair.js'
import { parametersOf, schemaOf } from './request/parameter.js'

/**
 * Reports new operations that answer requests that an old operation answered: a concrete path is matched before a
 * template (OpenAPI 3.1.1 section 4.8.8.1), one of equal templates is routed, and HEAD requests go to GET if there is
 * no HEAD operation.
 */
export function shadowFacts(pair: OperationPair): void {
  const { before, after } = pair
  if (!haveSamePath(before, after)) return
  if (hidesOld(pair)) tell(pair, after)
  for (const other of added(pair)) if (isTaker(pair, other)) tell(pair, other)
}

function tell(pair: OperationPair, other: Endpoint): void {
  const { before } = pair
  const isNamed = other.method === before.method && namesPath(pair, other.fullPath)
  report(pair, {
    id: 'endpoint-shadowed',
    ...(isNamed && { evidence: { reason: 'the old document lists these calls' } }),
    message: `${titleOf(other)} takes calls that ${titleOf(before)} took`,
    ...{ old: before.operation, new: other.operation },
    values: [other.path, ...(other.method === before.method ? [] : [other.method])],
    protocols: wherePaths,
  })
}

/** Whether the new operation took the path from another one that still exists. */
function hidesOld({ new: fresh, before, after }: OperationPair): boolean {
  return fresh.endpoints.some(
    (one) => one !== after && one.name === before.name && !isRouted(one) && haveSamePath(one, after),
  )
}

function isTaker(pair: OperationPair, other: Endpoint): boolean {
  const { old, before } = pair
  if (other.method === 'HEAD' && before.method === 'GET' && haveSamePath(before, other))
    return !takesAll(pair, other)
  if (other.method !== before.method || !before.path.includes('{')) return false
  return isTakenBy(pair, other.fullPath) && !old.endpoints.some((one) => isBetween(one, other, before))
}

/** Whether another operation accepts all calls of the old one. */
function takesAll({ before: { modelled }, tools }: OperationPair, other: Endpoint): boolean {
  const taker = other.modelled
  if (modelled === undefined || taker === undefined) return false
  if (fingerprint(modelled.security) !== fingerprint(taker.security)) return false
  return tools.reach.graph.judgement.isContained('request', modelled.params, taker.params)
}

/** Whether a more concrete template answered all requests of a new path before. */
function isBetween(one: Endpoint, { fullPath }: Endpoint, { method, fullPath: template }: Endpoint): boolean {
  if (one.webhook || one.method !== method) return false
  const [segments, others] = [one.fullPath.split('/'), fullPath.split('/')]
  if (precedenceOf(segments, template.split('/'))?.isFirst !== true) return false
  const isOpen = (segment: string): boolean => /^\{[^{}]+\}$/.test(segment)
  return (
    segments.length === others.length &&
    segments.every((segment, index) => segment === others[index] || isOpen(segment))
  )
}

/** Endpoints whose method and path are new. */
function added({ old, new: fresh }: OperationPair): readonly Endpoint[] {
  const known = addedTo.get(fresh)
  if (known !== undefined) return known
  const place = ({ method, fullPath }: Endpoint): string => `${method} ${shapeOf(fullPath)}`
  const olds = new Set(old.endpoints.flatMap((endpoint) => (endpoint.webhook ? [] : place(endpoint))))
  const found = fresh.endpoints.filter((endpoint) => !endpoint.webhook && !olds.has(place(endpoint)))
  addedTo.set(fresh, found)
  return found
}

const addedTo = new WeakMap<Side, readonly Endpoint[]>()

/** Whether a new path answers requests of the old template, as far as the schemas of its parameters show. */
function isTakenBy(pair: OperationPair, path: string): boolean {
  const [template, segments] = [pair.before.fullPath.split('/'), path.split('/')]
  if (precedenceOf(segments, template)?.isFirst !== true) return false
  return template.every((part, index) => {
    const text = segments[index] ?? ''
    const [, name] = /^\{([^{}]+)\}$/.exec(part) ?? []
    return name === undefined || text.includes('{') || takes(pair, name, text)
  })
}

/** Whether the old document lists every value that a new path has in place of a parameter, so that callers send it. */
function namesPath(pair: OperationPair, path: string): boolean {
  const segments = path.split('/')
  const replaced = pair.before.fullPath.split('/').flatMap((part, index) => {
    const [, name] = /^\{([^{}]+)\}$/.exec(part) ?? []
    const text = segments[index] ?? ''
    return name === undefined || text.includes('{') ? [] : [[name, text] as const]
  })
  return (
    replaced.length > 0 &&
    replaced.every(([name, text]) => {
      const parameter = parametersOf(pair.old, pair.before).get(`path ${name}`)
      const schema = asObject(resolve(pair.old, (parameter && schemaOf(pair.old, parameter)?.value) ?? true))
      const [listed, one] = [own(schema, 'enum'), own(schema, 'const')]
      const values = isArray(listed) ? listed : one === undefined ? [] : [one]
      return values.some((value) => String(value) === text)
    })
  )
}

function takes(pair: OperationPair, name: string, text: string): boolean {
  const parameter = parametersOf(pair.old, pair.before).get(`path ${name}`)
  const schema = parameter && schemaOf(pair.old, parameter)
  if (schema === undefined) return text !== ''
  const number = Number(text)
  const values: Json[] = Number.isFinite(number) && text !== '' ? [text, number] : [text]
  const { judgement } = pair.tools.reach.graph
  return values.some(
    (value) => judgement.passes('response', { const: value }, schema.value).verdict !== 'not-contained',
  )
}
