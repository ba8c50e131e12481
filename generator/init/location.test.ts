import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { specifierOf } from './location.js'

let home: string

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'duet-location-')))
})

afterEach(() => rmSync(home, { recursive: true }))

function installed(resolved: string): string {
  const root = join(home, 'tools/node_modules/duet-api')
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, 'package.json'), '{ "name": "duet-api", "version": "1.2.3" }')
  const note = { packages: { 'node_modules/duet-api': { version: '1.2.3', resolved } } }
  writeFileSync(join(home, 'tools/node_modules/.package-lock.json'), JSON.stringify(note))
  return root
}

it('is a path to a checkout, relative to the project', () => {
  const root = join(home, 'src/duet/generator')
  expect(specifierOf('duet-api', root, join(home, 'work/shop'))).toBe('file:../../src/duet/generator')
})

it('is a path to what was installed from a tarball', () => {
  const root = installed('file:../duet-api-1.2.3.tgz')
  expect(specifierOf('duet-api', root, join(home, 'shop'))).toBe('file:../tools/node_modules/duet-api')
})

it('is the version of what was installed from a registry', () => {
  const root = installed('https://registry.example/duet-api/-/duet-api-1.2.3.tgz')
  expect(specifierOf('duet-api', root, join(home, 'shop'))).toBe('1.2.3')
})
