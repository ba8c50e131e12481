import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { writeDurably } from './durable-file.js'

/** Up to where the log is known to be on the disk, kept in a file beside the database. */
export interface LogPosition {
  /** Moves it on. What is not moved on, because the disk refuses, only makes the check of a start weaker. */
  reached(position: bigint): void
  close(): void
}

/**
 * Makes the file where it is missing. It is written in place without a sync: the log is on the disk before the
 * position says so, and of a position that a loss of power takes back an older one stays.
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
 * The position that the file holds; undefined where there is no file.
 * @throws Error where it holds something else
 */
export function readLogPosition(path: string): bigint | undefined {
  if (!existsSync(path)) return undefined
  const [, digits] = /^([0-9A-F]{16})\n$/.exec(readFileSync(path, 'utf8')) ?? []
  if (digits === undefined) throw new Error('it holds no position')
  return BigInt(`0x${digits}`)
}

function format(position: bigint): string {
  return `${position.toString(16).toUpperCase().padStart(16, '0')}\n`
}
