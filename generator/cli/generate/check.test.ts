import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { build, cwd, document, duet, projectForEachTest, tree, write } from '../../../test/duet-project.js'

projectForEachTest()

describe('duet generate --check', () => {
  beforeEach(() => duet('generate'))

  it('passes if everything is up to date, and ignores build output', async () => {
    write('generated/dist/1.0.0/api.js', '')
    write('generated/node_modules/x/index.js', '')
    expect(await duet('generate', '--check')).toEqual({
      code: 0,
      out: 'up to date: 7 files of 2 versions\n',
      err: '',
    })
  })

  it('lists missing, stale, edited and extra files of every version, and writes nothing', async () => {
    rmSync(join(cwd, 'generated/1.0.0/api.ts'))
    write('generated/1.0.0/deep/inner.ts', 'edited')
    write('spec/2.0.0/openapi.yaml', document('2.0.0', 'Store'))
    write('generated/2.0.0/extra.txt', '')
    write('generated/0.9.0/api.ts', '')
    write('generated/package.json', JSON.stringify({ scripts: { build } }))
    write('generated/1.0.0/dist/api.js', '')
    const before = tree('generated')
    const { code, out } = await duet('generate', '--check')
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      'missing  generated/1.0.0/api.ts',
      'edited   generated/1.0.0/deep/inner.ts',
      'extra    generated/1.0.0/dist/api.js  (not from duet: move or delete it)',
      'stale    generated/2.0.0/api.ts',
      'stale    generated/2.0.0/deep/inner.ts',
      'stale    generated/2.0.0/manifest.json',
      'extra    generated/2.0.0/extra.txt  (not from duet: move or delete it)',
      'extra    generated/0.9.0/api.ts  (not from duet: move or delete it)',
      'stale    generated/package.json',
      '9 differences. Remedy: run duet generate',
      '',
    ])
    expect(tree('generated')).toEqual(before)
  })

  it('finds any single byte that changes, in any file', async () => {
    for (const [path, text] of Object.entries(tree('generated'))) {
      write(`generated/${path}`, `${text.slice(0, -1)}~`)
      expect((await duet('generate', '--check')).code, path).toBe(1)
      write(`generated/${path}`, text)
    }
    expect((await duet('generate', '--check')).code).toBe(0)
  })

  it('compares bytes, not decoded text', async () => {
    write('spec/2.0.0/openapi.yaml', document('2.0.0', '"\ufffd"'))
    await duet('generate')
    const path = join(cwd, 'generated/2.0.0/deep/inner.ts')
    writeFileSync(path, Buffer.from(readFileSync(path, 'latin1').replace('\xef\xbf\xbd', '\xff'), 'latin1'))
    expect((await duet('generate', '--check')).out).toContain('edited   generated/2.0.0/deep/inner.ts\n')
  })

  it('advises to move foreign files if nothing else differs', async () => {
    write('generated/1.0.0/mine.ts', '')
    expect((await duet('generate', '--check')).out).toBe(
      'extra    generated/1.0.0/mine.ts  (not from duet: move or delete it)\n' +
        '1 difference. Remedy: move or delete these files\n',
    )
  })

  it('finds a version without a document, and an extra file next to the versions', async () => {
    rmSync(join(cwd, 'spec/2.0.0'), { recursive: true })
    write('generated/stray.txt', '')
    const { code, out } = await duet('generate', '--check')
    expect(code).toBe(1)
    expect(out).toContain('extra    generated/2.0.0/api.ts\n')
    expect(out).toContain('extra    generated/stray.txt  (not from duet: move or delete it)\n')
  })
})
