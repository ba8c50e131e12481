import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32c } from './crc32c.js'

/** The folder of the log, below the database's. */
export const logFolder = 'pg_wal'

/** PGlite's sizes, which are PostgreSQL's defaults. */
const segmentBytes = 16 * 1024 * 1024
const pageBytes = 8192

/** The name of the file that contains a position: timeline, then the segment's number in two halves. */
export function segmentName(position: bigint): string {
  const segment = position / BigInt(segmentBytes)
  const perHalf = 0x1_0000_0000n / BigInt(segmentBytes)
  return [1n, segment / perHalf, segment % perHalf].map((part) => hex(part, 8)).join('')
}

/** Where a segment begins. Undefined if the name is no segment's. */
export function segmentStart(name: string): bigint | undefined {
  const [, high, low] = /^[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})$/.exec(name) ?? []
  if (high === undefined || low === undefined) return undefined
  return BigInt(`0x${high}`) * 0x1_0000_0000n + BigInt(`0x${low}`) * BigInt(segmentBytes)
}

/** Formats a position as PostgreSQL does. */
export function showPosition(position: bigint): string {
  return `${(position >> 32n).toString(16).toUpperCase()}/${hex(position & 0xffff_ffffn, 0)}`
}

function hex(value: bigint, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0')
}

/**
 * Reads the log from the record at `start`, as recovery would. Returns the end of the last complete record, or `start`
 * if there is none. Changes nothing.
 */
export function endOfLog(directory: string, start: bigint): bigint {
  const log = new Log(join(directory, logFolder))
  let end = start
  let previous: bigint | undefined
  let next = start
  for (;;) {
    const record = log.recordAt(next, previous)
    if (record === undefined) return end
    ;({ end } = record)
    previous = next
    next = record.next
  }
}

interface LogRecord {
  readonly end: bigint
  /** Where a next record would begin. */
  readonly next: bigint
}

// Layouts: xlogrecord.h and xlog_internal.h.
const recordHeaderBytes = 24
const checksumAt = 20
const isContinued = 1
const switchesSegment = 0x40

class Log {
  readonly #folder: string
  #segment: { readonly start: bigint; readonly bytes: Buffer } | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The record at a position, if it is complete and follows the one at `previous`. */
  recordAt(position: bigint, previous: bigint | undefined): LogRecord | undefined {
    const start = this.#afterHeader(position)
    const length = this.#page(start)?.readUInt32LE(inPage(start)) ?? 0
    if (length < recordHeaderBytes || length > 1 << 30) return undefined
    const read = this.#read(start, length)
    if (read === undefined) return undefined
    const { bytes, end } = read
    if (
      crc32c(bytes.subarray(recordHeaderBytes), bytes.subarray(0, checksumAt)) !==
      bytes.readUInt32LE(checksumAt)
    )
      return undefined
    if (previous !== undefined && bytes.readBigUInt64LE(8) !== this.#afterHeader(previous)) return undefined
    const isSwitch = bytes[17] === 0 && ((bytes[16] ?? 0) & 0xf0) === switchesSegment
    return { end, next: roundUp(end, isSwitch ? segmentBytes : 8) }
  }

  /** Reads bytes across page headers. */
  #read(start: bigint, length: number): { bytes: Buffer; end: bigint } | undefined {
    const parts: Buffer[] = []
    let position = start
    for (let missing = length; missing > 0; ) {
      const page = this.#page(position)
      if (page === undefined) return undefined
      if (missing < length) {
        if ((page.readUInt16LE(2) & isContinued) === 0 || page.readUInt32LE(16) !== missing) return undefined
        position += BigInt(headerBytes(position))
      }
      const part = page.subarray(inPage(position), inPage(position) + missing)
      parts.push(part)
      missing -= part.length
      position += BigInt(part.length)
    }
    return { bytes: Buffer.concat(parts), end: position }
  }

  #afterHeader(position: bigint): bigint {
    return inPage(position) === 0 ? position + BigInt(headerBytes(position)) : position
  }

  /** The page that contains a position. Undefined if it is missing, or left over from an earlier use of the file. */
  #page(position: bigint): Buffer | undefined {
    const offset = Number(position % BigInt(segmentBytes))
    const pageAt = offset - (offset % pageBytes)
    const page = this.#segmentOf(position - BigInt(offset)).subarray(pageAt, pageAt + pageBytes)
    const address = position - BigInt(offset - pageAt)
    return page.length === pageBytes && page.readBigUInt64LE(8) === address ? page : undefined
  }

  #segmentOf(start: bigint): Buffer {
    if (this.#segment?.start !== start) this.#segment = { start, bytes: this.#load(start) }
    return this.#segment.bytes
  }

  #load(start: bigint): Buffer {
    try {
      return readFileSync(join(this.#folder, segmentName(start)))
    } catch {
      return Buffer.alloc(0)
    }
  }
}

/**
 * The end of the records in a write of whole pages. Undefined if unknown, since a record may continue in the next
 * segment. After the last record a page contains zeros.
 */
export function endOfRecords(segment: bigint, offset: number, bytes: Uint8Array): bigint | undefined {
  if (offset + bytes.length >= segmentBytes) return undefined
  let length = bytes.length
  while (length > 0 && bytes[length - 1] === 0) length -= 1
  if (length === 0) return undefined
  const end = segment + BigInt(offset + length)
  const page = end - BigInt(inPage(end))
  return inPage(end) <= headerBytes(page) ? page : end
}

function headerBytes(page: bigint): number {
  return page % BigInt(segmentBytes) === 0n ? 40 : 24
}

function inPage(position: bigint): number {
  return Number(position % BigInt(pageBytes))
}

function roundUp(position: bigint, unit: number): bigint {
  return ((position + BigInt(unit - 1)) / BigInt(unit)) * BigInt(unit)
}
