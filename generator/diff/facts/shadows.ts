import type { Json } from '../../load/document.js'
import { precedenceOf } from '../../model/routes.js'
import { haveSamePath, shapeOf } from '../pairing/pairing.js'
import type { Endpoint, Side } from '../side.js'
import { type OperationPair, report, titleOf } from './pair.js'
import { parametersOf, schemaOf } from './parameter.js'

/**
 * Reports new operations that answer requests which the template of an old operation answered, since the more concrete path is
 * matched first (OpenAPI 3.1.1 section 4.8.8.1).
 */
export function shadowFacts(pair: OperationPair): void {
  const { before, after } = pair
  if (!before.path.includes('{') || !haveSamePath(before, after)) return
  for (const other of added(pair)) {
    if (other.method !== before.method || !isTakenBy(pair, other.fullPath)) continue
    if (pair.old.endpoints.some((one) => isBetween(one, other, before))) continue
    report(pair, {
      id: 'endpoint-shadowed',
      message: `${titleOf(other)} takes calls that ${titleOf(before)} took`,
      ...{ old: before.operation, new: other.operation },
      values: [other.path],
      protocols: ['rest'],
    })
  }
}

/** Whether it was another template, a more concrete one, that answered all requests of a new path. */
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

/** Endpoints whose method and path the old version does not have. */
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

/** Whether a new path answers requests of the old template, as far as the schemas of its parameters tell. */
function isTakenBy(pair: OperationPair, path: string): boolean {
  const [template, segments] = [pair.before.fullPath.split('/'), path.split('/')]
  if (precedenceOf(segments, template)?.isFirst !== true) return false
  return template.every((part, index) => {
    const text = segments[index] ?? ''
    const [, name] = /^\{([^{}]+)\}$/.exec(part) ?? []
    return name === undefined || text.includes('{') || takes(pair, name, text)
  })
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
