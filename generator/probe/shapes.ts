import type { Protocol } from 'duet-runtime'
import type { Json } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import { essenceOf } from '../document/media-type.js'
import type { Operation } from '../model/model.js'

/**
 * The types of values at one place, with the shapes of their members and items. Contains no value. Members whose names the
 * document does not have are `*`: a name may be a value, such as an e-mail address that is the key of a map.
 */
export interface Shape {
  readonly types: string[]
  members?: Record<string, Shape>
  items?: Shape
}

/** What a server answered: statuses, media types and the shapes of bodies, by operation and protocol. */
export class Shapes {
  readonly #operations = new Map<string, Map<string, { count: number; types: Set<string>; body?: Shape }>>()
  readonly #names: ReadonlySet<string>

  /** @param documents those whose schemas say which members answers have */
  constructor(documents: readonly Json[]) {
    this.#names = new Set([...ofProtocols, ...documents.flatMap((one) => [...propertyNames(one)])])
  }

  /** @param body undefined if it is not JSON */
  add({ name }: Operation, protocol: Protocol, status: number, type: string, body: Json | undefined): void {
    const answers = this.#operations.get(name) ?? new Map()
    this.#operations.set(name, answers)
    const key = `${protocol} ${status}`
    const known = answers.get(key) ?? { count: 0, types: new Set<string>() }
    known.count += 1
    if (type !== '') known.types.add(essenceOf(type))
    if (body !== undefined) known.body = merged(this.#names, known.body, body)
    answers.set(key, known)
  }

  toJSON(): object {
    return Object.fromEntries(
      [...this.#operations].map(([name, answers]) => [
        name,
        Object.fromEntries(
          [...answers].map(([key, { count, types, body }]) => [
            key,
            { count, types: [...types].sort(), body },
          ]),
        ),
      ]),
    )
  }
}

/** Names of the members of problems (RFC 9457) and of responses over JSON-RPC and MCP. */
const ofProtocols =
  'type title status detail instance code errors jsonrpc id result error message data content structuredContent isError resultType text'.split(
    ' ',
  )

/** The names that schemas of a document give to properties. */
function* propertyNames(root: Json): Generator<string> {
  const left: Json[] = [root]
  // Aliases of YAML may share values.
  const seen = new Set<Json>()
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (seen.has(value)) continue
    seen.add(value)
    if (isArray(value)) left.push(...value)
    if (!isObject(value)) continue
    const { properties } = value
    if (properties !== undefined && isObject(properties)) yield* Object.keys(properties)
    left.push(...Object.values(value))
  }
}

function merged(names: ReadonlySet<string>, before: Shape | undefined, value: Json, depth = 0): Shape {
  const known = before ?? { types: [] }
  const type = typeOf(value)
  if (!known.types.includes(type)) known.types.push(type)
  known.types.sort()
  if (depth > deepest) return known
  if (isArray(value)) for (const item of value) known.items = merged(names, known.items, item, depth + 1)
  else if (isObject(value))
    for (const [key, member] of Object.entries(value)) {
      const name = names.has(key) ? key : '*'
      known.members ??= Object.create(null) as Record<string, Shape>
      if (Object.keys(known.members).length < mostMembers || Object.hasOwn(known.members, name))
        known.members[name] = merged(names, known.members[name], member, depth + 1)
    }
  return known
}

const deepest = 12
const mostMembers = 200

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}
