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

/** One text for each parameter of a segment; a segment that is one parameter may be any text. */
function groupsOf(parts: readonly string[], text: string): readonly (string | undefined)[] {
  const [only, another] = parts
  if (only !== undefined && another === undefined && isParameter(only)) return [text]
  const sources = parts.map((part, i) =>
    isParameter(part) ? valueBefore(parts.slice(i + 1)) : escaped(literalText(part)),
  )
  const match = new RegExp(`^${sources.join('')}$`).exec(text)
  return parts.filter(isParameter).map((_, group) => match?.[group + 1])
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
