import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cwd, document, duet, projectForEachTest, read, tree, write } from '../../../test/duet-project.js'

projectForEachTest()

describe('duet generate', () => {
  it('writes every version under spec/ and the package around them', async () => {
    const { code, out, err } = await duet('generate')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.replaceAll(/\d+\.\d+ s/g, '0 s')).toBe(
      '1.0.0: 0 operations, 3 files written, 0 unchanged (generated/1.0.0)\n' +
        '2.0.0: 0 operations, 3 files written, 0 unchanged (generated/2.0.0)\n' +
        '1 file written, 0 unchanged (generated) in 0 s\n',
    )
    expect(Object.keys(tree('generated'))).toEqual([
      '1.0.0/api.ts',
      '1.0.0/deep/inner.ts',
      '1.0.0/manifest.json',
      '2.0.0/api.ts',
      '2.0.0/deep/inner.ts',
      '2.0.0/manifest.json',
      'package.json',
    ])
  })

  it('without a config file, writes only the versions, and removes those without a document', async () => {
    rmSync(join(cwd, 'duet.config.json'))
    write('generated/other/notes.txt', 'mine')
    expect(await duet('generate')).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(join(cwd, 'generated')).sort()).toEqual(['1.0.0', '2.0.0', 'other'])
    expect(await duet('generate', '--check')).toMatchObject({ code: 0, err: '' })
    rmSync(join(cwd, 'spec/2.0.0'), { recursive: true })
    expect((await duet('generate', '--check')).code).toBe(1)
    await duet('generate')
    expect(readdirSync(join(cwd, 'generated')).sort()).toEqual(['1.0.0', 'other'])
  })

  it('does not touch files that stay the same', async () => {
    await duet('generate')
    const before = statSync(join(cwd, 'generated/1.0.0/api.ts'))
    write('spec/2.0.0/openapi.yaml', document('2.0.0', 'Store'))
    await duet('generate')
    const after = statSync(join(cwd, 'generated/1.0.0/api.ts'))
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
    expect(read('generated/2.0.0/api.ts')).toBe('// Store 2.0.0\n')
  })

  it('removes obsolete files of earlier runs, and versions without a document', async () => {
    await duet('generate')
    const manifest = JSON.parse(read('generated/1.0.0/manifest.json'))
    manifest.outputs.push({ path: 'before/old.ts', sha256: '' })
    write('generated/1.0.0/manifest.json', JSON.stringify(manifest))
    write('generated/1.0.0/before/old.ts', 'old')
    rmSync(join(cwd, 'spec/2.0.0'), { recursive: true })
    expect((await duet('generate')).code).toBe(0)
    expect(readdirSync(join(cwd, 'generated')).sort()).toEqual(['1.0.0', 'package.json'])
    expect(readdirSync(join(cwd, 'generated/1.0.0')).sort()).toEqual(['api.ts', 'deep', 'manifest.json'])
  })

  it('refuses to mix with files that it has not written, and writes nothing then', async () => {
    write('generated/1.0.0/notes.txt', 'mine')
    write('generated/2.0.0/api.ts', 'mine too')
    const before = tree('generated')
    const { code, err } = await duet('generate')
    expect(code).toBe(1)
    expect(err).toContain('  generated/1.0.0/notes.txt\n  generated/2.0.0/api.ts\n')
    expect(tree('generated')).toEqual(before)
  })

  it.each(['generated/1.0.0', 'generated/1.0.0/deep'])(
    'does not write through a link at %s',
    async (link) => {
      const outside = mkdtempSync(join(tmpdir(), 'duet-outside-'))
      mkdirSync(dirname(join(cwd, link)), { recursive: true })
      symlinkSync(outside, join(cwd, link))
      const { code, err } = await duet('generate')
      expect(code).toBe(1)
      expect(err).toContain(`  ${link}\n`)
      expect(readdirSync(outside)).toEqual([])
      rmSync(outside, { recursive: true })
    },
  )

  it('writes one document straight into --out, and several into folders of their versions', async () => {
    await duet('generate', '1.0.0', '--out', 'one')
    expect(Object.keys(tree('one'))).toEqual(['api.ts', 'deep/inner.ts', 'manifest.json'])
    await duet('generate', '1.0.0', 'spec/2.0.0/openapi.yaml', '--out', 'both')
    expect(readdirSync(join(cwd, 'both')).sort()).toEqual(['1.0.0', '2.0.0'])
    await duet('generate', '2.0.0')
    expect(readdirSync(join(cwd, 'generated'))).toEqual(['2.0.0'])
  })

  it('shows all errors of all documents and touches nothing', async () => {
    await duet('generate')
    write('spec/1.0.0/openapi.yaml', document('1.0.0', 'Changed'))
    write('spec/2.0.0/openapi.yaml', `${document('2.0.0')}servers: 1\ntags: 2\n`)
    write('spec/3.0.0/openapi.yaml', 'openapi: 4.0.0\n')
    const before = tree('generated')
    const { code, out, err } = await duet('generate')
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err.match(/^\S+ error \S+$/gm)).toEqual([
      'spec/2.0.0/openapi.yaml:4:1 error wrong-type',
      'spec/2.0.0/openapi.yaml:5:1 error wrong-type',
      'spec/3.0.0/openapi.yaml:1:1 error openapi-version',
    ])
    expect(tree('generated')).toEqual(before)
  })

  it('refuses two documents of one version', async () => {
    write('other.yaml', document('1.0.0'))
    const { code, err } = await duet('generate', '1.0.0', 'other.yaml')
    expect(code).toBe(3)
    expect(err).toContain('spec/1.0.0/openapi.yaml and other.yaml both have the version 1.0.0.')
  })

  it('refuses a version that differs from its folder', async () => {
    write('spec/2.0.0/openapi.yaml', document('2.1.0'))
    const { code, err } = await duet('generate')
    expect(code).toBe(3)
    expect(err).toContain('spec/2.0.0/openapi.yaml has the version 2.1.0.')
  })

  it('puts everything back when it cannot write', async () => {
    await duet('generate')
    write('spec/1.0.0/openapi.yaml', document('1.0.0', 'A'))
    write('spec/2.0.0/openapi.yaml', document('2.0.0', 'B'))
    mkdirSync(join(cwd, 'generated/2.0.0/deep/.inner.ts.duet-new'))
    const before = tree('generated')
    const { code, err } = await duet('generate')
    expect(code).toBe(1)
    expect(err).toMatch(/^Nothing has been written: \S+ cannot be used: it is a folder\n/)
    expect(tree('generated')).toEqual(before)
  })

  it('prints JSON alone', async () => {
    const { out, err } = await duet('generate', '--format', 'json')
    expect(err).toBe('')
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      versions: [
        { version: '1.0.0', spec: 'spec/1.0.0/openapi.yaml', folder: 'generated/1.0.0', unchanged: 0 },
        { version: '2.0.0', created: ['api.ts', 'deep/inner.ts', 'manifest.json'] },
      ],
      errors: 0,
      warnings: 0,
    })
  })
})

describe('duet generate --dry-run', () => {
  it('lists every step and takes none', async () => {
    await duet('generate')
    rmSync(join(cwd, 'generated/1.0.0/api.ts'))
    rmSync(join(cwd, 'spec/2.0.0'), { recursive: true })
    const before = tree('generated')
    const { code, out } = await duet('generate', '--dry-run')
    expect(code).toBe(0)
    expect(out).toBe(
      'create  generated/1.0.0/api.ts\nremove  generated/2.0.0/api.ts\nremove  generated/2.0.0/deep/inner.ts\n' +
        'remove  generated/2.0.0/manifest.json\nchange  generated/package.json\n5 changes; nothing has been written\n',
    )
    expect(tree('generated')).toEqual(before)
  })
})
