import { own } from '../../load/json.js'
import { type Cursor, member } from '../../model/cursor.js'
import { asObject, entriesOf } from '../side.js'
import { isJson, mediaPairs } from './media.js'
import { compareSchemas, type OperationPair, report } from './pair.js'

/** Answers by status: which there are, their headers, media types and schemas. */
export function answerFacts(pair: OperationPair): void {
  const olds = entriesOf(pair.old, pair.before.operation, 'responses')
  const news = entriesOf(pair.new, pair.after.operation, 'responses')
  for (const [status, cursor] of olds)
    if (!news.has(status)) existence(pair, status, 'removed', { old: cursor })
  for (const [status, cursor] of news)
    if (!olds.has(status)) existence(pair, status, 'added', { new: cursor })
  for (const [status, a] of olds) {
    const b = news.get(status)
    if (b === undefined) continue
    headers(pair, status, a, b)
    contents(pair, status, a, b)
  }
}

function existence(
  pair: OperationPair,
  status: string,
  how: string,
  ends: { old?: Cursor; new?: Cursor },
): void {
  const kind = /^2/.test(status) ? 'success' : 'non-success'
  const message = `the answer ${status} was ${how}`
  report(pair, {
    ...ends,
    id: `response-${kind}-status-${how}`,
    message,
    values: [status],
    protocols: ['rest'],
  })
}

function contents(pair: OperationPair, status: string, old: Cursor, fresh: Cursor): void {
  const { pairs, removed, added } = mediaPairs(
    entriesOf(pair.old, old, 'content'),
    entriesOf(pair.new, fresh, 'content'),
  )
  const media = (how: string, type: string, ends: { old?: Cursor; new?: Cursor }): void => {
    const message = `the media type ${type} of the answer ${status} was ${how}`
    const values = [status, type]
    report(pair, { ...ends, id: `response-media-type-${how}`, message, values, protocols: ['rest'] })
  }
  for (const [type, cursor] of removed) media('removed', type, { old: cursor })
  for (const [type, cursor] of added) media('added', type, { new: cursor })
  for (const { type, a, b } of pairs) schemas(pair, status, type, a, b)
}

function schemas(pair: OperationPair, status: string, type: string, old: Cursor, fresh: Cursor): void {
  const [a, b] = [member(old, 'schema'), member(fresh, 'schema')]
  const title = `the answer ${status}`
  if (a !== undefined && b !== undefined) {
    const subject = {
      direction: 'response',
      holder: 'body',
      title,
      path: '',
      isLoose: !isJson(type),
    } as const
    compareSchemas(pair, { ...subject, ...(!/^2/.test(status) && { protocols: ['rest'] as const }) }, a, b)
    return
  }
  if (a === undefined && b === undefined) return
  const how = a === undefined ? 'added' : 'removed'
  const message = `the schema of ${title} (${type}) was ${how}`
  report(pair, {
    id: `response-body-media-type-schema-${how}`,
    message,
    old,
    new: fresh,
    values: [status, type],
  })
}

function headers(pair: OperationPair, status: string, old: Cursor, fresh: Cursor): void {
  const byName = (entries: Map<string, Cursor>) =>
    new Map([...entries].map(([name, cursor]) => [name.toLowerCase(), { name, cursor }]))
  const [olds, news] = [
    byName(entriesOf(pair.old, old, 'headers')),
    byName(entriesOf(pair.new, fresh, 'headers')),
  ]
  const protocols = ['rest'] as const
  for (const [key, { name, cursor }] of olds) {
    const path = `/headers/${name}`
    const other = news.get(key)
    const required = isRequired(cursor)
    if (other === undefined) {
      const id = `${required ? 'required' : 'optional'}-response-header-removed`
      const message = `the header ${name} of the answer ${status} was removed`
      report(pair, { id, message, path, old: cursor, values: [status], protocols })
      continue
    }
    if (required && !isRequired(other.cursor)) {
      const message = `the header ${name} of the answer ${status} became optional`
      const ends = { old: cursor, new: other.cursor }
      report(pair, {
        ...ends,
        id: 'response-header-became-optional',
        message,
        path,
        values: [status],
        protocols,
      })
    }
    const [a, b] = [member(cursor, 'schema'), member(other.cursor, 'schema')]
    const title = `the header ${name} of the answer ${status}`
    if (a !== undefined && b !== undefined)
      compareSchemas(pair, { direction: 'response', holder: 'header', title, path, protocols }, a, b)
  }
  for (const [key, { name, cursor }] of news)
    if (!olds.has(key)) {
      const message = `the header ${name} of the answer ${status} was added`
      report(pair, {
        id: 'response-header-added',
        message,
        path: `/headers/${name}`,
        new: cursor,
        values: [status],
        protocols,
      })
    }
}

function isRequired(header: Cursor): boolean {
  return own(asObject(header.value), 'required') === true
}
