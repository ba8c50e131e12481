import { type PathReading, readPath, type Segment } from './segments.js'
import { type NameSource, type Names, reserved } from './source.js'
import { areAction, isAction, isReading } from './verbs.js'
import { isPlural, partOf, wordsOf } from './words.js'

/** Names by path and method: the resources as namespaces, then the action. */
export function pathNames(source: NameSource): Names {
  const path = readPath(source.path)
  const fixed = path.segments.filter(({ words }) => words.length > 0)
  const action = actionName(source.verb, path.segments)
  const parts = (action === undefined ? fixed : fixed.slice(0, -1)).map(({ words }) => partOf(words))
  if (action !== undefined) {
    const tag = wordsOf(source.tag ?? '')
    const namespace = parts.length === 0 && tag.length > 0 ? [partOf(tag)] : parts
    return { wished: variants(namespace, [action], path), kept: [] }
  }
  const named = parts.length > 0 ? parts : parametersOf(path)
  const { wished, kept } = resourceVerbs(source, path.segments.at(-1))
  const resource = named.length > 0 ? named : ['root']
  return {
    wished: variants(resource, wished, path),
    kept: kept.map((verb) => joined([...resource, verb])),
  }
}

/** Verbs for what a method does with a resource. */
export function resourceVerbs(source: NameSource, last: Segment | undefined): Names {
  const { verb, summaryVerb = '' } = source
  const word = last?.words.at(-1) ?? ''
  const isItem = last !== undefined && last.words.length === 0
  if (isItem && verb === 'post' && isAction(summaryVerb))
    return { wished: [...new Set(['update', summaryVerb, 'post'])], kept: [] }
  if (isItem) return { wished: itemVerbs.get(verb) ?? [partOf(wordsOf(verb))], kept: [] }
  const isMany = isPlural(word)
  if (verb === 'get' || verb === 'query') {
    const answer = source.answers?.() ?? 'unknown'
    const isList = answer === 'list' || (answer === 'unknown' && isMany)
    return isList ? { wished: ['list'], kept: ['get'] } : { wished: ['get'], kept: ['list'] }
  }
  if (verb === 'post') {
    const isUpdate = !isMany && updates.has(summaryVerb)
    return isUpdate ? { wished: ['update'], kept: ['create'] } : { wished: ['create'], kept: ['update'] }
  }
  if (isMany && verb === 'put') return { wished: ['replace'], kept: [] }
  // The same method of an item has the shorter name.
  if (isMany && verb === 'patch') return { wished: ['update_many'], kept: [] }
  if (isMany && verb === 'delete') return { wished: ['delete_many'], kept: [] }
  return { wished: itemVerbs.get(verb) ?? [partOf(wordsOf(verb))], kept: [] }
}

const itemVerbs = new Map([
  ['patch', ['update', 'patch']],
  ['post', ['update', 'post']],
  ['put', ['update', 'replace']],
])

const updates = new Set('change changes edit edits modifies modify set sets update updates'.split(' '))

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

/** Names that end in each of the verbs, then longer names for clashes. */
function variants(parts: readonly string[], ends: readonly string[], path: PathReading): string[] {
  const [end = ''] = ends
  const parameters = parametersOf(path)
  const versioned = path.prefix === '' ? [] : [joined([path.prefix, ...parts, end])]
  // The version best distinguishes `/v2/users` from `/v1/users`.
  const isLater = /\d/.test(path.prefix) && !/(^|_)v1$/.test(path.prefix)
  return [
    ...ends.map((one) => joined([...parts, one])),
    ...(isLater ? versioned : []),
    ...(parameters.length > 0 ? [joined([...parts, `${end}_by_${parameters.join('_')}`])] : []),
    ...(parts.length > 1 ? [joined([...parts.slice(0, -1), `${end}_${parts.at(-1)}`])] : []),
    ...(isLater ? [] : versioned),
  ]
}

function parametersOf({ segments }: PathReading): string[] {
  return segments.flatMap(({ parameters }) => parameters.map((name) => partOf(wordsOf(name))))
}

/** Parts as a dotted name. A reserved first part gets a `_`. */
export function joined([first = '', ...rest]: readonly string[]): string {
  return [reserved.has(first) ? `${first}_` : first, ...rest].join('.')
}
