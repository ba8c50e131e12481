import { childPointer } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { parsePointer, valueAt } from '../../document/pointer.js'
import { asObject, type Endpoint, type Side } from '../change/side.js'
import { shapeOf } from '../pairing/pairing.js'

/**
 * Which operations both versions have letter by letter, with all that they refer to. Most are, and topics that read parameters,
 * bodies or answers have nothing to say of them.
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

/** Whether paths that match the same requests come in the same order, by which the service routes them. */
export function areRoutedAlike(old: Json | undefined, fresh: Json | undefined): boolean {
  const [before, after] = [old, fresh].map((root) => {
    const groups = new Map<string, string[]>()
    for (const path of Object.keys(asObject(own(asObject(root), 'paths')))) {
      const shape = shapeOf(path)
      groups.set(shape, [...(groups.get(shape) ?? []), path])
    }
    return groups
  })
  return [...(before ?? [])].every(([shape, paths]) => paths.join() === after?.get(shape)?.join())
}

/** What two documents have letter by letter, with all that it refers to. */
class SameParts {
  /** References that lead to the same, and to nothing but the same; undefined where something differs for all operations. */
  readonly #same: ReadonlySet<string> | undefined
  readonly #known = new WeakMap<JsonObject, { readonly other: Json | undefined; readonly isSame: boolean }>()

  constructor(
    readonly old: JsonObject,
    readonly fresh: JsonObject,
  ) {
    const [before, after] = [own(old, 'components'), own(fresh, 'components')].map(asObject)
    const isAlike = areEqual(old, fresh, { without: apart }) && areEqual(before, after, { without: sections })
    if (isAlike) this.#same = sameComponents(before ?? {}, after ?? {})
  }

  /** Whether a reference leads to the same in both, and to nothing but the same. */
  haveReference(reference: Json | undefined): boolean {
    return typeof reference === 'string' && this.#same?.has(reference) === true
  }

  /** Whether an operation is the same. */
  have(a: Json, b: Json | undefined): boolean {
    if (!isObject(a)) return false
    const known = this.#known.get(a)
    if (known !== undefined && known.other === b) return known.isSame
    const isSame = this.#areSame(a, b)
    this.#known.set(a, { other: b, isSame })
    return isSame
  }

  /** Whether what a path item says of all of its operations is the same. */
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

  /** Operations and components, as the old document has them, by their pointers. */
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

/** What holds the operations, and what they do not depend on. */
const apart = new Set(['paths', 'webhooks', 'components', 'info', 'tags', 'externalDocs'])
const methods = new Set([
  ...['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'],
  'additionalOperations',
])
/** Components that are referred to one by one. */
const sections = new Set([
  'schemas',
  'parameters',
  'responses',
  'requestBodies',
  'headers',
  'examples',
  'links',
])
/** Keywords by which a schema depends on more than it refers to. */
const far = new Set(['discriminator', '$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef'])

/** References to components that are the same in both documents, as all is that those lead to. */
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
      for (const used of references) users.set(used, [...(users.get(used) ?? []), reference])
    }
  }
  const waiting = [...users.keys()].filter((used) => !same.has(used)).flatMap((used) => users.get(used) ?? [])
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    if (same.delete(at)) waiting.push(...(users.get(at) ?? []))
  return same
}

interface Comparing {
  /** Members of the object itself that do not count. */
  readonly without?: ReadonlySet<string>
  /** Gets the references on the way. */
  readonly references?: string[]
}

/** Whether two values are equal; what depends on more than it refers to never is. */
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
      isArray(b) && a.length === b.length && a.every((item, index) => areSame(item, b[index], references))
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
    if (far.has(key)) return false
    const value = a[key]
    if (key === '$ref' && typeof value === 'string') references.push(value)
  }
  return Object.hasOwn(b, key) && areSame(a[key], b[key], references)
}
