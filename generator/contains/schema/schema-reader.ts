import type { Dialect } from '../../document/vocabulary.js'
import { Undecidable } from '../../patterns/budget.js'
import { type Formula, type Target, types } from '../formula/formula.js'
import type { Formulas } from '../formula/formulas.js'
import { isObject, type Json } from '../values/value.js'
import { arrayKeywords } from './array-keywords.js'
import { type Formats, keepsSiblings, type Reading } from './dialect.js'
import { Identity } from './identity.js'
import { telling } from './keyword.js'
import { objectKeywords } from './object-keywords.js'
import { numberKeywords, stringKeywords } from './scalar-keywords.js'
import { follow, followDynamic, placeKey, type Site, withoutDetours } from './site.js'
import { type Peculiarity, type Reader, Subschema } from './subschema.js'
import { unevaluatedKeywords } from './unevaluated-keywords.js'

/** Reads schemas into formulas. Reads the same schema once for each dynamic scope. */
export class SchemaReader implements Reader {
  readonly #identity: Identity
  readonly #read = new WeakMap<object, Map<string, Entry>>()
  readonly #sites = new Map<Target, Site>()
  /** The schemas that are being read, the innermost last. */
  readonly #under: Entry[] = []

  constructor(
    readonly formulas: Formulas,
    readonly dialect: Dialect,
    readonly reading: Reading,
    readonly formats: Formats = 'asserted',
  ) {
    this.#identity = new Identity(formulas, (site) => this.read(site))
  }

  /** Where AJV deviates from the specification in these schemas, as far as they have been read. */
  peculiarities(sites: readonly Site[]): ReadonlySet<Peculiarity> {
    const found = new Set<Peculiarity>()
    const seen = new Set<Entry>()
    let inlined = false
    const queue = sites.map(withoutDetours)
    for (const [i, site] of queue.entries()) {
      const entry = this.#entry(site)
      if (entry === undefined || seen.has(entry)) continue
      seen.add(entry)
      // AJV inlines the target of a reference, even within a loop.
      if (i >= sites.length && entry.peculiarities.has('lasting')) inlined = true
      for (const one of entry.peculiarities) found.add(one)
      for (const target of entry.targets) {
        const next = this.#sites.get(target)
        if (next !== undefined) queue.push(next)
      }
    }
    if (inlined && found.has('loop')) found.add('repeated')
    return found
  }

  /** Whether a schema that was read, or one inlined in it, has a peculiarity. */
  has(site: Site, peculiarity: Peculiarity): boolean {
    return this.#entry(site)?.peculiarities.has(peculiarity) === true
  }

  #entry({ schema, ...place }: Site): Entry | undefined {
    return isObject(schema) ? this.#read.get(schema)?.get(placeKey({ schema, ...place })) : undefined
  }

  note(peculiarity: Peculiarity): void {
    this.#under.at(-1)?.peculiarities.add(peculiarity)
  }

  /** The formula of a schema. Throws Undecidable if it cannot be read. */
  read(site: Site): Formula {
    const { schema } = site
    if (schema === true) return this.formulas.always
    if (schema === false) return this.formulas.never
    if (!isObject(schema)) throw new Undecidable('a schema is neither an object nor a boolean')
    const byPlace = this.#read.get(schema) ?? new Map<string, Entry>()
    this.#read.set(schema, byPlace)
    const entry = byPlace.get(placeKey(site)) ?? this.#enter(new Subschema(this, site, schema))
    byPlace.set(placeKey(site), entry)
    const around = this.#under.at(-1)
    for (const one of entry.peculiarities) around?.peculiarities.add(one)
    for (const target of entry.targets) around?.targets.add(target)
    return entry.formula
  }

  /** A reference to a schema, read on demand. */
  refer(site: Site): Formula {
    if (typeof site.schema === 'boolean') return this.read(site)
    const target = this.#identity.target(site)
    if (!this.#sites.has(target)) this.#sites.set(target, withoutDetours(site))
    this.#under.at(-1)?.targets.add(target)
    return this.formulas.reference(target)
  }

  #enter(schema: Subschema): Entry {
    if (this.#under.length > 500) throw new Undecidable('propertyNames refers to itself')
    const entry = {
      formula: this.formulas.never,
      peculiarities: new Set<Peculiarity>(),
      targets: new Set<Target>(),
    }
    this.#under.push(entry)
    try {
      entry.formula = this.formulas.all(this.#keywords(schema))
    } finally {
      this.#under.pop()
    }
    return entry
  }

  *#keywords(schema: Subschema): Iterable<Formula> {
    yield* references(schema)
    if (schema.has('$ref') && !keepsSiblings(this.dialect, 'specification')) {
      if (typeof schema.schema[this.dialect === 'draft4' ? 'id' : '$id'] === 'string')
        throw new Undecidable('AJV and the specification resolve a $ref next to an $id differently')
      if (telling(schema.schema).length > 1) this.note('reading')
      if (this.reading === 'specification') return
    }
    yield* general(schema)
    yield* combinations(schema)
    yield* numberKeywords(schema)
    yield* stringKeywords(schema)
    yield* arrayKeywords(schema)
    yield* objectKeywords(schema)
    yield* unevaluatedKeywords(schema)
    const unread = schema.unread()
    if (unread !== undefined) throw new Undecidable(`the keyword ${unread} is not decided`)
  }
}

