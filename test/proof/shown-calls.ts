import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { compare } from '../../generator/diff/compare.js'
import { prove } from '../../generator/diff/proof/prove.js'
import { callsOf } from '../../generator/diff/report/proofs.js'
import { sidesOf } from '../diff/compared.js'
import { claimOf } from './rerun.js'

/** A call that proves a change, as reports show it. */
export interface ShownCall {
  readonly id: string
  readonly protocol: string
  /** For a shell. */
  readonly command: string
  /** What the new version is to say. */
  readonly claim: string
}

/** The calls that prove what breaks between two versions under `spec/`. */
export async function shownCalls(...versions: readonly [string, string]): Promise<ShownCall[]> {
  const [old = '', fresh = ''] = versions.map((version) =>
    readFileSync(`spec/${version}/openapi.yaml`, 'utf8'),
  )
  const sides = await sidesOf(old, fresh)
  const { changes } = await prove(compare(...sides, { today: '2026-11-21' }), ...sides)
  return changes.flatMap(({ id, level, proof }) => {
    if (level !== 'breaking' || proof.status !== 'verified') return []
    return callsOf(proof).map(({ title, text }) => ({
      id,
      protocol: title,
      command: text,
      claim: claimOf(proof.new, title),
    }))
  })
}

/**
 * What a service says against a call; nothing where it takes it. `settings`: what a person fills in, `BASE_URL` and
 * keys.
 */
export async function objections(
  { command }: ShownCall,
  settings: Readonly<Record<string, string>>,
): Promise<string[]> {
  const line = `${command} -s -w '\n%{http_code}'`
  const env = { PATH: process.env.PATH, ...settings }
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], { env })
  expect(stderr).toBe('')
  const end = stdout.lastIndexOf('\n')
  const status = Number(stdout.slice(end + 1))
  const { error, ...answer } = Object(JSON.parse(stdout.slice(0, end)))
  // The failure of a tool is a text for the model, a line for each violation.
  if (answer.result?.isError === true) return answer.result.content[0].text.split('\n')
  if (status < 400 && error === undefined) return []
  const { title = error?.message, errors = [] } = error?.data ?? answer
  return [
    `${error?.code ?? status} ${title}`,
    ...errors.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`),
  ]
}
