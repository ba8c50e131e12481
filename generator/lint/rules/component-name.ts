import { shapes } from '../../document/grammar.js'
import { isObject, own, quoted } from '../../document/json.js'
import { below, type Rule } from './rule.js'

/** Names under components (OpenAPI 3.1.1, Components Object). */
export const componentName: Rule = (context) => ({
  components(node) {
    if (!isObject(node.value)) return
    for (const section of Object.keys(shapes.components.fields)) {
      const members = own(node.value, section)
      if (!isObject(members)) continue
      for (const name of Object.keys(members)) {
        if (/^[A-Za-z0-9._-]+$/.test(name)) continue
        context.report(
          'component-name',
          below(node.path, section, name),
          `${quoted(name)} cannot name a component`,
        )
      }
    }
  },
})
