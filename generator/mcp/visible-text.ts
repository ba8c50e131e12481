/**
 * A text of a document as agents read it, without characters that a person who reviews it does not see: control characters,
 * marks of direction, fillers, selectors of variants, private characters and tags. A model would read them, and a terminal obey them.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, '')
}

/** Joiners stay after emoji and the letters of scripts that need them, the selector of emoji after emoji alone. */
const unseen =
  /(?![\t\n]|\u200c|\u200d|\ufe0f)[\p{DI}\p{Cc}\p{Co}\p{Zl}\p{Zp}\ufff9-\ufffb]|(?<!\p{ExtPict})\ufe0f(?!\u20e3)|(?<!\p{ExtPict}\ufe0f?|\p{Emoji_Modifier}|(?![\p{Script=Latin}\p{DI}])[\p{L}\p{M}])(?:\u200c|\u200d)/gu
