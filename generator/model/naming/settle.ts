import { pathNames } from './path-names.js'
import { parametersOf, readPath } from './segments.js'
import { type NameSource, type Names, reserved } from './source.js'
import type { TakenNames } from './taken-names.js'
import { mayBeAction } from './verbs.js'
import { partOf, wordsOf } from './words.js'

/** The first possible name that is free. Names that only repeat what a rival has as well come last. */
export function settle(names: Names, source: NameSource, taken: TakenNames): string {
  const [wanted = ''] = names.preferred
  if (isFree(wanted, taken)) return wanted
  return firstFree(possibleNames(names, source, taken.rivals(wanted)), wanted, taken)
}

/** The first name that is free, else the wanted name with a number. */
export function firstFree(possible: Iterable<string>, wanted: string, taken: TakenNames): string {
  for (const name of possible) if (isFree(name, taken)) return name
  // Below a taken name, no name is free.
  const joined = wanted.replaceAll('.', '_')
  for (;;) {
    const number = taken.count(wanted)
    for (const name of [`${wanted}_${number}`, joined, `${joined}_${number}`])
      if (isFree(name, taken)) return name
  }
}

/** Whether no operation has this name, and none has a name that starts or continues it. */
export function isFree(name: string, taken: TakenNames): boolean {
  return !reserved.has(name) && taken.rivals(name).length === 0
}

/** Whether `settle` could return this name for the operation. */
export function isPossible(name: string, names: Names, source: NameSource): boolean {
  const [wanted = ''] = names.preferred
  for (const base of [wanted, wanted.replaceAll('.', '_')])
    if (name.startsWith(base) && /^(_\d+|_by_\w+)?$/.test(name.slice(base.length))) return true
  for (const possible of possibleNames(names, source, [])) if (possible === name) return true
  return false
}

/** Names by what distinguishes an operation from its rivals: the method, the version, parameters, the parent. */
function* possibleNames(
  { preferred, byMethod }: Names,
  source: NameSource,
  rivals: readonly NameSource[],
): Generator<string> {
  const [wanted = '', ...others] = preferred
  const differs = (trait: (of: NameSource) => string): boolean =>
    rivals.every((rival) => trait(rival) !== trait(source))
  const isOtherMethod = differs(({ verb }) => verb)
  yield wanted
  const { prefix } = readPath(source.path)
  const isOtherVersion = prefix !== '' && differs(({ path }) => readPath(path).prefix)
  // The version best distinguishes `/v2/users` from `/v1/users`.
  const isLater = /\d/.test(prefix) && !/(^|_)v1$/.test(prefix)
  if (isOtherVersion && isLater) yield `${prefix}.${wanted}`
  yield* others
  if (isOtherMethod) yield* byMethod
  const shared = new Set(rivals.flatMap(({ path }) => parametersOf(path)))
  const own = parametersOf(source.path).filter((name) => !shared.has(name))
  const method = isOtherMethod ? [partOf(wordsOf(source.verb))] : []
  if (own.length > 0) yield `${wanted}_by_${own.join('_')}`
  for (const verb of method) {
    yield `${wanted}_${verb}`
    if (own.length > 0) yield `${wanted}_by_${own.join('_')}_${verb}`
  }
  const [end = '', parent = '', ...above] = wanted.split('.').reverse()
  const pair = mayBeAction(end) ? `${end}_${parent}` : `${parent}_${end}`
  if (above.length > 0) yield [...above.reverse(), pair].join('.')
  yield pathNames(source).preferred[0] ?? ''
  if (isOtherVersion) yield `${prefix}.${wanted}`
}
