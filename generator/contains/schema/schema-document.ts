import { decodePercent, unescaped } from '../../document/pointer.js'
import type { Dialect } from '../../document/vocabulary.js'
import { Undecidable } from '../../patterns/budget.js'
import { isObject, type Json } from '../values/value.js'

/** A schema and its resource. References in it resolve against `resource`. */
export interface ResolvedSchema {
  readonly schema: Json
  readonly resource: Resource
}

/** A schema with its own address, with the schemas in it that belong to no inner resource. */
export interface Resource {
  /** Unique among the resources of all documents. */
  readonly id: number
  readonly uri: string
  readonly root: Json
  readonly anchors: Map<string, Json>
  /** Names of $dynamicAnchor, and '' for $recursiveAnchor: true. */
  readonly dynamic: Map<string, Json>
}

/** A document with schemas. Finds the targets of references. */
export class SchemaDocument {
  readonly root: Json
  readonly top: Resource
  /** Whether there is any `$ref`. */
  hasReference = false
  /**
   * Whether there is a `$recursiveAnchor` below a resource's root, where it has no meaning. AJV treats it as
   * an anchor.
   */
  hasStrayAnchor = false
  readonly #resources = new Map<string, Resource>()
  readonly #resourceOf = new Map<object, Resource>()
  /** The targets of references, by resource: the same one may be requested a thousand times. */
  readonly #resolved = new Map<Resource, Map<string, ResolvedSchema>>()

  /** @param external documents that are known only by their address, such as the meta-schemas */
  constructor(
    root: Json,
    readonly dialect: Dialect,
    readonly external: (uri: string) => Json | undefined,
  ) {
    this.root = root
    this.top = this.#index(root, 'duet:///document')
  }

  /** Whether references depend on the dynamic scope. */
  get dynamic(): boolean {
    return [...this.#resources.values()].some((resource) => resource.dynamic.size > 0)
  }

  get resourceCount(): number {
    return new Set(this.#resources.values()).size
  }

  /** The schema at an RFC 6901 pointer. Throws Undecidable if there is none. */
  at(pointer: string): ResolvedSchema {
    return this.#byPointer(this.top, pointer, pointer)
  }

  /** The target of a $ref in `resource`. Throws Undecidable if there is none. */
  resolve(reference: string, resource: Resource): ResolvedSchema {
    const known = this.#resolved.get(resource)?.get(reference)
    if (known !== undefined) return known
    const found = this.#find(reference, resource)
    const places = this.#resolved.get(resource) ?? new Map<string, ResolvedSchema>()
    this.#resolved.set(resource, places.set(reference, found))
    return found
  }

  #find(reference: string, resource: Resource): ResolvedSchema {
    const [address = '', fragment = ''] = split(reference)
    const target = address === '' ? resource : this.#resource(absolute(address, resource.uri))
    if (target === undefined) throw new Undecidable(`the reference ${reference} leads nowhere`)
    const decoded = decodePercent(fragment)
    if (decoded === '') return { schema: target.root, resource: target }
    if (decoded.startsWith('/')) return this.#byPointer(target, decoded, reference)
    const anchored = target.anchors.get(decoded)
    if (anchored === undefined) throw new Undecidable(`the reference ${reference} leads nowhere`)
    return this.placed(anchored, target)
  }

  /** The schema with its resource: itself if it has an address, else the one around it. */
  placed(schema: Json, around: Resource): ResolvedSchema {
    return { schema, resource: (isObject(schema) && this.#resourceOf.get(schema)) || around }
  }

  #resource(uri: string): Resource | undefined {
    const known = this.#resources.get(uri)
    if (known !== undefined) return known
    const schema = this.external(uri)
    return schema === undefined ? undefined : this.#index(schema, uri)
  }

  #byPointer(resource: Resource, pointer: string, reference: string): ResolvedSchema {
    let place: ResolvedSchema = { schema: resource.root, resource }
    for (const step of pointer.split('/').slice(1)) {
      const key = unescaped(step)
      const { schema } = place
      const holds = typeof schema === 'object' && schema !== null && Object.hasOwn(schema, key)
      const next: Json | undefined = holds ? Object.getOwnPropertyDescriptor(schema, key)?.value : undefined
      if (next === undefined) throw new Undecidable(`the reference ${reference} leads nowhere`)
      place = this.placed(next, place.resource)
    }
    return place
  }

  #index(root: Json, uri: string): Resource {
    const idKeyword = this.dialect === 'draft4' ? 'id' : '$id'
    const start: Resource = { id: nextId(), uri, root, anchors: new Map(), dynamic: new Map() }
    this.#resources.set(uri, start)
    // Two lists: an array of pairs would take longer for a large document than everything recorded here.
    const values: Json[] = [root]
    const arounds: Resource[] = [start]
    for (;;) {
      const [value, around] = [values.pop(), arounds.pop()]
      if (value === undefined || around === undefined) break
      if (Array.isArray(value)) {
        for (const part of value) {
          if (typeof part !== 'object') continue
          values.push(part)
          arounds.push(around)
        }
        continue
      }
      if (!isObject(value)) continue
      let isNamed = false
      for (const key in value) {
        isNamed ||= key.charCodeAt(0) === dollar || key === idKeyword
        const part = value[key]
        if (typeof part === 'object' && part !== null && !isData(key)) values.push(part)
      }
      const within = isNamed ? this.#named(value, around, { idKeyword, start }) : around
      // A schema without an entry belongs to the resource around it.
      if (within !== start) this.#resourceOf.set(value, within)
      while (arounds.length < values.length) arounds.push(within)
    }
    return this.#resources.get(uri) ?? start
  }

  /** Records the names of a schema. Returns the resource of the schema and its parts. */
  #named(
    value: { readonly [key: string]: Json },
    around: Resource,
    { start, idKeyword }: { readonly start: Resource; readonly idKeyword: string },
  ): Resource {
    let within = around
    const id = value[idKeyword]
    if (Object.hasOwn(value, idKeyword) && typeof id === 'string') {
      const [address = '', fragment = ''] = split(id)
      if (address !== '') {
        const own = absolute(address, within.uri)
        if (value === start.root) within = { ...start, uri: own }
        else within = { id: nextId(), uri: own, root: value, anchors: new Map(), dynamic: new Map() }
        if (!this.#resources.has(own)) this.#resources.set(own, within)
        if (value === start.root) this.#resources.set(start.uri, within)
      }
      if (fragment !== '') within.anchors.set(fragment, value)
    }
    if (Object.hasOwn(value, '$anchor') && typeof value.$anchor === 'string')
      within.anchors.set(value.$anchor, value)
    if (Object.hasOwn(value, '$dynamicAnchor') && typeof value.$dynamicAnchor === 'string') {
      within.anchors.set(value.$dynamicAnchor, value)
      within.dynamic.set(value.$dynamicAnchor, value)
    }
    if (Object.hasOwn(value, '$recursiveAnchor') && value.$recursiveAnchor === true) {
      if (value === within.root) within.dynamic.set('', value)
      else this.hasStrayAnchor = true
    }
    if (Object.hasOwn(value, '$ref')) this.hasReference = true
    return within
  }
}

const dollar = 0x24

/** Keywords whose values are not schemas. */
function isData(key: string): boolean {
  return key === 'enum' || key === 'const' || key === 'default'
}

let count = 0

function nextId(): number {
  count += 1
  return count
}

function split(reference: string): [string, string] {
  const at = reference.indexOf('#')
  return at < 0 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)]
}

function absolute(address: string, base: string): string {
  try {
    return new URL(address, base).href
  } catch {
    return address
  }
}
