import { basename, extname } from 'node:path'
import { diagnose } from '../diagnostics/catalogue.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { componentSections } from '../document/component-sections.js'
import type { Json, JsonObject } from '../document/document.js'
import type { Kind } from '../document/field.js'
import { type GrammarNode, referenceOf, walk } from '../document/grammar.js'
import { clone, isObject, type MutableObject, own, setOwn, typeName } from '../document/json.js'
import { decodePercent, formatPointer, parseFragment, segmentsOf, valueAt } from '../document/pointer.js'
import { closest } from '../document/spelling.js'
import { absoluteId, identifiersOf, type Resource, resourceAt } from './identifiers.js'
import type { Origins } from './origins.js'
import { parseReference } from './references.js'
import type { Source } from './source.js'
import { throughReferences } from './through-references.js'

/** Reads the files that references lead to. */
export interface Files {
  /** The parsed file; or the diagnostic to show where the reference stands; or nothing where it has been reported. */
  readonly read: (
    absolute: string,
    reference: string,
  ) => Source | Pick<Diagnostic, 'code' | 'message'> | undefined
  /** Told of each reference through a symbolic link: the path with the link, and where it leads. */
  readonly linked?: (written: string, absolute: string) => void
}

/**
 * Resolves a document of many files into one: what stands in other files goes under `components` by a name
 * made from its own, path items go where they are used, and every `$ref` left points into the result.
 * Changes the entry's value in place; names depend on files and pointers alone, not on the order of keys.
 */
export function bundle(entry: Source, files: Files, origins: Origins): Diagnostic[] {
  return new Bundler(entry, files, origins).run()
}

/** Something of another file that gets a place under `components`. */
interface Target {
  readonly section: string
  readonly source: Source
  readonly segments: readonly string[]
  readonly value: Json
}

/** Where a reference stands in the result, and the target or the local pointer it shall have. */
interface Site {
  readonly holder: MutableObject
  readonly key: string
  readonly to: Target | string
  readonly at: { readonly source: Source; readonly segments: readonly string[] }
}

/** An object that has a `$ref` which is replaced by what it leads to: one of a kind, or a map of one. */
type Inlined = {
  readonly holder: MutableObject
  readonly segments: readonly string[]
  /** What it is called in a message. */
  readonly name: string
} & ({ readonly kind: Kind } | { readonly below: Kind })

/** What a reference leads to. */
interface Found {
  readonly source: Source
  readonly segments: readonly string[]
  readonly fragment: string
  readonly value: Json | undefined
}

class Bundler {
  readonly #entry: Source
  readonly #files: Files
  readonly #origins: Origins
  readonly #targets = new Map<string, Target>()
  readonly #sites: Site[] = []
  /** What references of the entry within itself lead to: a few thousand are written a hundred times each. */
  readonly #resolved = new Map<string, Found>()
  /** Local pointers that lead somewhere in the result. */
  readonly #arriving = new Set<string>()
  readonly #diagnostics: Diagnostic[] = []

  constructor(entry: Source, files: Files, origins: Origins) {
    this.#entry = entry
    this.#files = files
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
    return this.#diagnostics
  }

