/**
 * Whether two JSON texts (UTF-8) differ only in white space between tokens. Then both have the same faults,
 * and only one needs parsing.
 */
export function areAlike(one: Uint8Array, other: Uint8Array): boolean {
  let [at, there] = [endOfSpace(one, 0), endOfSpace(other, 0)]
  while (at < one.length) {
    const isWord = kindOf(one, at) === word
    for (const end = endOfToken(one, at); at < end; at++, there++) if (one[at] !== other[there]) return false
    if (isWord && there < other.length && kindOf(other, there) === word) return false
    at = endOfSpace(one, at)
    there = endOfSpace(other, there)
  }
  return there === other.length
}

const [quote, backslash] = [0x22, 0x5c]
/** A number or a word is one token. White space would split it in two. */
const [word, space, mark] = [0, 1, 2]
const kinds = new Uint8Array(256)
for (const byte of Buffer.from(' \t\n\r')) kinds[byte] = space
for (const byte of Buffer.from('{}[]:,"')) kinds[byte] = mark

function kindOf(text: Uint8Array, at: number): number | undefined {
  return kinds[text[at] ?? 0]
}

function endOfSpace(text: Uint8Array, start: number): number {
  let at = start
  while (at < text.length && kindOf(text, at) === space) at++
  return at
}

function endOfToken(text: Uint8Array, start: number): number {
  let at = start + 1
  if (text[start] === quote) {
    for (; at < text.length && text[at] !== quote; at++) if (text[at] === backslash) at++
    return at + 1
  }
  if (kindOf(text, start) === mark) return at
  while (at < text.length && kindOf(text, at) === word) at++
  return at
}
