import { isEcho, withoutPath } from './echo.js'
import {
  actionAround,
  actionOfPath,
  nounFirst,
  nounOf,
  verbFirst,
  verbOfParent,
  withNamespace,
  withoutTag,
} from './id-parts.js'
import {
  controllerOf,
  idWords,
  readableId,
  runTogether,
  withController,
  withList,
  withoutMethod,
  withoutOverload,
  withoutPrefix,
} from './id-words.js'
import { joined, updatesByMethod } from './path-names.js'
import { isKnown, isThing } from './resources.js'
import { endsInParameter, readPath, type Segment } from './segments.js'
import { dottedId, type NameSource, type Names } from './source.js'
import { actionOf, isAction, isQualified, isReading, mayBeAction } from './verbs.js'
import { isPlural, partOf, stemOf, wordsOf } from './words.js'

/** Names by the operationId. Undefined if it is missing, cannot be read, or only repeats method and path. */
export function idNames(from: NameSource): Names | undefined {
  const operationId = readableId(from.operationId ?? '')
  if (operationId === undefined) return undefined
  const given = withoutQuery({ ...from, operationId })
  const { verb, path } = given
  const controller = controllerOf(operationId)
  if (controller === undefined) {
    const dotted = dottedId(given)
    if (dotted !== undefined) return only(dotted)
    const pieces = operationId.split(/[./]+/).filter((piece) => wordsOf(piece).length > 0)
    if (pieces.length > 1) return only(joined(pieces.map((piece) => partOf(wordsOf(piece)))))
  }
  const source = withoutZ(given)
  const whole = withoutFramework(withoutPath(controller?.id ?? operationId, verb, path), given)
  const id = withoutOverload(whole, path)
  const words = withList(idWords(id, path) ?? [], verb, path)
  if (words.length === 0 || (source === given && isEcho(id, verb, path))) return undefined
  const parts = nameParts(id, words, source)
  const before = (controller?.before ?? []).map((piece) => partOf(wordsOf(piece)))
  const names = parts && namesOf(joined([...before, ...parts]), words, source)
  return names && { ...names, rank: names.rank + Number(id !== whole) }
}

/** Removes and spells out what frameworks add to ids. */
function withoutFramework(id: string, { verb, path }: NameSource): string {
  return withController(withoutPrefix(withoutMethod(id, verb), path), path)
}

function only(name: string): Names {
  return { preferred: [name], byMethod: [], kept: [], rank: 0 }
}

function namesOf(name: string, words: readonly string[], { verb, path }: NameSource): Names {
  const other = name.endsWith('.update') ? updatesByMethod.get(verb) : undefined
  const byMethod = other === undefined ? [] : [name.replace(/update$/, other)]
  const [first = '', ...rest] = words
  const action = name.slice(name.lastIndexOf('.') + 1)
  const isOnMany = !endsInParameter(path) && actionOf(first) === action && rest.some(isPlural)
  const isMany = isOnMany && action !== 'list'
  const many = action === 'get' ? name.replace(/get$/, 'list') : `${name}_many`
  return { preferred: isMany ? [name, many] : [name], byMethod, kept: [], rank: isMany ? 2 : 0 }
}

/** The id of `/#Action=CreateUser` says more than the parameter: `GET_CreateUser`. */
function withoutQuery(source: NameSource): NameSource {
  const { operationId = '', path, route = path } = source
  const isSaid = path
    .slice(route.length)
    .split('/')
    .some((fixed) => operationId.endsWith(/[ =.]([A-Za-z]\w*)$/.exec(fixed)?.[1] ?? '\n'))
  return isSaid ? { ...source, path: route } : source
}

/** If the path ends in `healthz` and the id says `health`, so does the name. */
function withoutZ(source: NameSource): NameSource {
  const { operationId = '', path } = source
  const [, plain] = /([a-z]+)z$/.exec(path) ?? []
  if (plain === undefined) return source
  return wordsOf(operationId).includes(plain) ? { ...source, path: path.slice(0, -1) } : source
}

