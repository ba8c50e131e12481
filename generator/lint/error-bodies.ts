import type { GrammarNode } from '../load/grammar.js'
import { isObject, own } from '../load/json.js'
import { type Path, segmentsOf } from '../load/pointer.js'
import { below, type Context, type Rule } from './rule.js'

/** Bodies of errors that are no problems: told once for the document, since whoever has one has hundreds. */
export const errorBodies: Rule = (context) => {
  const found: Path[] = []
  return {
    operation: (node) => found.push(...bodiesOf(context, node)),
    end() {
      const [first] = found
      if (first === undefined) return
      const others = found.length === 1 ? '' : `, the first of ${found.length},`
      const message = `The body of this error${others} is answered only where createApi has the option errors`
      context.report('error-body-ignored', first, message)
    },
  }
}

/** Errors of an operation that is served, each by its key, whose content has a schema and is no problem. */
function bodiesOf(context: Context, { path, value }: GrammarNode): Path[] {
  const segments = segmentsOf(path)
  const responses = isObject(value) ? own(value, 'responses') : undefined
  if (segments[0] !== 'paths' || segments.length > 4 || !isObject(responses)) return []
  const hasSuccess = Object.keys(responses).some((key) => /^2/.test(key))
  return Object.keys(responses).flatMap((key) => {
    if (!/^[45]/.test(key) && !(key === 'default' && hasSuccess)) return []
    const content = own(context.resolve(own(responses, key)) ?? {}, 'content')
    const isOther = ([type, media]: readonly [string, unknown]): boolean =>
      !/^application\/problem\+json\b/i.test(type) && isObject(media) && Object.hasOwn(media, 'schema')
    const entries = isObject(content) ? Object.entries(content) : []
    return entries.length > 0 && entries.every(isOther) ? [below(path, 'responses', key)] : []
  })
}
