import { createColors } from 'picocolors'
import { exitCode } from './exit-code.js'

/** The input and output of a command. Tests can replace it. */
export interface Terminal {
  readonly cwd: string
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether a person watches standard error: only then shows progress. */
  readonly interactive: boolean
  /** Whether the stages of long runs are logged without a person, as for CI. Default: false. */
  readonly logged?: boolean | undefined
  /** Characters that fit on a line. */
  readonly columns: number
  /** The same for standard output. Undefined in a pipe, where lines have no limit. */
  readonly outColumns?: number | undefined
  readonly outColours: Colours
  readonly errColours: Colours
  /** Shows the stack of an internal error. */
  readonly debug: boolean
}

export type Colours = ReturnType<typeof createColors>

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { env, stdout, stderr } = process
  for (const stream of [stdout, stderr]) stream.on('error', lostOutput)
  return {
    cwd: process.cwd(),
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    interactive: stderr.isTTY === true && env.TERM !== 'dumb',
    logged: true,
    outColumns: stdout.columns,
    columns: stdout.columns ?? stderr.columns ?? 120,
    outColours: createColors(wantsColours(env, stdout.isTTY)),
    errColours: createColors(wantsColours(env, stderr.isTTY)),
    debug: env.DEBUG === 'duet',
  }
}

/** `duet lint | head` closes the pipe early, which is no fault. On a full disk the output is lost. */
function lostOutput(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  process.once('exit', () => {
    process.exitCode = exitCode.failed
  })
  if (isReported) return
  isReported = true
  process.stderr.write(`The output cannot be written: ${error.message}\n`)
}

let isReported = false

/** NO_COLOR (no-color.org) overrides FORCE_COLOR. Otherwise only terminals get colours. */
export function wantsColours(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean | undefined,
): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return isTerminal === true && env.TERM !== 'dumb'
}

/**
 * The text on one line with every control and direction character escaped, to prevent a document from
 * controlling the terminal.
 */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** Control, format and line-breaking characters, and halves of surrogate pairs. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A value as indented JSON for programs. Escapes control characters too, for people who view it in a terminal. */
export function jsonText(value: object): string {
  const text = JSON.stringify(value, undefined, 2)
  return `${text.replaceAll(unprintable, (found) => (found === '\n' ? found : escapedUnits(found)))}\n`
}

function escapedUnits(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

/** `REST, JSON-RPC and MCP` */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names)
}

/** `1 file`, `2 files`. */
export function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
