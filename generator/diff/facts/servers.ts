import { type Cursor, elements, member, objectOf, rootCursor, text } from '../../document/cursor.js'
import { isArray, own } from '../../document/json.js'
import { filledUrl, readBasePath } from '../../model/build/servers.js'
import type { ChangeId } from '../change/catalogue.js'
import type { Finding } from '../change/collector.js'
import { whereNames, whereOneAddress, wherePaths } from '../change/protocol.js'
import { asObject, type Side } from '../change/side.js'
import { haveSamePath, haveSameUrl, type Pairing } from '../pairing/pairing.js'
import { type OperationPair, report, type Tools, titleOf } from './parts/pair.js'

/** Compares the base path and the server addresses. */
export function serverFacts(old: Side, new_: Side, { pairs }: Pairing, { collector }: Tools): void {
  const [a, b] = [old, new_].map(({ document }) => rootCursor(document))
  const ends = { old: a && member(a, 'servers'), new: b && member(b, 'servers') }
  const [was = '', is = ''] = [old, new_].map(({ document }) => readBasePath(document, [], []))
  // An operation that moved alone does not show whether the base path moved.
  const staying = pairs.filter((pair) => !pair.old.webhook && haveSamePath(pair.old, pair.new))
  const isRewritten =
    was !== is && staying.length > 0 && staying.every((pair) => haveSameUrl(pair.old, pair.new))
  const [olds, news] = [
    addressesOf(a).map((url) => (isRewritten ? without(was, url) : url)),
    addressesOf(b).map((url) => (isRewritten ? without(is, url) : url)),
  ]
  const [first = '/', second = '/'] = [olds[0], news[0]]
  const found = isRewritten ? rewritten(was, is) : news.includes(first) ? reordered(was, is) : moved(was, is)
  if (was !== is) collector.add({ ...ends, ...found })
  const said = (id: ChangeId, message: string, url: string): void =>
    collector.add({ ...ends, id, message, values: [url] })
  // If a single address moves its path, the path reports it.
  const [one, other] = [ends.old, ends.new].map((servers) => elements(servers).length)
  if (was !== is && !isRewritten && one === 1 && other === 1) return
  // Without an entry there is a server at / (OpenAPI 3.1.1 section 4.8.1).
  if ([...olds, ...news].every((url) => url === '/')) return
  for (const url of olds)
    if (!news.includes(url)) said('server-removed', `the server ${url} was removed`, url)
  for (const url of news) if (!olds.includes(url)) said('server-added', `the server ${url} was added`, url)
  // A variable has another default, but both addresses still exist.
  if (one === 1 && other === 1 && first !== second && news.includes(first) && olds.includes(second))
    said('server-added', `the server is ${second} instead of ${first} by default`, second)
}

function moved(was: string, is: string): Finding {
  const message = `the base path changed from ${was || '/'} to ${is || '/'}`
  return { id: 'server-path-changed', message, values: [was, is] }
}

/** Only a Duet service serves nothing but the first server's base path. */
function reordered(was: string, is: string): Finding {
  const { message, ...change } = moved(was, is)
  return { ...change, message: `${message}; the servers still list the old address`, level: 'dangerous' }
}

/**
 * If the paths gain what the base path loses, or the reverse, no REST URL changes. JSON-RPC calls are posted to the
 * base path, which no path of the document shows.
 */
function rewritten(was: string, is: string): Finding {
  const message = `calls over JSON-RPC are posted to ${is}/ instead of ${was}/; URLs of REST stay`
  return { ...moved(was, is), message, level: 'dangerous', protocols: whereOneAddress }
}

/** An address without the base path at its end. */
function without(basePath: string, url: string): string {
  return url.endsWith(basePath) ? url.slice(0, url.length - basePath.length) || '/' : url
}

/** Reports that JSON-RPC moves below the base path because `POST /` was added or removed. */
export function rpcPathFacts(old: Side, new_: Side, { pairs }: Pairing, { collector }: Tools): void {
  const [was, is] = [old, new_].map(({ model }) => model?.rpcPath)
  const isCalled = pairs.some((pair) => !pair.old.webhook && pair.old.rpc !== false && pair.new.rpc !== false)
  if (was === undefined || is === undefined || was === is || !isCalled) return
  const [a, b] = [old, new_].map(({ endpoints }) =>
    endpoints.find(({ webhook, method, path }) => !webhook && method === 'POST' && path === '/'),
  )
  collector.add({
    id: 'rpc-path-changed',
    message: `calls over JSON-RPC are posted to ${is} instead of ${was}${b ? `, which ${titleOf(b)} takes` : ''}`,
    ...{ old: a?.operation, new: b?.operation, values: [was, is], protocols: whereNames },
  })
}

/** Compares the servers of a path or an operation, which replace the document's, over REST only. */
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
    protocols: wherePaths,
  })
}

/**
 * The addresses of servers: with all variables at their defaults, and with each other value of one variable, `*` if it
 * may have any. All combinations may be too many, and this includes each value.
 */
function addressesOf(holder: Cursor | undefined): string[] {
  const found = elements(holder && member(holder, 'servers')).flatMap((server) => {
    const url = text(server.value, 'url')
    if (url === undefined) return []
    const variables = asObject(member(server, 'variables')?.value)
    const others = Object.entries(variables).flatMap(([name, variable]) => {
      const values = own(asObject(variable), 'enum')
      const known = isArray(values) ? values : ['*']
      const isUsed = url.includes(`{${name}}`)
      return (isUsed ? known : []).map((value) =>
        objectOf([...Object.entries(variables), [name, { default: value }]]),
      )
    })
    return [variables, ...others].map((chosen) => filledUrl(url, chosen))
  })
  return [...new Set(found.map(normal))]
}

/** Lower-case scheme and host, without the default port (RFC 3986 section 6.2) and without a final slash. */
function normal(url: string): string {
  const isPlain = !/[{}\\]/.test(url) && URL.canParse(url)
  const written = isPlain ? new URL(url).href : url
  return written.length > 1 ? written.replace(/\/$/, '') : written
}
