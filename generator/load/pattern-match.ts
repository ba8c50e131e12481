import { type Context, createContext, Script } from 'node:vm'
import { isObject } from './json.js'

/**
 * Whether a text matches a `pattern` of a document; undefined where the pattern is no regular expression, or
 * where it does not come to an end: `^(a+)+$` takes years over forty letters and one that does not match.
 */
export function patternMatches(pattern: string, text: string): boolean | undefined {
  if (endless.has(pattern)) return undefined
  context ??= createContext(Object.create(null))
  for (const flags of ['u', '']) {
    Object.assign(context, { pattern, flags, text })
    try {
      return test.runInContext(context, { timeout: milliseconds }) === true
    } catch (error) {
      if (!isTimeout(error)) continue
      endless.add(pattern)
      return undefined
    }
  }
  return undefined
}

/** Thousands of times what an ordinary pattern takes. */
const milliseconds = 50

const test = new Script('new RegExp(pattern, flags).test(text)')

/** Only a script can be stopped while a regular expression runs. */
let context: Context | undefined

const endless = new Set<string>()

/** The error is one of the context's own realm, so no `instanceof` finds it. */
function isTimeout(error: unknown): boolean {
  return isObject(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
