import { text } from '../../document/cursor.js'
import { isObject } from '../../document/json.js'
import type { Endpoint } from '../change/side.js'

/**
 * How similar two operations are, 0 to 1: their methods, the words of their paths, their summaries and the shape of the
 * rest. Operations of different methods or kinds are not similar.
 */
export function similarity(a: Endpoint, b: Endpoint): number {
  if (a.method !== b.method || a.webhook !== b.webhook) return 0
  const words = overlap(a.path.split(/[/{}]+/), b.path.split(/[/{}]+/))
  const summary = (endpoint: Endpoint): string => text(endpoint.operation.value, 'summary') ?? ''
  const [one, other] = [summary(a), summary(b)]
  if (one === '' && other === '' && words < 0.5) return 0
  const documented = one !== '' && one === other ? 1 : 0
  return 0.3 * words + 0.3 * documented + 0.4 * overlap(shape(a), shape(b))
}

/**
 * Which of two operations is more similar to an old one: above 0 the first, below 0 the second. Their parameters, bodies
 * and responses decide, or else their texts. 0 if nothing tells.
 */
export function nearer(old: Endpoint, one: Endpoint, other: Endpoint): number {
  const gap = (of: (endpoint: Endpoint) => string[]): number =>
    overlap(of(old), of(one)) - overlap(of(old), of(other))
  return gap((endpoint) => shape(endpoint, 40)) || gap(textsOf)
}

/** Whether all contents of two operations are equal, whatever their names and texts. */
export function haveSameContents(old: Endpoint, fresh: Endpoint): boolean {
  return overlap(shape(old, 40), shape(fresh, 40)) === 1
}

function textsOf({ operation }: Endpoint): string[] {
  return ['summary', 'description'].flatMap((key) => text(operation.value, key) ?? [])
}

/** The share of words that both have. */
function overlap(a: readonly string[], b: readonly string[]): number {
  const [ours, theirs] = [new Set(a.filter(Boolean)), new Set(b.filter(Boolean))]
  const both = [...ours].filter((word) => theirs.has(word)).length
  const all = ours.size + theirs.size - both
  return all === 0 ? 0 : both / all
}

/** Every member of an operation by its path, some levels deep and with texts cut: enough to tell operations apart. */
function shape({ operation }: Endpoint, levels = 6): string[] {
  const found: string[] = []
  const visit = (value: unknown, path: string, depth: number): void => {
    if (found.length > 200) return
    if (depth > 0 && isObject(value))
      for (const [key, member] of Object.entries(value)) visit(member, `${path}/${key}`, depth - 1)
    else if (Array.isArray(value)) for (const member of value) visit(member, `${path}/-`, depth)
    else found.push(`${path}=${typeof value === 'object' ? '' : String(value).slice(0, 80)}`)
  }
  visit(operation.value, '', levels)
  return found.filter((entry) => !/^\/(operationId|summary|description|tags|x-rpc-method)/.test(entry))
}
