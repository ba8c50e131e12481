import { isEcho, withoutPath } from './echo.js'
import { joined, resourceVerbs } from './path-names.js'
import { readPath, type Segment } from './segments.js'
import { dottedId, type NameSource, type Names } from './source.js'
import { actionOf, areAction, isAction, mayBeAction, prepositions } from './verbs.js'
import { isPlural, lettersOf, partOf, stemOf, wordsOf } from './words.js'

/** Names by the operationId. Undefined if it is missing or only repeats method and path. */
export function idNames(given: NameSource): Names | undefined {
  const source = withoutZ(given)
  const dotted = dottedId(source)
  if (dotted !== undefined) return { wished: [dotted], kept: [] }
  const { operationId = '', verb, path } = source
  // Nobody writes longer ids, and reading them takes time.
  if (wordsOf(operationId.slice(0, longest)).length === 0 || operationId.length > longest) return undefined
  const pieces = operationId.split(/[./]+/).filter((piece) => wordsOf(piece).length > 0)
  if (pieces.length > 1) return { wished: [joined(pieces.map((piece) => partOf(wordsOf(piece))))], kept: [] }
  const id = withoutPath(operationId, verb, path)
  if (id === '' || (source === given && isEcho(id, verb, path)) || isUnreadable(id, path)) return undefined
  const name = joined(nameParts(id, source))
  const other = name.endsWith('.update') ? otherUpdates.get(verb) : undefined
  return { wished: other === undefined ? [name] : [name, name.replace(/update$/, other)], kept: [] }
}

/** If the path ends in `healthz` and the id says `health`, so does the name. */
function withoutZ(source: NameSource): NameSource {
  const { operationId = '', path } = source
  const [, plain] = /([a-z]+)z$/.exec(path) ?? []
  if (plain === undefined || operationId.length > longest) return source
  return wordsOf(operationId).includes(plain) ? { ...source, path: path.slice(0, -1) } : source
}

const longest = 400

/** The verb of a method, if another method of the path is already `update`. */
const otherUpdates = new Map([
  ['patch', 'patch'],
  ['put', 'replace'],
])

/** Whether an id has words without separators that the path does not explain: `Compactconversation`. */
function isUnreadable(id: string, path: string): boolean {
  const words = wordsOf(id)
  const letters = lettersOf(path)
  return runTogether(words) === undefined && words.some((word) => word.length > 17 && !letters.includes(word))
}

function nameParts(id: string, source: NameSource): string[] {
  const [first = '', ...others] = id.split('_').filter((piece) => piece !== '')
  // In an id that mixes conventions, `_` ends the namespace: `UsersController_findAll`, `sshKeys_list`.
  const isMixed = [first, ...others].some((piece) => /[a-z][A-Z]|^[A-Z][a-z]/.test(piece))
  if (others.length > 0 && isMixed && !isAction(wordsOf(first)[0] ?? ''))
    return withNamespace(
      wordsOf(first.replace(/(Controller|Service)$/, '')),
      wordsOf(others.join('_')),
      source,
    )
  const words = wordsOf(id)
  return byWords(words.length > 1 && fillers.has(words.at(-1) ?? '') ? words.slice(0, -1) : words, source)
}

const fillers = new Set(['endpoint', 'handler', 'method', 'operation'])

function byWords(words: readonly string[], source: NameSource): string[] {
  const [first = '', ...rest] = words
  const last = words.at(-1) ?? ''
  const { segments } = readPath(source.path)
  if (mayBeAction(last) && isThing(words.slice(0, -1), segments)) {
    return withNamespace(words.slice(0, -1), [last], source)
  }
  if (isAction(first) || (methods.has(first) && rest.length > 0))
    return verbFirst(actionOf(first), rest, source)
  const isNoun = isThing(words, segments)
  const middle = isNoun ? -1 : actionIn(words)
  if (middle !== -1) return withNamespace(words.slice(0, middle), words.slice(middle), source)
  const run = runTogether(words)
  if (run !== undefined) return verbFirst(...run, source)
  if (!isNoun && mayBeAction(first)) return verbFirst(first, rest, source)
  if (!isNoun && words.length > 1 && mayBeAction(last))
    return withNamespace(words.slice(0, -1), [last], source)
  // An unknown word before a resource of the path must be the verb.
  if (!isNoun && source.verb !== 'get' && isThing(rest, segments)) return verbFirst(first, rest, source)
  const { wished } = resourceVerbs(source, segments.at(-1))
  return [...namespaceOf(words, source), wished[0] ?? '']
}

/** The index of the action after the first word. -1 if there is none. */
function actionIn(words: readonly string[]): number {
  const at = words.findIndex((word, index) => index > 0 && (isAction(word) || methods.has(word)))
  const isLast = plainest.has(words.at(-1) ?? '') && !plainest.has(words[at] ?? '')
  return isLast ? words.length - 1 : at
}

/** If an id ends in one of these verbs, other verbs in it name things: `data_export_create`. */
const plainest = new Set(['add', 'create', 'delete', 'get', 'list', 'remove', 'update'])

/** Whether words name a resource of the path, and not an action. */
function isThing(words: readonly string[], segments: readonly Segment[]): boolean {
  const found = words.length === 0 ? undefined : resourceAt(segments, words)
  return found !== undefined && !areAction(segments[found.end]?.words ?? [], false)
}

const methods = new Set(['patch', 'post', 'put'])

