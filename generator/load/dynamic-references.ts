import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Json, JsonObject } from '../document/document.js'
import { type GrammarNode, walk } from '../document/grammar.js'
import { clone, isArray, isObject, type MutableObject, own } from '../document/json.js'
import { formatPointer, parseFragment, segmentsOf, valueAt } from '../document/pointer.js'
import type { Origins } from './origins.js'
import { maximumDepth } from './text/parsed.js'

/**
 * Writes out the generics of a bundled document (JSON Schema 2020-12, sections 7.1 and 8.2.3.2). Each `$dynamicRef`
 * becomes a `$ref`. A schema that is used in several dynamic scopes gets a copy for each scope in which its dynamic
 * references lead elsewhere. Changes the document in place. OpenAPI does not say to which resource schemas without an
 * `$id` belong: here each is one of its own, and so is a schema with a `$ref` that redefines anchors.
 */
export function writeOutGenerics(root: Json, origins: Origins): Diagnostic[] {
  return new Generics(root, origins).run()
}

/** A schema resource: where its dynamic anchors are, and the resource around it. */
interface Scope {
  readonly anchors: Map<string, string>
  readonly around: Scope | undefined
  readonly hasId: boolean
}

/** Pointers of the outermost schemas with a dynamic anchor, by its name. */
type Bindings = ReadonlyMap<string, string>

interface ReferringSchema {
  readonly value: JsonObject
  readonly segments: readonly string[]
  readonly scope: Scope
}

/** The path of a schema in the original, its path now, and what binds its references. */
type Written = readonly [original: readonly string[], at: readonly string[], bindings: Bindings]

interface Target {
  readonly value: Json
  readonly segments: readonly string[]
  readonly scope: Scope
  /** The schemas in it that have references. */
  readonly schemas: readonly ReferringSchema[]
}

/** Templates may refer to each other many times: a document needs a few copies, an attack needs millions. */
const mostCopies = 5_000

const referenceKeys = ['$ref', '$dynamicRef'] as const

class Generics {
  readonly #root: Json
  readonly #origins: Origins
  /** The document before any change, whose schemas are copied. */
  readonly #original: Json
  readonly #scopes = new Map<JsonObject, Scope>()
  readonly #targets = new Map<string, Target>()
  readonly #names = new Map<Target, readonly string[]>()
  /** Pointers of copies, by their target and bindings. */
  readonly #copies = new Map<string, string>()
  readonly #bound = new Set<string>()
  /** Dynamic references that lead to their first target: their anchors and places. */
  readonly #kept: { readonly name: string; readonly at: readonly string[] }[] = []

  /** The first schema that would need more copies than there may be. */
  #refused: readonly string[] | undefined

  constructor(root: Json, origins: Origins) {
    this.#root = root
    this.#origins = origins
    this.#original = clone(root)
  }

  run(): Diagnostic[] {
    const all = this.#schemasIn({ kind: 'document', value: this.#original, path: undefined }, [])
    this.#findNames(all)
    const waiting = all.map(({ segments, scope }): Written => [segments, segments, inPlace(scope)])
    for (const written of waiting) waiting.push(...this.#write(...written))
    walk({ kind: 'document', value: this.#root, path: undefined }, ({ kind, value }) => {
      if (kind === 'schema' && isObject(value)) makeStatic(value)
      return undefined
    })
    const tooMany = `the schema needs more than ${mostCopies} copies, or more than ${maximumDepth} levels, for its dynamic references`
    return this.#refused === undefined ? this.#ambiguities() : [this.#fault(tooMany, this.#refused)]
  }

  /** Schemas with references in a node. Those in `$defs` count only where a reference leads to them. */
  #schemasIn(start: GrammarNode, base: readonly string[], isWhole = true): ReferringSchema[] {
    const found: ReferringSchema[] = []
    walk(start, (node) => {
      const { kind, value, path, field } = node
      if (!isWhole && (field === '$defs' || field === 'definitions')) return false
      if (kind !== 'schema' || !isObject(value)) return undefined
      const segments = [...base, ...segmentsOf(path)]
      const scope = this.#scopes.get(value) ?? this.#scopeOf(node, value, segments)
      this.#scopes.set(value, scope)
      if (referenceKeys.some((key) => typeof own(value, key) === 'string'))
        found.push({ value, segments, scope })
      return undefined
    })
    return found
  }

