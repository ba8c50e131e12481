import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runDuet } from '../../test/in-process.js'

const spec = resolve('spec/1.0.0/openapi.yaml')
let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-init-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

describe('duet init refuses', () => {
  it('a folder that is not empty, and leaves it unchanged', async () => {
    mkdirSync(join(cwd, 'full'))
    writeFileSync(join(cwd, 'full/mine.txt'), 'mine')
    expect(await runDuet(cwd, ['init', 'full', '--spec', spec])).toMatchObject({
      code: 1,
      err: 'full is not an empty folder. Nothing has been written.\nRemedy: choose another one.\n',
    })
    expect(readdirSync(join(cwd, 'full'))).toEqual(['mine.txt'])
  })

  it('no folder that has only an empty repository', async () => {
    mkdirSync(join(cwd, 'cloned/.git'), { recursive: true })
    expect(await runDuet(cwd, ['init', 'cloned'])).toMatchObject({ code: 0 })
    expect(readdirSync(join(cwd, 'cloned'))).toContain('duet.config.json')
  })

  it('an invalid name, and a document with errors', async () => {
    expect(await runDuet(cwd, ['init', 'x', '--spec', spec, '--name', '../x'])).toMatchObject({
      code: 2,
      err: '"../x" is not an npm package name. Set the name with --name.\n',
    })
    writeFileSync(join(cwd, 'bad.yaml'), 'swagger: "2.0"\n')
    expect((await runDuet(cwd, ['init', 'x', '--spec', 'bad.yaml'])).code).toBe(3)
    expect(readdirSync(cwd)).toEqual(['bad.yaml'])
  })
})