/** Splits `getorganizationspendlimit` into `get` and the rest. */
function runTogether([word = '', ...others]: readonly string[]): [string, string[]] | undefined {
  const verb = ['get', 'list', 'create', 'update', 'delete', 'retrieve'].find((one) => word.startsWith(one))
  const isLong = others.length === 0 && verb !== undefined && word.length >= verb.length + 6
  return isLong ? [verb, [word.slice(verb.length)]] : undefined
}

/** Reads an action, its object and its details: `cancelOrder`, `findPetsByStatus`. */
function verbFirst(verb: string, words: readonly string[], source: NameSource): string[] {
  const { segments } = readPath(source.path)
  const cut = words.findIndex((word) => prepositions.has(word))
  const [object, tail] = cut === -1 ? [words, []] : [words.slice(0, cut), words.slice(cut)]
  const place = placeIn(segments, tail)
  const more = place === undefined && !isItsItem(segments, tail) ? tail : []
  const found = partAt(segments, object)
  if (found === undefined) {
    const namespace = defaultNamespace(object, source, segments)
    return [...namespace, partOf([verb, ...withoutNamespace(object, namespace.at(-1)), ...tail])]
  }
  const tag = tagAt(segments, source) ?? 0
  const start = Math.min(tag <= found.start ? tag : 0, place ?? found.start)
  const isList = verb === 'get' && isPlural(object.at(-1) ?? '') && source.answers?.() === 'list'
  return [
    ...partsOf(segments.slice(start, found.end + 1)),
    partOf([isList ? 'list' : verb, ...found.others, ...more]),
  ]
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

/** The index of the parent resource that details name: `ForOrg`, `InVectorStore`. */
function placeIn(
  segments: readonly Segment[],
  [first = '', ...words]: readonly string[],
): number | undefined {
  return words.length === 0 || first === 'by' ? undefined : resourceAt(segments.slice(0, -1), words)?.start
}

/** The resource that most of the words name. The other words describe the action. */
function partAt(
  segments: readonly Segment[],
  words: readonly string[],
): { readonly start: number; readonly end: number; readonly others: readonly string[] } | undefined {
  const whole = words.length === 0 ? undefined : resourceAt(segments, words)
  if (whole !== undefined) return { ...whole, others: [] }
  // An action on two things belongs to no single resource. Nobody writes more words, and trying them takes time.
  if (words.includes('and') || words.length > 12) return undefined
  for (let length = words.length - 1; length > 0; length--) {
    for (let from = words.length - length; from >= 0; from--) {
      const found = resourceAt(segments, words.slice(from, from + length))
      if (found !== undefined)
        return { ...found, others: [...words.slice(0, from), ...words.slice(from + length)] }
    }
  }
  return undefined
}

/** Reads words for a namespace and words for an action in it. */
function withNamespace(where: readonly string[], action: readonly string[], source: NameSource): string[] {
  const namespace = namespaceOf(where, source)
  const [verb = '', ...object] = action
  const isSame = object.length > 0 && withoutNamespace(object, namespace.at(-1)).length === 0
  return [...namespace, isSame || object.length === 0 ? (verb === 'post' ? 'create' : verb) : partOf(action)]
}

/** A namespace as in the path. Otherwise a leading tag becomes a part of its own. */
function namespaceOf(words: readonly string[], source: NameSource): string[] {
  const { segments } = readPath(source.path)
  const found = resourceAt(segments, words)
  if (found !== undefined) return partsOf(segments.slice(found.start, found.end + 1))
  const tag = wordsOf(source.tag ?? '')
  const isBelow =
    tag.length > 0 && words.length > tag.length && tag.every((word, index) => word === words[index])
  return isBelow ? [partOf(tag), partOf(words.slice(tag.length))] : [partOf(words)]
}

/** The namespace of an action without a resource: the first word, if the path has it, else the tag, else the path's first resource. */
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

function tagAt(segments: readonly Segment[], source: NameSource): number | undefined {
  const stem = stemOf(tagWords(source))
  const at = segments.findIndex(({ words }) => words.length > 0 && stemOf(words) === stem)
  return stem === '' || at === -1 ? undefined : at
}

function tagWords({ tag = '' }: NameSource): string[] {
  return wordsOf(tag.replace(/\([^()]*\)/g, ''))
}

/** The first and last of the segments that words name, in order and in full. Singular and plural are the same. */
function resourceAt(
  segments: readonly Segment[],
  words: readonly string[],
): { readonly start: number; readonly end: number } | undefined {
  const letters = words.join('')
  // A long word may be several words without separators.
  const isBoundary = (place: number): boolean =>
    (words.length === 1 && letters.length > 10) || boundaries.has(place)
  const boundaries = new Set(words.map((_, index) => words.slice(0, index).join('').length))
  let rest = letters.length
  let end: number | undefined
  for (let at = segments.length - 1; at >= 0; at--) {
    const own = segments[at]?.words ?? []
    const spellings = own.length === 0 ? [] : [own, own.slice(-1)].flatMap(spellingsOf)
    const spelled = spellings.find((text) => letters.endsWith(text, rest) && isBoundary(rest - text.length))
    if (spelled === undefined) continue
    rest -= spelled.length
    end ??= at
    if (rest === 0) return { start: at, end }
  }
  return undefined
}

function spellingsOf(words: readonly string[]): string[] {
  return [words.join(''), stemOf(words), `${words.join('')}s`]
}

function partsOf(segments: readonly Segment[]): string[] {
  return segments.filter(({ words }) => words.length > 0).map(({ words }) => partOf(words))
}
