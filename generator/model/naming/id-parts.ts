import { resourceVerbs } from './path-names.js'
import { isKnown, isThing, partAt, partsOf, type Range, resourceAt, tagAt, tagWords } from './resources.js'
import { readPath, type Segment } from './segments.js'
import type { NameSource } from './source.js'
import { areAction, isAction, mayBeAction, prepositions } from './verbs.js'
import { isPlural, lettersOf, partOf, stemOf } from './words.js'

/** Reads an action, its object and its details: `cancelOrder`, `findPetsByStatus`. */
export function verbFirst(verb: string, words: readonly string[], source: NameSource): string[] {
  const { segments } = readPath(source.path)
  const { object, place, more } = splitDetails(words, segments)
  const found = partAt(segments, object)
  if (found === undefined) {
    const namespace =
      place === undefined ? defaultNamespace(object, source, segments) : pathTo(place, source, segments)
    return [...namespace, partOf([verb, ...withoutNamespace(object, namespace.at(-1)), ...more])]
  }
  const start = Math.min(startOf(found, source, segments), place?.start ?? found.start)
  const end = Math.max(found.end, place?.end ?? found.end)
  const isList = verb === 'get' && isPlural(object.at(-1) ?? '') && source.answers?.() === 'list'
  return [
    ...partsOf(segments.slice(start, end + 1)),
    partOf([isList ? 'list' : verb, ...found.others, ...more]),
  ]
}

/** Splits at the first preposition. `more` are the details that the path does not say. */
function splitDetails(
  words: readonly string[],
  segments: readonly Segment[],
): {
  readonly object: readonly string[]
  readonly place: Range | undefined
  readonly more: readonly string[]
} {
  const isWhole = words.length > 0 && resourceAt(segments, words) !== undefined
  const cut = isWhole ? -1 : words.findIndex((word) => prepositions.has(word))
  const [object, tail] = cut === -1 ? [words, []] : [words.slice(0, cut), words.slice(cut)]
  const place = placeIn(segments, tail)
  return { object, place, more: place === undefined && !isItsItem(segments, tail) ? tail : [] }
}

/** The parts of the path up to a resource. If the path contains the tag, they start there. */
function pathTo(range: Range, source: NameSource, segments: readonly Segment[]): string[] {
  return partsOf(segments.slice(startOf(range, source, segments), range.end + 1))
}

function startOf(range: Range, source: NameSource, segments: readonly Segment[]): number {
  const tag = tagAt(segments, source) ?? 0
  return tag <= range.start ? tag : 0
}

/** Removes the namespace from the start of words: `createThreadAndRun` is `create_and_run` in `threads`. */
function withoutNamespace(words: readonly string[], namespace = ''): readonly string[] {
  const own = namespace.split('_')
  return words.length >= own.length && stemOf(words.slice(0, own.length)) === stemOf(own)
    ? words.slice(own.length)
    : words
}

/** Whether details only name the parameter that ends the path: `ById`. */
function isItsItem(segments: readonly Segment[], [first, ...by]: readonly string[]): boolean {
  const name = lettersOf((segments.at(-1)?.parameters ?? []).join(' '))
  return first === 'by' && name !== '' && by.every((word) => word === 'id' || name.includes(word))
}

/** The parent resource that details name: `ForOrg`, `InVectorStore`. */
function placeIn(segments: readonly Segment[], [first = '', ...words]: readonly string[]): Range | undefined {
  return words.length === 0 || first === 'by' ? undefined : resourceAt(segments.slice(0, -1), words)
}

/**
 * The namespace of an action without a resource: the first word, if the path has it, else the tag, else the path's
 * first resource.
 */
function defaultNamespace(
  object: readonly string[],
  source: NameSource,
  segments: readonly Segment[],
): string[] {
  const named = partsOf(segments).find((part) => withoutNamespace(object, part).length < object.length)
  if (named !== undefined) return [named]
  const at = tagAt(segments, source)
  const tag = tagWords(source)
  if (at === undefined && tag.length > 0) return [partOf(tag)]
  const segment = at === undefined ? segments.find(({ words }) => words.length > 0) : segments[at]
  return segment === undefined ? [] : partsOf([segment])
}

/**
 * The words of an id that only names a resource, with its tag or its parent: `userProfile`, `typeaheadForWorkspace`.
 */
export function nounOf(
  words: readonly string[],
  source: NameSource,
  segments: readonly Segment[],
): readonly string[] | undefined {
  const { object, place } = splitDetails(words, segments)
  if (place !== undefined && isKnown(object, source, segments)) return object
  return isThing(withoutTag(words, source), segments) ? words : undefined
}

/** The words after the tag. None if they do not start with it. */
export function withoutTag(words: readonly string[], source: NameSource): readonly string[] {
  const below = withoutNamespace(words, partOf(tagWords(source)))
  return below.length < words.length ? below : []
}

