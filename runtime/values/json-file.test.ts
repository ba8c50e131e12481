import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { readJsonFile } from './json-file.js'

test('reads a file once and caches it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-'))
  const path = join(folder, 'a.json')
  writeFileSync(path, '{"a": 1}')
  const first = readJsonFile(pathToFileURL(path))
  rmSync(folder, { recursive: true })
  expect(first).toEqual({ a: 1 })
  expect(readJsonFile(pathToFileURL(path))).toBe(first)
})

test('a missing file is an error', () => {
  expect(() => readJsonFile(pathToFileURL(join(tmpdir(), 'no-such-file.json')))).toThrow('ENOENT')
})
