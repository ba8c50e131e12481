import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cwd, duet, projectForEachTest, read, tree, write } from '../../test/duet-project.js'

projectForEachTest()

function configure(emitters: unknown, emitter = ''): void {
  write('duet.config.json', JSON.stringify({ package: '@shop/api', emitters }))
  if (emitter !== '') write('emit.mjs', emitter)
}

const titles = `
export const emitter = {
  name: 'titles',
  emit: function* (model, { options }) {
    yield ['notes/' + (options.file ?? 'title.txt'), model.title + ' ' + model.version]
  },
}`

describe('an emitter of a config file', () => {
  it('writes into every version, and its files are listed, checked and removed like the others', async () => {
    configure(['./emit.mjs'], titles)
    expect(await duet('generate')).toMatchObject({ code: 0, err: '' })
    expect(read('generated/1.0.0/notes/title.txt')).toBe('Shop 1.0.0')
    expect(read('generated/2.0.0/notes/title.txt')).toBe('Shop 2.0.0')
    // printf 'Shop 1.0.0' | sha256sum
    expect(JSON.parse(read('generated/1.0.0/manifest.json')).outputs).toContainEqual({
      path: 'notes/title.txt',
      sha256: '127347055f471c2b9829e6e43f4a8986afd84c166e19a9ec706159470a9e9593',
    })
    expect((await duet('generate', '--check')).code).toBe(0)

    write('generated/1.0.0/notes/title.txt', 'mine')
    const edited = await duet('generate', '--check')
    expect(edited).toMatchObject({ code: 1 })
    expect(edited.out).toContain('edited   generated/1.0.0/notes/title.txt')

    configure([{ use: './emit.mjs', options: { file: 'other.txt' } }])
    expect((await duet('generate')).code).toBe(0)
    expect(Object.keys(tree('generated/1.0.0'))).toContain('notes/other.txt')
    expect(Object.keys(tree('generated/1.0.0'))).not.toContain('notes/title.txt')

    configure([])
    expect((await duet('generate')).code).toBe(0)
    expect(Object.keys(tree('generated/1.0.0')).sort()).toEqual(['api.ts', 'deep/inner.ts', 'manifest.json'])
  })

  it.each(['model.operations.length = 0', 'model.schemas.clear()'])(
    'cannot change the model: %s',
    async (code) => {
      configure(['./emit.mjs'], `export default { name: 'greedy', emit: (model) => { ${code}; return [] } }`)
      const { code: exit, err } = await duet('generate')
      expect(exit).toBe(1)
      expect(err).toMatch(/^The emitter greedy failed: /)
      expect(existsSync(join(cwd, 'generated'))).toBe(false)
    },
  )

  it('can be a package, TypeScript, the default export, a Map, a promise', async () => {
    mkdirSync(join(cwd, 'node_modules/titles'), { recursive: true })
    write('node_modules/titles/package.json', '{ "name": "titles", "exports": { "import": "./index.mjs" } }')
    write(
      'node_modules/titles/index.mjs',
      "export default { name: 'p', emit: async () => new Map([['a', '1']]) }",
    )
    write('own.ts', "export default { name: 'own', emit: (): [string, string][] => [['b', '2']] }")
    configure(['titles', 'own.ts'])
    expect(await duet('generate')).toMatchObject({ code: 0, err: '' })
    expect([read('generated/1.0.0/a'), read('generated/1.0.0/b')]).toEqual(['1', '2'])
  })

  it('can be an async generator', async () => {
    const emit = "async function* () { yield ['a', '1']; yield ['b', '2'] }"
    configure(['./emit.mjs'], `export const emitter = { name: 'e', emit: ${emit} }`)
    expect(await duet('generate')).toMatchObject({ code: 0, err: '' })
    expect([read('generated/1.0.0/a'), read('generated/1.0.0/b')]).toEqual(['1', '2'])
  })

  it('can be in a TypeScript config file', { tags: 'long' }, async () => {
    rmSync(join(cwd, 'duet.config.json'))
    write('part.ts', "export const path: string = 'part.txt'\n")
    write(
      'duet.config.ts',
      "import { path } from './part.js'\nexport default { package: 'shop', emitters: [{ name: 'x', emit: () => [[path, '']] }] }\n",
    )
    expect(await duet('generate')).toMatchObject({ code: 0, err: '' })
    expect(read('generated/1.0.0/part.txt')).toBe('')
  })

  it.each([
    ["() => { throw new Error('no\\nmore') }", 'The emitter e failed: no'],
    ["async () => { throw 'text' }", 'The emitter e failed: text'],
    ['() => undefined', 'The emitter e failed: it did not return an iterable. Return pairs'],
    ["() => ({ 'a.txt': 'x' })", 'The emitter e failed: it did not return an iterable. Return pairs'],
    ["() => ''", 'The emitter e failed: it did not return an iterable. Return pairs'],
    ["() => [['../x', '']]", `The emitter e returned "../x", which leaves the version's folder.`],
    ["() => [['api.ts', '']]", 'The emitter e returned "api.ts", which already exists.'],
    ["() => [['manifest.json', '']]", 'The emitter e returned "manifest.json", which already exists.'],
    ["() => [['x', 1]]", 'The emitter e returned no UTF-8 text for x.'],
    ["() => [['x', '\\ud800']]", 'The emitter e returned no UTF-8 text for x.'],
  ])('that is %s fails by name, and nothing is written', async (emit, message) => {
    configure(['./emit.mjs'], `export const emitter = { name: 'e', emit: ${emit} }`)
    const { code, out, err } = await duet('generate')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(message)
    expect(err.split('\n').slice(1)).toEqual(['Nothing has been written.', ''])
    expect(existsSync(join(cwd, 'generated'))).toBe(false)
  })

  it.each([
    [['./gone.mjs'], '', 'emitters[0] in duet.config.json: there is no file ./gone.mjs.'],
    [['gone-package'], '', 'emitters[0] in duet.config.json: gone-package cannot be loaded: '],
    [
      ['nope.js'],
      '',
      'emitters[0] in duet.config.json: nope.js cannot be loaded: there is no package nope.js. For a file write ./nope.js',
    ],
    [['./emit.mjs'], 'export const x = (', 'emitters[0] in duet.config.json: ./emit.mjs cannot be loaded: '],
    [
      ['./emit.mjs'],
      'export const emitter = {}',
      'emitters[0] in duet.config.json: ./emit.mjs exports no emitter',
    ],
  ])('%j of %j is a wrong setting', async (emitters, text, message) => {
    configure(emitters, text)
    const { code, err } = await duet('generate')
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(err.trimEnd()).not.toContain('\n')
  })
})
