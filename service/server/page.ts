import { createHash } from 'node:crypto'

/** A static text to serve. */
export interface Page {
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  /** Created at the first request. */
  readonly content: () => Content
}

export interface Content {
  readonly text: string
  /** Entity tag, derived from the text (RFC 9110 section 8.8.3). */
  readonly etag: string
}

export function textWithTag(text: string): Content {
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Text for HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
