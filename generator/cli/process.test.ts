import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// What only a real process shows: the built program, its streams and its exit code.

const generator = fileURLToPath(new URL('..', import.meta.url))
const project = fileURLToPath(new URL('../..', import.meta.url))
let cwd: string

beforeAll(() => {
  const built = spawnSync('npx', ['tsc', '-b', 'generator'], { cwd: project, encoding: 'utf8' })
  expect(built.stdout).toBe('')
  cwd = mkdtempSync(join(tmpdir(), 'duet-process-'))
  cpSync(join(project, 'spec'), join(cwd, 'spec'), { recursive: true })
  cpSync(join(project, 'duet.config.json'), join(cwd, 'duet.config.json'))
}, 120_000)

afterAll(() => rmSync(cwd, { recursive: true }))

function duet(...args: string[]) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env
  const options = { cwd, encoding: 'utf8', env } as const
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(generator, 'bin/duet.js'), ...args],
    options,
  )
  return { status, stdout, stderr }
}

describe('the duet program', () => {
  it('generates every version, and finds nothing to do the second time', () => {
    const first = duet('generate')
    expect({ status: first.status, stderr: first.stderr }).toEqual({ status: 0, stderr: '' })
    const check = duet('generate', '--check')
    expect(check.status, check.stdout).toBe(0)
    const second = duet('generate', '--dry-run')
    expect(second.stdout).toBe('nothing to do; nothing has been written\n')
  })

  it('gives the same bytes in another folder', () => {
    expect(duet('generate', '1.0.0', '--out', 'a').status).toBe(0)
    expect(duet('generate', 'spec/1.0.0/openapi.yaml', '--out', 'b').status).toBe(0)
    expect(spawnSync('diff', ['-r', 'a', 'b'], { cwd, encoding: 'utf8' }).stdout).toBe('')
  })

  it('exits with 3 for an invalid document, without colours in a pipe', () => {
    writeFileSync(join(cwd, 'bad.yaml'), 'swagger: "2.0"\n')
    const { status, stdout } = duet('lint', 'bad.yaml')
    expect(status).toBe(3)
    expect(stdout).toMatch(/^bad\.yaml:1:1 error swagger-2\n/)
  })

  it('names an emitter that never ends, and exits with 1', () => {
    const config = JSON.stringify({ package: '@shop/api', emitters: ['./idle.mjs'] })
    const folder = join(cwd, 'idle')
    cpSync(join(project, 'spec/1.0.0'), join(folder, 'spec/1.0.0'), { recursive: true })
    writeFileSync(join(folder, 'duet.config.json'), config)
    writeFileSync(
      join(folder, 'idle.mjs'),
      "export const emitter = { name: 'idle', emit: () => new Promise(() => {}) }",
    )
    const command = [join(generator, 'bin/duet.js'), 'generate']
    const { status, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toBe(
      'The emitter idle never ends: it waits for a promise that never settles.\nNothing has been written.\n',
    )
  })

  it('exits with 2 for an unknown command', () => {
    const { status, stderr } = duet('genrate')
    expect(status).toBe(2)
    expect(stderr).toContain('(Did you mean generate?)')
  })
})
