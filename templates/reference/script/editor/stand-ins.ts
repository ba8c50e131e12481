import type { Violation } from 'duet-runtime/client'
import { escaped } from '../../../../generator/document/pointer.js'
import { wordAt } from '../../../../generator/samples/named-text.js'
import { isSchema, type Schema } from '../page.js'

/** Stands for what a reader has yet to enter. Samples show its name in capitals, and nothing sends it. */
export class StandIn {
  readonly #shown: unknown

  /** @param shown what samples show: a word, or a file */
  constructor(shown: unknown) {
    this.#shown = shown
  }

  get shown(): unknown {
    return this.#shown
  }
}

/** The file of a required field without one. */
export const unchosen = new StandIn(new File(['mock'], 'FILE'))

/** An example with stand-ins for its words. */
export function withStandIns(example: Schema, open: readonly string[] = []): Schema {
  const pointers = new Set(open)
  return mapped(example, (value, pointer) =>
    pointers.has(pointer) && value === wordAt(pointer) ? new StandIn(value) : undefined,
  ) as Schema
}

/** What samples show: each stand-in is its word. */
export function shownOf(params: Schema): Record<string, unknown> {
  return mapped(params, (value) => (value instanceof StandIn ? value.shown : undefined)) as Record<
    string,
    unknown
  >
}

/** A value typed in place of another one, with the stand-ins of that one whose words are still there. */
export function stillOpen(typed: unknown, before: unknown): unknown {
  const open = new Map(standInsIn(before).map(({ pointer, standIn }) => [pointer, standIn]))
  return mapped(typed, (value, pointer) => {
    const standIn = open.get(pointer)
    return standIn?.shown === value ? standIn : undefined
  })
}

/** What a reader still has to enter. */
export function missingIn(params: Schema): Violation[] {
  return standInsIn(params).map(({ pointer }) => ({
    path: pointer,
    keyword: 'required',
    message: requiredMessage,
  }))
}

export const requiredMessage = 'Required.'

/** Whether a value has nothing that a reader entered. */
export function isUnentered(value: unknown): boolean {
  if (value instanceof StandIn) return true
  return typeof value === 'object' && value !== null && !(value instanceof Blob)
    ? Object.values(value).every(isUnentered)
    : false
}

function standInsIn(value: unknown): { readonly pointer: string; readonly standIn: StandIn }[] {
  const found: { readonly pointer: string; readonly standIn: StandIn }[] = []
  mapped(value, (part, pointer) => {
    if (part instanceof StandIn) found.push({ pointer, standIn: part })
  })
  return found
}

/** @param instead another value for a part, if it has one */
function mapped(
  value: unknown,
  instead: (value: unknown, pointer: string) => unknown,
  pointer = '',
): unknown {
  const other = instead(value, pointer)
  if (other !== undefined) return other
  if (Array.isArray(value)) return value.map((item, index) => mapped(item, instead, `${pointer}/${index}`))
  if (!isSchema(value) || value instanceof Blob || value instanceof StandIn) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, mapped(part, instead, `${pointer}/${escaped(name)}`)]),
  )
}
