export interface Limits {
  /** Bytes of a request body. Default: 1 MiB. */
  readonly bodyBytes: number
  /**
   * Bytes of a request body without valid credentials, whatever the operation: otherwise anonymous callers
   * could make the server parse long ones. Default: 16 KiB, or `bodyBytes` if that is less or no operation
   * has security.
   */
  readonly anonymousBodyBytes: number
  /**
   * Values and names in a request body's JSON, counted by its brackets, commas and colons before it is
   * parsed. Default: 20,000, some 130 KB of ordinary records.
   */
  readonly bodyValues: number
  /** Parts of a `multipart/form-data` body, files and fields together. Default: 1,000. */
  readonly bodyParts: number
  /** Bytes of a file or stream in a response over JSON-RPC or in process. Default: 16 MiB. */
  readonly answerBytes: number
  /** Calls in one JSON-RPC batch. Default: 100. */
  readonly batchLength: number
  /** Calls of one batch that run concurrently. Default: 10. */
  readonly batchParallel: number
  /**
   * Milliseconds for authentication and the handler together. Then the handler's signal aborts and the call
   * fails with `unavailable`. All calls of a batch share the time; those that have not begun by then never
   * run. It includes collecting a stream; one that is sent in pieces has only the limits of streams. Default:
   * no limit.
   */
  readonly callMs: number | undefined
  /** Milliseconds of a whole stream. Default: no limit. */
  readonly streamMs: number | undefined
  /** Milliseconds that a stream may have nothing to send. Default: no limit. */
  readonly streamIdleMs: number | undefined
  /** Milliseconds of silence after which a stream of events gets a comment, for proxies. Default: 15,000. */
  readonly streamKeepAliveMs: number
  /**
   * Milliseconds that a caller may leave a stream unread before its connection is closed. A kernel with large buffers reports
   * only every few megabytes that are read, so with few seconds a slow caller seems to read nothing. Default: 120,000.
   */
  readonly streamStallMs: number
}

/** Fills in default limits. Throws an Error for a limit that is not an integer of at least 1. */
export function limitsOf(given: { readonly [Name in keyof Limits]?: Limits[Name] | undefined } = {}): Limits {
  const limit = (name: keyof typeof defaults) => {
    const value = given[name] ?? defaults[name]
    if (Number.isSafeInteger(value) && value >= 1) return value
    throw new Error(`limits.${name} is ${String(value)}: it must be an integer from 1`)
  }
  return {
    bodyBytes: limit('bodyBytes'),
    anonymousBodyBytes: Math.min(limit('anonymousBodyBytes'), limit('bodyBytes')),
    bodyValues: limit('bodyValues'),
    bodyParts: limit('bodyParts'),
    answerBytes: limit('answerBytes'),
    batchLength: limit('batchLength'),
    batchParallel: limit('batchParallel'),
    streamKeepAliveMs: limit('streamKeepAliveMs'),
    streamStallMs: limit('streamStallMs'),
    callMs: millisecondsOf('callMs', given.callMs),
    streamMs: millisecondsOf('streamMs', given.streamMs),
    streamIdleMs: millisecondsOf('streamIdleMs', given.streamIdleMs),
  }
}

function millisecondsOf(name: string, given: number | undefined): number | undefined {
  // Node turns any longer delay into 1 ms.
  if (given === undefined || (Number.isSafeInteger(given) && given >= 1 && given < 2 ** 31)) return given
  throw new Error(`limits.${name} is ${String(given)}: it must be an integer from 1 to 2147483647`)
}

const defaults = {
  bodyBytes: 1024 * 1024,
  anonymousBodyBytes: 16 * 1024,
  bodyValues: 20_000,
  bodyParts: 1_000,
  answerBytes: 16 * 1024 * 1024,
  batchLength: 100,
  batchParallel: 10,
  streamKeepAliveMs: 15_000,
  streamStallMs: 120_000,
}
