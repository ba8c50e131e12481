import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { type Cursor, elements, follow, member, members, rootCursor, text } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { answersOf, answersOne, answersSent } from '../naming/list-answers.js'
import { nameOperations } from '../naming/names.js'
import type { Naming } from '../naming/naming.js'
import type { NameSource } from '../naming/source.js'
import { addressOf, type Routed } from './routes.js'

export interface FoundOperation extends Routed {
  readonly pathItem: Cursor
}

const verbs = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put', 'query', 'trace']

/** Every operation of a document. */
export function findOperations(document: Document): FoundOperation[] {
  return members(member(rootCursor(document), 'paths')).flatMap((entry) => {
    const pathItem = entry.key.startsWith('/') ? follow(document, entry) : undefined
    if (pathItem === undefined) return []
    const named = verbs.map((verb) => ({ verb, operation: member(pathItem, verb) }))
    const others = members(member(pathItem, 'additionalOperations')).map((operation) => ({
      verb: operation.key,
      operation,
    }))
    return [...named, ...others].flatMap(({ verb, operation }): FoundOperation[] => {
      if (operation === undefined || !isObject(operation.value)) return []
      return [{ ...addressOf(document, entry.key, pathItem, operation), verb, pathItem, operation }]
    })
  })
}

/** The dotted name of each operation, in the same order. */
export function operationNames(
  document: Document,
  found: readonly FoundOperation[],
  naming: Naming,
  diagnostics: Diagnostic[],
): string[] {
  const sources = found.map((entry) => nameSource(document, entry))
  return nameOperations(sources, diagnostics, naming)
}

/** The names in the order that the operations have in the document. */
export function writtenNames(
  { root }: Document,
  found: readonly FoundOperation[],
  names: readonly string[],
): string[] {
  const paths = own(root, 'paths')
  const places = new Map(Object.keys(isObject(paths) ? paths : {}).map((path, index) => [path, index]))
  const placed = found.map(({ key, pathItem, operation }, index) => ({
    name: names[index] ?? '',
    path: places.get(key) ?? places.size,
    verb: Object.values(pathItem.value ?? {}).indexOf(operation.value),
  }))
  return placed.sort((a, b) => a.path - b.path || a.verb - b.verb).map(({ name }) => name)
}

function nameSource(
  document: Document,
  { path, query, fragment, verb, pathItem, operation }: FoundOperation,
): NameSource {
  const fixed = Object.entries(query ?? {}).map((pair) => `/${pair.join(' ')}`)
  if (fragment !== undefined) fixed.push(`/${fragment}`)
  let known: ReturnType<typeof answersOf> | undefined
  return {
    method: text(operation.value, 'x-rpc-method'),
    operationId: text(operation.value, 'operationId'),
    tag: elements(member(operation, 'tags')).flatMap(({ value }) =>
      typeof value === 'string' ? value : [],
    )[0],
    summaryVerb: firstWord(text(operation.value, 'summary') ?? text(operation.value, 'description')),
    verb: verb.toLowerCase(),
    path: path + fixed.join(''),
    route: path,
    answers: () => {
      known ??= answersOf(document, operation, path)
      return known
    },
    answersSent: () => answersSent(document, operation, path),
    isSingleton: () => {
      const get = member(pathItem, 'get')
      // A body may list what to delete.
      const isListed = member(operation, 'requestBody') !== undefined
      return get !== undefined && !isListed && answersOne(document, get)
    },
    at: () => document.locate(operation.pointer),
  }
}

function firstWord(said = ''): string | undefined {
  const plain = said.slice(0, 200).replaceAll(/<[^<>]*>/g, ' ')
  return /[A-Za-z]+/.exec(plain)?.[0].toLowerCase()
}
