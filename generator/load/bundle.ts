import { basename, extname } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { componentSections } from '../document/component-sections.js'
import type { Json, JsonObject } from '../document/document.js'
import type { Kind } from '../document/field.js'
import { type GrammarNode, referenceOf, walk } from '../document/grammar.js'
import { clone, isObject, type MutableObject, own, setOwn, typeName } from '../document/json.js'
import { formatPointer, parseFragment, segmentsOf, valueAt } from '../document/pointer.js'
import { type Resource, resourceAt } from './identifiers.js'
import type { Origins } from './origins.js'
import { type Files, type ReferenceTarget, Resolver } from './resolver.js'
import type { Source } from './source.js'
import { throughReferences } from './through-references.js'

/**
 * Joins a document of many files into one. Parts of other files move to `components`, under names made from
 * their own. Path items move to where they are used. Every remaining `$ref` points into the result. Changes the
 * entry's value in place. Names depend only on files and pointers, not on the order of keys.
 */
export function bundle(entry: Source, files: Files, origins: Origins): Diagnostic[] {
  return new Bundler(entry, files, origins).run()
}

/** A part of another file that moves to `components`. */
interface Target {
  readonly section: string
  readonly source: Source
  readonly segments: readonly string[]
  readonly value: Json
}

/** A reference in the result, and its new target. */
interface Site {
  readonly holder: MutableObject
  readonly key: string
  readonly to: Target | string
  readonly at: { readonly source: Source; readonly segments: readonly string[] }
}

/** An object whose `$ref` is replaced by its target: a `kind`, or a map with values of the kind `below`. */
type Inlined = {
  readonly holder: MutableObject
  readonly segments: readonly string[]
  /** Its name in messages. */
  readonly name: string
} & ({ readonly kind: Kind } | { readonly below: Kind })

class Bundler {
  readonly #entry: Source
  readonly #resolver: Resolver
  readonly #origins: Origins
  readonly #targets = new Map<string, Target>()
  readonly #sites: Site[] = []
  /** Local pointers that exist in the result. */
  readonly #arriving = new Set<string>()

  constructor(entry: Source, files: Files, origins: Origins) {
    this.#entry = entry
    this.#resolver = new Resolver(entry, files, origins)
    this.#origins = origins
  }

  run(): Diagnostic[] {
    this.#scan({ kind: 'document', value: this.#entry.value, path: undefined }, this.#entry, [])
    const names = this.#place()
    for (const { holder, key, to } of this.#sites) {
      const name = typeof to === 'string' ? to : names.get(to)
      if (name !== undefined) setOwn(holder, key, name)
    }
    for (const site of this.#sites) if (typeof site.to === 'string') this.#checkLocal(site, site.to)
    return this.#resolver.diagnostics
  }

  /** Finds the references in a node. The path of its value in `source` is `base` plus its own path. */
  #scan(start: GrammarNode, source: Source, base: readonly string[], inlining: readonly Json[] = []): void {
    const inlined: Inlined[] = []
    const visit = (node: GrammarNode): undefined => {
      const { kind, value, path } = node
      if (!isObject(value)) return
      if (kind === 'schema') this.#dynamicReference(value, source, [...base, ...segmentsOf(path)])
      else if (kind === 'discriminator') this.#mapping(value, source, [...base, ...segmentsOf(path)])
      if (typeof own(value, '$ref') !== 'string') return
      const segments = [...base, ...segmentsOf(path)]
      const reference = referenceOf(node)
      if (reference === undefined || kind === 'pathItem')
        inlined.push({ holder: value, segments, name: kind, kind })
      else {
        const resource = resourceAt(source, segments)
        this.#reference(value, '$ref', reference, kind, source, [...segments, '$ref'], resource)
      }
    }
    // A `$ref` in a map is no member, except in a map of schemas, where it may be a property.
    walk(start, visit, (map, key, below, { path }) => {
      if (typeof own(map, '$ref') !== 'string') return
      inlined.push({ holder: map, segments: [...base, ...segmentsOf(path), key], name: key, below })
    })
    for (const each of inlined) this.#inline(each, source, inlining)
  }