  #scopeOf({ parent, field }: GrammarNode, schema: JsonObject, segments: readonly string[]): Scope {
    const around = parent !== undefined && isObject(parent.value) ? this.#scopes.get(parent.value) : undefined
    const [id, anchor] = [own(schema, '$id'), own(schema, '$dynamicAnchor')]
    const hasId = typeof id === 'string' && id !== ''
    const scope =
      around === undefined || hasId || redefines(schema)
        ? { anchors: new Map<string, string>(), around, hasId }
        : around
    if (typeof anchor !== 'string') return scope
    const pointer = formatPointer(segments)
    scope.anchors.set(anchor, pointer)
    if (field === '$defs' && !hasId) around?.anchors.set(anchor, pointer)
    return scope
  }

  /** Lets the references of a schema lead to what they mean under some bindings. Returns the schemas of new copies. */
  #write(...[original, at, bindings]: Written): Written[] {
    const [before, holder] = [valueAt(this.#original, original), valueAt(this.#root, at)]
    if (!isObject(before) || !isObject(holder)) return []
    const below: Written[] = []
    const schema: MutableObject = holder
    for (const key of referenceKeys) {
      const text = own(before, key)
      const target = typeof text === 'string' ? this.#target(text) : undefined
      if (target === undefined) continue
      const meant = key === '$ref' ? target : this.#meant(target, bindings)
      if (meant === target && key === '$dynamicRef' && original === at) this.#keep(target, at)
      const copied = this.#copied(meant, bindings)
      if (copied === undefined && key === '$ref') continue
      delete schema[key]
      const parts = own(schema, 'allOf')
      const others = isArray(parts) ? parts : []
      const place = [...at, 'allOf', String(others.length)]
      const known = copied === undefined ? formatPointer(meant.segments) : this.#copies.get(copied.key)
      if (known === undefined && copied !== undefined) {
        if (this.#copies.size >= mostCopies || place.length > maximumDepth) {
          schema.$ref = formatPointer(meant.segments)
          this.#refused ??= at
          continue
        }
        this.#copies.set(copied.key, formatPointer(place))
        const copy = bare(meant)
        schema.allOf = [...others, copy]
        this.#origins.set(copy, this.#origins.of(meant.segments))
        for (const { segments, scope } of meant.schemas) {
          const way = segments.slice(meant.segments.length)
          below.push([segments, [...place, ...way], merged(copied.bindings, between(scope, meant.scope))])
        }
      } else if (known !== undefined && Object.hasOwn(schema, '$ref'))
        schema.allOf = [...others, { $ref: known }]
      else if (known !== undefined) schema.$ref = known
    }
    return below
  }

  /** The schema that a dynamic reference means under some bindings. */
  #meant(first: Target, bindings: Bindings): Target {
    const name = anchorOf(first)
    if (name === undefined) return first
    const to = formatPointer(first.segments)
    const bound = merged(bindings, resourceBindings(first.scope)).get(name) ?? to
    this.#bound.add(bound)
    return this.#target(bound) ?? first
  }

  #keep(target: Target, at: readonly string[]): void {
    const name = anchorOf(target)
    if (name !== undefined) this.#kept.push({ name, at })
  }

  /** The bindings of the copy that a reference needs. Undefined if its target means the same in place. */
  #copied(
    target: Target,
    outer: Bindings,
  ): { readonly key: string; readonly bindings: Bindings } | undefined {
    const bindings = merged(outer, resourceBindings(target.scope))
    const own = inPlace(target.scope)
    const names = this.#names.get(target) ?? []
    if (names.every((name) => bindings.get(name) === own.get(name))) return undefined
    const bound = names.map((name) => [name, bindings.get(name)])
    return { key: JSON.stringify([formatPointer(target.segments), bound]), bindings }
  }

  #target(reference: string): Target | undefined {
    const known = this.#targets.get(reference)
    if (known !== undefined) return known
    const segments = reference.startsWith('#') ? parseFragment(reference.slice(1)) : undefined
    const value = segments && valueAt(this.#original, segments)
    if (segments === undefined || value === undefined) return undefined
    const pointer = formatPointer(segments)
    const same = pointer === reference ? undefined : this.#target(pointer)
    if (same !== undefined) return same
    const start: GrammarNode = { kind: 'schema', value, path: undefined }
    const schemas = this.#schemasIn(start, segments, false)
    const none = { anchors: new Map<string, string>(), around: undefined, hasId: false }
    const scope = (isObject(value) ? this.#scopes.get(value) : undefined) ?? none
    const target = { value, segments, scope, schemas }
    this.#targets.set(pointer, target)
    return target
  }

  /** Finds, for each target, the names of the dynamic anchors that it refers to, itself or by other schemas. */
  #findNames(start: readonly ReferringSchema[]): void {
    const users = new Map<Target, Set<Target>>()
    const direct = new Map<string, Set<Target>>()
    const visit = ({ value }: ReferringSchema, user: Target | undefined): void => {
      for (const key of referenceKeys) {
        const text = own(value, key)
        const next = typeof text === 'string' ? this.#target(text) : undefined
        if (next === undefined) continue
        const known = users.get(next)
        const name = key === '$dynamicRef' ? anchorOf(next) : undefined
        if (user !== undefined && name !== undefined)
          direct.set(name, (direct.get(name) ?? new Set()).add(user))
        users.set(next, known ?? new Set())
        if (user !== undefined) users.get(next)?.add(user)
      }
    }
    for (const schema of start) visit(schema, undefined)
    // The map grows while it is read.
    for (const [target] of users) for (const schema of target.schemas) visit(schema, target)
    for (const [name, targets] of direct)
      for (const target of targets) {
        this.#names.set(target, [...(this.#names.get(target) ?? []), name])
        for (const user of users.get(target) ?? []) targets.add(user)
      }
  }

  /** Dynamic references whose anchor another schema without an `$id` has, too, although nothing binds it. */
  #ambiguities(): Diagnostic[] {
    const unbound = new Map<string, string>()
    for (const scope of new Set(this.#scopes.values())) {
      if (isIdentified(scope)) continue
      for (const [name, pointer] of scope.anchors) if (!this.#bound.has(pointer)) unbound.set(name, pointer)
    }
    return this.#kept.flatMap(({ name, at }) => {
      if (!unbound.has(name)) return []
      const { path } = this.#origins.of(at).source
      const message = `#${name} refers to the anchor ${name}, and ${path} has more than one`
      return [this.#fault(message, [...at, '$dynamicRef'])]
    })
  }

  #fault(message: string, at: readonly string[]): Diagnostic {
    const { source, segments } = this.#origins.of(at)
    return diagnose('reference-anchor', message, source.locate(segments), { pointer: formatPointer(at) })
  }
}

