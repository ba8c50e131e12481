import { builtInErrors, type ErrorDefinition } from 'duet-runtime/catalogue'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { type Cursor, compareText, member, members, rootCursor, text } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import type { Int64 } from '../../schema/int64.js'
import { referenceTo } from '../../schema/schema.js'
import type { Components } from '../content/components.js'
import { int64Finder } from '../content/datetimes.js'
import type { Model } from '../model.js'

/** The catalogue: the built-in codes, overridden by the document's `x-errors`, sorted. */
export function readErrors(
  document: Document,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, ErrorDefinition> {
  const errors = new Map<string, ErrorDefinition>(Object.entries(builtInErrors))
  for (const entry of members(member(rootCursor(document), 'x-errors'))) {
    const definition = definitionOf(entry, errors.get(entry.key))
    if (definition !== undefined) errors.set(entry.key, definition)
    else {
      const message = `The error ${JSON.stringify(entry.key)} needs a title, an HTTP status from 400 to 599 and an integer rpc code`
      const remedy =
        'Write title, status and rpc (and rpcStatus if the HTTP status over JSON-RPC is not 200).'
      diagnostics.push(diagnose('errors-invalid', message, document.locate(entry.pointer), { remedy }))
    }
  }
  return new Map([...errors].sort(([a], [b]) => compareText(a, b)))
}

/** The components that `members` of the catalogue's entries name, by code, sorted. Lint reports invalid names. */
export function readErrorMembers(
  document: Document,
  { schemas }: Pick<Components, 'schemas'>,
  errors: ReadonlyMap<string, ErrorDefinition>,
): ReadonlyMap<string, string> {
  return new Map(
    members(member(rootCursor(document), 'x-errors')).flatMap(({ key, value }): [string, string][] => {
      const name = text(value, 'members')
      return name === undefined || !schemas.has(name) || !errors.has(key) ? [] : [[key, name]]
    }),
  )
}

/** Codes that an operation may return: its `x-errors`, the general ones, and `also`. Sorted. */
export function operationErrors(
  document: Document,
  errors: ReadonlyMap<string, ErrorDefinition>,
  operation: Cursor,
  also: readonly string[],
  diagnostics: Diagnostic[],
): string[] {
  const stated = member(operation, 'x-errors')
  const codes = isArray(stated?.value) ? stated.value.filter((code) => typeof code === 'string') : []
  for (const code of codes) {
    if (errors.has(code)) continue
    const message = `The error catalogue has no ${JSON.stringify(code)}`
    const at = document.locate(stated?.pointer ?? operation.pointer)
    diagnostics.push(
      diagnose('error-code-unknown', message, at, { remedy: "Define it in the document's x-errors." }),
    )
  }
  const known = codes.filter((code) => errors.has(code))
  return [...new Set([...known, ...also, 'validation_failed', 'internal_error'])].sort(compareText)
}

/** The catalogue with the positions of int64 integers in the extension members of problems. */
export function withInt64(
  errors: Model['errors'],
  members: Model['errorMembers'],
  int64: Int64,
  schemas: Model['schemas'],
): Model['errors'] {
  if (int64 === 'number' || members.size === 0) return errors
  const { find } = int64Finder(schemas)
  const entries = [...errors].map(([code, definition]): [string, ErrorDefinition] => {
    const component = members.get(code)
    const graph = component === undefined ? undefined : find({ $ref: referenceTo(component) })
    return [code, graph === undefined ? definition : { ...definition, int64: { as: int64, graph } }]
  })
  return new Map(entries)
}

function definitionOf(entry: Cursor, built: ErrorDefinition | undefined): ErrorDefinition | undefined {
  const title = text(entry.value, 'title') ?? built?.title
  const status = integer(entry, 'status') ?? built?.status
  const rpc = integer(entry, 'rpc') ?? built?.rpc
  const rpcStatus = integer(entry, 'rpcStatus') ?? built?.rpcStatus
  if (title === undefined || status === undefined || rpc === undefined) return undefined
  if (status < 400 || status > 599) return undefined
  return { title, status, rpc, ...(rpcStatus !== undefined && { rpcStatus }) }
}

function integer(entry: Cursor, key: string): number | undefined {
  const value = isObject(entry.value) ? own(entry.value, key) : undefined
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}
