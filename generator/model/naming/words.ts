/** The words of a text in small letters: `listUserIDs`, `list_user_ids` and `list-user-ids` have the same. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/[^\x20-\x7e]/gu, (character) => ` u${character.codePointAt(0)?.toString(16)} `)
    .replace(/OAuth/g, 'Oauth')
    .replace(
      /([A-Z])([A-Z]+)s(?![A-Za-z])/g,
      (_, first: string, rest: string) => `${first}${rest.toLowerCase()}s`,
    )
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/** Words as one part of a dotted name; `n` stands before a digit, `x` for no word at all. */
export function partOf(words: readonly string[]): string {
  const joined = words.join('_')
  if (joined === '') return 'x'
  return /^[a-z]/.test(joined) ? joined : `n${joined}`
}

/** What two spellings of the same thing share. */
export function lettersOf(text: string): string {
  return wordsOf(text).join('')
}

/** The singular of an English noun, as far as simple rules go. */
function singular(word: string): string {
  const known = irregular.get(word)
  if (known !== undefined) return known
  if (/(ss|us|is)$/.test(word) || !word.endsWith('s') || word.length < 3) return word
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ss|us|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

const irregular = new Map([
  ['children', 'child'],
  ['people', 'person'],
  ['indices', 'index'],
  ['vertices', 'vertex'],
])

/** Whether a word says that there are many; settings are one thing. */
export function isPlural(word: string): boolean {
  return singular(word) !== word && !single.has(word)
}

const single = new Set('analytics credentials details news preferences settings statistics stats'.split(' '))

/** Words with the last one in the singular, written as one: what `batches` and `batch` have in common. */
export function stemOf(words: readonly string[]): string {
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('')
}
