import type { Cursor } from '../../model/cursor.js'

export interface MediaPairs {
  readonly pairs: readonly { readonly type: string; readonly a: Cursor; readonly b: Cursor }[]
  readonly removed: ReadonlyMap<string, Cursor>
  readonly added: ReadonlyMap<string, Cursor>
}

/** Media types of two versions by name, whatever its case, spaces and order of parameters (RFC 9110 section 8.3.1). */
export function mediaPairs(olds: ReadonlyMap<string, Cursor>, news: ReadonlyMap<string, Cursor>): MediaPairs {
  const known = new Map([...news].map(([type, cursor]) => [normal(type), { type, cursor }]))
  const pairs: MediaPairs['pairs'][number][] = []
  const removed = new Map<string, Cursor>()
  const added = new Map(news)
  for (const [type, a] of olds) {
    const found = known.get(normal(type))
    if (found === undefined) removed.set(type, a)
    else {
      pairs.push({ type: found.type, a, b: found.cursor })
      added.delete(found.type)
    }
  }
  return { pairs, removed, added }
}

function normal(type: string): string {
  const [name = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  return [name, ...parameters.sort()].join(';')
}

/** Whether bodies of a media type are JSON: RFC 6839 section 3.1, RFC 8259 section 11; ranges may be. */
export function isJson(type: string): boolean {
  return /^[^;]*([/+]json|\*)\s*(;|$)/i.test(type)
}
