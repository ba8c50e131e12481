import { addToGroup } from '../../document/grouping.js'
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
    addToGroup(operations, change.operation ?? change.operations[0] ?? '', change)
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
