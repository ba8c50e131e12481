import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commit } from './transaction.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'duet-transaction-'))
})

afterEach(() => rmSync(root, { recursive: true }))

const path = (name: string) => join(root, name)
const files = () => readdirSync(root, { recursive: true }).map(String).sort()

it('writes, replaces and removes, and leaves no folder empty and no temporary file', () => {
  mkdirSync(path('old'))
  writeFileSync(path('old/gone'), 'x')
  writeFileSync(path('a'), '1')
  commit({
    write: new Map([
      [path('a'), '2'],
      [path('new/b'), '3'],
    ]),
    remove: [path('old/gone')],
    roots: [root],
  })
  expect(files()).toEqual(['a', 'new', 'new/b'])
  expect(readFileSync(path('a'), 'utf8')).toBe('2')
})

it('restores everything if a change fails', () => {
  writeFileSync(path('a'), '1')
  writeFileSync(path('gone'), 'x')
  const before = statSync(path('a')).ino
  mkdirSync(path('.c.duet-new')) // in the way of the third file
  const write = new Map([
    [path('a'), '2'],
    [path('new/b'), '3'],
    [path('c'), '4'],
  ])
  expect(() => commit({ write, remove: [path('gone')], roots: [root] })).toThrow()
  expect(files()).toEqual(['.c.duet-new', 'a', 'gone'])
  expect(readFileSync(path('a'), 'utf8')).toBe('1')
  expect(statSync(path('a')).ino).toBe(before)
})

it('restores everything if the last step fails', () => {
  writeFileSync(path('a'), '1')
  mkdirSync(path('c'))
  writeFileSync(path('c/inside'), 'kept')
  mkdirSync(path('.c.duet-old'))
  writeFileSync(path('.c.duet-old/inside'), 'in the way')
  expect(() =>
    commit({
      write: new Map([
        [path('a'), '2'],
        [path('c'), '4'],
      ]),
      remove: [],
      roots: [root],
    }),
  ).toThrow()
  expect(files()).toEqual(['.c.duet-old', '.c.duet-old/inside', 'a', 'c', 'c/inside'])
  expect(readFileSync(path('a'), 'utf8')).toBe('1')
})

it('removes the leftovers of a killed run', () => {
  writeFileSync(path('.a.duet-new'), 'half')
  writeFileSync(path('.a.duet-old'), 'old')
  commit({
    write: new Map([[path('a'), '2']]),
    remove: [path('.a.duet-new'), path('.a.duet-old')],
    roots: [root],
  })
  expect(files()).toEqual(['a'])
})

it('has every replaced file in place at every moment', () => {
  writeFileSync(path('a'), '1')
  const before = statSync(path('a')).ino
  mkdirSync(path('b')) // a folder cannot be replaced, so the commit fails after a
  expect(() =>
    commit({
      write: new Map([
        [path('a'), '2'],
        [path('b'), '3'],
      ]),
      remove: [],
      roots: [root],
    }),
  ).toThrow()
  expect(files()).toEqual(['a', 'b'])
  expect(readFileSync(path('a'), 'utf8')).toBe('1')
  expect(statSync(path('a')).ino).toBe(before)
})
