import { describe, expect, it } from 'vitest'
import { scaffoldDocument as document, scaffoldProject } from '../../test/fixtures/scaffold-project.js'

const { write, read, files, duet } = scaffoldProject()

const generatedTypes = `
export interface ClientsHandlers<P> { get(params: object, context: { principal: P }): unknown }
export interface Handlers<P> { clients: ClientsHandlers<P> }
export declare function problem(code: string, detail: string): Error
`

describe('duet scaffold --check', () => {
  it('fails if the handlers are not in step, writes nothing, and passes if they are', {
    tags: 'long',
  }, async () => {
    await duet('scaffold', '1.0.0', '--out', 'handlers')
    const before = files().map((path) => read(`handlers/${path}`))
    expect(await duet('scaffold', '1.1.0', '--out', 'handlers', '--check')).toEqual({
      code: 1,
      out: 'added    clients.close  (clients.ts)\nnot in step: handlers with 1.1.0. Remedy: run duet scaffold 1.1.0 --out handlers\n',
      err: '',
    })
    expect(files().map((path) => read(`handlers/${path}`))).toEqual(before)
    await duet('scaffold', '1.1.0', '--out', 'handlers')
    expect(await duet('scaffold', '1.1.0', '--out', 'handlers', '--check')).toEqual({
      code: 0,
      out: 'in step: handlers with 1.1.0\n',
      err: 'The types of handlers are not checked: no tsconfig.json was found.\n',
    })
  })

  it('fails if the handlers do not compile, and names the place', { tags: 'long' }, async () => {
    const compilerOptions = { module: 'nodenext', lib: ['es2015'], types: [] }
    write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['handlers'] }))
    write('node_modules/@shop/api/1.0.0.d.ts', generatedTypes)
    write('node_modules/@shop/api/package.json', '{ "exports": { "./1.0.0": { "types": "./1.0.0.d.ts" } } }')
    await duet('scaffold', '1.0.0', '--out', 'handlers')
    const check = ['scaffold', '1.0.0', '--out', 'handlers', '--check']
    expect(await duet(...check)).toEqual({ code: 0, out: 'in step: handlers with 1.0.0\n', err: '' })
    write(
      'handlers/principal.ts',
      "export interface Principal {}\nexport const wrong: { a: number } = { a: 'a' } as { a: string }\n",
    )
    expect(await duet(...check)).toEqual({
      code: 1,
      out: [
        "handlers/principal.ts:2:14 error TS2322: Type '{ a: string; }' is not assignable to type '{ a: number; }'.",
        "  Types of property 'a' are incompatible.",
        "    Type 'string' is not assignable to type 'number'.",
        'does not compile: handlers with 1.0.0, 1 type error\n',
      ].join('\n'),
      err: '',
    })
    const { code, out } = await duet(...check, '--format', 'json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      typeErrors: [{ file: 'principal.ts', line: 2, column: 14, code: 'TS2322' }],
    })
  })

  it('fails if something must be done by hand', async () => {
    await duet('scaffold', '1.1.0', '--out', 'handlers')
    write('handlers/clients.ts', 'export const clients: ClientsHandlers<Principal> = {')
    for (const mode of ['--check', '--dry-run', '--format=text']) {
      const { code, out } = await duet('scaffold', '1.1.0', '--out', 'handlers', mode)
      expect(code).toBe(1)
      expect(out).toContain("left     clients.ts: it does not parse (1:53 '}' expected.)\n")
    }
  })

  it('fails if a file imports another version of the generated package', async () => {
    const args = ['scaffold', '1.0.0', '--out', 'src/handlers', '--api', './src/api/1.0.0']
    await duet(...args)
    write('src/handlers/more.ts', "import { problem } from '../api/0.9.0/index.js'\nexport { problem }\n")
    const { code, out } = await duet(...args, '--check')
    expect(code).toBe(1)
    expect(out).toContain(
      'left     more.ts: it imports ../api/0.9.0/index.js: import ../api/1.0.0/index.js instead\n',
    )
    write('src/handlers/more.ts', "import { shorten } from '../api/0.9.0/index.js'\nexport { shorten }\n")
    expect((await duet(...args, '--check')).code).toBe(0)
  })

  it('passes if a handler is outside the folder, and reports that it was not read', async () => {
    await duet('scaffold', '1.0.0', '--out', 'src/handlers')
    write('src/handlers/clients.ts', "export { clients } from '../impl/clients.js'\n")
    await duet('scaffold', '1.1.0', '--out', 'src/handlers')
    const { code, out } = await duet('scaffold', '1.1.0', '--out', 'src/handlers', '--check')
    expect(code).toBe(0)
    expect(out).toBe(
      'left     clients.ts: clients is ../impl/clients.js, which is outside the folder: duet does not read it\nin step: src/handlers with 1.1.0\n',
    )
  })

  const ours = '/** POST /clients/get, JSON-RPC clients.get */'

  it.each([
    ['deleted', ''],
    ['edited', '/** Ours: asks the storage. */'],
    ['reformatted', '/**\n   * POST /clients/get, JSON-RPC clients.get\n   */'],
  ])('passes if the team has %s the comment of a stub', async (_, comment) => {
    await duet('scaffold', '1.0.0', '--out', 'handlers')
    expect(read('handlers/clients.ts')).toContain(ours)
    write('handlers/clients.ts', read('handlers/clients.ts').replace(ours, comment))
    expect(await duet('scaffold', '1.0.0', '--out', 'handlers', '--check')).toMatchObject({
      ...{ code: 0, out: 'in step: handlers with 1.0.0\n' },
    })
  })

  it('names the first different line if no operation differs', async () => {
    write('spec/1.2.0/openapi.yaml', document('1.2.0', ['get']))
    const args = ['scaffold', '1.2.0', '--out', 'handlers', '--check']
    await duet('scaffold', '1.0.0', '--out', 'handlers')
    const { code, out } = await duet(...args)
    expect(code).toBe(1)
    expect(out).toContain(
      "stale    index.ts: line 1 would be import type { Handlers } from '@shop/api/1.2.0'\n",
    )
    expect(JSON.parse((await duet(...args, '--format', 'json')).out).stale).toContainEqual({
      file: '.duet.json',
      reason: 'line 2 would be "version": "1.2.0",',
    })
  })
})

