import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scaffoldProject } from '../../test/fixtures/scaffold-project.js'

const { inside, write, read, files, duet } = scaffoldProject()

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
    rmSync(inside('duet.config.json'))
    await duet('scaffold', '1.0.0', '--out', 'src/handlers')
    expect(read('src/handlers/clients.ts')).toContain("from '../../generated/1.0.0/index.js'")
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
    mkdirSync(inside('handlers'))
    symlinkSync(inside('outside/clients.ts'), inside('handlers/clients.ts'))
    symlinkSync(inside('outside'), inside('handlers/more'))
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
    expect(readFileSync(inside('handlers/clients.ts'))).toEqual(bytes)
  })

  it('is everything, if one file cannot be written', async () => {
    mkdirSync(inside('handlers/.index.ts.duet-new'), { recursive: true })
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
    mkdirSync(inside('handlers'))
    symlinkSync('/nowhere', inside('handlers/.duet.json'))
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
