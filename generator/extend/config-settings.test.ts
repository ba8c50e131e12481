import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cwd, document, duet, projectForEachTest, read, tree, write } from '../../test/duet-project.js'

projectForEachTest()

function configure(settings: object): void {
  write('duet.config.json', JSON.stringify({ package: '@shop/api', ...settings }))
}

describe('the settings specs and out', () => {
  it('say which documents are generated, and where', async () => {
    write('apis/shop.yaml', document('3.0.0'))
    write('apis/store/openapi.yaml', document('4.0.0'))
    write('apis/more/a/openapi.yaml', document('5.0.0'))
    configure({ specs: ['apis/shop.yaml', 'apis/store', 'apis/more', 'apis/more/a'], out: 'src/api' })
    expect(await duet('generate')).toMatchObject({ code: 0, err: '' })
    expect(Object.keys(tree('src/api')).filter((path) => path.endsWith('api.ts'))).toEqual([
      '3.0.0/api.ts',
      '4.0.0/api.ts',
      '5.0.0/api.ts',
    ])
    expect(existsSync(join(cwd, 'generated'))).toBe(false)
    expect((await duet('generate', '--check')).code).toBe(0)
    expect((await duet('lint')).out.match(/0 errors/g)).toHaveLength(3)
  })

  it('give way to the command line', async () => {
    configure({ specs: ['spec/1.0.0'], out: 'src/api' })
    expect((await duet('generate', '2.0.0')).code).toBe(0)
    expect(read('src/api/2.0.0/api.ts')).toBe('// Shop 2.0.0\n')
    expect((await duet('generate', '2.0.0', '--out', 'other')).code).toBe(0)
    expect(read('other/api.ts')).toBe('// Shop 2.0.0\n')
  })

  it('name existing files', async () => {
    rmSync(join(cwd, 'spec/1.0.0/openapi.yaml'))
    configure({ specs: ['spec/2.0.0', 'spec/1.0.0'] })
    const { code, err } = await duet('generate')
    expect(code).toBe(2)
    expect(err).toBe(
      'specs[1] in duet.config.json: spec/1.0.0 is neither a file nor a folder with an openapi.yaml in it or in its folders.\n',
    )
  })
})

describe('the setting templates', () => {
  it('names a folder that is there', async () => {
    configure({ templates: 'gone' })
    expect(await duet('generate')).toMatchObject({
      code: 2,
      err: 'templates in duet.config.json: there is no folder gone.\n',
    })
  })

  it.each([
    ['package-readme.hb', undefined],
    ['README.md', undefined],
    ['package-readme.hbs', undefined],
    ['reference/index.hbs', undefined],
    ['package_readme.hbs', 'package-readme.hbs'],
    ['reference/indx.hbs', 'reference/index.hbs'],
    ['design/tokns.css', 'design/tokens.css'],
  ])('refuses files that replace no template: %s', async (path, similar) => {
    configure({ templates: 'own' })
    write(`own/${path}`, '')
    const { code, err } = await duet('generate')
    expect(code).toBe(similar === undefined ? 0 : 2)
    if (similar === undefined) return
    expect(err).toMatch(
      `templates in duet.config.json: own/${path} replaces nothing. Did you mean ${similar}?`,
    )
    expect(err).toMatch(/ The templates are package-readme\.hbs, .*reference\/namespace\.hbs.*\.\n$/)
  })

  it('may have templates that only emitters render', async () => {
    write(
      'emit.mjs',
      "export default { name: 'own', emit: (_, { render }) => new Map([['own.txt', render('own.hbs', {})]]) }",
    )
    write('own/own.hbs', 'own')
    configure({ templates: 'own', emitters: ['./emit.mjs'] })
    expect(await duet('generate')).toMatchObject({ code: 0, err: '' })
    expect(read('generated/1.0.0/own.txt')).toBe('own')
    write('own/reference/own.hbs', 'own')
    expect((await duet('generate')).err).toMatch('own/reference/own.hbs replaces nothing.')
  })
})
