import type { SecurityRequirement } from 'duet-runtime'
import type { Operation } from 'duet-runtime/client'
import { rpcBelow } from '../../../generator/model/rpc-target.js'
import type { Scheme, Settings } from './page.js'
import { servedNotice } from './served.js'
import { isUnsent } from './unsent.js'

/** The address and credentials of calls: the same for all pages, only in memory. */
export interface Connection {
  /**
   * The base URL, with the server's path. Throws an Error for an invalid HTTP address: a browser would take it as
   * relative to the page.
   */
  address(): string
  /** That of JSON-RPC after the base URL. */
  readonly rpcPath: string
  /** Secrets as typed, longest first. */
  readonly secrets: readonly string[]
  /** For each operation, the credentials of the first security alternative that is filled in. */
  credentials(operations: readonly Operation[]): Typed
  /** The security alternative whose credentials a request has. Undefined: none is filled in. */
  requirementFor(security: Security): SecurityRequirement | undefined
  /**
   * A notice next to the send buttons: which version answers, if it is not the page's. Asks the service once `update` is
   * called, or the address changes.
   */
  notice(): { readonly element: HTMLElement; update(): void }
  /** A value as typed: that of `addressKey`, or a scheme's credential. */
  value(key: string): string
  set(key: string, value: string): void
  onChange(listen: () => void): void
}

/** The typed credentials of a request. */
interface Typed {
  readonly headers: Record<string, string>
  readonly query: string
  /** Whether one of the credentials may be a cookie of the browser. */
  readonly isByCookie: boolean
}

export const addressKey = 'address'

export function connectionOf(settings: Settings): Connection {
  const values = new Map<string, string>([[addressKey, defaultAddress(settings)]])
  const listeners: (() => void)[] = []
  const typed = (name: string) => values.get(keyOf(name)) ?? ''
  const isTyped = (name: string) => typed(name) !== ''
  const address = () => httpAddress(values.get(addressKey) ?? '')
  return {
    address,
    rpcPath: rpcBelow({ basePath: settings.basePath, rpcPath: settings.rpcPath ?? '/' }),
    get secrets() {
      return [...values]
        .filter(([key, value]) => key !== addressKey && value !== '')
        .map(([, value]) => value)
        .sort((a, b) => b.length - a.length)
    },
    credentials(operations) {
      const headers: Record<string, string> = {}
      const query = new URLSearchParams()
      for (const name of operations.flatMap(({ security }) => chosen(security, settings, isTyped))) {
        const scheme = settings.securitySchemes[name]
        if (scheme === undefined) continue
        if (scheme.type !== 'apiKey') headers.Authorization = authorization(scheme, typed(name))
        else if (scheme.in === 'query') query.set(scheme.name ?? name, typed(name))
        else headers[scheme.name ?? name] = typed(name)
      }
      const isByCookie = operations.some(({ security }) =>
        schemesOf(security).some((name) => settings.securitySchemes[name]?.in === 'cookie'),
      )
      return { headers, query: query.toString(), isByCookie }
    },
    requirementFor(security) {
      const names = chosen(security, settings, isTyped)
      return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, []]))
    },
    notice() {
      const notice = servedNotice(settings, () => withoutBase(address(), settings.basePath))
      listeners.push(notice.update)
      return notice
    },
    value: (key) => values.get(key) ?? '',
    set(key, value) {
      values.set(key, value.trim())
      for (const listen of listeners) listen()
    },
    onChange(listen) {
      listeners.push(listen)
    },
  }
}

export type Security = Operation['security']

/** The names of all schemes that an operation may be called with. */
export function schemesOf(security: Security): string[] {
  return [...new Set(security.flatMap((each) => Object.keys(each)))]
}

/** The prefix tells a scheme named like the address field from that field. */
export function keyOf(scheme: string): string {
  return `scheme ${scheme}`
}

/**
 * The schemes of the first alternative that is complete, else the filled ones of the first alternative that
 * has any.
 */
function chosen(security: Security, settings: Settings, isTyped: (name: string) => boolean): string[] {
  const alternatives = security.map((each) => Object.keys(each))
  const isSent = (name: string) => {
    const scheme = settings.securitySchemes[name]
    return scheme !== undefined && !isSilent(scheme)
  }
  const sent = alternatives.map((names) => names.filter(isSent)).filter((names) => names.some(isTyped))
  const whole = sent.filter((names) => names.every(isTyped))
  const found = whole.find((names) => fitsOneRequest(names, settings)) ?? whole[0] ?? sent[0] ?? []
  return found.filter(isTyped)
}

