import { destination } from 'pino'

/** The output of the log. It never waits for a reader: it drops and counts lines that do not fit. */
export interface LogOutput {
  write(line: string): void
  /** Lines dropped since the start. */
  readonly dropped: number
  /** Receives the number of dropped lines when there is room again. */
  onRoom: ((dropped: number) => void) | undefined
  /** Writes the waiting lines, for at most `withinMs` and only while the reader reads. */
  end(withinMs: number): Promise<void>
}

/**
 * Opens a file descriptor, by default standard error.
 * @param mostBytes the maximum of bytes that wait for a reader
 */
export function openLogOutput(fd = 2, mostBytes = 1_048_576): LogOutput {
  // Touching stderr makes Node set the pipe to non-blocking. On a blocking one, a write without a reader would block a
  // thread forever, and so the exit of the process.
  if (fd === 2) void process.stderr
  let dropped = 0
  let reported = 0
  /** Writing is over: the reader has closed the pipe, or the log has ended. */
  let isOver = false
  let endsAt = Number.POSITIVE_INFINITY
  const output = destination({
    fd,
    sync: false,
    maxLength: mostBytes,
    retryEAGAIN: () => Date.now() < endsAt,
  })
  const log: LogOutput = {
    write(line) {
      if (isOver) dropped += 1
      else output.write(line)
    },
    get dropped() {
      return dropped
    },
    onRoom: undefined,
    async end(withinMs) {
      if (isOver) return
      endsAt = Date.now() + withinMs
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, withinMs)
        output.once('close', () => {
          clearTimeout(late)
          resolve()
        })
        output.end()
      })
    },
  }
  output.on('close', () => {
    isOver = true
  })
  output.on('drop', () => {
    dropped += 1
  })
  output.on('drain', () => {
    if (dropped === reported || endsAt !== Number.POSITIVE_INFINITY) return
    const news = dropped - reported
    reported = dropped
    log.onRoom?.(news)
  })
  // An empty line writes what waits, even when there is no room for more.
  const retry = () => {
    if (!isOver && endsAt === Number.POSITIVE_INFINITY) output.write('')
  }
  // A closed pipe stays closed. Any other error, such as a full disk, may pass.
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') isOver = true
    else setTimeout(retry, retryMs).unref()
  })
  // pino flushes at exit too, but throws when the pipe has no reader.
  process.prependOnceListener('exit', () => {
    if (isOver) return
    endsAt = Math.min(endsAt, Date.now() + lastTryMs)
    try {
      output.flushSync()
    } catch {}
    output.destroy()
  })
  return log
}

const lastTryMs = 200
const retryMs = 1000
