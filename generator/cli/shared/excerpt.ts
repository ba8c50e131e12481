import { type Colours, printable } from '../../project/terminal.js'

/**
 * The lines around a position, with a mark below it. Line and column count from 1. Cuts long lines around the
 * column. Empty if the text has no such line.
 */
export function excerpt(
  text: string,
  line: number,
  column: number,
  width: number,
  colours: Colours,
): string[] {
  const numbers = [line - 1, line, line + 1]
  const found = linesOf(text, numbers)
  const marked = found.get(line)
  if (marked === undefined) return []
  const gutter = String(line + 1).length
  const room = Math.max(width - gutter - 6, 20)
  const start = Math.max(0, Math.min(column - 1 - Math.floor(room / 3), marked.length - room))
  const end = start + room
  const result: string[] = []
  for (const number of numbers) {
    const source = found.get(number)
    if (source === undefined || (number !== line && source.trim() === '')) continue
    const shown = `${start > 0 && source.length > start ? '…' : ''}${clean(source.slice(start, end))}${source.length > end ? '…' : ''}`
    const label = String(number).padStart(gutter)
    if (number !== line) result.push(colours.dim(`  ${label} | ${shown}`.trimEnd()))
    else {
      const before = (start > 0 ? 1 : 0) + clean(source.slice(start, column - 1)).length
      const mark = '^'.repeat(
        Math.max(
          1,
          clean(source.slice(column - 1, Math.min(end, column - 1 + tokenLength(source, column - 1)))).length,
        ),
      )
      result.push(
        `> ${label} | ${shown}`.trimEnd(),
        `  ${' '.repeat(gutter)} | ${' '.repeat(before)}${colours.red(mark)}`,
      )
    }
  }
  return result
}

function linesOf(text: string, numbers: readonly number[]): Map<number, string> {
  const starts = lineStarts(text)
  const found = new Map<number, string>()
  for (const number of numbers) {
    const start = starts[number - 1]
    if (start === undefined) continue
    const line = text.slice(start, starts[number] ?? text.length)
    found.set(number, line.replace(/\r?\n$/, '').replace(/\r$/, ''))
  }
  return found
}

/** The offset of each line. Cached for the last text, since findings arrive document by document. */
function lineStarts(text: string): readonly number[] {
  if (lastIndexed?.text === text) return lastIndexed.starts
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  lastIndexed = { text, starts }
  return starts
}

let lastIndexed: { readonly text: string; readonly starts: readonly number[] } | undefined

/** Length of the key or word at the offset: a quoted text, or up to the colon that ends a key. */
function tokenLength(line: string, start: number): number {
  const rest = line.slice(start)
  const quoted = /^"(?:[^"\\]|\\.)*"|^'(?:[^']|'')*'/.exec(rest)
  const key = /^(?![[{])(?:[^:,]|:(?!\s|$))+(?=:(?:\s|$))/.exec(rest)
  const word = /^(?![[{])[^\s,]+/.exec(rest)
  return (quoted ?? key ?? word)?.[0].length ?? 1
}

function clean(text: string): string {
  return printable(text.replaceAll('\t', ' '))
}
