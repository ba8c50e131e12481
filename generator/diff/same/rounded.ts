import type { Json, JsonObject } from '../../document/document.js'
import { digitsOf, noteDigits } from '../../document/written-digits.js'
import { canonical } from '../../schema/canonical.js'

/** A member of an object or an item of a list. */
type Member = readonly [holder: JsonObject | readonly Json[], key: string | number]

/** A change with the digits of its numbers. Schemas of doubles cannot decide about numbers that become one double. */
export function withDigits<
  Change extends { readonly old?: Json | undefined; readonly new?: Json | undefined },
>(
  change: Change,
  old: Member | undefined,
  fresh: Member | undefined,
  isUnseen: boolean,
): Change & { readonly values?: readonly Json[]; readonly unseen?: true } {
  const values = [change.old ?? null, change.new ?? null]
  let isWritten = false
  for (const [at, member] of [old, fresh].entries()) {
    const text = member && digitsOf(...member)
    if (text === undefined) continue
    noteDigits(values, at, text)
    isWritten = true
  }
  return { ...change, ...(isWritten && { values }), ...(isUnseen && { unseen: true as const }) }
}

/** Whether two values that are not the same become the same with their numbers as doubles. */
export function areRounded(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b
  return JSON.stringify(canonical(a ?? null)) === JSON.stringify(canonical(b ?? null))
}
