import { compareText } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { compositions } from '../document/vocabulary.js'
import { fingerprint } from './canonical.js'
import { discriminatorProperty, leavesChildrenOpen, namedValues } from './discriminator.js'
import { referenceOf, referenceTo, requiredOf, type Schema, schemaList, schemaMap } from './schema.js'

type Schemas = ReadonlyMap<string, Schema>

/**
 * The possible schemas of a value of a base, chosen by its discriminator: those that extend the base by
 * `allOf`, or the base itself.
 */
export interface Family {
  readonly base: string
  readonly property: string
  /** Sorted by name. The base itself comes last if a value can name it, or if the property is optional. */
  readonly members: readonly FamilyMember[]
}

interface FamilyMember {
  readonly name: string
  /** The discriminator values of the member. Undefined if its own schema fixes them. */
  readonly values: readonly Json[] | undefined
  /** The discriminator values of the member, also if its own schema fixes them. */
  readonly accepted: readonly Json[]
  readonly required: boolean
}

/** Bases whose discriminator does not list their children, and those children. */
export class Descendants {
  readonly #children = new Map<string, string[]>()
  readonly #families = new Map<string, Family | undefined>()
  readonly #reached = new Map<string, ReadonlySet<string>>()
  readonly #names = new Map<Schema, string>()

  /** @param isApart whether a component represents another one and has no base */
  constructor(
    readonly schemas: Schemas,
    isApart: (name: string) => boolean,
  ) {
    if (![...schemas.values()].some(leavesChildrenOpen)) return
    for (const [name, schema] of schemas) {
      this.#names.set(schema, name)
      if (isApart(name)) continue
      for (const parent of parentsOf(schema)) {
        const known = this.#children.get(parent)
        if (known === undefined) this.#children.set(parent, [name])
        else known.push(name)
      }
    }
  }

  /** Undefined if the schema is no such base, or if nothing distinguishes its children. */
  familyOf(base: string): Family | undefined {
    if (!this.#families.has(base)) this.#families.set(base, this.#read(base))
    return this.#families.get(base)
  }

  /** The family of a component's own schema. */
  familyAt(schema: Schema): Family | undefined {
    const name = this.#names.get(schema)
    return name === undefined ? undefined : this.familyOf(name)
  }

  /** Whether a member of a family declares one of these properties. */
  declares({ members }: Family, names: ReadonlySet<string>): boolean {
    return members.some(({ name }) =>
      everywhere(this.schemas, this.schemas.get(name) ?? true).some((part) =>
        schemaMap(part, 'properties').some(([property]) => names.has(property)),
      ),
    )
  }

  /**
   * Whether a component may contain its base's family in place. False if a member leads back to the component.
   */
  mayHold(component: Schema, base: string): boolean {
    const name = this.#names.get(component)
    return name === undefined || !this.#reach(base).has(name)
  }

  #read(base: string): Family | undefined {
    const schema = this.schemas.get(base) ?? true
    if (!isObject(schema) || !leavesChildrenOpen(schema)) return undefined
    const property = discriminatorProperty(schema)
    if (property === undefined || !admitsText(this.schemas, schema, property)) return undefined
    const allowed = fixed(this.schemas, schema, property)
    const isAllowed = (value: Json): boolean => allowed === undefined || allowed.has(fingerprint(value))
    const members: FamilyMember[] = []
    const taken = new Set<string>()
    for (const name of this.#below(base, property)) {
      const narrowed = fixed(this.schemas, this.schemas.get(name) ?? true, property)
      const own = narrowed !== undefined && narrowed.size !== allowed?.size ? parsed(narrowed) : undefined
      const named = (namedValues(schema, { $ref: referenceTo(name) }) ?? []).filter(isAllowed)
      const accepted = own ?? named
      if (accepted.length === 0) continue
      for (const value of accepted) taken.add(fingerprint(value))
      members.push({ name, values: own === undefined ? named : undefined, accepted, required: true })
    }
    if (members.length === 0) return undefined
    const others = allowed === undefined ? namedValues(schema, { $ref: referenceTo(base) }) : parsed(allowed)
    const values = (others ?? []).filter((value) => !taken.has(fingerprint(value)))
    const required = requires(this.schemas, schema, property)
    if (values.length > 0 || !required) members.push({ name: base, values, accepted: values, required })
    return { base, property, members }
  }

