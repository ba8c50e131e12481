import { type Context, createContext, Script } from 'node:vm'
import { isObject } from '../document/json.js'
import { foreignAnchors, inlineFlags } from './foreign-escape.js'
import { slowPattern } from './slow-pattern.js'

/**
 * Whether a text matches a `pattern` of a document. Undefined if the pattern is invalid or in another
 * language's syntax, or if matching does not end: `^(a+)+$` takes years for forty letters and one that does
 * not match.
 */
export function patternMatches(pattern: string, text: string): boolean | undefined {
  if (endless.has(pattern) || [...foreignAnchors(pattern), ...inlineFlags(pattern)].length > 0)
    return undefined
  const isQuick = matchesQuickly(pattern, text.length)
  for (const flags of ['u', '']) {
    try {
      return isQuick ? new RegExp(pattern, flags).test(text) : stoppable(pattern, flags, text)
    } catch (error) {
      if (!isTimeout(error)) continue
      endless.add(pattern)
      return undefined
    }
  }
  return undefined
}

/** Whether a regular expression decides a text of this length immediately, however it backtracks. */
export function matchesQuickly(pattern: string, length: number): boolean {
  const choices = (pattern.match(/[*+?|{]/g) ?? []).length
  return choices < 2 || (choices <= 4 && length <= 10 && !pattern.includes('{'))
}

/** Thousands of times what an ordinary pattern takes. */
const milliseconds = 50

/** Time limits: one for ordinary patterns on a busy machine, and one for patterns that may themselves be slow. */
const patience = { ordinary: 2_000, suspect: 400 }

/** Milliseconds left for second attempts, for the whole document. */
let left = 10_000

/** @throws a timeout if it does not end, SyntaxError for the same sources as RegExp */
function stoppable(pattern: string, flags: string, text: string): boolean {
  context ??= createContext(Object.create(null))
  Object.assign(context, { pattern, flags, text })
  try {
    return test.runInContext(context, { timeout: milliseconds }) === true
  } catch (error) {
    // With wall-clock time alone, an answer would depend on the load of the machine.
    if (!isTimeout(error) || left <= 0) throw error
    const isSuspect = slowPattern(pattern, { left })?.exponential === true
    const timeout = isSuspect ? patience.suspect : patience.ordinary
    const start = performance.now()
    try {
      return test.runInContext(context, { timeout }) === true
    } finally {
      left -= performance.now() - start
    }
  }
}

const test = new Script('new RegExp(pattern, flags).test(text)')

/** Only a script can be stopped while a regular expression runs. */
let context: Context | undefined

const endless = new Set<string>()

/** The error belongs to the context's own realm, so `instanceof` does not work. */
function isTimeout(error: unknown): boolean {
  return isObject(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
