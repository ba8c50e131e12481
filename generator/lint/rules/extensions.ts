import type { GrammarNode } from '../../document/grammar.js'
import { isArray, isObject, own, quoted } from '../../document/json.js'
import { closest } from '../../document/spelling.js'
import { keywordsThat } from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'
import { below, type Rule } from './rule.js'

/** Every extension that duet reads. spec/README.md documents them. */
export const vocabulary: readonly string[] = [
  ...keywordsThat(({ name }) => name.startsWith('x-')),
  'x-rpc-method',
  'x-rpc-param',
  'x-rpc-schema',
  'x-mcp',
  'x-errors',
  'x-provenance',
  'x-assumed',
  'x-deprecated-since',
  'x-value',
  'x-enum-fallback',
]

const levels = ['draft', 'alpha', 'beta', 'stable']

/** Values of the simple extensions, and spelling of all. */
export const extensions: Rule = (context) => {
  const similarTo = new Map<string, string | undefined>()
  const check = (node: GrammarNode): void => {
    if (!isObject(node.value)) return
    const level = own(node.value, 'x-stability-level')
    if (level !== undefined && !(typeof level === 'string' && levels.includes(level))) {
      const message = `${quoted(level)} is not a stability level`
      context.report('stability-invalid', below(node.path, 'x-stability-level'), message)
    }
    const values = own(node.value, 'x-extensible-enum')
    if (values !== undefined && !isSet(values)) {
      context.report(
        'extensible-enum-invalid',
        below(node.path, 'x-extensible-enum'),
        'x-extensible-enum is not a list of different values',
      )
    }
    const fallbacks = own(node.value, 'x-enum-fallback')
    const fault = fallbacks === undefined ? undefined : fallbackFault(fallbacks, own(node.value, 'enum'))
    if (fault !== undefined)
      context.report('enum-fallback-invalid', below(node.path, 'x-enum-fallback'), fault)
    for (const key of Object.keys(node.value)) {
      if (!key.startsWith('x-') || vocabulary.includes(key)) continue
      if (!similarTo.has(key)) similarTo.set(key, closest(key, vocabulary))
      const similar = similarTo.get(key)
      if (similar === undefined) continue
      context.report('misspelt-extension', below(node.path, key), `${key} is not read by duet`, {
        remedy: `Did you mean ${similar}?`,
      })
    }
  }
  return { any: check }
}

/** What is wrong with `x-enum-fallback` next to an enum. */
function fallbackFault(fallbacks: unknown, values: unknown): string | undefined {
  if (!isObject(fallbacks) || Object.keys(fallbacks).length === 0)
    return 'x-enum-fallback is not a map of texts'
  if (!isArray(values)) return 'x-enum-fallback is on a schema without enum'
  for (const [value, fallback] of Object.entries(fallbacks)) {
    if (typeof fallback !== 'string') return `The fallback of ${quoted(value)} is not a text`
    if (value === fallback) return `${quoted(value)} is its own fallback`
    if (!values.includes(value) && !values.includes(fallback))
      return `Neither ${quoted(value)} nor its fallback ${quoted(fallback)} is in the enum`
  }
  return undefined
}

function isSet(value: unknown): boolean {
  return isArray(value) && value.length > 0 && new Set(value.map(fingerprint)).size === value.length
}
