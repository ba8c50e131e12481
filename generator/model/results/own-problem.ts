import type { Json } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { choices } from '../../document/vocabulary.js'
import { allowedTypes } from '../../schema/coercion.js'
import { refuses } from '../../schema/instance.js'
import { requiredOf, resolve, type Schema, schemaList, schemaMap } from '../../schema/schema.js'

/**
 * Whether a schema refuses the problems that a Duet service sends: it requires a member that they need not have, is
 * closed without one that they have, or gives one another form. Constraints on texts and numbers do not count.
 *
 * @param extensions members that problems of the document's catalogue have
 */
export function refusesProblems(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
  extensions: ReadonlySet<string>,
): boolean {
  const refusesPart = (part: Schema, above: readonly Schema[] = []): boolean => {
    if (!isObject(part) || above.includes(part)) return part === false
    const inside = [...above, part]
    const refusesAny = (list: readonly Schema[]): boolean => list.some((one) => refusesPart(one, inside))
    const target = resolve(schemas, part)
    if (refusesAny([...(target === part ? [] : [target]), ...schemaList(part, 'allOf')])) return true
    for (const keyword of choices) {
      const branches = schemaList(part, keyword)
      if (branches.length > 0 && branches.every((one) => refusesPart(one, inside))) return true
    }
    if (allowedTypes(schemas, part)?.has('object') === false) return true
    if (requiredOf(part).some((name) => !always.has(name) && !extensions.has(name))) return true
    const properties = new Map(schemaMap(part, 'properties'))
    const isClosed = own(part, 'additionalProperties') === false && !Object.hasOwn(part, 'patternProperties')
    if (isClosed && [...always].some((name) => !properties.has(name))) return true
    return [...properties].some(([name, property]) => !fits(name, property))
  }
  const fits = (name: string, property: Schema): boolean => {
    const type = types.get(name)
    const allowed = type && allowedTypes(schemas, property)
    if (type !== undefined && allowed?.has(type) === false) return type === 'integer' && allowed.has('number')
    const target = ($ref: string): Json => resolve(schemas, { $ref })
    return name !== 'errors' || !refuses(property, violations, target)
  }
  return refusesPart(schema)
}

/** The members of every problem over REST. */
const always: ReadonlySet<string> = new Set(['type', 'title', 'status', 'code', 'requestId'])

const types = new Map<string, 'string' | 'integer' | 'array'>([
  ['type', 'string'],
  ['title', 'string'],
  ['status', 'integer'],
  ['code', 'string'],
  ['requestId', 'string'],
  ['detail', 'string'],
  ['errors', 'array'],
  ['retryAfter', 'integer'],
])

const violations = [{ path: '/name', keyword: 'type', message: 'must be string' }]
