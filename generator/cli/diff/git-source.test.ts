import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { versionSource } from './diff-source.js'
import { unpack } from './git-source.js'

let cwd: string

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-git-test-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' })
  for (const folder of ['api/parts', 'shared', 'empty']) mkdirSync(join(cwd, folder), { recursive: true })
  writeFileSync(
    join(cwd, 'api/openapi.yaml'),
    "a: { $ref: 'parts/a%20b.yaml#/A' }\nb: { $ref: ../shared/c.yaml }\n",
  )
  writeFileSync(join(cwd, 'api/parts/a b.yaml'), 'A: { $ref: ./d.txt }\n')
  writeFileSync(join(cwd, 'api/parts/d.txt'), 'type: string\n')
  writeFileSync(join(cwd, 'api/parts/other.yaml'), 'type: string\n')
  writeFileSync(
    join(cwd, 'shared/c.yaml'),
    "x: ../api/openapi.yaml, ../../../etc/passwd.yaml, { $ref: '/etc/hosts' }\n",
  )
  symlinkSync('openapi.yaml', join(cwd, 'api/link.yaml'))
  git('init')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-m', 'Shop')
})

afterAll(() => rmSync(cwd, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

describe('a committed document', () => {
  it('comes only with the files that it refers to, anywhere in the repository', () => {
    const { file, cwd: folder, dispose } = unpack('HEAD', 'api/openapi.yaml', cwd)
    expect(file).toBe('api/openapi.yaml')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    expect(files.map(({ name }) => name).sort()).toEqual(['a b.yaml', 'c.yaml', 'd.txt', 'openapi.yaml'])
    dispose()
    expect(existsSync(folder)).toBe(false)
  })

  it('is found from a folder of the repository, also above it', () => {
    for (const [path, from] of [
      ['openapi.yaml', 'api'],
      ['../api/openapi.yaml', 'shared'],
    ] as const) {
      const { file, dispose } = unpack('HEAD', path, join(cwd, from))
      expect(file).toBe('api/openapi.yaml')
      dispose()
    }
  })

  it.each([
    ['git:HEAD:none.yaml', 'git has no file none.yaml in HEAD.'],
    ['git:HEAD:api', 'git has no file api in HEAD.'],
    ['git:HEAD:api/link.yaml', 'git has no file api/link.yaml in HEAD.'],
    ['git:HEAD:../x.yaml', '../x.yaml leads out of the repository.'],
    ['git:HEAD:/etc/x.yaml', '/etc/x.yaml leads out of the repository.'],
    ['git:none:api/openapi.yaml', 'git has no revision none. Fetch it first'],
    ['git:HEAD~9:api/openapi.yaml', 'git has no revision HEAD~9. Fetch it first'],
    ['git:--output=stolen:api/openapi.yaml', '--output=stolen is not a revision'],
    ['git:-h:api/openapi.yaml', '-h is not a revision'],
    ['git:HEAD', 'git:HEAD is incomplete. Write git:REV:PATH.'],
    ['git::api/openapi.yaml', 'is incomplete'],
  ])('that is not there is explained: %s', (named, message) => {
    expect(() => versionSource(named, cwd)).toThrow(message)
    expect(existsSync(join(cwd, 'stolen'))).toBe(false)
  })

  it('needs a repository', () => {
    const outside = mkdtempSync(join(tmpdir(), 'duet-git-none-'))
    vi.stubEnv('GIT_CEILING_DIRECTORIES', tmpdir())
    expect(() => unpack('HEAD', 'openapi.yaml', outside)).toThrow(
      'git:REV:PATH needs a git repository. This folder is in none.',
    )
    rmSync(outside, { recursive: true })
  })

  it('needs git', () => {
    vi.stubEnv('PATH', join(cwd, 'empty'))
    expect(() => unpack('HEAD', 'openapi.yaml', cwd)).toThrow(
      'git:REV:PATH needs git, which is not installed.',
    )
  })
})
