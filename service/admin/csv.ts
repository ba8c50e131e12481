import { problem } from '../problem.js'

/** A cell: an object's text forms are the caller's. */
export type Cell = string | number | boolean | null | undefined

/** CSV (RFC 4180) with a line of names first. Without the mark at its start, Excel reads UTF-8 as Windows-1252. */
export function csvOf(names: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${[names, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`
}

/** Greatest number of rows in a file. */
export const mostRows = 10_000

/** @throws ProblemError `payload_too_large` for more rows than a file has */
export function requireExportable(rows: number): void {
  if (rows <= mostRows) return
  throw problem('payload_too_large', {
    detail: `A file has at most ${mostRows.toLocaleString('en-US')} rows, and these are more. Narrow the filter.`,
  })
}

function cellOf(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  const text = typeof cell === 'string' ? guarded(cell) : String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets run a text that begins like this as a formula (OWASP, CSV Injection). */
function guarded(text: string): string {
  return /^[\s\0]*[=+\-@|%＝＋－＠]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text
}
