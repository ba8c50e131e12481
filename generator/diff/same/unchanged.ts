import { childPointer } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { addToGroup, groupBy } from '../../document/grouping.js'
import { isArray, isObject, own } from '../../document/json.js'
import { parsePointer, valueAt } from '../../document/pointer.js'
import { locatedKeywords } from '../../document/vocabulary.js'
import { haveSameDigits } from '../../document/written-digits.js'
import { asObject, type Endpoint, type Side } from '../change/side.js'
import { shapeOf } from '../pairing/pairing.js'

/**
 * Finds the operations that are identical in both versions, with everything they refer to. Most are. The comparisons of
 * parameters, bodies and responses skip them.
 */
export class Unchanged {
  readonly #parts: SameParts | undefined

  constructor(old: Side, fresh: Side) {
    const haveModels = (old.model === undefined) === (fresh.model === undefined)
    if (haveModels) this.#parts = samePartsOf(old.document.root, fresh.document.root)
  }

  has(before: Endpoint, after: Endpoint): boolean {
    if (this.#parts === undefined || before.webhook || before.path !== after.path) return false
    if (before.method !== after.method || before.name !== after.name || before.rpc !== after.rpc) return false
    return (
      this.#parts.haveItem(before.item.value, after.item.value) &&
      this.#parts.have(before.operation.value, after.operation.value)
    )
  }
}

/** Whether paths that match the same requests are in the same order. The service routes them in that order. */
export function areRoutedAlike(old: Json | undefined, fresh: Json | undefined): boolean {
  const [before, after] = [old, fresh].map((root) =>
    groupBy(Object.keys(asObject(own(asObject(root), 'paths'))), shapeOf),
  )
  return [...(before ?? [])].every(([shape, paths]) => paths.join() === after?.get(shape)?.join())
}

/** The parts of two documents that are identical, with everything they refer to. */
class SameParts {
  /** References that lead to identical parts. Undefined if something differs that affects all operations. */
  readonly #same: ReadonlySet<string> | undefined
  readonly #known = new WeakMap<JsonObject, { readonly other: Json | undefined; readonly isSame: boolean }>()

  constructor(
    readonly old: JsonObject,
    readonly fresh: JsonObject,
  ) {
    const [before, after] = [own(old, 'components'), own(fresh, 'components')].map(asObject)
    const isAlike =
      areEqual(old, fresh, { without: separate }) && areEqual(before, after, { without: sections })
    if (isAlike) this.#same = sameComponents(before ?? {}, after ?? {})
  }

  /** Whether everything that a reference leads to is identical in both documents. */
  haveReference(reference: Json | undefined): boolean {
    return typeof reference === 'string' && this.#same?.has(reference) === true
  }

  /** Whether an operation or a schema is identical, with everything it refers to. */
  have(a: Json, b: Json | undefined): boolean {
    if (!isObject(a)) return false
    const known = this.#known.get(a)
    if (known !== undefined && known.other === b) return known.isSame
    const isSame = this.#areSame(a, b)
    this.#known.set(a, { other: b, isSame })
    return isSame
  }

  /** Whether a path item declares the same for all of its operations. */
  haveItem(a: Json, b: Json): boolean {
    return this.#areSame(a, b, { without: methods })
  }

  #areSame(a: Json, b: Json | undefined, comparing: Comparing = {}): boolean {
    const same = this.#same
    const references: string[] = []
    return (
      same !== undefined &&
      areEqual(a, b, { ...comparing, references }) &&
      references.every((reference) => same.has(reference))
    )
  }

  /** The identical operations and components of the old document, with their pointers. */
  *values(): Iterable<readonly [pointer: string, value: Json]> {
    for (const reference of this.#same ?? []) {
      const value = valueAt(this.old, parsePointer(reference) ?? [])
      if (value !== undefined) yield [reference, value]
    }
    const [before, after] = [own(this.old, 'paths'), own(this.fresh, 'paths')].map(asObject)
    for (const [path, item] of Object.entries(before ?? {})) {
      const other = own(after ?? {}, path)
      if (!isObject(item) || !isObject(other) || !this.haveItem(item, other)) continue
      for (const method of methods) {
        const operation = own(item, method)
        if (isObject(operation) && this.have(operation, own(other, method)))
          yield [childPointer('#/paths', path, method), operation]
      }
    }
  }
}

