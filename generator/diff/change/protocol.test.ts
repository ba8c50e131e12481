import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { protocols } from './protocol.js'

const review = fileURLToPath(new URL('..', import.meta.url))

/** Where a new protocol needs code of its own. Everything else follows from its row in `protocol.ts`. */
const deciding = [
  // A pair of operations may hold for the callers by path or for those by name alone.
  ...[
    'changelog/history.ts',
    'facts/existence.ts',
    'pairing/pairing.ts',
    'pairing/score.ts',
    'proof/attempts.ts',
  ],
  // A proof sends calls and answers.
  ...['proof/calls/answers.ts', 'proof/calls/calls.ts', 'proof/prove.ts'],
]

it('names protocols only where a new one needs code of its own', () => {
  const named = new RegExp(protocols.map((protocol) => `'${protocol}'`).join('|'))
  const files = readdirSync(review, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => named.test(readFileSync(join(review, file), 'utf8'))).sort()).toEqual(
    deciding.sort(),
  )
})
