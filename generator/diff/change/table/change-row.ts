import type { Level } from '../level.js'
import { type ChangeColumns, columnsOf } from './columns.js'

export interface ChangeRow extends ChangeColumns {
  /** Replaces oasdiff's level. */
  readonly level?: Level
  /** What happened, in messages of schemas, which start with the path and the subject. Default: the words. */
  readonly label?: string
}

type More = Partial<Omit<ChangeRow, 'words'>>

export function change(words: string, more: More = {}): ChangeRow {
  return { ...columnsOf(words, more), ...more }
}

export function breaking(words: string, more?: More): ChangeRow {
  return change(words, { level: 'breaking', ...more })
}

export function dangerous(words: string, more?: More): ChangeRow {
  return change(words, { level: 'dangerous', ...more })
}

export function compatible(words: string, more?: More): ChangeRow {
  return change(words, { level: 'compatible', ...more })
}

export function info(words: string): ChangeRow {
  return change(words, { level: 'info' })
}

/** A change that shows as a missing value. */
export function required(words: string, more?: More): ChangeRow {
  return change(words, { refusedBy: ['required'], ...more })
}

/** A change in what Duet itself binds, refuses or writes. */
export function ownRule(words: string, more?: More): ChangeRow {
  return change(words, { handlers: 'never', ...more })
}