/** Undefined if the path says as much. */
function nameParts(id: string, words: readonly string[], source: NameSource): string[] | undefined {
  const [first = '', ...others] = id.split('_').filter((piece) => piece !== '')
  // In an id that mixes conventions, `_` ends the namespace: `UsersController_findAll`, `sshKeys_list`.
  const isMixed = [first, ...others].some((piece) => /[a-z][A-Z]|^[A-Z][a-z]/.test(piece))
  if (others.length > 0 && isMixed && !isAction(wordsOf(first)[0] ?? ''))
    return withNamespace(
      wordsOf(first.replace(/(Controller|Service)$/, '')),
      wordsOf(others.join('_')),
      source,
    )
  const ofPath = actionOfPath(words, source) ?? actionAround(words, source)
  return ofPath ?? byVerb(words, source) ?? byResource(words, source)
}

/** Reads an id with a known verb. */
function byVerb(words: readonly string[], source: NameSource): string[] | undefined {
  const [first = '', ...rest] = words
  const { segments } = readPath(source.path)
  const [start, last = ''] = [words.slice(0, -1), words.at(-1)]
  // `assessClaim` of `/claims/{id}/assess` has the path's words in another order: `claim` is no verb.
  const isTurned =
    rest.length === 1 && !isAction(last) && isThing(rest, segments) && !isThing(words, segments)
  if (mayBeAction(last) && !isTurned && isThing(start, segments)) return withNamespace(start, [last], source)
  if (isAction(first) || (methods.has(first) && rest.length > 0))
    return verbFirst(source.verb === 'post' && first === 'put' ? first : actionOf(first), rest, source)
  if (isQualified(words)) return verbFirst(words.slice(0, 2).join('_'), words.slice(2), source)
  if (isThing(words, segments) || (isTurned && !mayBeAction(first))) return undefined
  const middle = actionIn(words, source, segments)
  // `globalSearch` of `/search` has no namespace.
  const isWhole = middle === 1 && words.length === 2 && !isKnown([first], source, segments)
  if (isWhole && segments.at(-1)?.words.join() === last) return verbFirst(words.join('_'), [], source)
  if (middle !== -1) return withNamespace(words.slice(0, middle), words.slice(middle), source)
  const run = runTogether(words)
  if (run !== undefined) return verbFirst(...run, source)
  const isNoun = source.verb === 'get' && !isReading(first) && isKnown([first], source, segments)
  if (mayBeAction(first) && !isNoun) return verbOfParent(words, source) ?? verbFirst(first, rest, source)
  return mayBeAction(last) && isKnown(start, source, segments)
    ? withNamespace(start, [last], source)
    : undefined
}

/** The index of the action after the first word. -1 if there is none. */
function actionIn(words: readonly string[], { verb }: NameSource, segments: readonly Segment[]): number {
  const at = words.findIndex((word, index) => index > 0 && (isAction(word) || methods.has(word)))
  const isLast = plainest.has(words.at(-1) ?? '') && !plainest.has(words[at] ?? '')
  const action = isLast ? words.length - 1 : at
  if (at !== -1) return action > 1 && isQualified(words.slice(action - 1)) ? action - 1 : action
  if (verb === 'get') return -1
  return words.findIndex((word, index) => mayBeAction(word) && isThing(words.slice(0, index), segments))
}

/** If an id ends in one of these verbs, other verbs in it name things: `data_export_create`. */
const plainest = new Set(['add', 'create', 'delete', 'get', 'list', 'remove', 'update'])

const methods = new Set(['patch', 'post', 'put'])

/** Reads an id without a known verb. What remains next to a resource of the tag or the path is the action. */
function byResource(words: readonly string[], source: NameSource): string[] | undefined {
  const [first = '', ...rest] = words
  const { segments } = readPath(source.path)
  if (isKnown(words, source, segments)) return nounFirst(words, source)
  const ofParent = verbOfParent(words, source)
  if (ofParent !== undefined) return ofParent
  const noun = nounOf(words, source, segments)
  if (noun !== undefined) return nounFirst(noun, source)
  const ofTag = withoutTag(words, source)
  if (ofTag.length > 0) return withNamespace(words.slice(0, -ofTag.length), ofTag, source)
  const isRest = isKnown(rest, source, segments)
  if (isRest && source.verb !== 'get') return verbFirst(first, rest, source)
  const stems = new Set(segments.flatMap((segment) => segment.words.map((word) => stemOf([word]))))
  if (words.every((word) => stems.has(stemOf([word])))) return undefined
  const start = isRest ? 0 : words.findLastIndex((_, end) => isThing(words.slice(0, end), segments))
  return start > 0
    ? withNamespace(words.slice(0, start), words.slice(start), source)
    : verbFirst(first, rest, source)
}
