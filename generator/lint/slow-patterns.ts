import type { JsonObject } from '../load/document.js'
import type { GrammarNode } from '../load/grammar.js'
import { isObject, own, quoted } from '../load/json.js'
import type { Path } from '../load/pointer.js'
import { slowPattern } from '../load/slow-pattern.js'
import { below, type Context, type Rule } from './rule.js'

/** Validators run patterns against callers' texts; one that backtracks lets a short text stop the service. */
export const slowPatterns: Rule = (context) => {
  const budget = { left: 2_000 }
  return { schema: (node) => checkSchema(context, budget, node) }
}

function checkSchema(context: Context, budget: Budget, { value, path }: GrammarNode): void {
  if (!isObject(value)) return
  const pattern = own(value, 'pattern')
  if (typeof pattern === 'string') check(context, budget, pattern, value, below(path, 'pattern'))
  const properties = own(value, 'patternProperties')
  const names = own(value, 'propertyNames')
  if (!isObject(properties)) return
  for (const key of Object.keys(properties))
    check(context, budget, key, isObject(names) ? names : {}, below(path, 'patternProperties', key))
}

/** Milliseconds that are left for the patterns of the document. */
interface Budget {
  left: number
}

/** Over so few characters a power of their number is no time at all. */
const harmlessLength = 64

/** @param texts schema of the texts that the pattern is run against */
function check(context: Context, budget: Budget, pattern: string, texts: JsonObject, path: Path): void {
  const found = slowPattern(pattern, budget)
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
    : `Add maxLength of ${harmlessLength} or less beside it, or rewrite it so that no two repetitions can take the same characters.`
  context.report('pattern-slow', path, message, { remedy })
}
