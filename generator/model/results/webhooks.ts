import { type Cursor, follow, member, members, rootCursor, text } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import type { Components } from '../content/components.js'
import { mediaTypesOf } from '../content/content.js'
import type { Webhook } from '../model.js'
import { examplesAt } from './examples.js'

/** What the service sends on its own: the document's webhooks, and the callbacks of its operations. */
export function readWebhooks(
  document: Document,
  components: Components,
  operations: readonly { readonly name: string; readonly operation: Cursor }[],
): Webhook[] {
  const sent = members(member(rootCursor(document), 'webhooks')).flatMap((entry) =>
    messagesOf(document, components, entry, entry.key, 'webhook'),
  )
  const called = operations.flatMap(({ name, operation }) =>
    members(member(operation, 'callbacks')).flatMap((entry) => {
      const callback = follow(document, entry)
      const items = members(callback).filter(({ key }) => !key.startsWith('x-'))
      return items.flatMap((item) =>
        messagesOf(document, components, item, `${name}.${entry.key}`, 'callback'),
      )
    }),
  )
  return [...distinct(sent), ...distinct(called)]
}

const methods = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put', 'query', 'trace']

function messagesOf(
  document: Document,
  components: Components,
  entry: Cursor,
  name: string,
  kind: Webhook['kind'],
): Webhook[] {
  const item = follow(document, entry)
  const found = methods.flatMap((method) => {
    const operation = item && member(item, method)
    return operation !== undefined && isObject(operation.value) ? [{ method, operation }] : []
  })
  return found.map(({ method, operation }) => ({
    kind,
    name: found.length === 1 ? name : `${name}.${method}`,
    summary: text(operation.value, 'summary'),
    description: text(operation.value, 'description'),
    ...bodyOf(document, components, operation),
    source: { pointer: operation.pointer, ...document.locate(operation.pointer) },
  }))
}

function bodyOf(
  document: Document,
  components: Components,
  operation: Cursor,
): Pick<Webhook, 'payload' | 'examples'> {
  const declared = member(operation, 'requestBody')
  const body = declared && follow(document, declared)
  const media = body && mediaTypesOf(document, body)[0]
  if (media === undefined) return { payload: { type: 'null' }, examples: [] }
  return {
    payload: media.schema === undefined ? true : components.read(media.schema),
    examples: [...examplesAt(document, media.cursor).values()],
  }
}

/** Numbers callbacks that share a name at several addresses. */
function distinct(webhooks: readonly Webhook[]): Webhook[] {
  const counts = new Map<string, number>()
  return webhooks.map((webhook) => {
    const count = (counts.get(webhook.name) ?? 0) + 1
    counts.set(webhook.name, count)
    return count === 1 ? webhook : { ...webhook, name: `${webhook.name}.${count}` }
  })
}
