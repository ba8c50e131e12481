/** The value of the first cookie with this name (RFC 6265, section 5.4). */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/**
 * The cookie of a parameter. Its name is percent-encoded if a cookie cannot have it (RFC 6570, as OpenAPI
 * requires).
 */
export function cookieParameter(header: string | undefined, name: string): string | undefined {
  const plain = cookieValue(header, name)
  if (plain !== undefined || header === undefined || /^[\w.-]*$|\p{Surrogate}/u.test(name)) return plain
  return cookieValue(header, percentEncoded(name))
}

/**
 * Percent-encodes every character that is not unreserved (RFC 3986, section 2.3). Throws URIError for half a
 * surrogate pair.
 */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
