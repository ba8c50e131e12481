import { isObject } from '../../load/json.js'
import { type Cursor, follow, member, members } from '../../model/cursor.js'
import type { Subject } from '../schema/subject.js'
import { type Endpoint, entriesOf, memberOf, type Side } from '../side.js'
import { lifecycleFacts } from './lifecycle.js'
import { isJson, mediaPairs } from './media.js'
import { compareSchemas, type OperationPair, report } from './pair.js'

/** What the service sends of its own accord to a webhook: its callers read it as they read answers, and answer it. */
export function webhookFacts(pair: OperationPair): void {
  lifecycleFacts(pair)
  messageFacts(pair, '')
}

/** Messages that an operation makes the service send, by the name of the callback and the expression of its address. */
export function callbackFacts(pair: OperationPair): void {
  const [olds, news] = [callbacksOf(pair.old, pair.before), callbacksOf(pair.new, pair.after)]
  for (const [key, callback] of olds)
    if (!news.has(key)) existence(pair, callback, 'removed', { old: callback.operation })
  for (const [key, fresh] of news) {
    const old = olds.get(key)
    if (old === undefined) existence(pair, fresh, 'added', { new: fresh.operation })
    else messageFacts({ ...pair, before: old, after: fresh }, `/callbacks/${fresh.path}`)
  }
}

/** Callbacks as endpoints that bear the name of their operation. */
function callbacksOf(side: Side, endpoint: Endpoint): Map<string, Endpoint> {
  const found = [...entriesOf(side, endpoint.operation, 'callbacks')].flatMap(([name, callback]) =>
    members(callback).flatMap((entry) => {
      const item = follow(side.document, entry)
      return members(item).flatMap((operation): [string, Endpoint][] => {
        if (item === undefined || !isObject(operation.value) || !verbs.has(operation.key)) return []
        const method = operation.key.toUpperCase()
        const key = [name, entry.key, method].join(' ')
        return [
          [key, { ...endpoint, webhook: true, method, path: name, item, operation, modelled: undefined }],
        ]
      })
    }),
  )
  return new Map(found)
}

const verbs: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options'])

function existence(
  pair: OperationPair,
  { path }: Endpoint,
  how: 'added' | 'removed',
  ends: { readonly old?: Cursor; readonly new?: Cursor },
): void {
  const message = `the callback ${path} was ${how}`
  report(pair, { ...ends, id: `callback-${how}`, message, path: `/callbacks/${path}`, values: [path] })
}

/** The message is sent as answers are, and what comes back is taken as requests are. */
function messageFacts(pair: OperationPair, path: string): void {
  const [a, b] = [
    memberOf(pair.old, pair.before.operation, 'requestBody'),
    memberOf(pair.new, pair.after.operation, 'requestBody'),
  ]
  const title = `the message ${pair.after.path}`
  const subject = { direction: 'response', holder: 'body', title, path } as const
  contents(pair, a, b, subject)
  const [olds, news] = [
    entriesOf(pair.old, pair.before.operation, 'responses'),
    entriesOf(pair.new, pair.after.operation, 'responses'),
  ]
  for (const status of olds.keys()) {
    const reply = { ...subject, direction: 'request', title: `the answer ${status} to ${title}` } as const
    contents(pair, olds.get(status), news.get(status), reply)
  }
}

function contents(
  pair: OperationPair,
  old: Cursor | undefined,
  fresh: Cursor | undefined,
  subject: Subject,
): void {
  if (old === undefined || fresh === undefined) return
  const { pairs } = mediaPairs(entriesOf(pair.old, old, 'content'), entriesOf(pair.new, fresh, 'content'))
  for (const { type, a, b } of pairs) {
    const [one, other] = [member(a, 'schema'), member(b, 'schema')]
    if (one === undefined || other === undefined) continue
    compareSchemas(pair, { ...subject, isLoose: !isJson(type) }, one, other)
  }
}
