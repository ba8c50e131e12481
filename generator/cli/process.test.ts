import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billingFolder, build, duetIn, project } from '../../test/built-duet.js'

let cwd: string

beforeAll(async () => {
  expect(await build()).toBe('')
  cwd = billingFolder()
})

afterAll(() => rmSync(cwd, { recursive: true }))

const duet = (...args: string[]) => duetIn(cwd, ...args)

describe('the duet program', () => {
  it('generates every version, and finds nothing to do the second time', { tags: 'long' }, () => {
    const first = duet('generate')
    expect({ status: first.status, stderr: first.stderr }).toEqual({ status: 0, stderr: '' })
    const check = duet('generate', '--check')
    expect(check.status, check.stdout).toBe(0)
    const second = duet('generate', '--dry-run')
    expect(second.stdout).toBe('nothing to do; nothing has been written\n')
  })

  it('gives the same bytes in another folder', { tags: 'long' }, () => {
    expect(duet('generate', '1.0.0', '--out', 'a').status).toBe(0)
    expect(duet('generate', 'spec/1.0.0/openapi.yaml', '--out', 'b').status).toBe(0)
    expect(spawnSync('diff', ['-r', 'a', 'b'], { cwd, encoding: 'utf8' }).stdout).toBe('')
  })

  it.each(['18.20.8', '20.18.3'])('says at once what Node.js it needs: under %s', (version) => {
    const bin = JSON.stringify(join(project, 'generator/bin/duet.js'))
    const versions = `{ value: { ...process.versions, node: '${version}' } }`
    const code = `Object.defineProperty(process, 'versions', ${versions}); import(${bin})`
    const { status, stderr } = spawnSync(process.execPath, ['--eval', code], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `duet needs Node.js 20.19 or later. This is ${version}.\n`,
    })
  })

  it('exits with 3 for an invalid document, without colours in a pipe', () => {
    writeFileSync(join(cwd, 'bad.yaml'), 'openapi: 4.0.0\n')
    const { status, stdout } = duet('lint', 'bad.yaml')
    expect(status).toBe(3)
    expect(stdout).toMatch(/^bad\.yaml:1:1 error openapi-version\n/)
  })

  it('names an emitter that never ends, and exits with 1', { tags: 'long' }, () => {
    const config = JSON.stringify({ package: '@shop/api', emitters: ['./idle.mjs'] })
    const folder = join(cwd, 'idle')
    cpSync(join(project, 'spec/1.0.0'), join(folder, 'spec/1.0.0'), { recursive: true })
    writeFileSync(join(folder, 'duet.config.json'), config)
    writeFileSync(
      join(folder, 'idle.mjs'),
      "export const emitter = { name: 'idle', emit: () => new Promise(() => {}) }",
    )
    const { status, stderr } = duetIn(folder, 'generate')
    expect(status).toBe(1)
    expect(stderr).toBe(
      'The emitter idle never ends: it waits for a promise that never settles.\nNothing has been written.\n',
    )
  })

  it('lets two simultaneous runs write one after the other', { tags: 'long' }, async () => {
    const folder = join(cwd, 'twice')
    for (const name of ['spec/1.0.0', 'duet.config.json'])
      cpSync(join(project, name), join(folder, name), { recursive: true })
    const run = async () => {
      const child = spawn(process.execPath, [join(project, 'generator/bin/duet.js'), 'generate'], {
        cwd: folder,
      })
      let err = ''
      child.stderr.on('data', (text) => {
        err += text
      })
      const [code] = await once(child, 'close')
      return { code, err }
    }
    const fine = { code: 0, err: '' }
    expect(await Promise.all([run(), run(), run()])).toEqual([fine, fine, fine])
    expect(duetIn(folder, 'generate', '--check').status).toBe(0)
    const files = readdirSync(folder, { recursive: true }).map(String)
    expect(files.filter((name) => /\.duet-/.test(name))).toEqual([])
  })

  it('exits with 2 for an unknown command', { tags: 'long' }, () => {
    const { status, stderr } = duet('genrate')
    expect(status).toBe(2)
    expect(stderr).toContain('(Did you mean generate?)')
  })
})
