import type { JsonObject } from '../../../document/document.js'
import type { GrammarNode } from '../../../document/grammar.js'
import { isObject, own, quoted } from '../../../document/json.js'
import type { Path } from '../../../document/pointer.js'
import { type SlowPattern, slowPattern } from '../../../patterns/slow-pattern.js'
import { below, type Context, type Rule } from '../rule.js'

/**
 * Generated validators are not the only programs that run a document's patterns. In others, a short text can
 * stop a pattern that backtracks.
 */
export const slowPatterns: Rule = (context) => {
  const budget = { left: 2_000 }
  const known = new Map<string, SlowPattern | undefined>()
  const slow: Analysis = (pattern) => {
    if (!known.has(pattern)) known.set(pattern, slowPattern(pattern, budget, context.pieces))
    return known.get(pattern)
  }
  return { schema: (node) => checkSchema(context, slow, node) }
}

/** How long a pattern can take, as long as the time for all of them suffices. */
type Analysis = (pattern: string) => SlowPattern | undefined

function checkSchema(context: Context, slow: Analysis, { value, path }: GrammarNode): void {
  if (!isObject(value)) return
  const pattern = own(value, 'pattern')
  if (typeof pattern === 'string') check(context, slow, pattern, value, below(path, 'pattern'))
  const properties = own(value, 'patternProperties')
  const names = own(value, 'propertyNames')
  if (!isObject(properties)) return
  for (const key of Object.keys(properties))
    check(context, slow, key, isObject(names) ? names : {}, below(path, 'patternProperties', key))
}

/** With so few characters even polynomial time is short. */
const harmlessLength = 64

/** @param texts schema of the texts that the pattern is matched against */
function check(context: Context, slow: Analysis, pattern: string, texts: JsonObject, path: Path): void {
  const found = slow(pattern)
  if (found === undefined) return
  const most = own(texts, 'maxLength')
  const isShort = typeof most === 'number' && most <= harmlessLength
  if (isShort && !found.exponential) return
  const growth = found.exponential ? 'doubles with each character' : 'grows with a power of the length'
  const message =
    `${quoted(pattern)} takes time that ${growth} of a text that repeats ` +
    `${quoted(found.character)} and then does not match`
  const remedy = found.exponential
    ? 'Rewrite the pattern so that no two repetitions can take the same characters.'
    : `Add maxLength of ${harmlessLength} or less next to it, or rewrite it so that no two repetitions can take the same characters.`
  context.report('pattern-slow', path, message, { remedy })
}
