/**
 * Shows the characters that would reorder a text or what follows it, or break its line, by their numbers. An isolate
 * such as `<bdi>` is not enough: U+2069 in the text would end it (UAX #9, section 3.3.2).
 */
export function visible(text: string): string {
  return text.replace(
    /[\u2028-\u202e\u2066-\u2069]/g,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`,
  )
}

/** A name within a text where HTML allows no `<bdi>`, such as a title: it reorders nothing around it. */
export function isolated(name: string): string {
  return `\u2068${visible(name)}\u2069`
}
