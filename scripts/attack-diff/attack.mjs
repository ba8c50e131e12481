// What the random attacks have in common: [SECONDS [SEED]] [--pairs=NUMBER], a folder, and a seed for each pair.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({ options: { pairs: { type: 'string' } }, allowPositionals: true })
const [seconds = 60, first = Math.floor(Math.random() * 1e9)] = positionals.map(Number)

/** For the documents of a pair. */
export const folder = mkdtempSync(join(tmpdir(), 'duet-attack-'))

/** Tries pairs until their number or the time is reached. */
export async function attackWith(tryPair) {
  const end = Date.now() + 1000 * seconds
  console.log(`seeds from ${first}`)
  let tried = 0
  try {
    do await tryPair(first + tried++)
    while (values.pairs === undefined ? Date.now() < end : tried < Number(values.pairs))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
