import type { Json } from '../../document/document.js'

/** Longer values would hide the sentence. */
const longest = 80

/** A value as JSON, cut if it is long: for messages. */
export function shortly(value: Json): string {
  return cut(JSON.stringify(value))
}

export function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