/** Reads a resource without an action. */
export function nounFirst(words: readonly string[], source: NameSource): string[] {
  const { segments } = readPath(source.path)
  const found = resourceAt(segments, words)
  const namespace =
    found === undefined
      ? namespaceOf(words, source)
      : partsOf(segments.slice(ownerOf(found, source, segments), found.end + 1))
  return [...namespace, resourceVerbs(source, segments.at(-1)).preferred[0] ?? '']
}

/** Where the namespace of a resource starts: at the tag, or at a collection directly before it, as in `/users/me`. */
function ownerOf({ start }: Range, source: NameSource, segments: readonly Segment[]): number {
  const tag = tagAt(segments, source) ?? start
  const isBelow = isPlural(segments[start - 1]?.words.at(-1) ?? '')
  return Math.min(tag, isBelow ? start - 1 : start)
}

/** Reads words for a namespace and words for an action in it. */
export function withNamespace(
  where: readonly string[],
  action: readonly string[],
  source: NameSource,
): string[] {
  const namespace = namespaceOf(where, source)
  const [verb = '', ...object] = action
  const isSame = object.length > 0 && withoutNamespace(object, namespace.at(-1)).length === 0
  return [...namespace, isSame || object.length === 0 ? (verb === 'post' ? 'create' : verb) : partOf(action)]
}

/**
 * Reads an action that ends both the path and the id: `addItemForPortfolio` of `/portfolios/{id}/addItem` is
 * `portfolios.add_item`, and `apps_commit_rollback` of `/apps/{id}/rollback/commit` is `apps.commit_rollback`.
 */
export function actionOfPath(words: readonly string[], source: NameSource): string[] | undefined {
  const { segments } = readPath(source.path)
  const [last = [], before = []] = [segments.at(-1)?.words, segments.at(-2)?.words]
  const turned = [...last, ...before]
  const isTurned = last.length === 1 && mayBeAction(last[0] ?? '') && isAction(before[0] ?? '')
  const phrase = isTurned ? turned : last
  // In `listSearchQueries` the phrase is the object of another action.
  const [start] = `_${words.join('_')}_`.split(`_${phrase.join('_')}_`, 1)
  const isSaid = start !== `_${words.join('_')}_` && !start?.split('_').some(isAction)
  if (!isSaid || !(isTurned || (last.length > 1 && areAction(last, false)))) return undefined
  const above = segments.slice(0, isTurned ? -2 : -1)
  const namespace = partsOf(above.slice(tagAt(above, source) ?? 0))
  return namespace.length === 0 ? undefined : [...namespace, partOf(phrase)]
}

/**
 * Reads an action that begins the id and ends the path: `watchJobs` of `/jobs/watch` is `jobs.watch`. The rest of the
 * id is what the path says before. Without a rest, a GET may read a thing: `report` of `/orders/report`.
 */
export function actionAround(
  [first = '', ...rest]: readonly string[],
  source: NameSource,
): string[] | undefined {
  const { segments } = readPath(source.path)
  const above = segments.slice(0, -1)
  if (segments.at(-1)?.words.join('_') !== first || !mayBeAction(first)) return undefined
  if (rest.length === 0 && !isAction(first) && source.verb === 'post' && above.some(isFixed))
    return [...partsOf(above), first]
  const object = prepositions.has(rest[0] ?? '') ? rest.slice(1) : rest
  if (partAt(above, object) === undefined) return undefined
  return verbFirst(first, object, { ...source, path: source.path.replace(/[/:#][^/:#]+\/?$/, '') })
}

function isFixed({ words }: Segment): boolean {
  return words.length > 0
}

/** A namespace as in the path. Otherwise a leading tag becomes a part of its own. */
function namespaceOf(words: readonly string[], source: NameSource): string[] {
  const { segments } = readPath(source.path)
  const found = resourceAt(segments, words)
  if (found !== undefined) return partsOf(segments.slice(found.start, found.end + 1))
  const tag = tagWords(source)
  const below = withoutTag(words, source)
  if (stemOf(words) === stemOf(tag)) return [partOf(tag)]
  return below.length > 0 ? [partOf(tag), partOf(below)] : [partOf(words)]
}

/**
 * Reads a verb that the path's last resource is named after: `commentOnTicket` of `/tickets/{id}/comments` is
 * `tickets.comment`.
 */
export function verbOfParent(
  [verb = '', ...words]: readonly string[],
  source: NameSource,
): string[] | undefined {
  const { segments } = readPath(source.path)
  const last = segments.findLastIndex((segment) => segment.words.length > 0)
  const own = segments[last]?.words ?? []
  const isNamedAfter = own.length === 1 && own[0] !== verb && stemOf(own) === verb
  if (!isNamedAfter || source.verb === 'get' || tagAt(segments, source) === last) return undefined
  const parents = segments.slice(0, last)
  const end = parents.findLastIndex((segment) => segment.words.length > 0)
  if (end === -1) return undefined
  const { object, more } = splitDetails(words, segments)
  const found = partAt(parents, object) ?? { start: end, end, others: object }
  return [...pathTo(found, source, segments), partOf([verb, ...found.others, ...more])]
}
