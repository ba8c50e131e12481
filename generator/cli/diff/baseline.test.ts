import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runDuet } from '../../../test/in-process.js'
import { buildModel } from '../../model/build/build.js'
import { examine } from '../shared/examine.js'
import type { Stages } from '../shared/stages.js'
import { withBaselineWarnings } from './baseline.js'

let cwd: string
const stages = { buildModel } as unknown as Stages

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-baseline-'))
  write('spec/1.0.0/openapi.yaml', shop('1.0.0', 100))
  write('spec/1.1.0/openapi.yaml', shop('1.1.0', 50))
  write('spec/2.0.0/openapi.yaml', shop('2.0.0', 10))
})

afterEach(() => rmSync(cwd, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

function shop(version: string, maximum: number): string {
  return [
    'openapi: 3.1.1',
    `info: { title: Shop, version: ${version} }`,
    'servers: [{ url: / }]',
    'paths:',
    '  /a:',
    '    get:',
    '      x-rpc-method: shop.list',
    `      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: ${maximum} } }]`,
    "      responses: { '200': { description: Fine } }",
    '',
  ].join('\n')
}

/** What linting all three versions with these settings reports: file, line, code, and the affected version. */
async function lint(settings: object): Promise<string[]> {
  write('duet.config.json', JSON.stringify({ package: '@shop/api', ...settings }))
  const versions = ['1.0.0', '1.1.0', '2.0.0'].map((version) => `spec/${version}/openapi.yaml`)
  const alone = await Promise.all(versions.map((file) => examine(file, cwd, stages)))
  expect(alone.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  const found = await withBaselineWarnings(alone, cwd, stages, false)
  return found.flatMap(({ diagnostics }) =>
    diagnostics.map(({ at, code, message }) => {
      const of = / in (\S+) notice/.exec(message)?.[1] ?? ''
      return `${at.file}:${at.line} ${code} ${of}`.trim()
    }),
  )
}

const [second, third] = ['spec/1.1.0/openapi.yaml:8', 'spec/2.0.0/openapi.yaml:8']

describe('linting against a baseline', () => {
  it('is silent without a configured baseline', async () => {
    expect(await lint({})).toEqual([])
  })

  it('warns if the new document breaks callers, but not of a document and itself', async () => {
    expect(await lint({ baseline: '1.0.0' })).toEqual([
      `${second} breaking-change 1.0.0`,
      `${third} breaking-change 1.0.0`,
    ])
  })

  it('uses the previous release if its version promises compatibility', async () => {
    expect(await lint({ baseline: 'previous' })).toEqual([`${second} breaking-change 1.0.0`])
  })

  it('uses a baseline for each document', async () => {
    const baseline = { '2.0.0': '1.1.0', 'spec/1.1.0/openapi.yaml': 'previous' }
    expect(await lint({ baseline })).toEqual([
      `${second} breaking-change 1.0.0`,
      `${third} breaking-change 1.1.0`,
    ])
  })

  it('uses a committed document', { tags: 'long' }, async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' })
    git('init')
    git('add', 'spec')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-m', 'Shop')
    const baseline = { '1.1.0': 'git:HEAD:spec/1.1.0/openapi.yaml' }
    expect(await lint({ baseline })).toEqual([])
    write('spec/1.1.0/openapi.yaml', shop('1.1.0', 49))
    expect(await lint({ baseline })).toEqual([`${second} breaking-change 1.1.0`])
    await expect(lint({ baseline: 'git:none:spec/1.1.0/openapi.yaml' })).rejects.toThrow('no revision none')
  })

  it('has a remedy, and omits waived changes', async () => {
    write('duet.config.json', JSON.stringify({ package: 'a', baseline: '1.0.0' }))
    const alone = await examine('spec/1.1.0/openapi.yaml', cwd, stages)
    const [found] = await withBaselineWarnings([alone], cwd, stages, false)
    expect(found?.diagnostics).toMatchObject([
      {
        severity: 'warning',
        message:
          'Callers of shop.list in 1.0.0 notice: the query parameter limit: `maximum` became smaller (100 to 50)',
        remedy:
          'Revert it, announce it with a major version bump, or waive it. duet diff 1.0.0 spec/1.1.0/openapi.yaml shows the whole review.',
      },
    ])
    const { compared } = await import('../../../test/diff/compared.js')
    const [change] = (await compared(shop('1.0.0', 100), shop('1.1.0', 50))).changes
    const waiver = { fingerprint: change?.fingerprint, owner: 'Ada', reason: 'x', expires: '2999-12-31' }
    write('waivers.yaml', JSON.stringify([waiver]))
    expect(await lint({ baseline: { '1.1.0': '1.0.0' }, waivers: 'waivers.yaml' })).toEqual([])
    write('waivers.yaml', '- owner: Ada')
    expect(new Set(await lint({ baseline: '1.0.0', waivers: 'waivers.yaml' }))).toEqual(
      new Set(['waivers.yaml:1 waiver-field-missing']),
    )
  })

  it('shows the errors of a baseline that has any', async () => {
    write('old.yaml', 'openapi: 3.1.1\npaths: [')
    expect(await lint({ baseline: { '1.1.0': 'old.yaml' } })).toEqual([
      expect.stringMatching(/^old\.yaml:\d yaml-syntax$/),
    ])
  })

  it('never fails: only the gate does', async () => {
    write('duet.config.json', JSON.stringify({ package: 'a', baseline: 'previous' }))
    const { code, out } = await runDuet(cwd, ['lint', '1.1.0'])
    expect(code).toBe(0)
    expect(out).toMatch(/^spec\/1\.1\.0\/openapi\.yaml:8:\d+ warning breaking-change\n/)
    expect(out).toMatch(/\n0 errors, 1 warning in spec\/1\.1\.0\/openapi\.yaml\n$/)
  })

  it('explains its code', async () => {
    expect((await runDuet(cwd, ['lint', '--explain', 'breaking-change'])).out).toMatch(
      /^breaking-change \(warning\): Change that breaks callers\n/,
    )
  })
})
