import { methodPath, parametersOf, readPath, type Segment } from './segments.js'
import { type NameSource, type Names, reserved } from './source.js'
import { areAction, isAction, isReading } from './verbs.js'
import { isPlural, partOf, wordsOf } from './words.js'

/** Names by path and method: the resources as namespaces, then the action. */
export function pathNames(source: NameSource): Names {
  const { verb, path } = source
  const method = methodPath(path)
  if (method !== undefined) return { preferred: [joined(method)], byMethod: [], kept: [], rank: 0 }
  const { segments } = readPath(path)
  const fixed = segments.filter(({ words }) => words.length > 0)
  const action = actionName(verb, segments)
  const parts = (action === undefined ? fixed : fixed.slice(0, -1)).map(({ words }) => partOf(words))
  if (action !== undefined) {
    const tag = wordsOf(source.tag ?? '')
    const namespace = parts.length === 0 && tag.length > 0 ? [partOf(tag)] : parts
    const isMany = verb !== 'get' && isPlural(segments.at(-2)?.words.at(-1) ?? '')
    return namesIn(namespace, { preferred: isMany ? [action, `${action}_many`] : [action] })
  }
  const named = parts.length > 0 ? parts : parametersOf(path)
  return namesIn(named.length > 0 ? named : ['root'], resourceVerbs(source, segments.at(-1)))
}

/** Names in a namespace that end in verbs. */
function namesIn(namespace: readonly string[], verbs: Verbs): Names {
  const named = (ends: readonly string[] = []): string[] => ends.map((end) => joined([...namespace, end]))
  return {
    preferred: named(verbs.preferred),
    byMethod: named(verbs.byMethod),
    kept: named(verbs.kept),
    rank: verbs.rank ?? 0,
  }
}

/** Names without a namespace, with the meanings that `Names` gives them. */
interface Verbs {
  readonly preferred: readonly string[]
  readonly byMethod?: readonly string[]
  readonly kept?: readonly string[]
  readonly rank?: number
}

/** Verbs for what a method does with a resource. */
export function resourceVerbs(source: NameSource, last: Segment | undefined): Verbs {
  const { verb, summaryVerb = '' } = source
  const word = last?.words.at(-1) ?? ''
  const isItem = last !== undefined && last.words.length === 0
  const byMethod = updatesByMethod.get(verb)
  const update = byMethod === undefined ? undefined : { preferred: ['update'], byMethod: [byMethod] }
  if (isItem && update !== undefined) {
    const isOther = verb === 'post' && isAction(summaryVerb) && summaryVerb !== 'update'
    return isOther ? { ...update, preferred: ['update', summaryVerb] } : update
  }
  if (isItem) return { preferred: [partOf(wordsOf(verb))] }
  const isMany = isPlural(word)
  if (verb === 'get' || verb === 'query') {
    const answer = source.answers?.() ?? 'unknown'
    const isList = answer === 'list' || (answer === 'unknown' && isMany)
    if (isList) return { preferred: ['list'], kept: ['get'] }
    return isMany ? { preferred: ['get', 'list'] } : { preferred: ['get'], kept: ['list'] }
  }
  if (verb === 'post') {
    const isUpdate = !isMany && updates.has(summaryVerb)
    // "Returns all or part of an order" of `/orders/{id}/returns` is about returns.
    const isAboutReturns = word === 'returns' && /^returns?$/.test(summaryVerb)
    const read = isAboutReturns ? undefined : reads.get(summaryVerb)
    const isList = read === 'get' && isMany && source.answers?.() !== 'other'
    if (read !== undefined) return { preferred: [isList ? 'list' : read], kept: ['create'] }
    return isUpdate
      ? { preferred: ['update'], kept: ['create'] }
      : { preferred: ['create'], kept: ['update'] }
  }
  // The same method of an item has the shorter name.
  if (isMany && verb === 'put')
    return !summaryVerb.startsWith('replace') && source.answersSent?.()
      ? { preferred: ['update', 'replace'], rank: 1 }
      : { preferred: ['replace'], kept: ['update'] }
  if (isMany && verb === 'patch')
    return source.answersSent?.()
      ? { preferred: ['update', 'update_many'], rank: 1 }
      : { preferred: ['update_many'], kept: ['update'] }
  if (isMany && verb === 'delete')
    return source.isSingleton?.()
      ? { preferred: ['delete', 'delete_many'], rank: 1 }
      : { preferred: ['delete_many'], kept: ['delete'] }
  return update ?? { preferred: [partOf(wordsOf(verb))] }
}

/** The verb of a method, if another method is already `update`. */
export const updatesByMethod = new Map([
  ['patch', 'patch'],
  ['post', 'post'],
  ['put', 'replace'],
])

const updates = new Set('change changes edit edits modifies modify set sets update updates'.split(' '))

/** Verbs of a POST that only reads, by the first word of its summary. */
const reads = new Map([
  ...['get', 'gets', 'retrieve', 'retrieves', 'return', 'returns', 'fetch', 'fetches'].map(
    (word) => [word, 'get'] as const,
  ),
  ...['list', 'lists'].map((word) => [word, 'list'] as const),
  ...['search', 'searches', 'find', 'finds', 'query', 'queries'].map((word) => [word, 'search'] as const),
])

/** The action at the end of a path. Undefined if the path ends in a thing. */
function actionName(verb: string, segments: readonly Segment[]): string | undefined {
  const { words, parameters } = segments.at(-1) ?? { words: [], parameters: [] }
  if (words.length === 0 || parameters.length > 0) return undefined
  if (!areAction(words, verb === 'post' && segments.length > 1)) return undefined
  const name = partOf(words)
  const isDone = verb !== 'delete' && (verb !== 'get' || isReading(words[0] ?? ''))
  if (isDone) return name
  return segments.length > 1 ? `${verb}_${name}` : undefined
}

/** Parts as a dotted name. A reserved first part gets a `_`. */
export function joined([first = '', ...rest]: readonly string[]): string {
  return [reserved.has(first) ? `${first}_` : first, ...rest].join('.')
}
