/** A text as HTML, with what is between backticks as code. Every part is escaped. */
export function coded(text: string, escaped: (part: string) => string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : `<code>${escaped(part)}</code>`))
    .join('')
}
