import { isObject, own, quoted } from '../../../document/json.js'
import { below, type Rule } from '../rule.js'

/** Patterns as JavaScript and Perl write them, between slashes, where an anchor next to a slash can never match. */
export const patternSlashes: Rule = (context) => ({
  schema({ value, path }) {
    if (!isObject(value)) return
    const pattern = own(value, 'pattern')
    const names = own(value, 'patternProperties')
    const found = [
      ...(typeof pattern === 'string' ? [[pattern, below(path, 'pattern')] as const] : []),
      ...(isObject(names)
        ? Object.keys(names).map((name) => [name, below(path, 'patternProperties', name)] as const)
        : []),
    ]
    for (const [written, at] of found) {
      const inner = between.exec(written)?.[1]
      if (inner === undefined || !/^\^|\$$/.test(inner)) continue
      const message = `${quoted(written)} begins and ends with a slash, which JSON Schema reads as letters`
      context.report('pattern-slashes', at, message, { remedy: `Write ${quoted(inner)}.` })
    }
  },
})

const between = /^\/(.+)\/[a-z]*$/s
