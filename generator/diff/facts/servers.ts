import { type Cursor, elements, member, rootCursor, text } from '../../model/cursor.js'
import { filledUrl, readBasePath } from '../../model/servers.js'
import type { Side } from '../side.js'
import { type OperationPair, report, type Tools, titleOf } from './pair.js'

/** Where the service is reached: the path that everything stands below, and the addresses. */
export function serverFacts(old: Side, new_: Side, { collector }: Tools): void {
  const [a, b] = [old, new_].map(({ document }) => rootCursor(document))
  const ends = { old: a && member(a, 'servers'), new: b && member(b, 'servers') }
  const [was, is] = [old, new_].map(({ document }) => readBasePath(document, [], []))
  if (was !== is)
    collector.add({
      ...ends,
      id: 'server-path-changed',
      message: `everything stands below ${is || '/'} instead of ${was || '/'}`,
      values: [was, is],
    })
  const [olds, news] = [addressesOf(a), addressesOf(b)]
  const said = (id: string, message: string, url: string): void =>
    collector.add({ ...ends, id, message, values: [url] })
  // One address that moves its path is told by the path.
  const moved = was !== is && olds.length === 1 && news.length === 1
  if (moved) return
  // Without an entry there is a server at / (OpenAPI 3.1.1 section 4.8.1).
  if ([...olds, ...news].every((url) => url === '/')) return
  for (const url of olds)
    if (!news.includes(url)) said('server-removed', `the server ${url} was removed`, url)
  for (const url of news) if (!olds.includes(url)) said('server-added', `the server ${url} was added`, url)
}

/** Servers of a path or an operation, which stand instead of the document's, over REST alone. */
export function ownServerFacts(pair: OperationPair): void {
  const { before, after } = pair
  const ofOld = [before.operation, before.item].map(addressesOf).find((urls) => urls.length > 0)
  const ofNew = [after.operation, after.item].map(addressesOf).find((urls) => urls.length > 0)
  if (ofOld === undefined && ofNew === undefined) return
  const olds = ofOld ?? addressesOf(rootCursor(pair.old.document))
  const news = ofNew ?? addressesOf(rootCursor(pair.new.document))
  if (olds.join() === news.join()) return
  report(pair, {
    id: 'endpoint-servers-changed',
    message: `${titleOf(after)} is served at ${news.join(', ') || '/'} instead of ${olds.join(', ') || '/'}`,
    level: olds.every((url) => news.includes(url)) ? 'compatible' : 'dangerous',
    old: before.operation,
    new: after.operation,
    values: [olds, news],
    protocols: ['rest'],
  })
}

/** Addresses of servers with their variables at their defaults. */
function addressesOf(holder: Cursor | undefined): string[] {
  return elements(holder && member(holder, 'servers')).flatMap((server) => {
    const url = text(server.value, 'url')
    if (url === undefined) return []
    const filled = filledUrl(url, member(server, 'variables')?.value)
    return filled.length > 1 ? filled.replace(/\/$/, '') : filled
  })
}
