import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32c } from './crc32c.js'
import { Damage } from './damage.js'

/** The contents of `global/pg_control`. Positions in the log are LSNs: byte offsets from its beginning. */
export interface ControlFile {
  /** Where the last checkpoint's own record begins. */
  readonly checkpoint: bigint
  /** Where recovery starts to read. */
  readonly redo: bigint
}

const name = join('global', 'pg_control')

/** @throws Damage */
export function readControlFile(directory: string): ControlFile {
  const bytes = read(join(directory, name))
  if (bytes.length !== fileBytes || crc32c(bytes.subarray(0, crcAt)) !== bytes.readUInt32LE(crcAt)) {
    throw new Damage(name, 'does not match its checksum')
  }
  return { checkpoint: bytes.readBigUInt64LE(32), redo: bytes.readBigUInt64LE(40) }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new Damage(name, 'cannot be read', cause)
  }
}

/** Offset of the checksum in PostgreSQL 18's ControlFileData (pg_control.h). */
const crcAt = 292
const fileBytes = 8192
