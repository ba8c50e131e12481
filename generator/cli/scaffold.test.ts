import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runDuet } from '../../test/in-process.js'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-scaffold-'))
  write('duet.config.json', '{ "package": "@shop/api" }')
  write('spec/1.0.0/openapi.yaml', document('1.0.0', ['get']))
  write('spec/1.1.0/openapi.yaml', document('1.1.0', ['get', 'close']))
})

afterEach(() => rmSync(cwd, { recursive: true }))

function document(version: string, members: readonly string[]): string {
  const operations = members.map(
    (name) =>
      `  /clients/${name}:\n    post:\n      x-rpc-method: clients.${name}\n      responses: { '204': { description: Done } }\n`,
  )
  return `openapi: 3.1.0\ninfo: { title: Shop, version: ${version} }\npaths:\n${operations.join('')}`
}

const generatedTypes = `
export interface ClientsHandlers<P> { get(params: object, context: { principal: P }): unknown }
export interface Handlers<P> { clients: ClientsHandlers<P> }
export declare function problem(code: string, detail: string): Error
`

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

const read = (path: string) => readFileSync(join(cwd, path), 'utf8')
const files = () => readdirSync(join(cwd, 'handlers')).sort()

const duet = (...args: string[]) => runDuet(cwd, args)

describe('duet scaffold', () => {
  it('writes stubs, reports them, and has nothing to do the second time', async () => {
    expect(await duet('scaffold', '1.0.0', '--out', 'handlers')).toEqual({
      code: 0,
      out: 'added    clients.get  (clients.ts)\n1.0.0: 4 files written, 0 unchanged (handlers)\n',
      err: '',
    })
    expect(files()).toEqual(['.duet.json', 'clients.ts', 'index.ts', 'principal.ts'])
    expect((await duet('scaffold', '1.0.0', '--out', 'handlers')).out).toBe(
      '1.0.0: 0 files written, 3 unchanged (handlers)\n',
    )
  })

  it('never touches the type of the principal again', async () => {
    await duet('scaffold', '1.0.0', '--out', 'handlers')
    write('handlers/principal.ts', 'export type Principal = string')
    await duet('scaffold', '1.1.0', '--out', 'handlers')
    expect(read('handlers/principal.ts')).toBe('export type Principal = string')
  })

  it('imports the configured package, another one, or a path', async () => {
    await duet('scaffold', '1.0.0', '--out', 'handlers')
    expect(read('handlers/clients.ts')).toContain("from '@shop/api/1.0.0'")
    await duet('scaffold', '1.0.0', '--out', 'other', '--api', '@other/api')
    expect(read('other/clients.ts')).toContain("from '@other/api/1.0.0'")
    await duet('scaffold', '1.0.0', '--out', 'named', '--api', '@other/api/1.0.0')
    expect(read('named/clients.ts')).toContain("from '@other/api/1.0.0'")
    await duet('scaffold', '1.0.0', '--out', 'src/handlers', '--api', './src/api/1.0.0')
    expect(read('src/handlers/clients.ts')).toContain("from '../api/1.0.0/index.js'")
    await duet('scaffold', '1.1.0', '--out', 'src/handlers', '--api', 'src/api/1.1.0/index.ts')
    expect(read('src/handlers/clients.ts')).toContain("from '../api/1.1.0/index.js'")
    expect(read('src/handlers/index.ts')).toContain("from '../api/1.1.0/index.js'")
  })

  it('without a configured package, imports the default output of generate', async () => {
    rmSync(join(cwd, 'duet.config.json'))
    await duet('scaffold', '1.0.0', '--out', 'src/handlers')
    expect(read('src/handlers/clients.ts')).toContain("from '../../generated/1.0.0/index.js'")
  })
})

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

describe('duet scaffold --check', () => {
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
})

