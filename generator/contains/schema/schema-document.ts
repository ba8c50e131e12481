import type { Dialect } from '../../document/vocabulary.js'
import { Undecidable } from '../../patterns/budget.js'
import { isObject, type Json } from '../values/value.js'

/** A schema together with where it stands: references in it resolve against `resource`. */
export interface Place {
  readonly schema: Json
  readonly resource: Resource
}

/** A schema with an address of its own, and the schemas that belong to no inner one. */
export interface Resource {
  /** Tells resources of all documents apart. */
  readonly id: number
  readonly uri: string
  readonly root: Json
  readonly anchors: Map<string, Json>
  /** Names of $dynamicAnchor, and '' for $recursiveAnchor: true. */
  readonly dynamic: Map<string, Json>
}

/** A document with schemas: finds what a reference names. */
export class SchemaDocument {
  readonly root: Json
  readonly top: Resource
  /** Whether a `$ref` stands anywhere. */
  hasReference = false
  /** Whether a `$recursiveAnchor` stands within a resource, where it means nothing; AJV takes it for an anchor. */
  hasStrayAnchor = false
  readonly #resources = new Map<string, Resource>()
  readonly #homes = new Map<object, Resource>()
  /** What references were found to name, by where they stand: one may be asked for a thousand times. */
  readonly #resolved = new Map<Resource, Map<string, Place>>()

  /**
   * @param external documents that are known by address alone, such as the meta-schemas
   */
  constructor(
    root: Json,
    readonly dialect: Dialect,
    readonly external: (uri: string) => Json | undefined,
  ) {
    this.root = root
    this.top = this.#index(root, 'duet:///document')
  }

  /** Whether references depend on the way they were come by. */
  get dynamic(): boolean {
    return [...this.#resources.values()].some((resource) => resource.dynamic.size > 0)
  }

  get resourceCount(): number {
    return new Set(this.#resources.values()).size
  }

  /** The schema at an RFC 6901 pointer. Throws Undecidable where there is none. */
  at(pointer: string): Place {
    return this.#byPointer(this.top, pointer, pointer)
  }

  /** What a $ref in `resource` names. Throws Undecidable where nothing is there. */
  resolve(reference: string, resource: Resource): Place {
    const known = this.#resolved.get(resource)?.get(reference)
    if (known !== undefined) return known
    const found = this.#find(reference, resource)
    const places = this.#resolved.get(resource) ?? new Map<string, Place>()
    this.#resolved.set(resource, places.set(reference, found))
    return found
  }

  #find(reference: string, resource: Resource): Place {
    const [address = '', fragment = ''] = split(reference)
    const target = address === '' ? resource : this.#resource(absolute(address, resource.uri))
    if (target === undefined) throw new Undecidable(`the reference ${reference} leads nowhere`)
    const decoded = decode(fragment)
    if (decoded === '') return { schema: target.root, resource: target }
    if (decoded.startsWith('/')) return this.#byPointer(target, decoded, reference)
    const anchored = target.anchors.get(decoded)
    if (anchored === undefined) throw new Undecidable(`the reference ${reference} leads nowhere`)
    return this.placed(anchored, target)
  }

  /** The resource a schema belongs to: its own if it has an address. */
  placed(schema: Json, around: Resource): Place {
    return { schema, resource: (isObject(schema) && this.#homes.get(schema)) || around }
  }

  #resource(uri: string): Resource | undefined {
    const known = this.#resources.get(uri)
    if (known !== undefined) return known
    const schema = this.external(uri)
    return schema === undefined ? undefined : this.#index(schema, uri)
  }

  #byPointer(resource: Resource, pointer: string, reference: string): Place {
    let place: Place = { schema: resource.root, resource }
    for (const step of pointer.split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
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
    // Two lists, since a pair for each part of a large document takes longer than what is noted of it.
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
      const keys = Object.keys(value)
      const isNamed = keys.some((key) => key.startsWith('$') || key === idKeyword)
      const within = isNamed ? this.#named(value, around, { idKeyword, start }) : around
      // Where nothing is noted, a schema belongs to the resource around it.
      if (within !== start) this.#homes.set(value, within)
      for (const key of keys) {
        const part = value[key]
        if (typeof part !== 'object' || isData(key)) continue
        values.push(part)
        arounds.push(within)
      }
    }
    return this.#resources.get(uri) ?? start
  }

  /** Notes what a schema is called. Returns the resource that it and what stands in it belong to. */
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

/** Keywords whose values are no schemas. */
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

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
