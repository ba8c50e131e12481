import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ownCode, ownTemplates } from './fingerprint.js'

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

it('depends on each asset of duet-templates', () => {
  const root = join(home, 'templates')
  const isAsset = (path: string) => !/(^|[\\/])(dist|node_modules|pictures|script)([\\/]|$)/.test(path)
  cpSync(resolve('templates'), root, { recursive: true, filter: (path) => isAsset(path) })
  writeFileSync(join(root, 'reference/header.txt'), 'an asset of a new kind')
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /.\.\w+$/.test(path),
  )
  expect(paths.length).toBeGreaterThan(50)
  const before = ownTemplates(root)
  for (const path of paths) appendFileSync(join(root, path), ' ')
  const after = ownTemplates(root)
  // Each path is followed by its digest.
  const changed = after.filter((_, index) => after[index + 1] !== before[index + 1])
  expect(changed.toSorted()).toEqual(paths.map((path) => path.split(sep).join('/')).toSorted())
})