describe('duet scaffold --check', () => {
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

describe('params and results under the same name and path', () => {
  const withClient = (version: string, client: string, description: string) =>
    `openapi: 3.1.0
info: { title: Shop, version: ${version} }
paths:
  /clients:
    get: { x-rpc-method: clients.list, description: ${description}, responses: { '200': { description: ${description}, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Client' } } } } } } }
    post: { x-rpc-method: clients.add, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Client' } } } }, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Client' } } } } } }
  /ping: { get: { x-rpc-method: clients.ping, responses: { '204': { description: ok } } } }
components: { schemas: { Client: { type: object, properties: { name: { $ref: '#/components/schemas/Name' } } }, Name: { type: ${client} } } }
`
  const args = ['--out', 'handlers']

  it('are reported if their types changed at any depth, but not for changed descriptions', async () => {
    write('spec/1.0.0/openapi.yaml', withClient('1.0.0', 'string', 'old'))
    write('spec/1.1.0/openapi.yaml', withClient('1.1.0', 'integer', 'old'))
    await duet('scaffold', '1.0.0', ...args)
    const changes = `changed  clients.add: has other params and another result now  (clients.ts)
changed  clients.list: has another result now  (clients.ts)
`
    const { code, out } = await duet('scaffold', '1.1.0', ...args, '--check')
    expect(code).toBe(1)
    expect(out).toContain(changes)
    expect((await duet('scaffold', '1.1.0', ...args)).out).toContain(changes)
    write('spec/1.1.0/openapi.yaml', withClient('1.1.0', 'integer', 'new'))
    expect((await duet('scaffold', '1.1.0', ...args, '--check')).code).toBe(0)
  })
})

describe('duet scaffold --dry-run', () => {
  it('writes nothing and shows the changes as JSON', async () => {
    const { code, out } = await duet(
      'scaffold',
      '1.0.0',
      '--out',
      'handlers',
      '--dry-run',
      '--format',
      'json',
    )
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      ok: true,
      dryRun: true,
      version: '1.0.0',
      added: [{ operation: 'clients.get', file: 'clients.ts' }],
      changed: [],
      parked: [],
      left: [],
      files: { written: ['.duet.json', 'clients.ts', 'index.ts', 'principal.ts'], removed: [], unchanged: 0 },
    })
    expect(() => files()).toThrow()
  })
})

describe('what scaffolding does not touch', () => {
  it('includes the target of a link, file or folder', async () => {
    write('outside/clients.ts', 'export const clients: ClientsHandlers<Principal> = {}\n')
    mkdirSync(join(cwd, 'handlers'))
    symlinkSync(join(cwd, 'outside/clients.ts'), join(cwd, 'handlers/clients.ts'))
    symlinkSync(join(cwd, 'outside'), join(cwd, 'handlers/more'))
    const { code, out } = await duet('scaffold', '1.0.0', '--out', 'handlers')
    expect(code).toBe(0)
    expect(out).toContain('left     clients.ts: it is a link, or not a file: duet skips it\n')
    expect(read('outside/clients.ts')).toBe('export const clients: ClientsHandlers<Principal> = {}\n')
    expect(files()).toEqual(['.duet.json', 'clients.ts', 'clients_2.ts', 'index.ts', 'more', 'principal.ts'])
  })

  it('is a file that is not UTF-8', async () => {
    await duet('scaffold', '1.0.0', '--out', 'handlers')
    const bytes = Buffer.concat([Buffer.from(read('handlers/clients.ts')), Buffer.from([0x2f, 0x2f, 0xff])])
    write('handlers/clients.ts', bytes)
    const { out } = await duet('scaffold', '1.1.0', '--out', 'handlers')
    expect(out).toContain(
      'left     clients.ts: it cannot be read (it is not UTF-8 text)\n         add by hand: clients.close\n',
    )
    expect(readFileSync(join(cwd, 'handlers/clients.ts'))).toEqual(bytes)
  })

  it('is everything, if one file cannot be written', async () => {
    mkdirSync(join(cwd, 'handlers/.index.ts.duet-new'), { recursive: true })
    const { code, err } = await duet('scaffold', '1.0.0', '--out', 'handlers')
    expect(code).toBe(1)
    expect(err).toContain('Nothing has been written: ')
    expect(files()).toEqual(['.index.ts.duet-new'])
  })
})

describe('what scaffolding refuses', () => {
  it.each([
    [['scaffold', '1.0.0'], "required option '--out <dir>' not specified"],
    [['scaffold', '9.9.9', '--out', 'handlers'], '9.9.9 is neither a file nor a version under spec/.'],
    [
      ['scaffold', '1.0.0', '--out', 'h', '--check', '--dry-run'],
      '--check and --dry-run exclude each other.',
    ],
  ])('%j exits with 2 and says so', async (args, message) => {
    const { code, err } = await duet(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it('is a record that is a link', async () => {
    mkdirSync(join(cwd, 'handlers'))
    symlinkSync('/nowhere', join(cwd, 'handlers/.duet.json'))
    const { code, err } = await duet('scaffold', '1.0.0', '--out', 'handlers')
    expect(code).toBe(2)
    expect(err).toBe('.duet.json in the folder is not a file. Move it away.\n')
  })

  it('is a document with an error, for which it writes nothing', async () => {
    write('bad.yaml', 'openapi: 4.0.0\n')
    const { code, err } = await duet('scaffold', 'bad.yaml', '--out', 'handlers')
    expect(code).toBe(3)
    expect(err).toContain('Nothing has been written.')
    expect(() => files()).toThrow()
  })
})
