import type { Paired } from '../change/change.js'
import { lifecycleOf } from '../change/lifecycle.js'
import type { Endpoint } from '../change/side.js'
import { haveSameContents, nearer, similarity } from './similarity.js'

export interface Pairing {
  readonly pairs: readonly (Pick<Paired, 'by' | 'score' | 'callers'> & {
    readonly old: Endpoint
    readonly new: Endpoint
  })[]
  /** Operations that callers of neither protocol can reach in the new version. */
  readonly removed: readonly Endpoint[]
  readonly added: readonly Endpoint[]
}

/**
 * Pairs the operations of two versions: by the RPC name in the document, then by path and method (with the base path,
 * then without it; names of path parameters do not matter), then by operationId, then by similarity.
 */
export function pairEndpoints(olds: readonly Endpoint[], news: readonly Endpoint[]): Pairing {
  const pairs: Pairing['pairs'][number][] = []
  const [removed, added] = [new Set(olds), new Set(news)]
  const pair = (old: Endpoint, fresh: Endpoint, by: Paired['by'], score: number): void => {
    pairs.push({ old, new: fresh, by, score })
    removed.delete(old)
    added.delete(fresh)
  }
  for (const [by, key] of keys) {
    const known = unique(added, key)
    for (const [name, old] of unique(removed, key)) {
      const fresh = known.get(name)
      if (fresh !== undefined) pair(old, fresh, by, 1)
    }
  }
  for (const { old, fresh, score } of similarPairs([...removed], [...added]))
    if (removed.has(old) && added.has(fresh)) pair(old, fresh, 'similarity', score)
  const all = withRestPairs(splitByProtocol(pairs, news), removed, news)
  // An operation with a path of its own is new, even if another path matches the same requests.
  const isKnown = (fresh: Endpoint): boolean =>
    all.some((found) => found.new === fresh) && olds.some((old) => addressOf(old) === addressOf(fresh))
  return {
    pairs: all,
    removed: [...removed].filter((old) => !all.some((found) => found.old === old)),
    added: [...added].filter((fresh) => !isKnown(fresh)),
  }
}

/**
 * REST callers of a removed operation reach the operation that now has its path, even if another one had its name.
 * Those of a removed `HEAD` reach `GET`, unless a deprecation told them to stop.
 */
function withRestPairs(
  pairs: Pairing['pairs'],
  removed: ReadonlySet<Endpoint>,
  news: readonly Endpoint[],
): Pairing['pairs'] {
  const routed = new Map(news.filter(isRouted).map((fresh) => [routeOf(fresh), fresh]))
  const restPairs = [...removed].flatMap((old): Pairing['pairs'] => {
    const isHead = old.method === 'HEAD' && !lifecycleOf(old.operation.value).deprecated
    const fresh =
      routed.get(routeOf(old)) ?? (isHead ? routed.get(routeOf({ ...old, method: 'GET' })) : undefined)
    return fresh === undefined ? [] : [{ old, new: fresh, by: 'path', score: 1, callers: 'path' }]
  })
  return [...pairs, ...restPairs]
}

/** Path and method. */
function addressOf({ webhook, method, fullPath }: Endpoint): string {
  return `${webhook} ${method} ${fullPath}`
}

/** Whether the same requests reach both operations. */
export function haveSameRoute(old: Endpoint, fresh: Endpoint): boolean {
  return routeOf(old) === routeOf(fresh)
}

/** Path and method, without the names of path parameters. */
function routeOf({ webhook, method, fullPath }: Endpoint): string {
  return `${webhook} ${method} ${shapeOf(fullPath)}`
}

/**
 * REST callers reach the operation with the path and method, JSON-RPC callers the one with the name. If these differ, each
 * protocol has its own pair, unless only the namesake has the same contents: then the operation has moved. If two paths
 * match the same requests, REST callers reach the one that the service routes.
 */
