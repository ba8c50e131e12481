import { endsInParameter, readPath } from './segments.js'
import { isAction } from './verbs.js'
import { lettersOf, withoutMarks, wordsOf } from './words.js'

/** Longer ids do not occur in practice, and reading them takes time. */
const longest = 400

/**
 * An id in ASCII. Undefined if it has no meaning for names, which are ASCII: `get_metrics.yml` is a file name by
 * mistake.
 */
export function readableId(operationId: string): string | undefined {
  const id = operationId.length > longest ? '' : withoutMarks(operationId)
  const isReadable = /[A-Za-z]/.test(id) && !/[^\0-\x7f]/.test(id.replace(symbols, '')) && !fileNames.test(id)
  return isReadable ? id.replace(symbols, ' ') : undefined
}

/** Characters outside ASCII that no word is made of. */
const symbols = /(?![\0-\x7f])[^\p{L}\p{N}]/gu

const fileNames = /\.(html?|json|php|xml|ya?ml)$/i

/**
 * The words of an id. Undefined if they have no separators and the path does not explain them: `Compactconversation`.
 */
export function idWords(id: string, path: string): string[] | undefined {
  const words = wordsOf(id)
  const letters = lettersOf(path)
  const isUnreadable = words.some((word) => word.length > 17 && !letters.includes(word))
  if (words.length === 0 || (isUnreadable && runTogether(words) === undefined)) return undefined
  return words.length > 1 && fillers.has(words.at(-1) ?? '') ? words.slice(0, -1) : words
}

const fillers = new Set(['endpoint', 'handler', 'method', 'operation'])

/** Removes the number of an overload: `findAll_1`, `search-2`, `get_album_alt1`. */
export function withoutOverload(id: string, path: string): string {
  const [, start, number = ''] = /^(.*[A-Za-z\d])[-_](?:alt)?(\d{1,2})$/.exec(id) ?? []
  return start === undefined || wordsOf(path).some((word) => word.endsWith(number)) ? id : start
}

/** Removes the HTTP method before an action: `GET_CreateUser`. */
export function withoutMethod(id: string, verb: string): string {
  const rest = id.startsWith(`${verb.toUpperCase()}_`) ? id.slice(verb.length + 1) : id
  return isAction(wordsOf(rest)[0] ?? '') ? rest : id
}

/** Removes the words that names omit of the path: `api_v1_users_list` of `/api/v1/users`. */
export function withoutPrefix(id: string, path: string): string {
  const { prefix, segments } = readPath(path)
  const words = wordsOf(id)
  const at = Number(isAction(words[0] ?? ''))
  const omitted = prefix.split('_')
  const isOmitted = prefix !== '' && omitted.every((word, index) => word === words[at + index])
  // `api_keys_list` of `/api/api_keys` is about API keys.
  const isNamed = segments.some((segment) => segment.words[0] === omitted[0])
  if (!isOmitted || isNamed || words.length <= at + omitted.length) return id
  const start = lengthOf(id, words.slice(0, at))
  return id.slice(0, start) + id.slice(lengthOf(id, words.slice(0, at + omitted.length)))
}

/** How many characters of an id its first words take, with separators. */
function lengthOf(id: string, words: readonly string[]): number {
  const count = words.join('').length
  return new RegExp(`^(?:[^A-Za-z0-9]*[A-Za-z0-9]){${count}}[^A-Za-z0-9]*`).exec(id)?.[0].length ?? 0
}

/** Spells the controller's name alike: `frogControllerFindAll` and `FrogController_findAll`. */
export function withController(id: string, path: string): string {
  const isOfPath = /controller/i.test(path)
  return isOfPath ? id : id.replace(/^([A-Za-z\d]+Controller)(?=[A-Z])/, '$1_')
}

/** `list` for `get_collection`, if the path has no collection. */
export function withList(words: readonly string[], verb: string, path: string): readonly string[] {
  const isCollection = verb === 'get' && words.at(-1) === 'collection' && !/collection/i.test(path)
  if (!isCollection || words.length < 3 || endsInParameter(path)) return words
  return words.slice(0, -1).map((word) => (word === 'get' ? 'list' : word))
}

/** Splits `getorganizationspendlimit` into `get` and the rest. */
export function runTogether([word = '', ...others]: readonly string[]): [string, string[]] | undefined {
  const verb = ['get', 'list', 'create', 'update', 'delete', 'retrieve'].find((one) => word.startsWith(one))
  const isLong = others.length === 0 && verb !== undefined && word.length >= verb.length + 6
  return isLong ? [verb, [word.slice(verb.length)]] : undefined
}

/** The parts of `shop.OrderController.findAll`, if the id has this form. */
export function controllerOf(
  operationId: string,
): { readonly before: readonly string[]; readonly id: string } | undefined {
  const pieces = operationId.split('.')
  const [controller = '', action = ''] = pieces.slice(-2)
  const isController = pieces.length > 1 && /[A-Za-z\d]Controller$/.test(controller)
  return isController ? { before: pieces.slice(0, -2), id: `${controller}_${action}` } : undefined
}
