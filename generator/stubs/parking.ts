import { lineCommentText } from '../code/literal.js'
import { afterLineBreak, lineBreakFrom, lineStart } from './trivia.js'
import type { Splice } from './workspace.js'

/**
 * Code whose operation the document no longer has, at the end of its file. It stands there as line comments,
 * since types that it names may be gone; without the `// ` before each line it is what it was, byte for byte.
 */
export interface ParkedCode {
  /** Operation, or what else was parked with it. */
  readonly name: string
  readonly code: string
  /** Takes the block out of the file. */
  readonly splice: Splice
}

/** Whether code can be parked, that is, none of its lines would be read as the end of the block. */
export function isParkable(code: string): boolean {
  return !linesOf(code).some(({ line }) => /^#(?:end)?region parked by duet:/.test(line))
}

/** Appends a block with code to a file. `code` begins with a line break, unless it shared its line. */
export function park(text: string, name: string, reason: string, code: string, eol: string): Splice {
  const first = afterLineBreak(code, 0)
  const flag = first === 0 ? ' [same line]' : ''
  const lines = linesOf(code.slice(first))
  const body = lines.map(({ line, end }) => (line === '' ? `//${end}` : `// ${line}${end}`)).join('')
  const head = lineCommentText(`#region parked by duet: ${name}${flag} ${reason}`)
  const lead = first === 0 ? eol : code.slice(0, first)
  const block = `${head}${lead}${body}${eol}// #endregion parked by duet: ${name}`
  const ended = text === '' || lineStart(text, text.length) === text.length
  const piece = ended ? `${eol}${block}${eol}` : `${eol}${eol}${block}`
  return { start: text.length, end: text.length, text: piece }
}

/** Every block of a file, in its order. */
export function parkedIn(text: string): ParkedCode[] {
  const found: ParkedCode[] = []
  for (const match of text.matchAll(/^\/\/ #region parked by duet: (\S+)( \[same line\])?.*$/gm)) {
    const [head, name = '', sameLine] = match
    const bodyStart = afterLineBreak(text, lineBreakFrom(text, match.index + head.length))
    const mark = `// #endregion parked by duet: ${name}`
    const close = closingLine(text, mark, bodyStart)
    if (close === undefined) continue
    const bodyEnd = withoutLineBreak(text, close)
    const lead = sameLine === undefined ? text.slice(lineBreakFrom(text, match.index), bodyStart) : ''
    const code = bodyEnd < bodyStart ? '' : uncommented(text.slice(bodyStart, bodyEnd))
    found.push({ name, code: lead + code, splice: cut(text, match.index, close + mark.length) })
  }
  return found
}

function closingLine(text: string, mark: string, from: number): number | undefined {
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1)) {
    if (lineStart(text, at) === at && lineBreakFrom(text, at) === at + mark.length) return at
  }
  return undefined
}

/** A block with the empty line before it; at the end of a file without a last line break, with both breaks. */
function cut(text: string, start: number, end: number): Splice {
  const after = afterLineBreak(text, end)
  const before = withoutLineBreak(text, start)
  if (after > end) return { start: isBlankBetween(text, before) ? before : start, end: after, text: '' }
  return { start: withoutLineBreak(text, before), end, text: '' }
}

function isBlankBetween(text: string, at: number): boolean {
  return at === 0 || lineStart(text, at) === at
}

/** Position before the line break that ends right before `at`. */
function withoutLineBreak(text: string, at: number): number {
  if (text.slice(at - 2, at) === '\r\n') return at - 2
  return /[\n\r\u2028\u2029]/.test(text.slice(at - 1, at)) ? at - 1 : at
}

function uncommented(body: string): string {
  return linesOf(body)
    .map(({ line, end }) => line.replace(/^\/\/ ?/, '') + end)
    .join('')
}

function linesOf(text: string): { line: string; end: string }[] {
  const parts = text.split(/(\r\n|[\n\r\u2028\u2029])/)
  const lines: { line: string; end: string }[] = []
  for (let index = 0; index < parts.length; index += 2)
    lines.push({ line: parts[index] ?? '', end: parts[index + 1] ?? '' })
  return lines
}
