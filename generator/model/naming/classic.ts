import { compareText } from '../../document/cursor.js'
import { groupBy } from '../../document/grouping.js'
import { firstFree } from './settle.js'
import { dottedId, type NameSource, reserved } from './source.js'
import { TakenNames } from './taken-names.js'
import { partOf, wordsOf } from './words.js'

/**
 * Names by an operationId with a dot, else by path and verb. Operations that want the same name add their parameters.
 * Callers use these names, so the rules must not change.
 *
 * @param derived sorted by path and verb
 */
export function classicNames(
  derived: readonly NameSource[],
  stated: Iterable<readonly [NameSource, string]>,
): ReadonlyMap<NameSource, string> {
  const names = new Map(derived.map((source) => [source, classicName(source)]))
  const fromPaths = derived.filter((source) => dottedId(source) === undefined)
  for (const group of clashing(fromPaths, names)) {
    for (const source of group) names.set(source, derivedName(source, true))
  }
  const taken = new TakenNames(stated)
  const ordered = [...derived].sort(
    (a, b) =>
      Number(dottedId(a) === undefined) - Number(dottedId(b) === undefined) ||
      length(names, b) - length(names, a) ||
      compareText(a.path, b.path) ||
      compareText(a.verb, b.verb),
  )
  for (const source of ordered) {
    const wanted = names.get(source) ?? ''
    const name = firstFree(possibleNames(wanted, source), wanted, taken)
    taken.add(name, source)
    names.set(source, name)
  }
  return names
}

function* possibleNames(wanted: string, { verb }: NameSource): Generator<string> {
  yield wanted
  yield `${wanted}_${partOf(wordsOf(verb))}`
  const parts = wanted.split('.')
  for (let joined = 2; joined <= parts.length; joined++) {
    yield [...parts.slice(0, -joined), parts.slice(-joined).join('_')].join('.')
  }
}

/** The name of an operation if there were no clashes. */
export function classicName(source: NameSource): string {
  return dottedId(source) ?? derivedName(source, false)
}

function derivedName(source: NameSource, withParameters: boolean): string {
  // An extension describes the response's format, not its content.
  const path = source.path.replace(/\.(json|xml)$/i, '')
  const segments = path.split('/').filter((segment) => segment !== '')
  const words = segments.flatMap((segment) => {
    const fixed = segment.replace(/\{[^}]*\}/g, ' ')
    if (fixed.trim() !== '') return [word(fixed)]
    return withParameters ? [word(`by ${segment}`)] : []
  })
  const last = segments.at(-1)
  const onItem = last !== undefined && /^\{[^}]*\}$/.test(last)
  const first = words[0]
  const parts = first === undefined ? [] : [reserved.has(first) ? `${first}_` : first, ...words.slice(1)]
  return [...parts, verbWord(source.verb, onItem)].join('.')
}

function verbWord(verb: string, onItem: boolean): string {
  if (verb === 'get') return onItem ? 'get' : 'list'
  return verbs.get(verb) ?? word(verb)
}

const verbs = new Map([
  ['post', 'create'],
  ['put', 'replace'],
  ['patch', 'update'],
])

/** `exchange-rate` becomes `exchange_rate`. Characters other than ASCII letters and digits become their code points. */
function word(text: string): string {
  const spelled = text.replace(
    /[^\x20-\x7e]/gu,
    (character) => ` u${character.codePointAt(0)?.toString(16)} `,
  )
  const words = spelled.split(/[^A-Za-z0-9]+/).filter((part) => part !== '')
  const joined = words.length === 0 ? 'x' : words.join('_')
  return /^[A-Za-z]/.test(joined) ? joined : `n${joined}`
}

function clashing(
  sources: readonly NameSource[],
  names: ReadonlyMap<NameSource, string>,
): (readonly NameSource[])[] {
  return [...groupBy(sources, (source) => names.get(source) ?? '').values()].filter(
    (group) => group.length > 1,
  )
}

function length(names: ReadonlyMap<NameSource, string>, source: NameSource): number {
  return (names.get(source) ?? '').split('.').length
}
