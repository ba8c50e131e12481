import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adapt, diff, duet, folder, next, own, shopForEachTest, team, write } from '../../test/adapt/shop.js'

shopForEachTest()

describe('duet diff --adapters', () => {
  it('names the steps that there are between versions that are two steps apart', async () => {
    write('spec/1.2.0/openapi.yaml', next.replace('version: 1.1.0', 'version: 1.2.0'))
    await adapt()
    await duet('adapt', '1.1.0', '1.2.0')
    const { code, err } = await duet('diff', '1.0.0', '1.2.0', '--adapters')
    expect({ code, first: err.split('\n')[0] }).toEqual({
      code: 1,
      first:
        'No adapter counts: adapters has no 1.0.0-to-1.2.0.derived.ts. It has 1.0.0-to-1.1.0 and 1.1.0-to-1.2.0: compare the two versions of each step.',
    })
  })

  it('says that a folder that does not exist has no adapter', async () => {
    expect(await diff('--adapters', 'nosuch')).toMatchObject({
      code: 1,
      err: 'No adapter counts: nosuch has no 1.0.0-to-1.1.0.derived.ts.\nThe gate fails: 3 breaking changes.\n',
    })
  })
})

describe('duet adapt --check', () => {
  it('removes the temporary files of a killed run, and leaves those of a run that goes on', async () => {
    const sibling = (pid: number) => `adapters/.1.0.0-to-1.1.0.ts.${pid}-0123abcd.mjs`
    await adapt()
    write(team, own)
    // No process has a number as high.
    write(sibling(99_999_999), '')
    write(sibling(process.pid), '')
    await adapt('--check')
    expect(existsSync(join(folder, sibling(99_999_999)))).toBe(false)
    expect(existsSync(join(folder, sibling(process.pid)))).toBe(true)
  })
})
