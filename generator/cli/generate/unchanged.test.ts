import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  cwd,
  document,
  duet,
  projectForEachTest,
  read,
  stages,
  tree,
  write,
} from '../../../test/duet-project.js'

projectForEachTest()

beforeEach(() => {
  mkdirSync(join(cwd, 'node_modules'))
})

afterEach(() => vi.restoreAllMocks())

const cache = () => join(cwd, 'node_modules/.cache/duet')

/** How many documents a run generated again. */
async function generated(...args: string[]): Promise<number> {
  const emit = vi.spyOn(stages, 'emit')
  const { code, err } = await duet('generate', ...args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const { length } = emit.mock.calls
  emit.mockRestore()
  return length
}

describe('a second run', () => {
  it('generates nothing if nothing has changed, touches no file, and prints the same', async () => {
    expect(await generated()).toBe(2)
    const before = statSync(join(cwd, 'generated/1.0.0/manifest.json'))
    expect(await generated()).toBe(0)
    const after = statSync(join(cwd, 'generated/1.0.0/manifest.json'))
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
    const [cached, fresh] = [
      await duet('generate', '--format', 'json'),
      await duet('generate', '--no-cache', '--format', 'json'),
    ]
    expect(cached).toEqual(fresh)
  })

  it('generates the documents that have changed', async () => {
    await generated()
    write('spec/2.0.0/openapi.yaml', document('2.0.0', 'Store'))
    expect(await generated()).toBe(1)
    expect(read('generated/2.0.0/api.ts')).toBe('// Store 2.0.0\n')
    write('spec/2.0.0/openapi.yaml', document('2.0.0'))
    expect(await generated()).toBe(1)
    expect(read('generated/2.0.0/api.ts')).toBe('// Shop 2.0.0\n')
  })

  it.each([{ exclude: { paths: ['/a'] } }, { only: ['client'] }, { overlays: ['fix.yaml'] }])(
    'generates anew where the config says %o',
    async (settings) => {
      write(
        'fix.yaml',
        'overlay: 1.0.0\ninfo: { title: Fix, version: 1.0.0 }\nactions: [{ target: $.info, update: { title: Mended } }]\n',
      )
      expect(await generated()).toBe(2)
      write('duet.config.json', JSON.stringify({ package: '@shop/api', ...settings }))
      expect(await generated()).toBe(2)
      expect(await generated()).toBe(0)
    },
  )

  it('shows warnings again, with their lines', async () => {
    write(
      'spec/1.0.0/openapi.yaml',
      `${document('1.0.0')}components: { schemas: { A: { nullable: true } } }\n`,
    )
    const first = await duet('generate')
    expect(first.err).toMatch(/warning [\s\S]* \| components/)
    const emit = vi.spyOn(stages, 'emit')
    expect((await duet('generate')).err).toBe(first.err)
    expect(emit).not.toHaveBeenCalled()
  })

  it('reports the same about a changed document as a run without a cache', async () => {
    const patterns = (...all: string[]) =>
      `${document('1.0.0')}components: { schemas: { A: { properties: ${JSON.stringify(
        Object.fromEntries(all.map((pattern, index) => [`p${index}`, { pattern }])),
      )} } } }\n`
    const file = 'spec/1.0.0/openapi.yaml'
    write(file, patterns('^d+d+$', '^e+f+$'))
    await duet('generate')
    write(file, patterns('^e+f+$', '^d+d+$', '^(g+)+$'))
    const { err } = await duet('generate', '--check', '--verbose')
    expect(err.match(/warning pattern-slow/g)).toHaveLength(2)
    expect((await duet('generate', '--check', '--no-cache', '--verbose')).err).toBe(err)
  })

  it('restores missing and edited files, and removes extra ones', async () => {
    await generated()
    const before = tree('generated')
    rmSync(join(cwd, 'generated/1.0.0/api.ts'))
    expect(await generated()).toBe(1)
    write('generated/2.0.0/deep/inner.ts', 'edited')
    expect((await duet('generate', '--check')).out).toContain('edited   generated/2.0.0/deep/inner.ts\n')
    expect(await generated()).toBe(1)
    expect(tree('generated')).toEqual(before)
    write('generated/2.0.0/extra.ts', '')
    expect((await duet('generate', '--check')).out).toContain('extra    generated/2.0.0/extra.ts')
    expect((await duet('generate')).code).toBe(1)
  })

  it('reads files again that a document refers to, and links on the way to them', async () => {
    const shared = (name: string) => `${name}: { type: string }\n`
    write('spec/1.0.0/a/parts.yaml', shared('A'))
    write('spec/1.0.0/b/parts.yaml', shared('A'))
    symlinkSync('a', join(cwd, 'spec/1.0.0/current'))
    const text = `${document('1.0.0')}components: { schemas: { A: { $ref: current/parts.yaml#/A } } }\n`
    write('spec/1.0.0/openapi.yaml', text)
    await generated()
    expect(await generated()).toBe(0)
    write('spec/1.0.0/a/parts.yaml', `${shared('A')}B: {}\n`)
    // The reference of 2.0.0 describes the changes since 1.0.0.
    expect(await generated()).toBe(2)
    expect(await generated()).toBe(0)
    rmSync(join(cwd, 'spec/1.0.0/current'))
    symlinkSync('b', join(cwd, 'spec/1.0.0/current'))
    expect(await generated()).toBe(2)
    expect(read('generated/1.0.0/deep/inner.ts')).toBe(text + shared('A'))
  })

  it('runs the emitters of a team, which may look at anything', async () => {
    write('note.txt', 'one')
    write(
      'emit.mjs',
      "import { readFileSync } from 'node:fs'\nexport const emitter = { name: 'n', emit: () => [['note', readFileSync('NOTE', 'utf8')]] }".replace(
        'NOTE',
        join(cwd, 'note.txt'),
      ),
    )
    write('duet.config.json', '{ "package": "@shop/api", "emitters": ["./emit.mjs"] }')
    await generated()
    write('note.txt', 'two')
    expect(await generated()).toBe(2)
    expect(read('generated/1.0.0/note')).toBe('two')
  })

  it('follows the settings: the package, its folder', async () => {
    await generated()
    write('duet.config.json', '{ "package": "@shop/store" }')
    // Samples in the reference name the package.
    expect(await generated()).toBe(2)
    expect(read('generated/package.json')).toContain('@shop/store')
    write('duet.config.json', '{ "package": "@shop/store", "out": "other" }')
    expect(await generated()).toBe(2)
    expect(existsSync(join(cwd, 'other/2.0.0/api.ts'))).toBe(true)
  })
})

describe('the cache', () => {
  it('is neither used nor written with --no-cache', async () => {
    await generated('--no-cache')
    expect(existsSync(cache())).toBe(false)
    await generated()
    expect(await generated('--no-cache')).toBe(2)
  })

  it('is not created without installed packages', async () => {
    rmSync(join(cwd, 'node_modules'), { recursive: true })
    await generated()
    expect(await generated()).toBe(2)
    expect(existsSync(join(cwd, 'node_modules'))).toBe(false)
  })

  it('counts as empty if its files are damaged', async () => {
    await generated()
    for (const name of readdirSync(cache())) writeFileSync(join(cache(), name), 'damaged')
    expect(await generated()).toBe(2)
    expect(await generated()).toBe(0)
  })

  it('does not mislead --check if it is outdated', async () => {
    await generated()
    const old = join(cwd, 'old')
    cpSync(cache(), old, { recursive: true })
    write('spec/2.0.0/openapi.yaml', document('2.0.0', 'Store'))
    await generated()
    rmSync(cache(), { recursive: true })
    cpSync(old, cache(), { recursive: true })
    expect((await duet('generate', '--check')).code).toBe(0)
    write('spec/2.0.0/openapi.yaml', document('2.0.0'))
    expect((await duet('generate', '--check')).out).toContain('stale    generated/2.0.0/api.ts\n')
  })

  it('serves runs at the same time', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => duet('generate', '--dry-run')))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(await generated()).toBe(2)
    expect(await generated()).toBe(0)
    expect(readdirSync(cache()).filter((name) => name.startsWith('.'))).toEqual([])
  })
})

describe('--timings', () => {
  it('prints the time of each phase and the peak memory to standard error', async () => {
    const { out, err } = await duet('generate', '--timings', '--format', 'json')
    expect(JSON.parse(out)).toMatchObject({ ok: true })
    for (const phase of ['load', 'lint', 'model', 'compare', 'write', 'total'])
      expect(err).toMatch(new RegExp(`^${phase} +\\d+\\.\\d{3} s$`, 'm'))
    expect(err).toMatch(/^memory +\d+ MB at its peak$/m)
  })
})
