/** Base64 (RFC 4648 section 4) with the platform's own functions, which Node and browsers share. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK))
  }
  return btoa(binary)
}

/**
 * The bytes of a base64 text; undefined if it is invalid. Padding is optional, white space is not allowed.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!BASE64.test(text) || text.replace(/=+$/, '').length % 4 === 1) return undefined
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}

/** A number of arguments that every engine accepts. */
const CHUNK = 8192

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
