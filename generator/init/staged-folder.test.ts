import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fillFolder } from './staged-folder.js'

let home: string
let folder: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'duet-staged-'))
  folder = join(home, 'shop')
})

afterEach(() => rmSync(home, { recursive: true }))

async function fill(stage: string): Promise<void> {
  mkdirSync(join(stage, 'src'))
  for (const name of ['.gitignore', 'src/main.ts']) writeFileSync(join(stage, name), name)
}

const contents = (path: string) => readdirSync(path, { recursive: true }).map(String).sort()

it('makes a folder that others may read as any new one', async () => {
  mkdirSync(join(home, 'usual'))
  await fillFolder(folder, fill)
  expect(contents(folder)).toEqual(['.gitignore', 'src', 'src/main.ts'])
  expect(statSync(folder).mode).toBe(statSync(join(home, 'usual')).mode)
  expect(readdirSync(home).sort()).toEqual(['shop', 'usual'])
})

it('keeps the very folder that is there, and its permissions', async () => {
  mkdirSync(folder, { mode: 0o750 })
  const { ino, mode } = statSync(folder)
  await fillFolder(folder, fill)
  expect(contents(folder)).toEqual(['.gitignore', 'src', 'src/main.ts'])
  expect(statSync(folder)).toMatchObject({ ino, mode })
})

it('leaves nothing if filling fails', async () => {
  const fails = async (stage: string): Promise<void> => {
    await fill(stage)
    throw new Error('no more')
  }
  await expect(fillFolder(folder, fails)).rejects.toThrow('no more')
  expect(existsSync(folder)).toBe(false)
  mkdirSync(folder)
  await expect(fillFolder(folder, fails)).rejects.toThrow('no more')
  expect(readdirSync(folder)).toEqual([])
})

it('moves everything back if something is in the way', async () => {
  mkdirSync(folder)
  const meanwhile = async (stage: string): Promise<void> => {
    await fill(stage)
    writeFileSync(join(folder, 'src'), 'mine')
  }
  await expect(fillFolder(folder, meanwhile)).rejects.toThrow('src was created meanwhile')
  expect(contents(folder)).toEqual(['src'])
})