export function samePartsOf(old: JsonObject, fresh: JsonObject): SameParts {
  const known = parts.get(old)
  if (known?.fresh === fresh) return known
  const found = new SameParts(old, fresh)
  parts.set(old, found)
  return found
}

const parts = new WeakMap<JsonObject, SameParts>()

/** The parts that hold the operations, and those that operations do not depend on. */
const separate = new Set(['paths', 'webhooks', 'components', 'info', 'tags', 'externalDocs'])
const methods = new Set([
  ...['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'],
  'additionalOperations',
])
/** Components that are referenced one by one. */
const sections = new Set([
  'schemas',
  'parameters',
  'responses',
  'requestBodies',
  'headers',
  'examples',
  'links',
])
/** Keywords that make a schema depend on more than it refers to. */
const nonLocal: ReadonlySet<string> = new Set(['discriminator', ...locatedKeywords])

/** References to components that are identical in both documents, with everything they lead to. */
function sameComponents(before: JsonObject, after: JsonObject): ReadonlySet<string> {
  const same = new Set<string>()
  const users = new Map<string, string[]>()
  for (const section of sections) {
    const [olds, news] = [before, after].map((components) => asObject(own(components, section)))
    for (const [name, value] of Object.entries(olds ?? {})) {
      const reference = childPointer('#/components', section, name)
      const references: string[] = []
      const other = own(news ?? {}, name)
      if (other === undefined || !areEqual(value, other, { references })) continue
      same.add(reference)
      for (const used of references) addToGroup(users, used, reference)
    }
  }
  const waiting = [...users.keys()].filter((used) => !same.has(used)).flatMap((used) => users.get(used) ?? [])
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    if (same.delete(at)) waiting.push(...(users.get(at) ?? []))
  return same
}

interface Comparing {
  /** Members of the object itself to ignore. */
  readonly without?: ReadonlySet<string>
  /** Collects the references inside. */
  readonly references?: string[]
}

/** Whether two values are equal. With `references`, a value that depends on more than it refers to never is. */
export function areEqual(
  a: Json | undefined,
  b: Json | undefined,
  { without, references }: Comparing = {},
): boolean {
  if (without === undefined || !isObject(a) || !isObject(b)) return areSame(a, b, references)
  const isCounted = (key: string): boolean => !without.has(key)
  const keys = Object.keys(a).filter(isCounted)
  return (
    keys.length === Object.keys(b).filter(isCounted).length &&
    keys.every((key) => isMemberSame(key, a, b, references))
  )
}

function areSame(a: Json | undefined, b: Json | undefined, references: string[] | undefined): boolean {
  if (isArray(a))
    return (
      isArray(b) &&
      a.length === b.length &&
      a.every(
        (item, index) =>
          areSame(item, b[index], references) && (typeof item !== 'number' || haveSameDigits(a, b, index)),
      )
    )
  if (!isObject(a) || !isObject(b)) return a === b
  let members = 0
  for (const key in a) {
    if (!isMemberSame(key, a, b, references)) return false
    members++
  }
  for (const _ in b) members--
  return members === 0
}

function isMemberSame(key: string, a: JsonObject, b: JsonObject, references: string[] | undefined): boolean {
  if (references !== undefined) {
    if (nonLocal.has(key)) return false
    const value = a[key]
    if (key === '$ref' && typeof value === 'string') references.push(value)
  }
  if (!Object.hasOwn(b, key) || !areSame(a[key], b[key], references)) return false
  return typeof a[key] !== 'number' || haveSameDigits(a, b, key)
}
