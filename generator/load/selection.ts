import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Json, JsonObject, Position } from '../document/document.js'
import { shapes } from '../document/grammar.js'
import { addToGroup } from '../document/grouping.js'
import { isArray, isObject, type MutableObject, own } from '../document/json.js'
import { formatPointer, parseFragment, valueAt } from '../document/pointer.js'
import { closest } from '../document/spelling.js'

/** Selects operations by their tags, paths or ids. In a path `*` matches any text. */
export interface Selection {
  readonly tags?: readonly string[] | undefined
  readonly paths?: readonly string[] | undefined
  readonly operationIds?: readonly string[] | undefined
}

/** Selects tools of MCP. */
export interface ToolSelection extends Selection {
  /** If the tools are larger, agents get three that search, describe and call them. Default: no limit. */
  readonly maxBytes?: number | undefined
}

/** All tags, paths and ids of a document's operations, selected or not. */
export type Seen = { readonly [Kind in keyof Selection]-?: Set<string> }

/** Which parts of a document count, and which overlays apply. */
export interface Reading {
  /** OpenAPI overlays, in order. Paths are relative to the project's folder. */
  readonly overlays?: readonly string[] | undefined
  /** Only these operations count. Default: all. */
  readonly include?: Selection | undefined
  /** These operations do not count. */
  readonly exclude?: Selection | undefined
  /** These operations are tools of MCP, unless their `x-mcp` says otherwise. */
  readonly mcp?: ToolSelection | undefined
}

/**
 * Removes operations that are not selected, and components that only those refer to. Changes the document in
 * place.
 *
 * @param seen receives the tags, paths and ids of all operations
 */
export function select(root: MutableObject, { include, exclude, mcp }: Reading, seen: Seen): void {
  const paths = own(root, 'paths')
  const isWhole = include === undefined && exclude === undefined
  if ((isWhole && mcp === undefined) || !isObject(paths)) return
  for (const [path, item] of Object.entries(paths)) {
    if (!isObject(item)) continue
    seen.paths.add(path)
    for (const [verb, operation] of operationsOf(item)) {
      for (const tag of tagsOf(operation)) seen.tags.add(tag)
      const id = own(operation, 'operationId')
      if (typeof id === 'string') seen.operationIds.add(id)
      // Operations in another file are checked once it is read.
      if (isWhole || Object.hasOwn(operation, '$ref')) continue
      const counts = include === undefined || isAmong(include, path, operation)
      if (counts && !(exclude !== undefined && isAmong(exclude, path, operation))) continue
      delete (item as MutableObject)[verb]
    }
    const isEmpty = operationsOf(item).length === 0 && !Object.hasOwn(item, '$ref')
    if (isWhole) continue
    if (isEmpty || isPathOut(path, include, exclude)) delete (paths as MutableObject)[path]
  }
  if (!isWhole) prune(root)
}

/** Writes `x-mcp: true` into the operations that are selected as tools and have no `x-mcp`, and its limit into the root. */
export function selectTools(root: MutableObject, { mcp }: Reading): void {
  const paths = own(root, 'paths')
  if (mcp === undefined || !isObject(paths)) return
  if (mcp.maxBytes !== undefined) root['x-mcp'] ??= { maxBytes: mcp.maxBytes }
  for (const [path, item] of Object.entries(paths)) {
    if (!isObject(item)) continue
    for (const [, operation] of operationsOf(item)) {
      if (own(operation, 'x-mcp') === undefined && isAmong(mcp, path, operation))
        (operation as MutableObject)['x-mcp'] = true
    }
  }
}

/** A document with empty paths and nothing else. One that only has components may be a part of others. */
export function missingOperations(root: JsonObject, at: Position): Diagnostic[] {
  const isEmpty = (field: string): boolean => Object.keys(own(root, field) ?? {}).length === 0
  if (!isObject(own(root, 'paths')) || !['paths', 'webhooks', 'components'].every(isEmpty)) return []
  return [diagnose('operations-missing', 'The document has no operation', at)]
}

/** The faults of a selection: entries that match no operation, or no operation left. */
export function selectionFaults(
  root: JsonObject,
  { include, exclude, mcp }: Reading,
  seen: Seen,
  at: Position,
): Diagnostic[] {
  const selections = { include, exclude, mcp }
  if (Object.values(selections).every((each) => each === undefined) || seen.paths.size === 0) return []
  const unmatched = Object.entries(selections).flatMap(([setting, selection = {}]) =>
    (['tags', 'paths', 'operationIds'] as const).flatMap((kind) =>
      (selection[kind] ?? [])
        .filter((entry) => !isSeen(entry, kind, seen))
        .map((entry): Diagnostic => {
          const message = `No operation matches ${JSON.stringify(entry)} of ${setting}.${kind}`
          const similar = closest(entry, seen[kind])
          return diagnose(
            'selection-unmatched',
            message,
            at,
            similar === undefined ? {} : { remedy: `Did you mean ${similar}?` },
          )
        }),
    ),
  )
  const paths = own(root, 'paths')
  const isEmpty = isObject(paths) && Object.keys(paths).length === 0
  const message = 'include and exclude leave no operation'
  return isEmpty ? [...unmatched, diagnose('selection-empty', message, at)] : unmatched
}

