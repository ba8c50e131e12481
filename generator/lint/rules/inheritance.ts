import type { JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import type { Path } from '../../document/pointer.js'
import { leavesChildrenOpen } from '../../schema/discriminator.js'
import { below, type Rule } from './rule.js'

/** Bases whose discriminator selects children only by inheritance, so validation checks just the base. */
export const inheritance: Rule = (context) => {
  const bases = new Map<JsonObject, Path>()
  const inherited = new Set<JsonObject>()
  const meant = new Set<JsonObject>()
  return {
    schema({ value, path }) {
      if (!isObject(value)) return
      if (leavesChildrenOpen(value)) bases.set(value, path)
      if (!Object.hasOwn(value, '$ref')) return
      const target = context.resolve(value)
      if (target !== undefined) (path?.parent?.key === 'allOf' ? inherited : meant).add(target)
    },
    end() {
      for (const [base, path] of bases) {
        if (!inherited.has(base) || !meant.has(base)) continue
        const discriminator = own(base, 'discriminator')
        const property = isObject(discriminator) ? own(discriminator, 'propertyName') : undefined
        const message = `The discriminator ${String(property)} names children that the schema does not list: a value is typed as one of them, and checked as the schema alone`
        context.report('discriminator-inherited', below(path, 'discriminator'), message)
      }
    },
  }
}
