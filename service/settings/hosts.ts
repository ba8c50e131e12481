/** Accepted hosts (ALLOWED_HOSTS), in addition to loopback names. `*`: any. */
export type AllowedHosts = ReadonlySet<string> | '*'

/** Reads ALLOWED_HOSTS: `*`, or a comma-separated list of names and addresses without ports. Undefined: invalid. */
export function readHosts(text: string): AllowedHosts | undefined {
  if (text === '*') return '*'
  const hosts = text.split(',').map((part) => part.trim().toLowerCase())
  return hosts.every((host) => hostText.test(host)) ? new Set(hosts.map(plain)) : undefined
}

/**
 * Whether to accept a request for this host (RFC 9110 section 7.2). A foreign site can point its name at this machine
 * (DNS rebinding) and then read our answers as its own. Its requests still carry its name as Host.
 */
export function isAllowedHost(host: string, allowed: AllowedHosts): boolean {
  if (allowed === '*') return true
  const name = plain(host.toLowerCase().replace(/:\d*$/, ''))
  return name === '' || isLoopback(name) || allowed.has(name)
}

/** The host of a request target in absolute form, which replaces `Host` (RFC 9112 section 3.2.2). */
export function hostOfTarget(target: string): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1]
}

/** Whether this is a loopback name or address (RFC 6761 section 6.3). */
export function isLoopback(host: string): boolean {
  return host === '::1' || /^(?:.+\.)?localhost$/i.test(host) || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** Removes the brackets of an IPv6 address and the final dot of a full name. */
function plain(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

const hostText = /^(?:[a-z0-9]([\w.-]*[\w.])?|\[?[0-9a-f:.]*:[0-9a-f:.]*\]?)$/
