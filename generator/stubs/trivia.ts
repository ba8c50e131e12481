/** A stretch of text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A comment between two pieces of code. */
export interface Comment extends Span {
  readonly kind: 'line' | 'block'
}

/** Comments in a stretch that holds nothing else but space and punctuation. */
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

/** Where a character of punctuation stands in such a stretch, outside comments. */
export function punctuationIn(text: string, start: number, end: number, mark: string): number | undefined {
  const comments = commentsIn(text, start, end)
  for (let at = start; at < end; at++) {
    const comment = comments.find((one) => one.start <= at && at < one.end)
    if (comment !== undefined) at = comment.end - 1
    else if (text[at] === mark) return at
  }
  return undefined
}

/** Behind the comments that end the line on which `start` stands; `start` where code follows on that line. */
export function endOfLineComments(text: string, start: number, end: number): number {
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

/** Behind the line break at a position; the position itself where there is none. */
export function afterLineBreak(text: string, at: number): number {
  if (text.startsWith('\r\n', at)) return at + 2
  return isLineBreak(text[at]) ? at + 1 : at
}

/** Start of the line that holds a position. */
export function lineStart(text: string, at: number): number {
  let start = at
  while (start > 0 && !isLineBreak(text[start - 1])) start -= 1
  return start
}

/** White space at the start of the line that holds a position. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? ''
}

/** Whether an empty line stands in a stretch of space. */
export function hasBlankLine(space: string): boolean {
  return /[\n\r\u2028\u2029][ \t]*[\n\r\u2028\u2029]/.test(space.replaceAll('\r\n', '\n'))
}

export function hasLineBreak(text: string): boolean {
  return /[\n\r\u2028\u2029]/.test(text)
}

/** Line terminators of ECMAScript: each ends a line comment. */
function isLineBreak(character: string | undefined): boolean {
  return character !== undefined && /[\n\r\u2028\u2029]/.test(character)
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /[\s\ufeff]/.test(character)
}
