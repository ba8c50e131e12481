// @module-tag long

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// Random schemas and mutations of them, in every position of a document. ATTACK_DIFF: the number of runs. SEED: another
// seed. The long run of properties adds a random one.

const script = (name: string): string =>
  fileURLToPath(new URL(`../../scripts/attack-diff/${name}`, import.meta.url))
const { ATTACK_DIFF = process.env.PROPERTIES === 'all' ? '200' : '4', SEED } = process.env
const random = String(Math.floor(Math.random() * 1e6))
const seeds = SEED === undefined ? ['9', ...(process.env.PROPERTIES === 'all' ? [random] : [])] : [SEED]
const longest = 300_000 + 1000 * Number(ATTACK_DIFF)

it.each(seeds)(
  'nothing is called compatible that a value contradicts, seed %s',
  { timeout: longest },
  async (seed) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      script('run.mjs'),
      ATTACK_DIFF,
      seed,
    ]).catch((error: { stdout?: string; stderr?: string }) => ({ stdout: `${error.stdout}${error.stderr}` }))
    const tally: unknown = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
    expect(tally, `npm run attack:diff -- ${ATTACK_DIFF} ${seed}\n${stdout}`).toMatchObject({
      contradictions: 0,
    })
  },
)

it(
  'nothing is overlooked in small edits, and nothing is called breaking that takes all that is sent',
  async () => {
    const pairs = process.env.PROPERTIES === 'all' ? 400 : 12
    const { stdout } = await promisify(execFile)(process.execPath, [
      script('fuzz.mjs'),
      '0',
      SEED ?? '42',
      `--pairs=${pairs}`,
    ]).catch((error: { stdout?: string; stderr?: string }) => ({ stdout: `${error.stdout}${error.stderr}` }))
    const tally: unknown = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
    expect(tally, stdout).toMatchObject({ pairs, overlooked: 0, overcalled: 0, thrown: 0 })
  },
  longest,
)

it('calls and answers of small edits of whole operations are as the review says, and its proofs hold', {
  timeout: longest,
}, async () => {
  const pairs = process.env.PROPERTIES === 'all' ? 400 : 12
  const { stdout } = await promisify(execFile)(process.execPath, [
    script('calls.mjs'),
    '0',
    SEED ?? '42',
    `--pairs=${pairs}`,
  ]).catch((error: { stdout?: string; stderr?: string }) => ({ stdout: `${error.stdout}${error.stderr}` }))
  const tally: unknown = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  expect(tally, stdout).toMatchObject({ pairs, faults: 0 })
})
