import type { Json } from '../../load/document.js'
import { haveSamePath, shapeOf } from '../pairing/pairing.js'
import type { Endpoint, Side } from '../side.js'
import { type OperationPair, report, titleOf } from './pair.js'
import { parametersOf, schemaOf } from './parameter.js'

/**
 * Paths that the new version has beside a template and that the template stood for: what was called there is another
 * operation now, since the more concrete path is matched first (OpenAPI 3.1.1 section 4.8.8.1).
 */
export function shadowFacts(pair: OperationPair): void {
  const { before, after } = pair
  if (!before.path.includes('{') || !haveSamePath(before, after)) return
  for (const other of added(pair)) {
    if (other.method !== before.method || !stoodFor(pair, other.fullPath)) continue
    report(pair, {
      id: 'endpoint-shadowed',
      message: `${titleOf(other)} takes calls that ${titleOf(before)} took`,
      ...{ old: before.operation, new: other.operation },
      values: [other.path],
      protocols: ['rest'],
    })
  }
}

/** Endpoints by methods and paths that the old version does not have. */
function added({ old, new: fresh }: OperationPair): readonly Endpoint[] {
  const known = addedTo.get(fresh)
  if (known !== undefined) return known
  const keyOf = ({ method, fullPath }: Endpoint): string => `${method} ${shapeOf(fullPath)}`
  const keys = new Set(old.endpoints.map(keyOf))
  const found = fresh.endpoints.filter((endpoint) => !endpoint.webhook && !keys.has(keyOf(endpoint)))
  addedTo.set(fresh, found)
  return found
}

const addedTo = new WeakMap<Side, readonly Endpoint[]>()

/**
 * Whether the template of the old version took calls that another path takes now, as far as the values that it takes are plain to
 * see: the router prefers the path whose text comes first.
 */
function stoodFor(pair: OperationPair, path: string): boolean {
  const [template, concrete] = [pair.before.fullPath.split('/'), path.split('/')]
  if (template.length !== concrete.length) return false
  const isOpen = (part: string | undefined): boolean => part?.includes('{') === true
  const first = template.findIndex((part, index) => isOpen(part) !== isOpen(concrete[index]))
  if (!isOpen(template[first])) return false
  return template.every((part, index) => {
    const text = concrete[index] ?? ''
    const [, name] = /^\{([^{}]+)\}$/.exec(part) ?? []
    if (name === undefined) return shapeOf(part) === shapeOf(text) || /^\{[^{}]+\}$/.test(text)
    return text.includes('{') || takes(pair, name, text)
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
