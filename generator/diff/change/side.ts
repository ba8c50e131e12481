import {
  type Cursor,
  elements,
  follow,
  lookup,
  member,
  members,
  rootCursor,
  text,
} from '../../document/cursor.js'
import type { Document, Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { readBasePath } from '../../model/build/servers.js'
import type { Model, Operation } from '../../model/model.js'
import type { Place } from './change.js'
import type { Flaws } from './flaws.js'

/** One of the two versions: its document, and its operations by what they are called. */
export interface Side {
  readonly document: Document
  readonly version: string
  readonly endpoints: readonly Endpoint[]
  /** Absent where the document has errors that a comparison can do with; then nothing can be proven by calls. */
  readonly model: Model | undefined
  readonly flaws: Flaws
}

/** One operation, or one message that the service sends to a webhook. */
export interface Endpoint {
  /** Of the operation: `clients.get`. */
  readonly name: string
  /** Whether the document itself gives the name, and not its path. */
  readonly isNamed: boolean
  readonly rpc: string | false
  readonly operationId: string | undefined
  /** In upper case. */
  readonly method: string
  readonly path: string
  /** The path behind the version's base path, as callers of REST write it; of a webhook its path alone. */
  readonly fullPath: string
  readonly webhook: boolean
  /** Of a callback: what its address comes from. */
  readonly expression?: string
  readonly item: Cursor
  readonly operation: Cursor
  /** As the generator sees it; absent where there is no model, and for webhooks. */
  readonly modelled: Operation | undefined
}

/** A document as the comparison reads it. Operations without a model are called by operationId, else by path. */
export function readSide(document: Document, model: Model | undefined, flaws: Flaws): Side {
  const names = new Map(model?.operations.map((operation) => [operation.source.pointer, operation]))
  const basePath = readBasePath(document, [], [])
  const endpoints = [false, true].flatMap((webhook) =>
    members(member(rootCursor(document), webhook ? 'webhooks' : 'paths')).flatMap((entry) => {
      const item = follow(document, entry)
      if (item === undefined || (!webhook && !entry.key.startsWith('/'))) return []
      return operationsOf(item).flatMap(([method, operation]): Endpoint[] => {
        const operationId = text(operation.value, 'operationId')
        const explicit = text(operation.value, 'x-rpc-method')
        const modelled = names.get(operation.pointer)
        const name = modelled?.name ?? explicit ?? operationId ?? `${method} ${entry.key}`
        const rpc = webhook || own(asObject(operation.value), 'x-rpc-method') === false ? false : name
        const isNamed = explicit !== undefined || operationId?.includes('.') === true
        const path = entry.key
        const fullPath = webhook ? path : basePath + path
        const found = { method, path, fullPath, webhook, item, operation, modelled }
        return [{ name, isNamed, rpc, operationId, ...found }]
      })
    }),
  )
  const info = asObject(own(document.root, 'info'))
  return { document, model, flaws, endpoints, version: text(info, 'version') ?? '' }
}

/** Operations of a path, by their methods in upper case. */
export function operationsOf(item: Cursor): (readonly [method: string, operation: Cursor])[] {
  const others = members(member(item, 'additionalOperations')).map((found) => [found.key, found] as const)
  const known = methods.map((verb) => [verb, member(item, verb)] as const)
  return [...known, ...others].flatMap(([verb, operation]) =>
    operation !== undefined && isObject(operation.value) ? [[verb.toUpperCase(), operation] as const] : [],
  )
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** Where a pointer of a side's document stands. */
export function placeOf({ document }: Side, pointer: string): Place {
  return { pointer, ...document.locate(pointer) }
}

/** What a reference leads to, which may be a reference with keywords beside it. */
export function referenced({ document }: Side, reference: Json | undefined): Cursor | undefined {
  return typeof reference === 'string' ? lookup(document, reference) : undefined
}

/** A member behind the references on the way. */
export function memberOf(side: Side, cursor: Cursor | undefined, key: string): Cursor | undefined {
  const found = cursor && member(cursor, key)
  return found && follow(side.document, found)
}

/** Members of a member, by name, behind their references. */
export function entriesOf(side: Side, cursor: Cursor | undefined, key: string): Map<string, Cursor> {
  const entries = members(memberOf(side, cursor, key))
  return new Map(
    entries.flatMap((entry) => {
      const found = follow(side.document, entry)
      return found === undefined ? [] : [[entry.key, found] as const]
    }),
  )
}

/** Elements of a member, behind their references. */
export function elementsOf(side: Side, cursor: Cursor | undefined, key: string): Cursor[] {
  return elements(cursor && member(cursor, key)).flatMap((entry) => follow(side.document, entry) ?? [])
}

export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
