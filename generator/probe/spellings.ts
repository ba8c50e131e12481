/**
 * A pattern of a text in each spelling that a server may give it: as it is, with escapes of JSON, JSON pointers, URLs or HTML
 * in any mixture, in hexadecimal digits, and in base64, also amid other text.
 */
export function spellingsOf(text: string): RegExp {
  const bytes = Buffer.from(text, 'utf8')
  const hex = bytes.toString('hex')
  const forms = [
    spelled(text),
    spelledBase64(bytes.toString('base64').replace(/=+$/, '')),
    ...(bytes.length < shortestInside ? [] : insideBase64(bytes).map(spelledBase64)),
    ...(bytes.length < shortestHex ? [] : [`(?:${hex}|${hex.toUpperCase()})`]),
  ]
  return new RegExp(forms.join('|'), 'gu')
}

/** Bytes of a text whose base64 is looked for amid other text. Fewer have too few digits of their own. */
const shortestInside = 6

/** Bytes of a text whose hexadecimal digits are looked for. */
const shortestHex = 3

/**
 * The base64 digits that a text has wherever it stands among other bytes: its place may be the first, second or third of
 * three bytes. Digits that depend on the neighbours are left out.
 */
function insideBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((lead) => {
    const digits = Buffer.concat([Buffer.alloc(lead), bytes]).toString('base64')
    return digits.slice(Math.ceil((8 * lead) / 6), Math.floor((8 * (lead + bytes.length)) / 6))
  })
}

/** Base64 (RFC 4648 section 4) and its form for URLs (section 5). */
function spelledBase64(digits: string): string {
  const signs = [...digits].map((sign) => {
    const other = ({ '+': '-', '/': '_' } as const)[sign]
    return other === undefined ? spelledSign(sign) : `(?:${spelledSign(sign)}|${spelledSign(other)})`
  })
  return `${signs.join('')}(?:=|%3[Dd]|\\\\u003[Dd]){0,2}`
}

function spelled(text: string): string {
  return [...text].map(spelledSign).join('')
}

/** One character. Escapes may be escaped again, so backslashes may precede it and `%25` may stand for `%`. */
function spelledSign(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  const inJson = [...sign.split('')].map((unit) => `\\\\{1,8}u${digitsOf(unit.charCodeAt(0), 4)}`).join('')
  const inUrl = [...Buffer.from(sign, 'utf8')].map((byte) => `%(?:25){0,3}${digitsOf(byte, 2)}`).join('')
  const short = shortEscapes.get(sign)
  const forms = [
    `\\\\{0,8}${literal(sign)}`,
    inJson,
    inUrl,
    `&#0{0,4}${code};`,
    `&#[xX]0{0,4}${digitsOf(code, 1)};`,
    ...(short === undefined ? [] : [short]),
  ]
  return `(?:${forms.join('|')})`
}

function literal(sign: string): string {
  return sign.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')
}

/** Hexadecimal digits of either case, at least `least` of them. */
function digitsOf(code: number, least: number): string {
  return code
    .toString(16)
    .padStart(least, '0')
    .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  [' ', '\\+'],
  ['~', '~0'],
  ['/', '~1'],
  ['\n', '\\\\{1,8}n'],
  ['\r', '\\\\{1,8}r'],
  ['\t', '\\\\{1,8}t'],
  ['\b', '\\\\{1,8}b'],
  ['\f', '\\\\{1,8}f'],
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
])
