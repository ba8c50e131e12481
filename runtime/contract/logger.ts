/** Receives what an api does not tell its callers. Loggers such as pino fit, and so does `console`. */
export interface Logger {
  error(details: LogDetails, message: string): void
  warn(details: LogDetails, message: string): void
}

/** What a log line is about; unknown members are absent. */
export interface LogDetails {
  readonly operation?: string
  /** The version of the call, if another version's handler serves it. */
  readonly version?: string
  /** The version of that handler, or the adapter that has it. */
  readonly handledBy?: string
  /** Absent, like `requestId`, if the line does not concern a call. */
  readonly protocol?: string
  readonly requestId?: string
  /** What was thrown. */
  readonly err?: unknown
}

/** Writes one line of JSON on standard error for each entry. */
export const jsonLogger: Logger = {
  error: (details, message) => write('error', details, message),
  warn: (details, message) => write('warn', details, message),
}

/** The logger of the option `logger`; undefined if nothing is logged. */
export function loggerOf(option: Logger | false | undefined): Logger | undefined {
  return option === false ? undefined : (option ?? jsonLogger)
}

/**
 * Bytes that may wait for the reader of standard error. Beyond that, lines are dropped, so that no call
 * waits.
 */
const mostWaiting = 1024 * 1024

/** Longest text of a line, in characters: a stack may quote the call's input. */
const mostText = 8 * 1024

function write(level: string, { err, ...details }: LogDetails, message: string): void {
  const entry = {
    time: new Date().toISOString(),
    level,
    message,
    ...details,
    ...(err !== undefined && described(err)),
  }
  const line = JSON.stringify(entry)
  // Not every platform that serves Web-standard requests has `process`.
  const stderr = globalThis.process?.stderr
  if (stderr === undefined) console.error(line)
  else if (stderr.writableLength < mostWaiting) stderr.write(`${line}\n`)
}

function described(error: unknown): { error: string; stack?: string; cause?: string } {
  if (!(error instanceof Error)) return { error: cut(textOf(error)) }
  const { stack, cause } = error
  return {
    error: cut(String(error)),
    ...(stack !== undefined && { stack: cut(stack) }),
    ...(cause instanceof Error && { cause: cut(cause.stack ?? String(cause)) }),
  }
}

/** Handlers may throw plain objects, for which String is useless or throws. */
function textOf(thrown: unknown): string {
  try {
    return typeof thrown === 'object' ? JSON.stringify(thrown) : String(thrown)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}

function cut(text: string): string {
  return text.length > mostText ? `${text.slice(0, mostText)}…` : text
}
