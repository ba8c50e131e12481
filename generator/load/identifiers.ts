import type { Json } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { type Path, segmentsOf } from '../document/pointer.js'
import { valueKeywords } from '../document/vocabulary.js'
import type { Source } from './source.js'

/** Names of schemas in one file, besides their pointers (JSON Schema 2020-12 section 8.2). */
export interface Identifiers {
  /** Paths of `$anchor` and `$dynamicAnchor`. Undefined if a name occurs twice. */
  readonly anchors: ReadonlyMap<string, readonly string[] | undefined>
  /** Paths of `$id`, as absolute addresses if possible. */
  readonly ids: ReadonlyMap<string, readonly string[]>
}

/** The identifiers of a file, found once. Skips values that are data. */
export function identifiersOf(source: Source): Identifiers {
  const known = found.get(source)
  if (known !== undefined) return known
  const anchors = new Map<string, readonly string[] | undefined>()
  const ids = new Map<string, readonly string[]>()
  const visit = (value: Json, path: Path, base: string): void => {
    if (isArray(value))
      for (const [index, item] of value.entries()) {
        if (typeof item === 'object') visit(item, { parent: path, key: String(index) }, base)
      }
    if (!isObject(value)) return
    let inner = base
    const id = own(value, '$id')
    if (typeof id === 'string' && id !== '') {
      inner = absoluteId(id, base)
      ids.set(inner, segmentsOf(path))
    }
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = own(value, keyword)
      if (typeof name === 'string') anchors.set(name, anchors.has(name) ? undefined : segmentsOf(path))
    }
    for (const key of Object.keys(value)) {
      const member = value[key]
      if (typeof member === 'object' && !valueKeywords.has(key)) visit(member, { parent: path, key }, inner)
    }
  }
  if (/\$(?:id|anchor|dynamicAnchor)"?\s*:/.test(source.text)) visit(source.value, undefined, '')
  const identifiers = { anchors, ids }
  found.set(source, identifiers)
  return identifiers
}

/** A schema with an `$id`. References in it resolve against that `$id` (JSON Schema 2020-12 section 8.2.1). */
export interface Resource {
  readonly id: string
  readonly segments: readonly string[]
}

/** The innermost schema with an `$id` that contains a path. */
export function resourceAt(source: Source, segments: readonly string[]): Resource | undefined {
  let innermost: Resource | undefined
  for (const [id, path] of identifiersOf(source).ids) {
    if (path.length < (innermost?.segments.length ?? 0)) continue
    if (path.every((key, index) => key === segments[index])) innermost = { id, segments: path }
  }
  return innermost
}

/** Resolves an `$id` against the one of the surrounding schema. */
export function absoluteId(id: string, base: string): string {
  const bare = id.replace(/#$/, '')
  return URL.canParse(bare, base === '' ? undefined : base)
    ? new URL(bare, base === '' ? undefined : base).href
    : bare
}

const found = new WeakMap<Source, Identifiers>()
