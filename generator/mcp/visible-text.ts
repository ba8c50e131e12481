/**
 * A text of a document as agents read it, without characters that a person who reviews it does not see: control characters,
 * marks of direction, fillers, selectors of variants, private characters and tags. A model would read them, and a terminal obey them.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, '')
}

/** Joiners and the selector of emoji stay: emoji and several scripts need them. */
const unseen = /(?![\t\n]|\u200c|\u200d|\ufe0f)[\p{DI}\p{Cc}\p{Co}\p{Zl}\p{Zp}\ufff9-\ufffb]/gu
