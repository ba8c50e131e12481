import { describe, expect, it } from 'vitest'
import { cwd, projectForEachTest, read, write } from '../../../test/duet-project.js'
import { runDuet } from '../../../test/in-process.js'
import { loadDocument } from '../../load/load.js'
import { namingOf } from './naming.js'

projectForEachTest()

function namingOfVersion(version: string) {
  write('api.yaml', `openapi: 3.1.1\ninfo: { title: Shop, version: ${version} }\npaths: {}\n`)
  const { document } = loadDocument('api.yaml', { cwd, remote: false })
  if (document === undefined) throw new Error('the document has errors')
  return namingOf(document, cwd)
}

const shown = { name: 'orders.update', method: 'PUT', path: '/orders/{id}', operationId: 'putOrder' }

function generated(version: string, naming?: object): void {
  write(`generated/${version}/manifest.json`, JSON.stringify({ outputs: [], ...(naming && { naming }) }))
}

function configure(naming: unknown): void {
  write('duet.config.json', JSON.stringify({ package: '@shop/api', naming }))
}

describe('how a version is named', () => {
  it('is by operationIds in a new project', () => {
    expect(namingOfVersion('1.0.0')).toEqual({ strategy: 'operationId', earlier: [] })
  })

  it('stays what it was, with its names', () => {
    generated('1.0.0', { strategy: 'path', operations: [shown, { name: 'x' }, null] })
    generated('1.1.0', { strategy: 'operationId', operations: [] })
    expect(namingOfVersion('1.0.0')).toEqual({ strategy: 'path', earlier: [shown] })
  })

  it('is classic where the manifest says nothing of it', () => {
    generated('1.0.0')
    expect(namingOfVersion('1.0.0')).toEqual({ strategy: 'classic', earlier: [] })
  })

  it('is that of the newest version before, where it has not been generated', () => {
    generated('1.0.0')
    generated('1.10.0', { strategy: 'operationId', operations: [shown] })
    generated('3.0.0')
    expect(namingOfVersion('2.0.0')).toEqual({ strategy: 'operationId', earlier: [shown] })
  })

  it('is what the config file says, of all versions or of one', () => {
    generated('1.0.0')
    configure('path')
    expect(namingOfVersion('1.0.0')).toEqual({ strategy: 'path', earlier: [] })
    configure({ '2.0.0': 'operationId' })
    expect(namingOfVersion('1.0.0')).toEqual({ strategy: 'classic', earlier: [] })
    expect(namingOfVersion('2.0.0')).toEqual({ strategy: 'operationId', earlier: [] })
  })

  it('takes a manifest that says something odd for one of now', () => {
    generated('1.0.0', { strategy: 'odd', operations: 'none' })
    expect(namingOfVersion('1.0.0')).toEqual({ strategy: 'operationId', earlier: [] })
  })
})

it.each(['lint', 'generate'])('%s refuses naming of a version that no document has', async (command) => {
  const paths = { '/a': { get: { responses: { 204: { description: 'Done' } } } } }
  write(
    'api/shop.json',
    JSON.stringify({ openapi: '3.1.1', info: { title: 'Shop', version: '1.0.0' }, paths }),
  )
  const configure = (naming: object) =>
    write('duet.config.json', JSON.stringify({ package: '@shop/api', specs: ['api/shop.json'], naming }))
  configure({ '1.0.0': 'path' })
  expect(await runDuet(cwd, [command])).toMatchObject({ code: 0 })
  configure({ '1.0.0': 'path', '2.0.0': 'classic' })
  expect(await runDuet(cwd, [command])).toMatchObject({
    code: 2,
    err: 'naming in duet.config.json: no document has the version 2.0.0. Did you mean 1.0.0?\n',
  })
})

describe('an operation that is added', () => {
  const document = (version: string, paths: object): string =>
    JSON.stringify({ openapi: '3.1.1', info: { title: 'Shop', version }, paths })
  const done = { responses: { 204: { description: 'Done' } } }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
  const less = { '/orders/{id}': { parameters, put: done } }
  const more = { '/orders/{id}': { parameters, put: done, patch: done } }

  it('leaves the names of a generated version alone', async () => {
    configure(undefined)
    write('api.json', document('1.0.0', less))
    const generate = () => runDuet(cwd, ['generate', 'api.json', '--out', 'api', '--no-cache'])
    expect((await generate()).code).toBe(0)
    write('api.json', document('1.0.0', more))
    expect((await generate()).code).toBe(0)
    expect(read('api/jsonrpc.ts').match(/'orders\.\w+'/g)).toEqual(["'orders.patch'", "'orders.update'"])
  })

  it('is no renaming of another in a review of two documents', async () => {
    write('old.json', document('1.0.0', less))
    write('new.json', document('1.1.0', more))
    const { out } = await runDuet(cwd, ['diff', 'old.json', 'new.json', '--format', 'json'])
    const { changes }: { changes: { id: string; operation: string }[] } = JSON.parse(out)
    expect(changes.map(({ id, operation }) => [id, operation])).toEqual([['endpoint-added', 'orders.patch']])
  })
})
