import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runDuet } from '../../../test/in-process.js'

const cwd = mkdtempSync(join(tmpdir(), 'duet-failure-'))
afterAll(() => rmSync(cwd, { recursive: true }))
const document = 'openapi: 3.1.1\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n'
writeFileSync(join(cwd, 'api.yaml'), document)
writeFileSync(join(cwd, 'file'), '')

it.each([
  [
    ['init', 'shop', '--overlay', 'no.yaml'],
    2,
    /^The overlay \S*no\.yaml cannot be read: there is no such file\.\n$/,
  ],
  [
    ['generate', 'api.yaml', '--out', 'file'],
    1,
    /^Nothing has been written: file\S* cannot be used: .*folder\n/,
  ],
  [['init', 'file/shop', '--spec', 'api.yaml'], 1, /^Nothing has been written: file\S* cannot be used: a/],
])('names the path and the reason where a file is in the way: duet %j', async (command, code, text) => {
  const { err, ...result } = await runDuet(cwd, command)
  expect(result).toMatchObject({ code })
  expect(err.slice(err.search(/Nothing has|The overlay/))).toMatch(text)
})

it.runIf(existsSync('/proc/self'))('ends where no folder can be created', async () => {
  for (const command of [
    ['generate', 'api.yaml', '--out', '/proc/x/y'],
    ['init', '/proc/x/y', '--spec', 'api.yaml'],
  ]) {
    const { code, err } = await runDuet(cwd, command)
    expect([code, err]).toEqual([1, expect.stringContaining('/proc/x cannot be used: ')])
  }
})