describe('a file that did not parse', () => {
  const scaffold = (version: string, ...more: string[]) =>
    duet('scaffold', version, '--out', 'src/handlers', '--api', `src/api/${version}/index.ts`, ...more)

  it('is followed and imports the version as soon as it is mended, however many versions later', async () => {
    write('spec/1.2.0/openapi.yaml', document('1.2.0', ['close']))
    await scaffold('1.0.0')
    const team = read('src/handlers/clients.ts').replace(/throw .*/, "return console.log('real')")
    write('src/handlers/clients.ts', `${team}<<<<<<< HEAD\n`)
    await scaffold('1.1.0')
    await scaffold('1.2.0')
    expect((await scaffold('1.2.0', '--check')).code).toBe(1)
    write('src/handlers/clients.ts', team)
    const { code, out } = await scaffold('1.2.0', '--check')
    expect(code).toBe(1)
    expect(out).toContain('parked   clients.get, at the end of clients.ts\n')
    await scaffold('1.2.0')
    const mended = read('src/handlers/clients.ts')
    expect(mended).toContain("import { type ClientsHandlers, problem } from '../api/1.2.0/index.js'\n")
    expect(mended).not.toContain('api/1.0.0')
    expect(mended).toContain("//     return console.log('real')\n")
    expect(await scaffold('1.2.0', '--check')).toMatchObject({ code: 0 })
    expect(read('src/handlers/.duet.json')).not.toContain('1.0.0')
  })
})