  /** It leads to a schema whose dynamic anchor may be redefined (`writeOutGenerics`), or is a plain reference. */
  #dynamicReference(schema: MutableObject, source: Source, segments: string[]): void {
    const text = own(schema, '$dynamicRef')
    if (typeof text !== 'string') return
    const key = '$dynamicRef'
    this.#reference(schema, key, text, 'schema', source, [...segments, key], resourceAt(source, segments))
  }

  #reference(
    holder: MutableObject,
    key: string,
    text: string,
    kind: Kind,
    source: Source,
    at: string[],
    resource?: Resource,
  ): void {
    const found = this.#resolver.resolve(text, source, at, resource)
    if (found === undefined) return
    const site = { holder, key, at: { source, segments: at } }
    if (found.source === this.#entry) this.#sites.push({ ...site, to: `#${found.fragment}` })
    else if (!isObject(found.value ?? null) && !(kind === 'schema' && typeof found.value === 'boolean')) {
      // Only objects keep their position after the move.
      const where = `${found.source.path}${found.fragment && `#${found.fragment}`}`
      const message = `${where} must be a ${kind}; it is ${typeName(found.value ?? null)}`
      this.#resolver.report('reference-kind', message, found.source, found.segments)
    } else
      this.#sites.push({ ...site, to: this.#target(kind, found.source, found.segments, found.value ?? null) })
  }

  #target(kind: Kind, source: Source, segments: readonly string[], value: Json): Target {
    const section = componentSections[kind] ?? 'schemas'
    const id = JSON.stringify([section, source.path, segments])
    let target = this.#targets.get(id)
    if (target === undefined) {
      target = { section, source, segments, value: clone(value) }
      this.#targets.set(id, target)
      this.#origins.set(target.value, { source, segments })
      this.#scan({ kind, value: target.value, path: undefined }, source, segments)
    }
    return target
  }

  /** Values of a discriminator's mapping are component names or references (OpenAPI 3.2, Discriminator Object). */
  #mapping(discriminator: Json, source: Source, segments: string[]): void {
    if (!isObject(discriminator)) return
    const refer = (holder: MutableObject, key: string, value: unknown, at: string[]): void => {
      if (typeof value === 'string' && /[#/]|\.(ya?ml|json)$/i.test(value))
        this.#reference(holder, key, value, 'schema', source, [...segments, ...at, key])
    }
    refer(discriminator, 'defaultMapping', own(discriminator, 'defaultMapping'), [])
    const mapping = own(discriminator, 'mapping')
    if (!isObject(mapping)) return
    for (const [key, value] of Object.entries(mapping)) refer(mapping, key, value, ['mapping'])
  }

  /**
   * Replaces an object with the target of its reference. Its own fields win (OpenAPI 3.1, Path Item Object).
   * Warns if OpenAPI allows no reference there.
   */
  #inline({ holder, segments, name, ...what }: Inlined, source: Source, inlining: readonly Json[]): void {
    const text = String(holder.$ref)
    delete holder.$ref
    const at = [...segments, '$ref']
    if (name !== 'pathItem') {
      const message = `OpenAPI has no $ref for ${name}; ${text} replaces it`
      this.#resolver.report('reference-place', message, source, at)
    }
    const found = this.#resolver.resolve(text, source, at)
    if (found === undefined) return
    if (found.value !== undefined && [holder, ...inlining].includes(found.value)) {
      this.#resolver.report('reference-cycle', `${text} refers back to itself`, source, at)
      return
    }
    const item = clone(found.value ?? null)
    if (found.value === undefined) {
      this.#resolver.reportMissing(text, found.source, found.segments, source, at)
      return
    }
    if (!isObject(item)) {
      this.#resolver.report('reference-kind', `${text} is ${typeName(item)}, not an object`, source, at)
      return
    }
    const more = [...inlining, holder, found.value]
    if ('kind' in what)
      this.#scan({ kind: what.kind, value: item, path: undefined }, found.source, found.segments, more)
    else this.#scanMap(item, what.below, found, more)
    for (const [key, value] of Object.entries(item)) {
      if (Object.hasOwn(holder, key)) continue
      setOwn(holder, key, value)
      if (!this.#origins.has(value))
        this.#origins.set(value, { source: found.source, segments: [...found.segments, key] })
    }
  }

  #scanMap(
    map: MutableObject,
    kind: Kind,
    { source, segments }: ReferenceTarget,
    inlining: readonly Json[],
  ): void {
    if (typeof own(map, '$ref') === 'string')
      this.#inline({ holder: map, segments, name: segments.at(-1) ?? kind, below: kind }, source, inlining)
    for (const [key, value] of Object.entries(map))
      this.#scan({ kind, value, path: undefined }, source, [...segments, key], inlining)
  }

  /** Moves every target to its name under `components`. Returns the `$ref` of each. */
  #place(): Map<Target, string> {
    const root = this.#entry.value as MutableObject
    const names = new Map<Target, string>()
    const targets = [...this.#targets.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [, target] of targets) {
      const components = member(root, 'components')
      const section = components && member(components, target.section)
      if (section === undefined) continue // a wrong type, which the structure rule reports
      const name = freeName(section, target)
      setOwn(section, name, target.value)
      names.set(target, formatPointer(['components', target.section, name]))
    }
    return names
  }

  #checkLocal({ at, holder, key }: Site, pointer: string): void {
    if (this.#arriving.has(pointer)) return
    const segments = parseFragment(pointer.slice(1)) ?? []
    if (valueAt(this.#entry.value, segments) !== undefined) {
      this.#arriving.add(pointer)
      return
    }
    const found = throughReferences(this.#entry.value, segments)
    if (found === undefined)
      this.#resolver.reportMissing(pointer, this.#entry, segments, at.source, at.segments)
    else {
      setOwn(holder, key, formatPointer(found))
      const message = `${pointer} leads through another $ref, and is read as ${formatPointer(found)}`
      this.#resolver.report('reference-through', message, at.source, at.segments)
    }
  }
}

function member(object: MutableObject, key: string): MutableObject | undefined {
  if (!Object.hasOwn(object, key)) setOwn(object, key, {})
  const value = own(object, key)
  return isObject(value) ? value : undefined
}

/** The last name on the target's path, else with the name of its file, else with a number. */
function freeName(section: JsonObject, { source, segments }: Target): string {
  const stem = basename(source.path, extname(source.path))
  const last = segments.at(-1)
  const base = clean(last ?? stem)
  const long = clean(last === undefined ? stem : `${stem}_${last}`)
  if (!Object.hasOwn(section, base)) return base
  if (!Object.hasOwn(section, long)) return long
  for (let number = 2; ; number++)
    if (!Object.hasOwn(section, `${long}_${number}`)) return `${long}_${number}`
}

/** Replaces characters that component names cannot have (OpenAPI 3.1, Components Object). */
function clean(name: string): string {
  const cleaned = name.replaceAll(/[^A-Za-z0-9._-]+/g, '_')
  return cleaned === '' || cleaned === '__proto__' ? 'part' : cleaned
}