/** The result of reading a schema: its formula, its peculiarities, and its references. */
interface Entry {
  readonly formula: Formula
  readonly peculiarities: Set<Peculiarity>
  readonly targets: Set<Target>
}

function* references(schema: Subschema): Iterable<Formula> {
  const { reader, site } = schema
  const plain = schema.get('$ref')
  if (typeof plain === 'string') yield reader.refer(follow(site, plain))
  for (const keyword of ['$dynamicRef', '$recursiveRef']) {
    const reference = schema.get(keyword)
    if (typeof reference !== 'string') continue
    const target = followDynamic(site, reference)
    if (!isTakenAsMeant(schema, target, reference)) reader.note('dynamic')
    yield reader.refer(target)
  }
}

/** Whether AJV resolves a dynamic reference correctly: only if it leads to the document's root. */
function isTakenAsMeant({ site, schema }: Subschema, target: Site, reference: string): boolean {
  const { document } = site
  const isAnchored = document.top.dynamic.has(reference.slice(reference.indexOf('#') + 1))
  return (
    target.schema === document.root &&
    document.resourceCount === 1 &&
    !document.hasStrayAnchor &&
    // Without an anchor AJV calls the function that contains it. After a reference that is another schema's
    // function.
    (isAnchored || !document.hasReference) &&
    !unseen.some((keyword) => Object.hasOwn(schema, keyword))
  )
}

/** Keywords that AJV ignores next to a dynamic reference. */
const unseen = ['$ref', 'enum', 'const', 'not', 'anyOf', 'oneOf', 'allOf', 'if']

function* general(schema: Subschema): Iterable<Formula> {
  const { formulas } = schema
  const type = schema.get('type')
  if (type !== undefined) {
    const names = Array.isArray(type) ? type : [type]
    const nullable = schema.get('nullable') === true
    if (nullable) schema.reader.note('reading')
    yield formulas.any([
      ...names.map((name) => typeNamed(formulas, name)),
      ...(nullable && schema.reader.reading === 'ajv' ? [formulas.type(types.null)] : []),
    ])
  }
  const values = schema.get('enum')
  if (Array.isArray(values)) yield formulas.value(values)
  const constant = schema.get('const')
  if (constant !== undefined) yield formulas.value([constant])
}

function typeNamed(formulas: Formulas, name: Json): Formula {
  if (name === 'integer')
    return formulas.all([formulas.type(types.number), formulas.multiple({ n: 1n, d: 1n })])
  if (typeof name === 'string' && name !== 'all' && Object.hasOwn(types, name))
    return formulas.type(types[name as keyof typeof types])
  throw new Undecidable(`there is no type ${JSON.stringify(name)}`)
}

function* combinations(schema: Subschema): Iterable<Formula> {
  const { formulas } = schema
  for (const part of schema.list('allOf')) yield schema.read(part)
  if (schema.has('anyOf')) yield formulas.any(schema.list('anyOf').map((part) => schema.read(part)))
  if (schema.has('oneOf')) yield formulas.one(schema.list('oneOf').map((part) => schema.read(part)))
  const not = schema.get('not')
  if (not !== undefined) yield formulas.not(schema.read(not))
  const condition = schema.get('if')
  if (condition === undefined) return
  const holds = schema.read(condition)
  const branch = (keyword: string): Formula => {
    const value = schema.get(keyword)
    return value === undefined ? formulas.always : schema.read(value)
  }
  yield formulas.any([
    formulas.all([holds, branch('then')]),
    formulas.all([formulas.not(holds), branch('else')]),
  ])
}
