/**
 * A text of a document as agents read it, without characters that a person who reviews it does not see: control characters,
 * marks of direction and tags. A model would read them, and a terminal obey them.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, '')
}

/** Joiners stay: emoji and several scripts need them. */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is removed
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu
