import { componentSections } from '../../document/component-sections.js'
import { referenceOf } from '../../document/grammar.js'
import { isObject, own } from '../../document/json.js'
import { parseFragment, valueAt } from '../../document/pointer.js'
import type { Rule } from './rule.js'
import { below } from './rule.js'
import { subject } from './subject.js'

/** References have a target of the right kind, and are not circular. Load reports those without a target. */
export const references: Rule = (context) => {
  const circular = new Map<string, boolean>()
  const sound = new Set<string>()
  return {
    any(node) {
      const reference = referenceOf(node)
      if (reference === undefined || !reference.startsWith('#')) return
      if (sound.has(`${node.kind} ${reference}`)) return
      const segments = parseFragment(reference.slice(1))
      const [first, section, ...rest] = segments ?? []
      const expected = componentSections[node.kind]
      const isOther = first === 'components' && rest.length === 1 && section !== expected
      if (expected !== undefined && (isOther || (segments !== undefined && isAbove(segments)))) {
        const message = `${reference} does not lead to a ${subject({ ...node, value: null, path: undefined })}`
        const remedy = `Refer to an entry of #/components/${expected}.`
        context.report('reference-kind', below(node.path, '$ref'), message, { remedy })
      } else if (isCircular(reference, circular, (pointer) => valueAt(context.document.root, pointer))) {
        context.report('reference-cycle', below(node.path, '$ref'), `${reference} leads back to itself`)
      } else sound.add(`${node.kind} ${reference}`)
    },
  }
}

/** Whether a pointer leads to a container of possible targets: `#`, `#/components/schemas`. */
function isAbove(segments: readonly string[]): boolean {
  const [first = ''] = segments
  return segments.length < (depths.get(first) ?? 1)
}

/** The minimum number of keys in a pointer to a possible target. */
const depths: ReadonlyMap<string, number> = new Map([
  ['components', 3],
  ['paths', 2],
  ['webhooks', 2],
  ...['info', 'openapi', 'security', 'servers', 'tags'].map(
    (name) => [name, Number.POSITIVE_INFINITY] as const,
  ),
])

/** Whether a chain of references comes back to itself. `known` stores the result for each reference on the way. */
function isCircular(
  start: string,
  known: Map<string, boolean>,
  at: (segments: readonly string[]) => unknown,
): boolean {
  const seen = new Set<string>()
  let answer = false
  for (let reference: unknown = start; typeof reference === 'string'; ) {
    answer = seen.has(reference) || known.get(reference) === true
    if (answer || known.has(reference)) break
    seen.add(reference)
    const value = at(parseFragment(reference.slice(1)) ?? [])
    reference = isObject(value) ? own(value, '$ref') : undefined
  }
  for (const reference of seen) known.set(reference, answer)
  return answer
}
