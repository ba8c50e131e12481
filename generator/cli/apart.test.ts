// @module-tag long

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { adapt, folder, shopForEachTest, team, write } from '../../test/adapt/shop.js'
import { build, duetIn } from '../../test/built-duet.js'

// Code of a team runs in a thread of its own, which may end or never come to an end.

shopForEachTest()

beforeAll(async () => expect(await build()).toBe(''))

beforeEach(async () => void (await adapt()))

const fine = '(params) => ({ ...params, limit: 1 })'
const written = (params: string, line = '') =>
  write(
    team,
    `import { derived, type Written } from './1.0.0-to-1.1.0.derived.js'
${line}
const written: Written = { 'shop.search': { loss: 'rows', params: ${params} }, 'shop.token': { gone: 'not_found' } }
export const adapter = { ...derived, ...written }
`,
  )

describe.each([
  ['adapt', ['adapt', '1.0.0', '1.1.0', '--check']],
  ['diff', ['diff', '1.0.0', '1.1.0', '--adapters']],
])('duet %s', (command, args) => {
  it.each([
    ['ends the process', '() => process.exit(0)', '', 'shop.search params: ends the process'],
    [
      'ends the process once it is loaded',
      fine,
      'queueMicrotask(() => process.exit(0))',
      'loading 1.0.0-to-1.1.0.ts: ends the process',
    ],
    ['never comes to an end', '() => { for (;;); }', '', 'shop.search params: did not end within 5 seconds'],
  ])('fails if the code of the team %s', (_, params, line, what) => {
    written(params, line)
    const { status, stdout, stderr } = duetIn(folder, ...args)
    expect(status).toBe(1)
    expect(command === 'diff' ? stderr : stdout).toContain(`fails    ${what}\n`)
    expect(readdirSync(join(folder, 'adapters')).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('ends though the code of the team leaves a timer', () => {
    written(fine, 'setInterval(() => {}, 1000)')
    expect(duetIn(folder, ...args).stdout).toContain(
      command === 'diff' ? '3 breaking (3 adapted)' : 'shop.search params: held over ',
    )
  })
})

it('gives programs the finding as JSON', () => {
  written('() => process.exit(0)')
  const { status, stdout } = duetIn(folder, 'adapt', '1.0.0', '1.1.0', '--check', '--format', 'json')
  expect({ status, value: JSON.parse(stdout) }).toEqual({
    status: 1,
    value: { ok: false, stale: [], faults: ['fails    shop.search params: ends the process'] },
  })
})
