import type { Splice } from './workspace.js'

/** A list in code: the members of an object or a class, imported names, statements. */
export interface Row {
  readonly text: string
  /** Behind the opening brace; the start of the file for statements. */
  readonly open: number
  /** Before the closing brace. */
  readonly close: number
  readonly separator: ',' | ''
  readonly slots: readonly Slot[]
}

/** One item of a row, with the space and comments around it. Slots follow each other without a gap. */
export interface Slot extends Span {
  /** The code alone. */
  readonly code: Span
  /** Start of its own comments. Comments before an empty line are not its own. */
  readonly own: number
  readonly separated: boolean
}

/** Makes a row. `items`: spans of the code, in order. */
export function rowOf(
  text: string,
  open: number,
  close: number,
  separator: ',' | '',
  items: readonly Span[],
): Row {
  const slots: Slot[] = []
  let start = endOfLineComments(text, open, items[0]?.start ?? close)
  if (open === 0) start = 0
  for (const [index, code] of items.entries()) {
    const next = items[index + 1]?.start ?? close
    const mark = separator === '' ? undefined : punctuationIn(text, code.end, next, separator)
    const end = endOfLineComments(text, mark === undefined ? code.end : mark + 1, next)
    const own = ownStart(text, start, code.start)
    slots.push({ code, start, end, own, separated: mark !== undefined })
    start = end
  }
  return { text, open, close, separator, slots }
}

/** The removal of something from a text. */
export interface Removal {
  /** The removed text, byte for byte. */
  readonly text: string
  readonly splices: readonly Splice[]
}

/** Removes a slot with its own comments from its row. */
export function removal(row: Row, slot: Slot): Removal {
  const index = row.slots.indexOf(slot)
  const before = row.slots[index - 1]
  const isLast = index === row.slots.length - 1
  const splices: Splice[] = [{ start: slot.own, end: slot.end, text: '' }]
  const endsOpen = row.separator !== '' && isLast && !slot.separated
  if (endsOpen && before?.separated && row.text[before.code.end] === row.separator)
    splices.push({ start: before.code.end, end: before.code.end + 1, text: '' })
  return { text: row.text.slice(slot.own, slot.end), splices }
}

/** Inserts text behind the first `index` slots. The text has its own separator, spaces and line breaks. */
export function insertion(row: Row, text: string, index: number): Splice[] {
  const before = row.slots[index - 1]
  const at = before?.end ?? row.slots[0]?.start ?? endOfLineComments(row.text, row.open, row.close)
  const splices: Splice[] = []
  if (row.separator !== '' && before !== undefined && !before.separated)
    splices.push({ start: before.code.end, end: before.code.end, text: row.separator })
  splices.push({ start: at, end: at, text })
  return splices
}

/** A stretch of text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A comment between two pieces of code. */
export interface Comment extends Span {
  readonly kind: 'line' | 'block'
}

/** Comments in a stretch between two pieces of code. */
export function commentsIn(text: string, start: number, end: number): Comment[] {
  const found: Comment[] = []
  for (let at = start; at < end; ) {
    const two = text.slice(at, at + 2)
    if (two === '//') {
      const stop = Math.min(lineBreakFrom(text, at), end)
      found.push({ start: at, end: stop, kind: 'line' })
      at = stop
    } else if (two === '/*') {
      const close = text.indexOf('*/', at + 2)
      const stop = close === -1 ? end : close + 2
      found.push({ start: at, end: stop, kind: 'block' })
      at = stop
    } else at += 1
  }
  return found
}

/** Position of a punctuation character in such a stretch, outside comments. */
export function punctuationIn(text: string, start: number, end: number, mark: string): number | undefined {
  const comments = commentsIn(text, start, end)
  for (let at = start; at < end; at++) {
    const comment = comments.find((one) => one.start <= at && at < one.end)
    if (comment !== undefined) at = comment.end - 1
    else if (text[at] === mark) return at
  }
  return undefined
}

/** Position behind the comments at the end of a line; `start` if code follows on that line. */
function endOfLineComments(text: string, start: number, end: number): number {
  let last = start
  for (let at = start; at <= end; ) {
    if (at === end || isLineBreak(text[at])) return last
    const [comment] = commentsIn(text, at, Math.min(at + 2, end))
    if (comment !== undefined) {
      const whole = commentsIn(text, at, end)[0]
      if (whole === undefined || (whole.kind === 'block' && hasLineBreak(text.slice(whole.start, whole.end))))
        return start
      last = whole.end
      at = whole.end
    } else if (isSpace(text[at])) at += 1
    else return start
  }
  return start
}

/** Position of the next line break, or the end of the text. */
export function lineBreakFrom(text: string, at: number): number {
  let end = at
  while (end < text.length && !isLineBreak(text[end])) end += 1
  return end
}

/** Position behind the line break at `at`; `at` if there is none. */
export function afterLineBreak(text: string, at: number): number {
  if (text.startsWith('\r\n', at)) return at + 2
  return isLineBreak(text[at]) ? at + 1 : at
}

/** Start of the line around a position. */
export function lineStart(text: string, at: number): number {
  let start = at
  while (start > 0 && !isLineBreak(text[start - 1])) start -= 1
  return start
}

/** Indentation of the line around a position. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? ''
}

/** Whether space has an empty line in it. */
export function hasBlankLine(space: string): boolean {
  return /[\n\r\u2028\u2029][ \t]*[\n\r\u2028\u2029]/.test(space.replaceAll('\r\n', '\n'))
}

export function hasLineBreak(text: string): boolean {
  return /[\n\r\u2028\u2029]/.test(text)
}

/** Start of the comments that belong to the code at `code`: those behind the last empty line. */
function ownStart(text: string, start: number, code: number): number {
  let own = code
  for (const comment of commentsIn(text, start, code).reverse()) {
    if (hasBlankLine(text.slice(comment.end, own))) return comment.end
    own = comment.start
  }
  return start
}

/** Line terminators of ECMAScript: each ends a line comment. */
function isLineBreak(character: string | undefined): boolean {
  return character !== undefined && /[\n\r\u2028\u2029]/.test(character)
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /[\s\ufeff]/.test(character)
}
