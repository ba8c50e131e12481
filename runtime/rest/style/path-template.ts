/** A path template's raw values: `p0` for its first parameter, and so on, percent-decoded. */
export type PathValues = Readonly<Record<string, string | undefined>>

/** The values that a router finds in a path which was made from a template; none where a segment does not match. */
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

/** The values of a segment's parameters as they stand in a path, still encoded: a style's delimiters are not yet data. */
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

/** One character of a path: percent-encoded UTF-8 of one to four bytes (RFC 3629), or as it stands. */
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

/** Where each parameter of a segment stands in its text; a segment that is one parameter may be any text. */
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
 * What a parameter of a mixed segment may be, as a regular expression: up to the text that follows it, and only
 * the last one may have that text in its value, so that no segment takes more than linear time to match.
 */
export function valueBefore(rest: readonly string[]): string {
  const [next = ''] = rest
  if (!rest.some(isParameter)) return '(.+?)'
  return isParameter(next) ? '(.)' : `([^\\u${next.charCodeAt(0).toString(16).padStart(4, '0')}]+)`
}

/** A literal as it stands in a decoded path. */
export function literalText(part: string): string {
  try {
    return decodeURI(part)
  } catch {
    return part
  }
}

/** Text as a regular expression that matches it. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
