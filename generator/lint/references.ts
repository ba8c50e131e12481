import { type GrammarNode, type Kind, referenceOf } from '../load/grammar.js'
import { isObject, own } from '../load/json.js'
import { parseFragment, valueAt } from '../load/pointer.js'
import type { Rule } from './rule.js'
import { below } from './rule.js'
import { subject } from './subject.js'

const sections: Partial<Record<Kind, string>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
  mediaType: 'mediaTypes',
}

/** References lead to things of their own kind, and arrive. Those that lead nowhere are load's to report. */
export const references: Rule = (context) => ({
  any(node) {
    const reference = referenceOf(node)
    if (reference === undefined || !reference.startsWith('#')) return
    const [first, section, ...rest] = parseFragment(reference.slice(1)) ?? []
    const expected = sections[node.kind]
    if (first === 'components' && rest.length === 1 && expected !== undefined && section !== expected) {
      const message = `${reference} does not lead to a ${subject({ ...node, value: null, path: undefined })}`
      const remedy = `Refer to an entry of #/components/${expected}.`
      context.report('reference-kind', below(node.path, '$ref'), message, { remedy })
    } else if (isCircular(node, reference, (pointer) => valueAt(context.document.root, pointer))) {
      context.report('reference-cycle', below(node.path, '$ref'), `${reference} leads back to itself`)
    }
  },
})

/** Follows references from one to the next, as long as there is nothing but references. */
function isCircular(node: GrammarNode, start: string, at: (segments: readonly string[]) => unknown): boolean {
  const seen = new Set<string>()
  for (let reference: unknown = start; typeof reference === 'string'; ) {
    if (seen.has(reference)) return true
    seen.add(reference)
    const value = at(parseFragment(reference.slice(1)) ?? [])
    if (value === node.value) return true
    reference = isObject(value) ? own(value, '$ref') : undefined
  }
  return false
}
