import type { GrammarNode } from '../../document/grammar.js'
import { isObject, own, quoted } from '../../document/json.js'
import type { Path } from '../../document/pointer.js'
import { below, type Rule } from './rule.js'
import { subject } from './subject.js'

const values = ['stated', 'inferred', 'assumed']

/** x-provenance: one of its three values, and without gaps once it is used. */
export const provenance: Rule = (context) => {
  const lacking: GrammarNode[] = []
  let used = false
  const check = (value: unknown, path: Path) => {
    if (!isObject(value) || !Object.hasOwn(value, 'x-provenance')) return
    used = true
    const found = own(value, 'x-provenance')
    if (typeof found === 'string' && values.includes(found)) return
    context.report('provenance-invalid', below(path, 'x-provenance'), `${quoted(found)} is not a provenance`)
  }
  return {
    any(node) {
      check(node.value, node.path)
      const needed = node.kind === 'operation' || node.kind === 'parameter' || node.field === 'properties'
      if (needed && isObject(node.value) && !Object.hasOwn(node.value, 'x-provenance')) lacking.push(node)
    },
    document(node) {
      const errors = isObject(node.value) ? own(node.value, 'x-errors') : undefined
      if (!isObject(errors)) return
      for (const [code, entry] of Object.entries(errors)) check(entry, below(node.path, 'x-errors', code))
    },
    end() {
      if (!used) return
      for (const node of lacking) {
        if (Object.hasOwn(context.resolve(node.value) ?? {}, 'x-provenance')) continue
        const what = node.kind === 'schema' ? `property ${node.path?.key}` : subject(node)
        context.report('provenance-missing', node.path, `The ${what} has no x-provenance`)
      }
    },
  }
}
