import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestOf, openStore, type Store } from './store.js'

let cwd: string
let folder: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-store-'))
  mkdirSync(join(cwd, 'node_modules'))
  folder = join(cwd, 'node_modules/.cache/duet')
})

afterEach(() => rmSync(cwd, { recursive: true }))

function open(bytes?: number): Store {
  const store = openStore(cwd, bytes)
  if (store === undefined) throw new Error('There is no store')
  return store
}

describe('the store', () => {
  it('returns the last written text to every later run', () => {
    open().write('a', 'one')
    open().write('a', 'zwei ß\n\n')
    expect(open().read('a')).toBe('zwei ß\n\n')
    expect(open().read('b')).toBeUndefined()
    expect(readdirSync(folder)).toEqual(['a'])
  })

  it('is in the nearest folder with installed packages, else nowhere', () => {
    mkdirSync(join(cwd, 'packages/shop'), { recursive: true })
    expect(openStore(join(cwd, 'packages/shop'))?.home).toBe(cwd)
    rmSync(join(cwd, 'node_modules'), { recursive: true })
    expect(openStore(cwd)).toBeUndefined()
    expect(readdirSync(cwd)).toEqual(['packages'])
  })

  it('treats damaged entries as absent', () => {
    open().write('a', 'text')
    const whole = readFileSync(join(folder, 'a'))
    for (let index = 0; index < whole.length; index += 1) {
      const damaged = Buffer.from(whole)
      damaged[index] = (damaged[index] ?? 0) ^ 1
      writeFileSync(join(folder, 'a'), damaged)
      expect(open().read('a'), `byte ${index}`).toBeUndefined()
      writeFileSync(join(folder, 'a'), whole.subarray(0, index))
      expect(open().read('a'), `${index} bytes`).toBeUndefined()
    }
  })

  it('is silent if it can be neither written nor read', () => {
    writeFileSync(join(cwd, 'node_modules/.cache'), 'a file')
    open().write('a', 'one')
    expect(open().read('a')).toBeUndefined()
    rmSync(join(cwd, 'node_modules/.cache'))
    mkdirSync(join(folder, 'a'), { recursive: true })
    open().write('a', 'one')
    expect(open().read('a')).toBeUndefined()
    expect(readdirSync(folder)).toEqual(['a'])
    chmodSync(folder, 0o555)
    open().write('b', 'one')
    chmodSync(folder, 0o755)
  })

  it('drops the least recently used entries when too large, and refuses an entry that is too large alone', () => {
    const store = open(500)
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      store.write(name, 'x'.repeat(100))
      utimesSync(join(folder, name), index, index)
    }
    expect(store.read('a')).toHaveLength(100)
    store.write('d', 'x')
    expect(readdirSync(folder).sort()).toEqual(['a', 'c', 'd'])
    store.write('e', 'x'.repeat(501))
    expect(readdirSync(folder).sort()).toEqual(['a', 'c', 'd'])
  })
})

it('distinguishes lists of texts with the same concatenation', () => {
  expect(digestOf('ab', 'c')).not.toBe(digestOf('a', 'bc'))
  expect(digestOf('a\0b')).not.toBe(digestOf('a', 'b'))
})
