/**
 * A text of a document as agents read it, without characters that a person who reviews it does not see: control characters,
 * marks of direction, fillers, the blank of braille, selectors of variants, private characters and tags. A model would read
 * them, and a terminal obey them.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, '')
}

/** Scripts whose letters join, or whose consonants do (Unicode, `ArabicShaping.txt` and `Indic_Syllabic_Category=Virama`). */
const joining = [
  ...['Adlm', 'Arab', 'Mand', 'Mani', 'Mong', 'Nkoo', 'Phag', 'Rohg', 'Sogd', 'Syrc'],
  ...['Beng', 'Deva', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Orya', 'Sinh', 'Taml', 'Telu'],
  ...['Bali', 'Java', 'Khmr', 'Mymr', 'Newa', 'Tibt'],
].map((script) => `\\p{scx=${script}}`)

/** A letter or mark of such a script. */
const joined = `(?=[\\p{L}\\p{M}])(?!\\p{DI})[${joining.join('')}]`

/** Joiners stay between such letters and between emoji, the selector of emoji after emoji alone. */
const unseen = new RegExp(
  [
    String.raw`(?![\t\n]|\u200c|\u200d|\ufe0f)[\p{DI}\p{Cc}\p{Co}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800]`,
    String.raw`(?<!\p{ExtPict})\ufe0f(?!\u20e3)`,
    String.raw`(?<!${joined})\u200c|\u200c(?!${joined})`,
    String.raw`(?<!${joined}|\p{ExtPict}\ufe0f?|\p{Emoji_Modifier})\u200d|\u200d(?!${joined}|\p{ExtPict})`,
  ].join('|'),
  'gu',
)
