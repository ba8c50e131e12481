import { lettersOf, wordsOf } from './words.js'

/** Longer ids do not occur in practice, and reading them takes time. */
const longest = 400

/** Whether an id may have a meaning for names, which are ASCII: `get_metrics.yml` is a file name by mistake. */
export function isReadable(operationId: string): boolean {
  return operationId.length <= longest && /[A-Za-z]/.test(operationId) && !fileNames.test(operationId)
}

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
