/** Hosts that may be asked (ALLOWED_HOSTS), beside those of this machine's loopback; `*`: any. */
export type AllowedHosts = ReadonlySet<string> | '*'

/** Reads ALLOWED_HOSTS: `*`, or names and addresses by comma, without ports. Undefined: it is neither. */
export function readHosts(text: string): AllowedHosts | undefined {
  if (text === '*') return '*'
  const hosts = text.split(',').map((part) => part.trim().toLowerCase())
  return hosts.every((host) => hostText.test(host)) ? new Set(hosts.map(plain)) : undefined
}

/**
 * Whether a request for this host (RFC 9110 section 7.2) is answered. A page of another site can have its name lead to
 * this machine (DNS rebinding), and then read what it asks for as its own: but for the Host, which is still its own.
 */
export function isAllowedHost(host: string, allowed: AllowedHosts): boolean {
  if (allowed === '*') return true
  const name = plain(host.toLowerCase().replace(/:\d*$/, ''))
  return name === '' || isLoopback(name) || allowed.has(name)
}

/** The host of a request target in absolute form, which counts in the place of `Host` (RFC 9112 section 3.2.2). */
export function hostOfTarget(target: string): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1]
}

/** Whether this is a name or an address by which a machine reaches itself (RFC 6761 section 6.3). */
export function isLoopback(host: string): boolean {
  return host === '::1' || /^(?:.+\.)?localhost$/i.test(host) || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** Without the brackets of an IPv6 address and the dot that ends a full name. */
function plain(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

const hostText = /^(?:[a-z0-9]([\w.-]*[\w.])?|\[?[0-9a-f:.]*:[0-9a-f:.]*\]?)$/
