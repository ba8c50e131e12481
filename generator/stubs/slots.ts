import type { Anchor } from './record.js'
import { commentsIn, endOfLineComments, hasBlankLine, punctuationIn, type Span } from './trivia.js'
import type { Splice } from './workspace.js'

/** Things one behind the other: members of an object or a class, imported names, statements. */
export interface Row {
  readonly text: string
  /** Behind the opening brace; the start of the file for statements. */
  readonly open: number
  /** Before the closing brace. */
  readonly close: number
  readonly separator: ',' | ''
  readonly slots: readonly Slot[]
}

/** One thing of a row with the space and comments that belong to it. Slots lie side by side. */
export interface Slot extends Span {
  /** What the anchors of others call it. */
  readonly key: string
  /** The code alone. */
  readonly code: Span
  /** Where its own comments begin: behind comments that an empty line parts from it. */
  readonly own: number
  /** How many comments stand before `own`. */
  readonly detached: number
  readonly separated: boolean
}

/** Lays things side by side. `items` in order, each with its code's span. */
export function rowOf(
  text: string,
  open: number,
  close: number,
  separator: ',' | '',
  items: readonly { readonly key: string; readonly code: Span }[],
): Row {
  const slots: Slot[] = []
  let start = endOfLineComments(text, open, items[0]?.code.start ?? close)
  if (open === 0) start = 0
  for (const [index, { key, code }] of items.entries()) {
    const next = items[index + 1]?.code.start ?? close
    const mark = separator === '' ? undefined : punctuationIn(text, code.end, next, separator)
    const end = endOfLineComments(text, mark === undefined ? code.end : mark + 1, next)
    const { own, detached } = ownStart(text, start, code.start)
    slots.push({ key, code, start, end, own, detached, separated: mark !== undefined })
    start = end
  }
  return { text, open, close, separator, slots }
}

/** Where a slot stands, for putting it back. */
export function anchorOf(row: Row, slot: Slot): Anchor {
  const before = row.slots[row.slots.indexOf(slot) - 1]
  return {
    ...(before !== undefined && { after: before.key }),
    ...(slot.detached > 0 && { comments: slot.detached }),
  }
}

/** Takes a slot with its own comments out of its row. `text` is what is taken out, byte for byte. */
export function removal(row: Row, slot: Slot): { readonly text: string; readonly splices: Splice[] } {
  const index = row.slots.indexOf(slot)
  const before = row.slots[index - 1]
  const isLast = index === row.slots.length - 1
  const splices: Splice[] = [{ start: slot.own, end: slot.end, text: '' }]
  const endsOpen = row.separator !== '' && isLast && !slot.separated
  if (endsOpen && before?.separated && row.text[before.code.end] === row.separator)
    splices.push({ start: before.code.end, end: before.code.end + 1, text: '' })
  return { text: row.text.slice(slot.own, slot.end), splices }
}

/**
 * Puts text that was taken out, or that has its own line breaks, into a row.
 *
 * @param index slots before it
 * @param comments comments of the next slot that stay before it
 * @param openEnd where in `text` its separator belongs; undefined where it has one
 */
export function insertion(
  row: Row,
  text: string,
  { index, comments = 0, openEnd }: { index: number; comments?: number; openEnd: number | undefined },
): Splice[] {
  const before = row.slots[index - 1]
  const next = row.slots[index]
  const from = before?.end ?? row.slots[0]?.start ?? endOfLineComments(row.text, row.open, row.close)
  const standing = commentsIn(row.text, from, next?.code.start ?? row.close)
  const at = comments > 0 ? (standing[comments - 1]?.end ?? from) : from
  const splices: Splice[] = []
  if (row.separator !== '' && before !== undefined && !before.separated)
    splices.push({ start: before.code.end, end: before.code.end, text: row.separator })
  const whole =
    next === undefined || openEnd === undefined
      ? text
      : text.slice(0, openEnd) + row.separator + text.slice(openEnd)
  splices.push({ start: at, end: at, text: whole })
  return splices
}

/** How many slots stand before the place of an anchor; undefined where what it names is no longer there. */
export function indexOfAnchor(row: Row, { after, last }: Anchor): number | undefined {
  if (last !== undefined) return row.slots.length
  if (after === undefined) return 0
  const index = row.slots.findIndex((slot) => slot.key === after)
  return index === -1 ? undefined : index + 1
}

function ownStart(text: string, start: number, code: number): { own: number; detached: number } {
  const comments = commentsIn(text, start, code)
  let detached = comments.length
  for (let end = code; detached > 0; detached--) {
    const comment = comments[detached - 1]
    if (comment === undefined || hasBlankLine(text.slice(comment.end, end))) break
    end = comment.start
  }
  return { own: comments[detached - 1]?.end ?? start, detached }
}
