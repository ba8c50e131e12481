import { holdingOf } from '../../document/vocabulary.js'
import type { Change } from '../change/change.js'
import type { Level } from '../change/level.js'
import { levels } from '../change/level.js'
import type { Group } from './groups.js'

/** Changes under one heading. */
export interface Section<T extends Change = Change> {
  readonly kind: 'document' | 'shared' | 'several' | 'operation'
  /** The operation's name, or a description of the section. */
  readonly title: string
  readonly changes: readonly T[]
}

/**
 * Sorts changes into sections where readers expect them: the document as a whole, shared schemas, changes that are
 * alike in several operations, then each operation in the given order. Each change is in one section.
 */
export function sectionsOf<T extends Change & Partial<Group>>(changes: readonly T[]): Section<T>[] {
  const whole = changes.filter(({ operations }) => operations.length === 0)
  const isAlike = ({ operations, parts = [] }: T): boolean =>
    parts.some((part) => part.operations.length < operations.length)
  const alike = changes.filter(isAlike)
  const shared = changes.filter((change) => change.operations.length > 1 && !isAlike(change))
  const operations = new Map<string, T[]>()
  for (const change of changes) {
    if (change.operations.length !== 1) continue
    const name = change.operation ?? change.operations[0] ?? ''
    const group = operations.get(name)
    if (group === undefined) operations.set(name, [change])
    else group.push(change)
  }
  const all: Section<T>[] = [
    { kind: 'document', title: 'the document', changes: whole },
    { kind: 'shared', title: 'shared schemas', changes: worstFirst(shared) },
    { kind: 'several', title: 'several operations', changes: worstFirst(alike) },
    ...[...operations].map(([title, of]) => ({ kind: 'operation' as const, title, changes: of })),
  ]
  return all.filter((section) => section.changes.length > 0)
}

/** Keeps the order within a level. */
export function worstFirst<T extends Change>(changes: readonly T[]): T[] {
  const rank = (level: Level): number => levels.indexOf(level)
  return [...changes].sort((a, b) => rank(a.level) - rank(b.level))
}

/**
 * The message of a change. In a shared schema it starts with the schema's own path: `Customer.email: became required`.
 */
export function headline(change: Change & Partial<Group>): string {
  const { message, path, parts = [change] } = change
  if (change.operations.length < 2) return message
  const [name, ...others] = new Set(parts.map(componentOf))
  // A change in separate schemas of several operations gets the name of none.
  const isOfEach = others.length > 0 && parts.every(({ operations }) => operations.length === 1)
  if (name === undefined || isOfEach) return message
  const named = message.startsWith(`${path} of the `) || message.startsWith('the ')
  const colon = message.indexOf(': ', message.startsWith(path) ? path.length : 0)
  return `${name}: ${named && colon > 0 ? message.slice(colon + 2) : message}`
}

/** For a property that was added or removed, the version that has it gives the longer name. */
function componentOf({ old, new: fresh }: Change): string | undefined {
  const [was, is] = [componentPath(old?.pointer), componentPath(fresh?.pointer)]
  return is === undefined || was?.startsWith(is) === true ? was : is
}

/** `#/components/schemas/Customer/properties/email` as `Customer.email`. Undefined outside of the components. */
function componentPath(pointer: string | undefined): string | undefined {
  const [hash, components, , name, ...rest] = (pointer ?? '').split('/').map(unescaped)
  if (hash !== '#' || components !== 'components' || name === undefined) return undefined
  let place = name
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? ''
    const next = rest[index + 1]
    if (word === 'properties' && next !== undefined) place += `.${next}`
    else if (word === 'items') place += '[]'
    else if (word === 'additionalProperties') place += '.*'
    // A name or an index follows.
    if (!['schema', undefined].includes(holdingOf(word))) index++
  }
  return place
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
