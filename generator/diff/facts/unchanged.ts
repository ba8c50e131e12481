import type { Json, JsonObject } from '../../load/document.js'
import { isArray, isObject, own } from '../../load/json.js'
import { childPointer } from '../../model/cursor.js'
import { asObject, type Endpoint, type Side } from '../side.js'

/**
 * Which operations both versions have letter by letter, with all that they refer to. Most are, and topics that read parameters,
 * bodies or answers have nothing to say of them.
 */
export class Unchanged {
  /** References that lead to the same, and to nothing but the same; undefined where something differs for all operations. */
  readonly #same: ReadonlySet<string> | undefined

  constructor(old: Side, fresh: Side) {
    const [a, b] = [old.document.root, fresh.document.root]
    const [before, after] = [own(a, 'components'), own(b, 'components')].map(asObject)
    const isAlike = areEqual(a, b, { without: apart }) && areEqual(before, after, { without: sections })
    const hasModels = (old.model === undefined) === (fresh.model === undefined)
    if (isAlike && hasModels) this.#same = sameComponents(before ?? {}, after ?? {})
  }

  has(before: Endpoint, after: Endpoint): boolean {
    const same = this.#same
    if (same === undefined || before.webhook || before.path !== after.path) return false
    if (before.method !== after.method || before.name !== after.name || before.rpc !== after.rpc) return false
    const references: string[] = []
    return (
      areEqual(before.item.value, after.item.value, { without: methods, references }) &&
      areEqual(before.operation.value, after.operation.value, { references }) &&
      references.every((reference) => same.has(reference))
    )
  }
}

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
  if (isArray(a))
    return (
      isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => areEqual(item, b[index], references === undefined ? {} : { references }))
    )
  if (!isObject(a) || !isObject(b)) return a === b
  const isCounted = (key: string): boolean => without?.has(key) !== true
  const keys = Object.keys(a)
  const others = Object.keys(b)
  const counts = without === undefined ? [keys, others] : [keys.filter(isCounted), others.filter(isCounted)]
  if (counts[0]?.length !== counts[1]?.length) return false
  for (const key of keys) {
    if (!isCounted(key)) continue
    if (references !== undefined && far.has(key)) return false
    const value = a[key]
    if (references !== undefined && key === '$ref' && typeof value === 'string') references.push(value)
    if (!Object.hasOwn(b, key)) return false
    if (!areEqual(value, b[key], references === undefined ? {} : { references })) return false
  }
  return true
}
