import type { Json } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { type Path, segmentsOf } from '../document/pointer.js'
import { valueKeywords } from '../document/vocabulary.js'
import type { Source } from './source.js'

/** Names of schemas in one file, besides their pointers (JSON Schema 2020-12 section 8.2). */
export interface Identifiers {
  /** Paths of `$anchor` and `$dynamicAnchor`: by name, and by the `$id` of their schema resource and the name. */
  readonly anchors: ReadonlyMap<string, readonly (readonly string[])[]>
  /** Paths of `$id`, as absolute addresses if possible. */
  readonly ids: ReadonlyMap<string, readonly string[]>
}

/** The identifiers of a file, found once. */
export function identifiersOf(source: Source): Identifiers {
  const identifiers = found.get(source) ?? findIdentifiers(source)
  found.set(source, identifiers)
  return identifiers
}

/** The identifiers that a file has now. Skips values that are data. */
function findIdentifiers(source: Source): Identifiers {
  const anchors = new Map<string, (readonly string[])[]>()
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
      if (typeof name !== 'string') continue
      for (const key of [name, scoped(inner, name)])
        anchors.set(key, [...(anchors.get(key) ?? []), segmentsOf(path)])
    }
    for (const key of Object.keys(value)) {
      const member = value[key]
      if (typeof member === 'object' && !valueKeywords.has(key)) visit(member, { parent: path, key }, inner)
    }
  }
  if (/\$(?:id|anchor|dynamicAnchor)"?\s*:/.test(source.text)) visit(source.value, undefined, '')
  return { anchors, ids }
}

/**
 * The paths of an anchor. One name may occur in several schema resources (JSON Schema 2020-12 section 8.2.2). Of several
 * in one resource, only one is in the same component.
 */
export function anchorsIn(
  { anchors }: Identifiers,
  id: string,
  name: string,
  at: readonly string[] = [],
): readonly (readonly string[])[] {
  const found = anchors.get(scoped(id, name)) ?? anchors.get(name) ?? []
  if (found.length < 2) return found
  const near = found.filter(
    (path) => path.length > 2 && [0, 1, 2].every((index) => path[index] === at[index]),
  )
  return near.length === 1 ? near : found
}

function scoped(id: string, name: string): string {
  return `${id}#${name}`
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
