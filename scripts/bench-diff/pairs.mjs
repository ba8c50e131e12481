// Runs duet and oasdiff alternately on every pair of versions in a folder, and reports the median pair.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, usageOf } from '../measure/process.mjs'

/** A longer run is not repeated. */
const longSeconds = 20

/** @typedef {{ name: string, old: string, fresh: string }} Pair */
/** @typedef {import('../measure/process.mjs').Usage} Usage */

/**
 * Pairs by file names: `a.old.json` and `a.new.json`, or `a-earlier.json` and `a.json`.
 * @param {string} folder @returns {Pair[]}
 */
export function pairsOf(folder) {
  const names = new Set(readdirSync(folder))
  return [...names].sort().flatMap((old) => {
    const fresh = old.replace(/\.old(?=\.\w+$)/, '.new').replace(/-earlier(?=\.\w+$)/, '')
    if (fresh === old || !names.has(fresh)) return []
    return [
      { name: old.replace(/(\.old|-earlier)\.\w+$/, ''), old: join(folder, old), fresh: join(folder, fresh) },
    ]
  })
}

/**
 * Prints a table of the least processor time of each, and the median of the ratios.
 * @param {Pair[]} pairs @param {number} rounds @param {(pair: Pair) => { duet: string[], oasdiff?: string[] }} commandsOf
 */
export function benchPairs(pairs, rounds, commandsOf) {
  console.log('| pair | duet s | MB | oasdiff s | MB | ratio |\n| --- | --: | --: | --: | --: | --: |')
  const ratios = pairs.map((pair) => {
    const { duet, oasdiff } = commandsOf(pair)
    const [own, other] = least([duet, oasdiff ?? []], rounds)
    const ratio = (own?.cpu ?? Number.NaN) / (other?.cpu ?? Number.NaN)
    console.log(`| ${[pair.name, ...cells(own), ...cells(other), ratio.toFixed(2)].join(' | ')} |`)
    return ratio
  })
  const known = ratios.filter((ratio) => !Number.isNaN(ratio))
  if (known.length > 0)
    console.log(`\nmedian of ${known.length} pairs: ${median(known).toFixed(2)} of oasdiff's processor time`)
}

/**
 * The fastest run of each command, run alternately; undefined if one failed.
 * @param {string[][]} commands @param {number} rounds @returns {(Usage | undefined)[]}
 */
function least(commands, rounds) {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-pairs-'))
  /** @type {Usage[][]} */
  const runs = commands.map(() => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, [program, ...args]] of commands.entries()) {
      const done = runs[index] ?? []
      const isOver = done.some(({ status, cpu }) => status !== 0 || cpu > longSeconds)
      if (program === undefined || isOver) continue
      done.push(usageOf(program, args, { cwd: scratch, scratch, timeout: 300_000 }))
    }
  rmSync(scratch, { recursive: true, force: true })
  return runs.map((done) => {
    const [first] = done.toSorted((a, b) => a.cpu - b.cpu)
    return done.some(({ status }) => status !== 0) ? undefined : first
  })
}

/** @param {Usage | undefined} usage */
function cells(usage) {
  return usage === undefined ? ['', ''] : [usage.cpu.toFixed(2), usage.megabytes.toFixed(0)]
}
