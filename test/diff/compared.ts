import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Protocol } from 'duet-runtime'
import { inject } from 'vitest'
import { readVersion } from '../../generator/cli/diff/diff-reading.js'
import type { Comparison, Proof } from '../../generator/diff/change/change.js'
import type { Level } from '../../generator/diff/change/level.js'
import type { Side } from '../../generator/diff/change/side.js'
import { type CompareOptions, compare } from '../../generator/diff/compare.js'
import { prove } from '../../generator/diff/proof/prove.js'
import { buildModel } from '../../generator/model/build/build.js'

/** Compares two documents given as texts. Throws if one has errors. */
export async function compared(old: string, fresh: string, options?: CompareOptions): Promise<Comparison> {
  const [before, after] = await sidesOf(old, fresh)
  return compare(before, after, { today: '2026-11-21', ...options })
}

interface ProofsAsked {
  readonly version?: string
  readonly level?: Level
  readonly protocol?: Protocol
}

/** Proofs of the changes of a level, between two documents without their heads. */
export async function proofsOf(
  old: string,
  fresh: string,
  { version = '3.1.1', level = 'breaking', protocol }: ProofsAsked = {},
): Promise<Proof[]> {
  const head = `openapi: ${version}\ninfo: { title: Shop, version: 1.0.0 }\n`
  const sides = await sidesOf(head + old, head + fresh)
  const { changes } = await prove(compare(...sides, { today: '2026-11-21' }), ...sides)
  return changes.flatMap((change) =>
    change.level === level && (protocol === undefined || change.protocols.includes(protocol))
      ? [change.proof]
      : [],
  )
}

/** Reads two documents given as texts. Throws if one has errors. */
export async function sidesOf(old: string, fresh: string): Promise<readonly [Side, Side]> {
  const folder = free.pop() ?? mkdtempSync(join(inject('scratch'), 'compared-'))
  try {
    const before = await side(folder, 'old.yaml', old)
    return [before, await side(folder, 'new.yaml', fresh, before)]
  } finally {
    free.push(folder)
  }
}

/** Folders to write documents to again: creating and removing one takes as long as reading its documents. */
const free: string[] = []

async function side(folder: string, name: string, text: string, before?: Side): Promise<Side> {
  writeFileSync(join(folder, name), text)
  const read = await readVersion(name, folder, { buildModel }, false, folder, before)
  if (read.side !== undefined) return read.side
  throw new Error(read.diagnostics.map(({ code, message }) => `${name}: ${code}: ${message}`).join('\n'))
}
