import { printable, type Terminal } from './terminal.js'

/** Shows what a command is doing. Without a text it removes the line. */
export type Progress = (text?: string) => void

/** Seconds before the first line of a log, and at least between two. */
const interval = 5

/**
 * One line on standard error that the next one replaces. In a log, where nothing can be replaced, a plain line for a
 * stage of a run that takes long.
 */
export function progressOn(terminal: Pick<Terminal, 'interactive' | 'logged' | 'columns' | 'err'>): Progress {
  const { interactive, logged = false, columns, err } = terminal
  if (interactive)
    return (text = '') => err(`\r\u001b[K${printable(text).slice(0, Math.max(0, columns - 1))}`)
  return logged ? logTo(err) : () => undefined
}

/** The line that waits for its time. */
let waiting: NodeJS.Timeout | undefined

function logTo(err: Terminal['err']): Progress {
  let next = performance.now() + interval * 1000
  return (text) => {
    clearTimeout(waiting)
    if (text === undefined) return
    const log = (): void => {
      next = performance.now() + interval * 1000
      err(`${printable(text)}\n`)
    }
    // A stage may keep the process busy until it ends, so a line that is due does not wait for a timer.
    const left = next - performance.now()
    if (left <= 0) log()
    else waiting = setTimeout(log, left).unref()
  }
}
