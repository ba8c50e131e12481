import { destination } from 'pino'

/** Where the log's lines go. Writing never waits for a reader: a line that does not fit is dropped and counted. */
export interface LogOutput {
  write(line: string): void
  /** Lines that were dropped since the start. */
  readonly dropped: number
  /** Is told how many lines were dropped, once there is room again. */
  onRoom: ((dropped: number) => void) | undefined
  /** Writes what waits, as long as somebody reads, for `withinMs` at most. */
  end(withinMs: number): Promise<void>
}

/**
 * Opens a file descriptor, standard error unless told otherwise.
 * @param mostBytes that wait for a reader
 */
export function openLogOutput(fd = 2, mostBytes = 1_048_576): LogOutput {
  // Node then takes the pipe for one that does not block. On one that does, a write that nobody reads would keep a
  // thread for good, and with it the process at its end.
  if (fd === 2) void process.stderr
  let dropped = 0
  let told = 0
  /** Nothing can be written any more: the reader has gone, or the log has ended. */
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
    if (dropped === told || endsAt !== Number.POSITIVE_INFINITY) return
    const news = dropped - told
    told = dropped
    log.onRoom?.(news)
  })
  // A reader that has gone does not come back. After any other error, such as a full disk, the next line tries again.
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') isOver = true
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
