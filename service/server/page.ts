import { createHash } from 'node:crypto'

/** Text that is served as it is. */
export interface Page {
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  /** Made when it is first asked for. */
  readonly content: () => Content
}

export interface Content {
  readonly text: string
  /** Entity tag: the same for the same text (RFC 9110 section 8.8.3). */
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
