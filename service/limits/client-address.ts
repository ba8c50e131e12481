import { BlockList, isIP, isIPv6 } from 'node:net'
import type { HttpRequest } from 'duet-runtime'

/**
 * The proxies that we trust (TRUST_PROXY): how many are in front of the service, or their addresses. Undefined: none,
 * and the peer of the connection is the client.
 */
export type TrustedProxies = number | BlockList | undefined

/** The sender of a request, or of bytes that are no request yet. */
export type Sender = Pick<HttpRequest, 'socket' | 'headers'>

/**
 * Reads TRUST_PROXY: a number of proxies, or a comma-separated list of addresses and networks (10.0.0.0/8). Null:
 * invalid.
 */
export function readTrustedProxies(text: string): Exclude<TrustedProxies, undefined> | null {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const list = new BlockList()
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [address = '', prefix, ...more] = entry.split('/')
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const longest = type === 'ipv6' ? 128 : 32
    if (isIP(address) === 0 || more.length > 0) return null
    if (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest)) return null
    list.addSubnet(address, prefix === undefined ? longest : Number(prefix), type)
  }
  return list
}

/**
 * The address of the client: the peer's, or if that is a trusted proxy, the last untrusted address in X-Forwarded-For.
 * A client can forge the entries before that one.
 */
export function clientAddress({ socket, headers }: Sender, trusted: TrustedProxies): string {
  let address = plain(socket.remoteAddress ?? '')
  if (trusted === undefined || trusted === 0) return address
  const forwarded = textOf(headers['x-forwarded-for']).split(',')
  for (let hop = 0; isTrusted(address, hop, trusted); hop++) {
    const next = plain((forwarded.pop() ?? '').trim())
    if (isIP(next) === 0) break
    address = next
  }
  return address
}

/** Whether the caller's own connection was encrypted, according to a trusted proxy. */
export function isSecure(request: Sender, trusted: TrustedProxies): boolean {
  if (trusted === undefined || !isTrusted(plain(request.socket.remoteAddress ?? ''), 0, trusted)) return false
  return textOf(request.headers['x-forwarded-proto']).split(',').at(-1)?.trim().toLowerCase() === 'https'
}

/** The key by which limits count an address. For IPv6 it is the /64, which belongs to one subscriber (RFC 6177). */
export function subjectOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const after = tail === undefined ? [] : tail.split(':').filter((group) => group !== '')
  const missing = Math.max(0, 8 - groups.length - after.length)
  const all = [...groups, ...Array.from({ length: tail === undefined ? 0 : missing }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

function isTrusted(address: string, hop: number, trusted: Exclude<TrustedProxies, undefined>): boolean {
  if (typeof trusted === 'number') return hop < trusted
  return isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Turns an IPv4-mapped IPv6 address into the IPv4 address. */
function plain(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : (header?.join(',') ?? '')
}