function splitByProtocol(pairs: Pairing['pairs'], news: readonly Endpoint[]): Pairing['pairs'] {
  const routed = new Map(news.filter(isRouted).map((fresh) => [routeOf(fresh), fresh]))
  const namesakes = new Map(news.map((fresh) => [methodOf(fresh), fresh]))
  return pairs.flatMap((pair) => {
    const { old, new: fresh } = pair
    const isThere = haveSameRoute(old, fresh)
    const other = routed.get(routeOf(old))
    if (other !== undefined && other !== fresh) {
      const hasMoved = haveSameContents(old, fresh) && nearer(old, fresh, other) > 0
      const isKept = isThere ? isRouted(fresh) || !isRouted(old) : hasMoved
      return isKept ? [pair] : split({ ...pair, callers: 'name' }, other)
    }
    const method = methodOf(old)
    const namesake = method === undefined || methodOf(fresh) === undefined ? undefined : namesakes.get(method)
    if (!isThere || namesake === undefined || namesake === fresh) return [pair]
    return split({ ...pair, new: namesake, by: 'rpc-method', callers: 'name' }, fresh)
  })
}

function split(named: Pairing['pairs'][number], routed: Endpoint): Pairing['pairs'] {
  return [named, { old: named.old, new: routed, by: 'path', score: 1, callers: 'path' }]
}

/** The name over JSON-RPC. Undefined if there is none, or if only a model would know it. */
function methodOf({ rpc, webhook, isNamed, modelled }: Endpoint): string | undefined {
  return rpc === false || webhook || !(isNamed || modelled !== undefined) ? undefined : rpc
}

/** Whether REST requests reach the operation. */
export function isRouted({ modelled }: Endpoint): boolean {
  return modelled?.routed !== false
}

const keys: readonly (readonly [Paired['by'], (endpoint: Endpoint) => string | undefined])[] = [
  ['rpc-method', (endpoint) => (endpoint.isNamed && endpoint.rpc !== false ? endpoint.rpc : undefined)],
  ['path', addressOf],
  ['path', routeOf],
  ['path', (endpoint) => `${endpoint.webhook} ${endpoint.method} ${endpoint.path}`],
  ['path', (endpoint) => `${endpoint.webhook} ${endpoint.method} ${shapeOf(endpoint.path)}`],
  ['operation-id', (endpoint) => endpoint.operationId],
]

/** Whether two operations have the same path. A base path that moves both is a change of the document. */
export function haveSamePath(old: Endpoint, fresh: Endpoint): boolean {
  return haveSameUrl(old, fresh) || shapeOf(old.path) === shapeOf(fresh.path)
}

/** Whether callers who write the full path reach the new operation where they reached the old one. */
export function haveSameUrl(old: Endpoint, fresh: Endpoint): boolean {
  return shapeOf(old.fullPath) === shapeOf(fresh.fullPath)
}

/** A path without the names of its parameters, and without needless percent-encoding (RFC 3986 section 6.2.2.2). */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}').replaceAll(/(?:%[0-9a-f]{2})+/gi, unescaped)
}

function unescaped(text: string): string {
  try {
    const plain = decodeURIComponent(text)
    return /^[\w.~\u0080-\u{10ffff} -]*$/u.test(plain) ? plain : text
  } catch {
    return text
  }
}

/** Endpoints by a key that no other endpoint has. */
function unique(
  endpoints: ReadonlySet<Endpoint>,
  key: (endpoint: Endpoint) => string | undefined,
): Map<string, Endpoint> {
  const found = new Map<string, Endpoint>()
  const shared = new Set<string>()
  for (const endpoint of endpoints) {
    const name = key(endpoint)
    if (name === undefined) continue
    if (found.has(name)) shared.add(name)
    else found.set(name, endpoint)
  }
  for (const name of shared) found.delete(name)
  return found
}

function similarPairs(
  olds: readonly Endpoint[],
  news: readonly Endpoint[],
): { old: Endpoint; fresh: Endpoint; score: number }[] {
  // Documents of different services would compare every operation with every other.
  if (olds.length * news.length > 40_000) return []
  return olds
    .flatMap((old) => news.map((fresh) => ({ old, fresh, score: similarity(old, fresh) })))
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score)
}

/** Below this score, a removal and an addition are likelier than a move. */
const threshold = 0.75