  /**
   * All components that extend a base by `allOf`, directly or not. A child with its own discriminator has its
   * own family.
   */
  #below(base: string, property: string): readonly string[] {
    const found = new Set<string>()
    const waiting = [base]
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      for (const child of this.#children.get(name) ?? []) {
        if (child === base || found.has(child)) continue
        found.add(child)
        const schema = this.schemas.get(child)
        const ownProperty = isObject(schema) ? discriminatorProperty(schema) : undefined
        if (ownProperty === undefined || ownProperty === property) waiting.push(child)
      }
    }
    return [...found].sort(compareText)
  }

  /** The components that a family leads to without a property or an item in between. */
  #reach(base: string): ReadonlySet<string> {
    const known = this.#reached.get(base)
    if (known !== undefined) return known
    const found = new Set([base, ...(this.#children.get(base) ?? [])])
    for (const name of found) {
      for (const target of inPlace(this.schemas.get(name) ?? true)) found.add(target)
      for (const child of this.#children.get(name) ?? []) found.add(child)
    }
    this.#reached.set(base, found)
    return found
  }
}

/** Components that a schema extends by `allOf`, including nested ones. */
function parentsOf(schema: Schema): readonly string[] {
  if (!isObject(schema)) return []
  return schemaList(schema, 'allOf').flatMap((part) => {
    const name = referenceOf(part)
    return [...(name === undefined ? [] : [name]), ...parentsOf(part)]
  })
}

/** Components that a schema refers to in place. */
function inPlace(schema: Schema): readonly string[] {
  if (!isObject(schema)) return []
  const name = referenceOf(schema)
  const parts = compositions.flatMap((keyword) => schemaList(schema, keyword))
  return [...(name === undefined ? [] : [name]), ...parts.flatMap(inPlace)]
}

/** The values, as JSON, that all declarations of a property allow. Undefined if none lists values. */
function fixed(schemas: Schemas, schema: Schema, property: string): ReadonlySet<string> | undefined {
  const lists = declarations(schemas, schema, property).flatMap((declared) => {
    if (!isObject(declared)) return []
    const listed = Object.hasOwn(declared, 'const') ? [declared.const ?? null] : own(declared, 'enum')
    return isArray(listed) ? [listed.filter((value) => value !== null).map(fingerprint)] : []
  })
  const [first, ...others] = lists
  return first && new Set(first.filter((value) => others.every((list) => list.includes(value))))
}

function admitsText(schemas: Schemas, schema: Schema, property: string): boolean {
  return declarations(schemas, schema, property).every((declared) => {
    const type = isObject(declared) ? own(declared, 'type') : undefined
    return type === undefined || type === 'string' || (isArray(type) && type.includes('string'))
  })
}

/** Every schema that a property must satisfy, through references and `allOf`. */
function declarations(schemas: Schemas, schema: Schema, property: string): readonly Schema[] {
  return everywhere(schemas, schema)
    .flatMap((part) =>
      schemaMap(part, 'properties').flatMap(([name, value]) => (name === property ? [value] : [])),
    )
    .flatMap((declared) => everywhere(schemas, declared))
}

function requires(schemas: Schemas, schema: Schema, property: string): boolean {
  return everywhere(schemas, schema).some((part) => requiredOf(part).includes(property))
}

/** A schema, its references and its `allOf` parts. */
function everywhere(schemas: Schemas, schema: Schema): readonly JsonObject[] {
  const found = new Set<JsonObject>()
  const waiting: Schema[] = [schema]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (!isObject(part) || found.has(part)) continue
    found.add(part)
    const target = schemas.get(referenceOf(part) ?? '')
    if (target !== undefined) waiting.push(target)
    waiting.push(...schemaList(part, 'allOf'))
  }
  return [...found]
}

function parsed(texts: ReadonlySet<string>): Json[] {
  return [...texts].map((text): Json => JSON.parse(text))
}
