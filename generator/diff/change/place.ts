import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { unescaped } from '../../document/pointer.js'
import type { Operation } from '../../model/model.js'
import { type ChangeId, entryOf } from './catalogue.js'
import type { Change } from './change.js'

/** The segments of a path: `-` is any item of an array, `0` the first one, `*` any additional property. */
export type Way = readonly string[]

export function wayOf(path: string): Way {
  return path.split('/').slice(1).map(unescaped)
}

/** A change as it occurs in an operation. */
export type Met = Pick<Change, 'id' | 'direction' | 'path'> & Partial<Pick<Change, 'old' | 'new'>>

/** The path of a change within the params or the result of its operation. */
export function placeAmong(change: Met, { rest }: Operation, path = change.path): Way {
  const { id, direction } = change
  const way = wayOf(path)
  const [first, ...others] = way
  // The body is a part of the params.
  if (direction !== 'request' || ofParams.has(id) || isOfParams(change)) return way
  if (entryOf(id).holder === 'parameter') {
    const binding =
      rest.parameters.find(({ name }) => name === first) ??
      // The case of a header's name does not count (RFC 9110 section 5.1).
      rest.parameters.find(
        ({ in: place, name }) => place === 'header' && name.toLowerCase() === first?.toLowerCase(),
      )
    return binding === undefined ? way : [binding.param, ...others]
  }
  const { body } = rest
  if (body?.kind === 'param') return [body.param ?? 'body', ...way]
  if (first === undefined) return way
  const param = body?.rename !== undefined && Object.hasOwn(body.rename, first) ? body.rename[first] : first
  return [param ?? first, ...others]
}

/** Changes whose path is one of the params. */
const ofParams: ReadonlySet<ChangeId> = new Set([
  'request-params-narrowed',
  'tool-param-hidden',
  'tool-param-required',
  'tool-param-shown',
])

/** Whether a change is in an operation's `params`, which is not part of the document. */
function isOfParams({ old, new: fresh }: Met): boolean {
  return /^#\/(paths|webhooks)\/[^/]+\/[^/]+\/params(\/|$)/.test((old ?? fresh)?.pointer ?? '')
}

/** A schema of the values that match `inner` at a path. */
export function holding(way: Way, inner: Json): Json {
  const [name, ...rest] = way
  if (name === undefined) return inner
  const part = holding(rest, inner)
  const member = (key: string): JsonObject => ({
    type: 'object',
    properties: objectOf([[key, part]]),
    required: [key],
  })
  const index = name === '-' ? 0 : /^\d{1,3}$/.test(name) ? Number(name) : undefined
  if (index !== undefined) {
    const prefixItems = [...Array<Json>(index).fill(true), part]
    return { anyOf: [{ type: 'array', minItems: index + 1, prefixItems }, member(name)] }
  }
  return name === '*' ? member(additional) : member(name)
}

/** A schema that refuses only what `inner` refuses at a path. Undefined where only other keywords say what is there. */
export function taking(way: Way, inner: Json): Json | undefined {
  const [name, ...rest] = way
  if (name === undefined) return inner
  const part = name === '*' ? undefined : taking(rest, inner)
  if (part === undefined) return undefined
  const properties = objectOf([[name, part]])
  if (name === '-') return { properties, items: part }
  const prefixItems = /^\d{1,3}$/.test(name) ? [...Array<Json>(Number(name)).fill(true), part] : undefined
  return { properties, ...(prefixItems && { prefixItems }) }
}

/** A value with the value at a path replaced. Undefined if it has no such path. */
export function put(value: Json, way: Way, inner: Json): Json | undefined {
  const [name, ...rest] = way
  if (name === undefined) return inner
  const key = isArray(value) && name === '-' ? '0' : name
  const member = isArray(value) ? value[Number(key)] : isObject(value) ? own(value, key) : undefined
  const found = member === undefined ? undefined : put(member, rest, inner)
  if (found === undefined) return undefined
  if (isArray(value)) return value.with(Number(key), found)
  return isObject(value)
    ? objectOf(Object.entries(value).map(([one, old]) => [one, one === key ? found : old]))
    : undefined
}

/** A schema of the values that have an object at a path's parent but lack its last segment. */
export function lacking(way: Way): Json {
  const name = way.at(-1)
  if (name === undefined) return false
  return holding(way.slice(0, -1), { type: 'object', properties: objectOf([[name, false]]) })
}

/** A name that no document declares. */
export const additional = 'anyOther'

/** How close a violation's path is to a path: at it, within it or around it. Undefined if elsewhere. */
export function nearness(path: string, way: Way): 'at' | 'within' | 'around' | undefined {
  const found = wayOf(path)
  const matches = (token: string, name: string): boolean =>
    name === token || (name === '-' && /^\d+$/.test(token)) || name === '*'
  const shared = Math.min(found.length, way.length)
  for (let index = 0; index < shared; index++)
    if (!matches(found[index] ?? '', way[index] ?? '')) return undefined
  if (found.length === way.length) return 'at'
  return found.length > way.length ? 'within' : 'around'
}