/** A request has one header Authorization, so it takes the credential of one scheme. */
function fitsOneRequest(names: readonly string[], { securitySchemes }: Settings): boolean {
  const schemes = names.flatMap((name) => securitySchemes[name] ?? [])
  const inHeader = schemes.filter(({ type }) => type !== 'apiKey' && type !== 'mutualTLS')
  return new Set(inHeader.map((scheme) => authorization(scheme, '').toLowerCase())).size < 2
}

/** The credentials of an operation that a page cannot send. */
export function limitsOf(security: Security, settings: Settings): string[] {
  const silent = schemesOf(security).flatMap((name) => {
    const scheme = settings.securitySchemes[name]
    if (scheme?.type === 'mutualTLS')
      return `${name} is a client certificate. Only the browser itself can send it.`
    if (scheme?.in === 'header' && isSilent(scheme))
      return `${name} is the header ${scheme.name}. Browsers do not send it. Use a sample.`
    if (scheme?.in !== 'cookie') return []
    return `${name} is the cookie ${scheme.name}. A browser lets no page set one: it sends the cookie that it has if this page comes from the same origin as the service.`
  })
  const impossible = security
    .map((each) => Object.keys(each))
    .filter((names) => !fitsOneRequest(names, settings))
    .map((names) => `No request can have ${names.join(' and ')}: it has one header Authorization.`)
  return [...silent, ...impossible]
}

export function faultOf(check: () => unknown): string {
  try {
    check()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function httpAddress(text: string): string {
  const address = text.replace(/\/+$/, '')
  if (!/^https?:\/\/[^/?#]+/i.test(address) || !URL.canParse(address))
    throw new Error('The base URL must begin with http:// or https:// and name a host.')
  return address
}

/**
 * The base URL that calls have first. A page of this machine or of the document's own host: the page's origin, with the
 * version if the page's path begins with it, and the base path. Any other page, such as a file or one of a site for
 * documentation: the document's first server.
 */
function defaultAddress({ version, servers, basePath }: Settings): string {
  const stated = servers.filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url))
  const isServed = /^https?:$/.test(location.protocol)
  const others = stated.filter(({ url }) => !isOnlyLocal(url))
  const isOwn = isLoopback(location) || stated.some(({ url }) => new URL(url).origin === location.origin)
  const [first] = isServed && isOwn ? [] : others
  if (first !== undefined) return trimmed(first.url)
  if (!isServed) return `http://127.0.0.1:8080${basePath}`
  return location.origin + (location.pathname.startsWith(`/${version}/`) ? `/${version}` : '') + basePath
}

/** Whether a server is on a developer's own machine, and the page is one that a server sent. */
export function isOnlyLocal(url: string): boolean {
  return /^https?:$/.test(location.protocol) && isLoopback(new URL(url))
}

function isLoopback({ hostname }: { readonly hostname: string }): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost')
}

/** The address of the service, which serves its documents outside of the base path. */
function withoutBase(url: string, basePath: string): string {
  const plain = trimmed(url)
  return basePath !== '' && plain.endsWith(basePath) ? plain.slice(0, -basePath.length) : plain
}

/** A server's base URL: a relative one is on the page's own host. Undefined: no page can call it. */
export function serverUrl(url: string): string | undefined {
  if (/^https?:\/\//i.test(url)) return URL.canParse(url) ? trimmed(url) : undefined
  const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(url) && /^https?:$/.test(location.protocol)
  return isRelative && URL.canParse(url, location.origin)
    ? trimmed(new URL(url, location.origin).href)
    : undefined
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}

/** Credentials that no script can send. */
export function isSilent({ type, in: place, name = '' }: Scheme): boolean {
  return type === 'mutualTLS' || place === 'cookie' || (place === 'header' && isUnsent(name))
}

function authorization({ type, scheme = 'bearer' }: Scheme, value: string): string {
  if (type === 'http' && scheme.toLowerCase() === 'basic')
    return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`
  return `${type === 'http' && scheme.toLowerCase() !== 'bearer' ? scheme : 'Bearer'} ${value}`
}

/** What a credential's field expects: `header X-Api-Key`. */
export function hintOf({ type, scheme = '', in: place, name }: Scheme): string {
  if (type === 'apiKey') return `${place} ${name}`
  return type === 'http' && scheme.toLowerCase() === 'basic' ? 'user:password' : 'token'
}