  /** Finds the references at and below a node whose value stands at `base` plus its path in `source`. */
  #scan(start: GrammarNode, source: Source, base: readonly string[], inlining: readonly Json[] = []): void {
    const inlined: Inlined[] = []
    const visit = (node: GrammarNode): undefined => {
      const { kind, value, path } = node
      if (!isObject(value)) return
      if (kind === 'schema') staticReference(value)
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
    // In a map $ref is no name; a schema's may have a property of that name.
    walk(start, visit, (map, key, below, { path }) => {
      if (typeof own(map, '$ref') !== 'string') return
      inlined.push({ holder: map, segments: [...base, ...segmentsOf(path), key], name: key, below })
    })
    for (const each of inlined) this.#inline(each, source, inlining)
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
    const found = this.#resolve(text, source, at, resource)
    if (found === undefined) return
    const site = { holder, key, at: { source, segments: at } }
    if (found.source === this.#entry) this.#sites.push({ ...site, to: `#${found.fragment}` })
    else if (!isObject(found.value ?? null) && !(kind === 'schema' && typeof found.value === 'boolean')) {
      // Only an object's place is known once it has come into the result.
      const where = `${found.source.path}${found.fragment && `#${found.fragment}`}`
      const message = `${where} is referred to as a ${kind}, and is ${typeName(found.value ?? null)}`
      this.#report('reference-kind', message, found.source, found.segments)
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
   * Puts what a reference leads to in its place; fields beside it win (OpenAPI 3.1, Path Item Object). Where OpenAPI has
   * no reference, that is a warning.
   */
  #inline({ holder, segments, name, ...what }: Inlined, source: Source, inlining: readonly Json[]): void {
    const text = String(holder.$ref)
    delete holder.$ref
    const at = [...segments, '$ref']
    if (name !== 'pathItem') {
      const message = `OpenAPI has no $ref for ${name}; ${text} is read in its place`
      this.#report('reference-place', message, source, at)
    }
    const found = this.#resolve(text, source, at)
    if (found === undefined) return
    if (found.value !== undefined && inlining.includes(found.value)) {
      this.#report('reference-cycle', `${text} refers back to itself`, source, at)
      return
    }
    const item = clone(found.value ?? null)
    if (found.value === undefined) {
      this.#reportMissing(text, found.source, found.segments, source, at)
      return
    }
    if (!isObject(item)) {
      this.#report('reference-kind', `${text} is ${typeName(item)}, not an object`, source, at)
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

  #scanMap(map: MutableObject, kind: Kind, { source, segments }: Found, inlining: readonly Json[]): void {
    if (typeof own(map, '$ref') === 'string')
      this.#inline({ holder: map, segments, name: segments.at(-1) ?? kind, below: kind }, source, inlining)
    for (const [key, value] of Object.entries(map))
      this.#scan({ kind, value, path: undefined }, source, [...segments, key], inlining)
  }

  #resolve(text: string, from: Source, at: string[], resource?: Resource): Found | undefined {
    const isPlain = from === this.#entry && resource === undefined && text.startsWith('#/')
    if (!isPlain) return this.#find(text, from, at, resource)
    const found = this.#resolved.get(text) ?? this.#find(text, from, at)
    if (found?.value !== undefined) this.#resolved.set(text, found)
    return found
  }

  #find(text: string, from: Source, at: string[], resource?: Resource): Found | undefined {
    const reference = parseReference(text, from)
    if (reference === 'unsupported')
      return this.#report('reference-unsupported', `${text} is neither a file nor on the web`, from, at)
    if (reference.written !== reference.absolute) this.#files.linked?.(reference.written, reference.absolute)
    const identified = this.#identified(text, from, resource)
    if (identified !== undefined) return this.#found(from, identified)
    const source =
      reference.absolute === from.absolute || reference.absolute === from.self
        ? from
        : this.#read(reference.absolute, text, from, at)
    if (source === undefined) return undefined
    const pointer = parseFragment(reference.fragment)
    const within = source === from && resource !== undefined ? resource.segments : []
    if (pointer === undefined)
      return this.#anchored(decodePercent(reference.fragment), text, source, from, at)
    const inner = valueAt(source.value, [...within, ...pointer])
    const isWithin = within.length > 0 && text.startsWith('#') && inner !== undefined
    if (isWithin) return this.#found(source, [...within, ...pointer])
    const segments = pointer
    const value = valueAt(source.value, segments)
    // A pointer into the entry may also lead through an inlined path item, so it is checked at the end.
    if (value === undefined && source !== this.#entry) {
      return this.#reportMissing(text, source, segments, from, at)
    }
    return { source, segments, fragment: reference.fragment, value }
  }

  #found(source: Source, segments: readonly string[]): Found {
    const fragment = formatPointer(segments).slice(1)
    return { source, segments: [...segments], fragment, value: valueAt(source.value, segments) }
  }

