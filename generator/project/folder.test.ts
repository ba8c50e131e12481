import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { contentDigest } from '../cache/store.js'
import { digestInside } from './folder.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'duet-folder-'))
  mkdirSync(join(root, 'a'))
  // Long enough after the files were written to remember their digests.
  const later = Date.now() + 60_000
  vi.spyOn(Date, 'now').mockReturnValue(later)
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true })
})

it('gives the digest of what a file has now', async () => {
  writeFileSync(join(root, 'a/x'), 'one')
  expect([1, 2].map(() => digestInside(root, 'a/x'))).toEqual([contentDigest('one'), contentDigest('one')])
  await new Promise((resolve) => setTimeout(resolve, 20))
  writeFileSync(join(root, 'a/x'), 'two')
  expect(digestInside(root, 'a/x')).toBe(contentDigest('two'))
  rmSync(join(root, 'a/x'))
  expect(digestInside(root, 'a/x')).toBeUndefined()
})

it('follows no link, not even to a file that it has read', () => {
  writeFileSync(join(root, 'a/x'), 'one')
  digestInside(root, 'a/x')
  renameSync(join(root, 'a'), join(root, 'b'))
  symlinkSync('b', join(root, 'a'))
  expect(digestInside(root, 'a/x')).toBeUndefined()
})