/** Removes what nothing refers to any more. The error of a dynamic reference that leads nowhere is already reported. */
function makeStatic(schema: MutableObject): void {
  delete schema.$dynamicAnchor
  const reference = own(schema, '$dynamicRef')
  if (reference === undefined) return
  delete schema.$dynamicRef
  if (!Object.hasOwn(schema, '$ref')) schema.$ref = reference
}

function anchorOf({ value }: Target): string | undefined {
  const anchor = isObject(value) ? own(value, '$dynamicAnchor') : undefined
  return typeof anchor === 'string' ? anchor : undefined
}

/** Whether a schema refers to another and has dynamic anchors, itself or in its `$defs`. */
function redefines(schema: JsonObject): boolean {
  if (!referenceKeys.some((key) => typeof own(schema, key) === 'string')) return false
  const definitions = own(schema, '$defs')
  const holders = [schema, ...(isObject(definitions) ? Object.values(definitions) : [])]
  return holders.some((holder) => isObject(holder) && typeof own(holder, '$dynamicAnchor') === 'string')
}

/** Of the same name, the outer binding counts. */
function merged(outer: Bindings, inner: Bindings): Bindings {
  return inner.size === 0 ? outer : new Map([...inner, ...outer])
}

/** What a value that is validated by the schemas around it, too, meets. */
function inPlace(scope: Scope): Bindings {
  return scope.around === undefined ? scope.anchors : merged(inPlace(scope.around), scope.anchors)
}

/** What a reference into a resource enters. */
function resourceBindings(scope: Scope): Bindings {
  return scope.hasId || scope.around === undefined
    ? scope.anchors
    : merged(resourceBindings(scope.around), scope.anchors)
}

/** What the resources within another one bind. */
function between(scope: Scope, outer: Scope): Bindings {
  return scope === outer || scope.around === undefined
    ? new Map()
    : merged(between(scope.around, outer), scope.anchors)
}

function isIdentified(scope: Scope): boolean {
  return scope.hasId || (scope.around !== undefined && isIdentified(scope.around))
}

/** A copy without identifiers and definitions, to which every reference leads by its pointer. */
function bare({ value }: Target): Json {
  const copy = clone(value)
  walk({ kind: 'schema', value: copy, path: undefined }, ({ kind, value }) => {
    if (kind !== 'schema' || !isObject(value)) return
    const schema: MutableObject = value
    for (const key of ['$id', '$anchor', '$dynamicAnchor', '$defs', 'definitions']) delete schema[key]
    return undefined
  })
  return copy
}
