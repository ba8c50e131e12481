import { documentId } from '../code/documentation.js'
import { follow, member, members } from '../document/cursor.js'
import type { Model, Operation } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import { schemeText } from '../model/scheme-text.js'
import { type Schema, schemaMap } from '../schema/schema.js'
import { type Addresses, schemasPage, shownSchemas } from './address.js'
import { Fields } from './fields/fields.js'
import { typeText } from './fields/type-text.js'
import type { NeighbourVersion } from './neighbours.js'
import { elementOf } from './operation-view.js'
import { webhookId } from './schema-view.js'
import { titleOf } from './titles.js'
import { scriptJson } from './try-it.js'
import { writtenOf } from './written.js'

/**
 * `data.js`: data that only the reference's scripts use. It is a script, because a page opened from a file
 * cannot fetch data. `search` has an entry for everything that can be found, such as an operation: name,
 * method (empty for anything else), path or its substitute, summary, names of fields, and URL. `versions` has
 * the pages of each version.
 */
export function dataScript(
  model: Model,
  addresses: Addresses,
  versions: readonly NeighbourVersion[],
  pieces: OperationPieces = new OperationPieces(model),
  hasChanges = false,
): string {
  const fields = new Fields(model.schemas, addresses.schema)
  const hasCalls = model.operations.length > 0
  const namesIn = (schema: Schema): string => fields.names(schema).slice(0, mostNames).join(' ')
  const entries = [
    ...model.operations.map((operation) =>
      pieces.of('search', operation, addresses.operation(operation), () => [
        ...operationEntry(model, operation, fields, addresses),
      ]),
    ),
    ...pieces.ofFrame('search', '', () => schemaEntries(model, fields, addresses).map((entry) => [...entry])),
    ...model.webhooks.map((webhook) =>
      indexEntry(
        webhookId(webhook),
        webhook.name,
        webhook.kind,
        webhook.summary ?? '',
        namesIn(webhook.payload),
      ),
    ),
    ...(hasCalls
      ? Array.from(model.errors, ([code, { title, status, rpc }]) =>
          indexEntry(`error-${code}`, code, `error ${status}, JSON-RPC ${rpc}`, title),
        )
      : []),
    ...Array.from(model.securitySchemes, ([name, scheme]) =>
      indexEntry('authentication', name, schemeText(scheme), 'Authentication'),
    ),
    ...pageEntries(model, hasChanges),
    ...(hasCalls
      ? [indexEntry('protocols', '__tz', 'query or body', 'Time zone of a call, an IANA name')]
      : []),
  ]
  const lists = Object.fromEntries(versions.map(({ version, pages }) => [version, pages]))
  const lines = entries.map((entry) => scriptJson(entry))
  return `globalThis.duet = {"search":[\n${lines.join(',\n')}\n],"versions":${scriptJson(lists)}}\n`
}

type Entry = readonly [
  name: string,
  method: string,
  path: string,
  summary: string,
  fields: string,
  href: string,
]

function operationEntry(
  model: Model,
  operation: Operation,
  fields: Fields,
  { operation: address }: Addresses,
): Entry {
  const { name, rest } = operation
  const title = titleOf(operation)
  const id = documentId(operation)
  const text = id === undefined ? title : `${title} (operationId ${id})`
  const names = fieldNames(model, operation, fields).join(' ')
  return [name, rest.method, `${model.basePath}${rest.path}`, text, names, address(operation)]
}

/** An entry for each component with a page. */
function schemaEntries(model: Model, fields: Fields, { schema }: Addresses): Entry[] {
  return shownSchemas(model).map((name) => {
    const names = fields.names(model.schemas.get(name) ?? true).slice(0, mostNames)
    return [name, '', 'schema', '', names.join(' '), schema(name)]
  })
}

/** The pages of the menu that are not of operations. */
function pageEntries({ operations, webhooks, securitySchemes }: Model, hasChanges: boolean): Entry[] {
  const sections: readonly [anchor: string, title: string, isThere: boolean][] = [
    ['authentication', 'Authentication', securitySchemes.size > 0],
    ['errors', 'Errors and limits', operations.length > 0],
    ['webhooks', 'Sent by the service', webhooks.length > 0],
    ['changelog', 'Changelog', hasChanges],
  ]
  return [
    ['Overview', '', 'page', '', '', 'index.html'],
    ['Schemas', '', 'page', '', '', schemasPage],
    ...sections.flatMap(([anchor, title, isThere]) =>
      isThere ? [indexEntry(anchor, title, 'page', '')] : [],
    ),
  ]
}

/** An entry for what the index explains at `anchor`. */
function indexEntry(anchor: string, name: string, place: string, summary: string, names = ''): Entry {
  return [name, '', place, summary, names, `index.html#${encodeURIComponent(anchor)}`]
}

/** All names in the tables of an operation, their names over REST, and the headers of its responses. */
function fieldNames(model: Model, operation: Operation, fields: Fields): string[] {
  const { params, result, rest } = operation
  const shown = [params, bodyOf(operation), elementOf(result)].flatMap((schema) => fields.names(schema))
  const wire = [...rest.parameters.map(({ name }) => name), ...Object.keys(rest.body?.rename ?? {})]
  const type = typeText(result)
  const known = new Set([...wire, ...headersOf(model, operation), ...shown])
  return [...[...known].slice(0, mostNames), '__tz', ...(/^[\w ]+$/.test(type) ? [type] : [])]
}

/** Maximum number of names in an entry: a search reads all of them at each keystroke. */
const mostNames = 500

/** The param that is the whole body. */
function bodyOf({ params, rest }: Operation): Schema {
  const body = schemaMap(params, 'properties').find(([name]) => name === rest.body?.param)
  return body?.[1] ?? true
}

/** Headers that the document declares for responses of an operation. */
function headersOf(model: Model, operation: Operation): string[] {
  const document = { root: model.openapi }
  const written = { value: writtenOf(model, operation), pointer: '' }
  return members(member(written, 'responses')).flatMap((response) => {
    const target = follow(document, response)
    return members(target && member(target, 'headers')).map(({ key }) => key)
  })
}
