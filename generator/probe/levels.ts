/** RFC 8259 section 9 allows a limit. Recursive readers survive this one. */
export const deepest = 500

/** How deep arrays and objects nest in a text, if it is JSON. */
export function levelsOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isInText = false
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]
    if (isInText && sign === '\\') index += 1
    else if (sign === '"') isInText = !isInText
    else if (isInText) continue
    else if (sign === '[' || sign === '{') deepest = Math.max(deepest, ++depth)
    else if (sign === ']' || sign === '}') depth -= 1
  }
  return deepest
}
