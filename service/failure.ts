import { inspect } from 'node:util'

/** Ends a start or a command: one line per fault, and the exit code (1 failed, 2 wrong configuration). */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly lines: readonly string[]
  readonly exitCode: 1 | 2

  constructor(lines: string | readonly string[], exitCode: 1 | 2, options: { cause?: unknown } = {}) {
    const all = (typeof lines === 'string' ? [lines] : lines).map(onOneLine)
    super(all.join('\n'), options)
    this.lines = all
    this.exitCode = exitCode
  }
}

/** The message of an unknown thrown value on one line. For connection errors without a message, their code. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) {
    // WebAssembly's file systems throw plain objects.
    return onOneLine(typeof error === 'string' ? error : inspect(error, { breakLength: Infinity }))
  }
  const code: unknown = 'code' in error ? error.code : undefined
  return onOneLine(error.message || (typeof code === 'string' ? code : error.name))
}

function onOneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').trim()
}
