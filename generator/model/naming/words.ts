/** Latin letters without their marks: `übungHolen` becomes `ubungHolen`. Other letters stay. */
export function withoutMarks(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßẞæœøłđðþıÆŒØŁĐÐÞ]/g, (letter) => undivided.get(letter.toLowerCase()) ?? letter)
}

/** Latin letters that Unicode does not divide into a base and a mark. */
const undivided = new Map(
  'ß:ss æ:ae œ:oe ø:o ł:l đ:d ð:d þ:th ı:i'.split(' ').map((pair) => pair.split(':') as [string, string]),
)

/** The words of a text in lower case: `listUserIDs`, `list_user_ids` and `list-user-ids` have the same. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/[^\x20-\x7e]+/gu, withoutMarks)
    .replace(/[^\x20-\x7e]/gu, (character) => ` u${character.codePointAt(0)?.toString(16)} `)
    .replace(/OAuth/g, 'Oauth')
    .replace(
      /(?<![A-Z])[A-Z]{2,}s(?![A-Za-z])/g,
      (acronym) => acronym.charAt(0) + acronym.slice(1).toLowerCase(),
    )
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/**
 * One part of a dotted name; without words it is `x`. A part cannot start with a digit: `3d_secure` becomes
 * `three_d_secure`, and a longer number gets an `n`.
 */
export function partOf(words: readonly string[]): string {
  const joined = words.join('_').replace(/^\d(?=[a-z])/, (digit) => `${digits[Number(digit)]}_`)
  if (joined === '') return 'x'
  return /^[a-z]/.test(joined) ? joined : `n${joined}`
}

const digits = 'zero one two three four five six seven eight nine'.split(' ')

/** A text without case and separators, to compare two spellings. */
export function lettersOf(text: string): string {
  return wordsOf(text).join('')
}

/** The singular of an English noun, by simple rules. Wrong answers only make a name longer. */
function singular(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (/(ss|us|is)$/.test(word) || !word.endsWith('s') || word.length < 3) return word
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ss|[^aeo]us|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

const irregular = new Map([
  ['aliases', 'alias'],
  ['caches', 'cache'],
  ['children', 'child'],
  ['cookies', 'cookie'],
  ['movies', 'movie'],
  ['people', 'person'],
  ['indices', 'index'],
  ['vertices', 'vertex'],
  ...'alias aws bias canvas cors css dns gps https ios lens series sms species tls'
    .split(' ')
    .map((word) => [word, word] as const),
])

/** Whether a word names many things. Settings are one thing. */
export function isPlural(word: string): boolean {
  return singular(word) !== word && !single.has(word)
}

const single = new Set('analytics credentials details news preferences settings statistics stats'.split(' '))

/** Words without separators, the last one in the singular: `fileBatches` and `file_batch` have the same. */
export function stemOf(words: readonly string[]): string {
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('')
}