  /** The schema of the same file whose `$id` a reference names. */
  #identified(text: string, from: Source, resource: Resource | undefined): readonly string[] | undefined {
    const [address = '', fragment = ''] = text.split('#', 2)
    if (address === '') return undefined
    const { ids, anchors } = identifiersOf(from)
    const found = ids.get(absoluteId(address, resource?.id ?? from.self ?? '')) ?? ids.get(address)
    if (found === undefined || fragment === '') return found
    return fragment.startsWith('/') ? [...found, ...(parseFragment(fragment) ?? [])] : anchors.get(fragment)
  }

  #anchored(name: string, text: string, source: Source, from: Source, at: string[]) {
    const { anchors } = identifiersOf(source)
    const found = anchors.get(name)
    if (found !== undefined) return this.#found(source, found)
    const why = anchors.has(name) ? `${source.path} has more than one` : `${source.path} has none`
    return this.#report('reference-anchor', `${text} refers to the anchor ${name}, and ${why}`, from, at)
  }

  #read(absolute: string, text: string, from: Source, at: string[]): Source | undefined {
    if (absolute === this.#entry.absolute) return this.#entry
    const read = this.#files.read(absolute, text)
    if (read === undefined || 'value' in read) return read
    return this.#report(read.code as Parameters<typeof diagnose>[0], read.message, from, at)
  }

  /** Gives every target its name and its place; the `$ref` of each. */
  #place(): Map<Target, string> {
    const root = this.#entry.value as MutableObject
    const names = new Map<Target, string>()
    const targets = [...this.#targets.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [, target] of targets) {
      const components = member(root, 'components')
      const section = components && member(components, target.section)
      if (section === undefined) continue // of the wrong type, which the structure rule reports
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
    if (found === undefined) this.#reportMissing(pointer, this.#entry, segments, at.source, at.segments)
    else {
      setOwn(holder, key, formatPointer(found))
      const message = `${pointer} leads through another $ref, and is read as ${formatPointer(found)}`
      this.#report('reference-through', message, at.source, at.segments)
    }
  }

  #reportMissing(
    text: string,
    source: Source,
    segments: readonly string[],
    from: Source,
    at: readonly string[],
  ): undefined {
    const parent = valueAt(source.value, segments.slice(0, -1))
    const similar = isObject(parent) ? closest(segments.at(-1) ?? '', Object.keys(parent)) : undefined
    const remedy = similar && `Did you mean ${formatPointer([...segments.slice(0, -1), similar])}?`
    const message = `${text} leads nowhere: ${source.path} has no ${formatPointer(segments)}`
    return this.#report('reference-missing', message, from, at, remedy)
  }

  #report(
    code: Parameters<typeof diagnose>[0],
    message: string,
    source: Source,
    at: readonly string[],
    remedy?: string,
  ): undefined {
    // What stands in another file has not got its place in the result yet.
    const pointer = source === this.#entry ? formatPointer(at) : undefined
    const more = { ...(pointer !== undefined && { pointer }), ...(remedy !== undefined && { remedy }) }
    this.#diagnostics.push(diagnose(code, message, source.locate(at), more))
    return undefined
  }
}

/** Where an anchor is unique a dynamic reference means what a plain one does; where not, that is reported. */
function staticReference(schema: MutableObject): void {
  const dynamic = own(schema, '$dynamicRef')
  if (typeof dynamic !== 'string' || Object.hasOwn(schema, '$ref')) return
  schema.$ref = dynamic
  delete schema.$dynamicRef
}

function member(object: MutableObject, key: string): MutableObject | undefined {
  if (!Object.hasOwn(object, key)) setOwn(object, key, {})
  const value = own(object, key)
  return isObject(value) ? value : undefined
}

/** The target's own last name, before it that of its file, at last a number. */
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

/** Letters that a component name may have (OpenAPI 3.1, Components Object). */
function clean(name: string): string {
  const cleaned = name.replaceAll(/[^A-Za-z0-9._-]+/g, '_')
  return cleaned === '' || cleaned === '__proto__' ? 'part' : cleaned
}
