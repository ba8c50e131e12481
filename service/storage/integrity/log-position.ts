import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { writeDurably } from './durable-file.js'

/** The position up to which the log is on the disk, stored in a file next to the database. */
export interface LogPosition {
  /** Advances the position. If the disk refuses, the check at the next start is only weaker. */
  reached(position: bigint): void
  close(): void
}

/**
 * Opens the file, and creates it if missing. Writes in place without a sync: the log is on the disk before its
 * position, and after a power loss an older position remains.
 */
export async function openLogPosition(path: string): Promise<LogPosition> {
  let last = readLogPosition(path)
  if (last === undefined) {
    last = 0n
    await writeDurably(path, format(last))
  }
  const file = openSync(path, 'r+')
  return {
    reached(position) {
      if (last !== undefined && position <= last) return
      last = position
      try {
        writeSync(file, format(position), 0)
      } catch {
        // As above.
      }
    },
    close: () => closeSync(file),
  }
}

/**
 * The position in the file. Undefined if there is no file.
 * @throws Error if the file contains no position
 */
export function readLogPosition(path: string): bigint | undefined {
  if (!existsSync(path)) return undefined
  const [, digits] = /^([0-9A-F]{16})\n$/.exec(readFileSync(path, 'utf8')) ?? []
  if (digits === undefined) throw new Error('it has no position')
  return BigInt(`0x${digits}`)
}

function format(position: bigint): string {
  return `${position.toString(16).toUpperCase().padStart(16, '0')}\n`
}
