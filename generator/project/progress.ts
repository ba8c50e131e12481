import { printable, type Terminal } from './terminal.js'

/** Shows what a command is doing. Without a text it removes the line. */
export type Progress = (text?: string) => void

/** One line on standard error that the next one replaces. Silent unless a person watches. */
export function progressOn({
  interactive,
  columns,
  err,
}: Pick<Terminal, 'interactive' | 'columns' | 'err'>): Progress {
  if (!interactive) return () => undefined
  return (text = '') => err(`\r\u001b[K${printable(text).slice(0, Math.max(0, columns - 1))}`)
}
