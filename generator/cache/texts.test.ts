import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StoredPieces } from './pieces.js'
import { openStore, type Store } from './store.js'

let folder: string
let store: Store

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'duet-texts-'))
  mkdirSync(join(folder, 'node_modules'))
  store = openStore(folder) ?? expect.fail('no store')
})

afterEach(() => rmSync(folder, { recursive: true }))

const pages = { one: '<p>\n[["a",1]]\n</p>', two: '', three: 'ünï\u{1f600}\ud800 text' }

it('texts come back as they were, whatever is in them', () => {
  const first = new StoredPieces(store, 'doc')
  for (const [name, text] of Object.entries(pages)) first.texts.set(text, 'page', name)
  first.save()
  const second = new StoredPieces(store, 'doc')
  expect(second.texts.get('page', 'one')).toBe(pages.one)
  expect(second.texts.get('page', 'two')).toBe('')
  expect(second.texts.get('page', 'three')).toBe('ünï\u{1f600}\ufffd text')
  expect(second.texts.get('page', 'four')).toBeUndefined()
  expect(second.get('page', 'one')).toBeUndefined()
})

it('a small change writes little, and unused texts are removed in time', () => {
  const write = (texts: readonly string[]) => {
    const pieces = new StoredPieces(store, 'doc')
    for (const text of texts)
      if (pieces.texts.get(text) === undefined) pieces.texts.set(text.repeat(1_000), text)
    pieces.save()
  }
  const sizes = () => {
    const cache = join(folder, 'node_modules/.cache/duet')
    return readdirSync(cache)
      .filter((name) => name.startsWith('texts-'))
      .map((name) => statSync(join(cache, name)).size)
      .sort((a, b) => b - a)
  }
  write(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const [whole = 0] = sizes()
  write(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'x'])
  expect(sizes()[0]).toBe(whole)
  expect(sizes()[1]).toBeLessThan(whole / 4)
  write(['x', 'y', 'z'])
  expect(sizes()[0]).toBeLessThan(whole / 2)
  expect(new StoredPieces(store, 'doc').texts.get('a')).toBeUndefined()
  expect(new StoredPieces(store, 'doc').texts.get('x')).toBe('x'.repeat(1_000))
})
