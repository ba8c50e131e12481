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
import type { DocumentPosition } from './change.js'
import type { Flaws } from './flaws.js'

/** One of the two versions: its document and its operations. */
export interface Side {
  readonly document: Document
  readonly version: string
  readonly endpoints: readonly Endpoint[]
  /** Absent if the document has errors that a comparison can ignore. Calls can prove nothing then. */
  readonly model: Model | undefined
  readonly flaws: Flaws
}

/** An operation, or a message that the service sends to a webhook. */
export interface Endpoint {
  /** The operation's name: `clients.get`. */
  readonly name: string
  /** Whether the document gives the name. Otherwise it comes from the path. */
  readonly isNamed: boolean
  readonly rpc: string | false
  /** Whether agents can call it over MCP (`x-mcp`). */
  readonly isTool: boolean
  /** Params that agents do not send: the tool hides them, or gives them a value. */
  readonly unseen?: readonly string[]
  readonly operationId: string | undefined
  /** In upper case. */
  readonly method: string
  readonly path: string
  /** The path after the version's base path, as REST callers write it. A webhook has no base path. */
  readonly fullPath: string
  readonly webhook: boolean
  /** For a callback: the expression of its URL. */
  readonly expression?: string
  /** Whether it is a callback of an operation that promises nothing. */
  readonly isOfUnstable?: boolean
  readonly item: Cursor
  readonly operation: Cursor
  /** The generator's model of the operation. Absent if there is no model, and for webhooks. */
  readonly modelled: Operation | undefined
}

/** Reads a document for a comparison. Without a model, operations are named by operationId or path. */
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
        const tool = own(asObject(operation.value), 'x-mcp')
        const isTool = !webhook && tool !== undefined && tool !== false
        const rpc = webhook || own(asObject(operation.value), 'x-rpc-method') === false ? false : name
        const isNamed = explicit !== undefined || operationId?.includes('.') === true
        const path = entry.key
        const fullPath = webhook ? path : basePath + path
        const found = { method, path, fullPath, webhook, item, operation, modelled }
        return [{ name, isNamed, rpc, isTool, unseen: unseenOf(modelled), operationId, ...found }]
      })
    }),
  )
  const info = asObject(own(document.root, 'info'))
  return { document, model, flaws, endpoints, version: text(info, 'version') ?? '' }
}

/** The params of an operation that its tool hides or fixes. */
function unseenOf(operation: Operation | undefined): string[] {
  const { fixed = {}, hidden = [] } = operation?.tool ?? {}
  return [...Object.keys(fixed), ...hidden]
}

/** The API's name. Empty if the document has none. */
export function titleOf({ document }: Side): string {
  return text(asObject(own(document.root, 'info')), 'title') ?? ''
}

/** The operations of a path, by method in upper case. */
export function operationsOf(item: Cursor): (readonly [method: string, operation: Cursor])[] {
  const others = members(member(item, 'additionalOperations')).map((found) => [found.key, found] as const)
  const known = methods.map((verb) => [verb, member(item, verb)] as const)
  return [...known, ...others].flatMap(([verb, operation]) =>
    operation !== undefined && isObject(operation.value) ? [[verb.toUpperCase(), operation] as const] : [],
  )
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** The position of a pointer in the document. */
export function positionOf({ document }: Side, pointer: string): DocumentPosition {
  return { pointer, ...document.locate(pointer) }
}

/** The target of a reference. It may be a reference with sibling keywords. */
export function referenced({ document }: Side, reference: Json | undefined): Cursor | undefined {
  return typeof reference === 'string' ? lookup(document, reference) : undefined
}

/** A member, with references resolved. */
export function memberOf(side: Side, cursor: Cursor | undefined, key: string): Cursor | undefined {
  const found = cursor && member(cursor, key)
  return found && follow(side.document, found)
}

/** The members of a member by name, with references resolved. */
export function entriesOf(side: Side, cursor: Cursor | undefined, key: string): Map<string, Cursor> {
  const entries = members(memberOf(side, cursor, key))
  return new Map(
    entries.flatMap((entry) => {
      const found = follow(side.document, entry)
      return found === undefined ? [] : [[entry.key, found] as const]
    }),
  )
}

/** The elements of a member, with references resolved. */
export function elementsOf(side: Side, cursor: Cursor | undefined, key: string): Cursor[] {
  return elements(cursor && member(cursor, key)).flatMap((entry) => follow(side.document, entry) ?? [])
}

export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** Names of the operations that have the document's security. */
export function inheriting({ endpoints }: Side): ReadonlySet<string> {
  const found = endpoints.filter(
    ({ webhook, operation }) => !webhook && member(operation, 'security') === undefined,
  )
  return new Set(found.map(({ name }) => name))
}
