/** A path template's percent-decoded values: `p0` for its first parameter, and so on. */
export type PathValues = Readonly<Record<string, string | undefined>>

/** The values that a router finds in a path built from the template; none if a segment does not match. */
export function valuesOf(template: string, path: string): PathValues {
  const values: Record<string, string | undefined> = {}
  const segments = path.split('/')
  let count = 0
  for (const [index, segment] of template.split('/').entries()) {
    const found = groupsOf(partsOf(segment), decodeURIComponent(segments[index] ?? ''))
    for (const value of found) values[`p${count++}`] = value
  }
  return values
}

/** The encoded values of a segment's parameters: a style's delimiters are not data yet. */
export function encodedValuesOf(segment: string, raw: string): readonly string[] {
  const characters = [...raw.matchAll(ENCODED_CHARACTER)].map(([encoded]) => ({
    encoded,
    text: decoded(encoded),
  }))
  const ranges = rangesOf(partsOf(segment), characters.map(({ text }) => text).join(''))
  return ranges.map((range) => {
    const [from, to] = range ?? [0, 0]
    let at = 0
    return characters
      .filter(({ text }) => {
        const start = at
        at += text.length
        return start >= from && start < to
      })
      .map(({ encoded }) => encoded)
      .join('')
  })
}

/** One character of a path: percent-encoded UTF-8 of one to four bytes (RFC 3629), or a plain character. */
const ENCODED_CHARACTER =
  /%[0-7][\da-f]|%[cd][\da-f]%[\da-f]{2}|%e[\da-f](?:%[\da-f]{2}){2}|%f[\da-f](?:%[\da-f]{2}){3}|./gisu

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** One text for each parameter of a segment. */
function groupsOf(parts: readonly string[], text: string): readonly (string | undefined)[] {
  return rangesOf(parts, text).map((range) => range && text.slice(...range))
}

/** The range of each parameter in a segment's text. A segment that is one parameter matches any text. */
function rangesOf(
  parts: readonly string[],
  text: string,
): readonly (readonly [number, number] | undefined)[] {
  const [only, another] = parts
  if (only !== undefined && another === undefined && isParameter(only)) return [[0, text.length]]
  const sources = parts.map((part, i) =>
    isParameter(part) ? valueBefore(parts.slice(i + 1)) : escaped(literalText(part)),
  )
  const match = new RegExp(`^${sources.join('')}$`, 'd').exec(text)
  return parts.filter(isParameter).map((_, group) => match?.indices?.[group + 1])
}

/** The literals and parameters of a segment: `{a}-{b}` is three. */
export function partsOf(segment: string): readonly string[] {
  return segment.split(/(\{[^}]*\})/).filter((part) => part !== '')
}

export function isParameter(part: string): boolean {
  return part.startsWith('{') && part.endsWith('}')
}

/**
 * A regular expression for a parameter in a mixed segment: it ends at the literal that follows. Only the last
 * parameter may contain its following literal, so that every segment matches in linear time.
 */
export function valueBefore(rest: readonly string[]): string {
  const [next = ''] = rest
  if (!rest.some(isParameter)) return '(.+?)'
  return isParameter(next) ? '(.)' : `([^\\u${next.charCodeAt(0).toString(16).padStart(4, '0')}]+)`
}

/** A literal in its decoded form, as in a decoded path. */
export function literalText(part: string): string {
  try {
    return decodeURI(part)
  } catch {
    return part
  }
}

/** Escapes text for a regular expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
