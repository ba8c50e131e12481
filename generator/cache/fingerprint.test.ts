import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ownCode } from './fingerprint.js'

const home = mkdtempSync(join(tmpdir(), 'duet-own-code-'))
afterAll(() => rmSync(home, { recursive: true }))

it('depends on the code of the bundled command, and not on what V8 made of it', () => {
  writeFileSync(join(home, 'main.cjs'), 'exports.run = 1')
  const before = ownCode(home)
  mkdirSync(join(home, 'compiled/1'), { recursive: true })
  writeFileSync(join(home, 'compiled/1/main.cjs'), 'compiled')
  expect(ownCode(home)).toEqual(before)
  writeFileSync(join(home, 'main.cjs'), 'exports.run = 2')
  expect(ownCode(home)).not.toEqual(before)
})
