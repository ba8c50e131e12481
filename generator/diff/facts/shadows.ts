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

/** Endpoints at paths that the old version has not. */
function added({ old, new: fresh }: OperationPair): readonly Endpoint[] {
  const known = addedTo.get(fresh)
  if (known !== undefined) return known
  const shapes = new Set(old.endpoints.map(({ fullPath }) => shapeOf(fullPath)))
  const found = fresh.endpoints.filter(({ webhook, fullPath }) => !webhook && !shapes.has(shapeOf(fullPath)))
  addedTo.set(fresh, found)
  return found
}

const addedTo = new WeakMap<Side, readonly Endpoint[]>()

/** Whether the template of the old version stood for a path, as far as the values that it takes are plain to see. */
function stoodFor(pair: OperationPair, path: string): boolean {
  const [template, concrete] = [pair.before.fullPath.split('/'), path.split('/')]
  if (template.length !== concrete.length) return false
  return template.every((part, index) => {
    const text = concrete[index] ?? ''
    const [, name] = /^\{([^{}]+)\}$/.exec(part) ?? []
    if (name === undefined) return shapeOf(part) === shapeOf(text)
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
