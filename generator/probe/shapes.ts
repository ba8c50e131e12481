import type { Protocol } from 'duet-runtime'
import type { Json } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import type { Operation } from '../model/model.js'

/** The types of values at one place, with the shapes of their members and items. Contains no value. */
export interface Shape {
  readonly types: string[]
  members?: Record<string, Shape>
  items?: Shape
}

/** What a server answered: statuses, media types and the shapes of bodies, by operation and protocol. */
export class Shapes {
  readonly #operations = new Map<string, Map<string, { count: number; types: Set<string>; body?: Shape }>>()

  /** @param body undefined if it is not JSON */
  add({ name }: Operation, protocol: Protocol, status: number, type: string, body: Json | undefined): void {
    const answers = this.#operations.get(name) ?? new Map()
    this.#operations.set(name, answers)
    const key = `${protocol} ${status}`
    const known = answers.get(key) ?? { count: 0, types: new Set<string>() }
    known.count += 1
    if (type !== '') known.types.add(type)
    if (body !== undefined) known.body = merged(known.body, body)
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

function merged(known: Shape = { types: [] }, value: Json, depth = 0): Shape {
  const type = typeOf(value)
  if (!known.types.includes(type)) known.types.push(type)
  known.types.sort()
  if (depth > deepest) return known
  if (isArray(value)) for (const item of value) known.items = merged(known.items, item, depth + 1)
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      known.members ??= Object.create(null) as Record<string, Shape>
      if (Object.keys(known.members).length < mostMembers || Object.hasOwn(known.members, name))
        known.members[name] = merged(known.members[name], member, depth + 1)
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