function isSeen(entry: string, kind: keyof Selection, seen: Seen): boolean {
  if (kind !== 'paths') return seen[kind].has(entry)
  return [...seen.paths].some((path) => matchesPath([entry], path))
}

function operationsOf(item: JsonObject): [string, JsonObject][] {
  return Object.entries(item).flatMap(([verb, operation]): [string, JsonObject][] => {
    const field = Object.hasOwn(shapes.pathItem.fields, verb) ? shapes.pathItem.fields[verb] : undefined
    const isOperation = field !== undefined && 'one' in field && field.one === 'operation'
    return isOperation && isObject(operation) ? [[verb, operation]] : []
  })
}

/** Whether the path alone excludes everything below it, even parts that are not read yet. */
function isPathOut(path: string, include: Selection | undefined, exclude: Selection | undefined): boolean {
  const isIncluded =
    include === undefined || include.tags || include.operationIds || matchesPath(include.paths ?? [], path)
  return !isIncluded || matchesPath(exclude?.paths ?? [], path)
}

function isAmong(
  { tags = [], paths = [], operationIds = [] }: Selection,
  path: string,
  operation: JsonObject,
): boolean {
  const id = own(operation, 'operationId')
  return (
    matchesPath(paths, path) ||
    tagsOf(operation).some((tag) => tags.includes(tag)) ||
    (typeof id === 'string' && operationIds.includes(id))
  )
}

function tagsOf(operation: JsonObject): string[] {
  const tags = own(operation, 'tags')
  return isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []
}

function matchesPath(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => {
    const [first = '', ...parts] = pattern.split('*')
    if (parts.length === 0) return pattern === path
    if (!path.startsWith(first)) return false
    let at = first.length
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1
      const found = isLast ? path.length - part.length : path.indexOf(part, at)
      if (found < at || (isLast && !path.endsWith(part))) return false
      at = found + part.length
    }
    return true
  })
}

/**
 * Removes components without a reference from any remaining operation, webhook or component. Keeps security
 * schemes.
 */
function prune(root: MutableObject): void {
  const components = own(root, 'components')
  if (!isObject(components)) return
  const reached = new Set<string>()
  const heirs = heirsOf(root)
  const visit = (value: Json): void => {
    const waiting = [value]
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      if (isArray(part)) waiting.push(...part)
      if (!isObject(part)) continue
      for (const [key, member] of Object.entries(part)) {
        if (typeof member !== 'string') waiting.push(member)
        else if (key === '$ref' || member.startsWith('#/components/')) follow(member)
        else if (/^[\w.-]+$/.test(member)) follow(`#/components/schemas/${member}`)
      }
    }
  }
  const follow = (reference: string): void => {
    const segments = reference.startsWith('#/') ? parseFragment(reference.slice(1)) : undefined
    if (segments?.[0] !== 'components') return
    const component = formatPointer(segments.slice(0, 3))
    const target = valueAt(root, segments.slice(0, 3))
    if (target === undefined || reached.has(component)) return
    reached.add(component)
    visit(target)
    for (const heir of heirs.get(component) ?? []) follow(heir)
  }
  for (const [key, value] of Object.entries(root)) if (key !== 'components') visit(value)
  for (const [section, entries] of Object.entries(components)) {
    if (section === 'securitySchemes' || section.startsWith('x-') || !isObject(entries)) continue
    for (const name of Object.keys(entries))
      if (!reached.has(formatPointer(['components', section, name]))) delete (entries as MutableObject)[name]
  }
}

/** Schemas that extend another by allOf, by the pointer of the other: a discriminator may select them. */
function heirsOf(root: JsonObject): ReadonlyMap<string, readonly string[]> {
  const heirs = new Map<string, string[]>()
  const components = own(root, 'components')
  const schemas = isObject(components) ? own(components, 'schemas') : undefined
  for (const [name, schema] of Object.entries(isObject(schemas) ? schemas : {})) {
    const parts = isObject(schema) ? own(schema, 'allOf') : undefined
    for (const part of isArray(parts) ? parts : []) {
      const reference = isObject(part) ? own(part, '$ref') : undefined
      const base =
        typeof reference === 'string' ? valueAt(root, parseFragment(reference.slice(1)) ?? []) : undefined
      if (typeof reference !== 'string' || !isObject(base) || !Object.hasOwn(base, 'discriminator')) continue
      addToGroup(heirs, reference, formatPointer(['components', 'schemas', name]))
    }
  }
  return heirs
}
