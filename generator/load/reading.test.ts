import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Document, JsonObject } from '../document/document.js'
import { lint } from '../lint/lint.js'
import { loadDocument } from './load.js'
import type { Reading } from './selection.js'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-reading-'))
  write('openapi.yaml', shop)
  write('parts.yaml', 'get: { operationId: part, tags: [parts], responses: {} }\n')
})
afterAll(() => rmSync(cwd, { recursive: true }))

const shop = `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
tags: [{ name: orders }, { name: admin }]
paths:
  /orders:
    get: { operationId: orders, tags: [orders], responses: { 200: { $ref: '#/components/responses/Orders' } } }
    post: { operationId: order, tags: [orders, admin], responses: {} }
  /admin/users:
    get: { operationId: users, tags: [admin], responses: { 200: { $ref: '#/components/responses/Users' } } }
  /admin/broken:
    get: { operationId: broken, responses: { 200: { $ref: '#/components/responses/Nothing' } } }
  /parts: { $ref: parts.yaml }
components:
  responses:
    Orders: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
    Users: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
  schemas:
    Pet: { type: object, discriminator: { propertyName: kind } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }] }
    User: { type: object }
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
`

function write(name: string, text: string): void {
  writeFileSync(join(cwd, name), text)
}

function load(reading: Reading) {
  const { document, diagnostics } = loadDocument('openapi.yaml', { cwd, reading })
  const paths = (document?.root.paths ?? {}) as Record<string, JsonObject>
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((verb) => `${verb} ${path}`),
  )
  const components = (document?.root.components ?? {}) as Record<string, JsonObject>
  const names = Object.values(components).flatMap((section) => Object.keys(section))
  return { document, operations, names, codes: diagnostics.map(({ code }) => code) }
}

describe('include and exclude', () => {
  it('choose operations by tag, path and operationId, and omit components that only others use', () => {
    expect(load({ include: { tags: ['orders'] } })).toMatchObject({
      operations: ['get /orders', 'post /orders'],
      names: ['Orders', 'Pet', 'Cat', 'key'],
      codes: [],
    })
    expect(load({ include: { tags: ['orders'] }, exclude: { operationIds: ['order'] } }).operations).toEqual([
      'get /orders',
    ])
    expect(load({ exclude: { paths: ['/admin/*'] } })).toMatchObject({
      operations: ['get /orders', 'post /orders', 'get /parts'],
      codes: [],
    })
    expect(load({ include: { operationIds: ['users'], paths: ['/adm*/br*'] } })).toMatchObject({
      operations: ['get /admin/users', 'get /admin/broken'],
      codes: ['reference-missing'],
    })
  })

  it('apply to operations in other files', () => {
    expect(load({ include: { tags: ['parts'] } }).operations).toEqual(['get /parts'])
    expect(load({ exclude: { tags: ['parts', 'admin'], paths: ['/admin/broken'] } }).operations).toEqual([
      'get /orders',
    ])
  })

  it('say which entries match no operation, and that none is left', () => {
    expect(
      load({ include: { tags: ['orders'] }, exclude: { operationIds: ['part', 'nope'] } }),
    ).toMatchObject({
      operations: ['get /orders', 'post /orders'],
      codes: ['selection-unmatched'],
    })
    const { diagnostics } = loadDocument('openapi.yaml', {
      cwd,
      reading: { include: { tags: ['Orders'], paths: ['/order/*'] } },
    })
    expect(diagnostics.map(({ severity, message, remedy }) => [severity, message, remedy])).toEqual([
      [
        'error',
        'include and exclude leave no operation',
        'Correct the tags, paths and operationIds. Upper and lower case count.',
      ],
      ['warning', 'No operation matches "/order/*" of include.paths', 'Did you mean /orders?'],
      ['warning', 'No operation matches "Orders" of include.tags', 'Did you mean orders?'],
    ])
  })

  it('make tools of operations that do not say it themselves', () => {
    const mcp = { tags: ['orders'], paths: ['/admin/*'], maxBytes: 40_000 }
    const { document } = loadDocument('openapi.yaml', { cwd, reading: { mcp } })
    const tools = Object.entries(document?.root.paths as Record<string, Record<string, object>>).flatMap(
      ([path, item]) =>
        Object.entries(item).flatMap(([verb, one]) => ('x-mcp' in one ? `${verb} ${path}` : [])),
    )
    expect([tools, document?.root['x-mcp']]).toEqual([
      ['get /orders', 'post /orders', 'get /admin/users', 'get /admin/broken'],
      { maxBytes: 40_000 },
    ])
  })

  it('without them, keep every operation, and report errors', () => {
    expect(load({})).toMatchObject({ codes: ['reference-missing'] })
  })
})

describe('an overlay', () => {
  const overlay = (actions: string) => `overlay: 1.0.0\ninfo: { title: Fix, version: 1.0.0 }\n${actions}`

  it('updates, adds and removes the matches of its targets, before the document is checked', () => {
    write(
      'fix.yaml',
      overlay(`actions:
  - { target: "$.paths['/admin/broken']", remove: true }
  - { target: $.tags, update: { name: extra } }
  - { target: "$.tags[?@.name=='admin']", remove: true }
  - target: $.components.schemas.User
    update: { required: [id], properties: { id: { type: integer } } }
  - { target: $.components.schemas.User, update: { required: [name] } }
`),
    )
    const { document, codes, operations } = load({ overlays: ['fix.yaml'] })
    expect(codes).toEqual([])
    expect(operations).not.toContain('get /admin/broken')
    expect(document?.root.tags).toEqual([{ name: 'orders' }, { name: 'extra' }])
    expect(document?.root).toMatchObject({
      components: {
        schemas: { User: { required: ['id', 'name'], properties: { id: { type: 'integer' } } } },
      },
    })
    expect(document?.locate('#/components/schemas/User/properties/id')).toMatchObject({
      file: 'fix.yaml',
      line: 8,
    })
    expect(document?.locate('#/components/schemas/User/type')).toMatchObject({ file: 'openapi.yaml' })
    expect(document?.files.map(({ path }) => path)).toContain('fix.yaml')
  })

  it('has the place of each fault that it brings', () => {
    write(
      'faulty.yaml',
      overlay(`actions:
  - target: $.info
    update:
      version: 5
  - { target: $.paths, update: { /new: { get: { responses: { 200: { $ref: '#/components/responses/No' } } } } } }
  - target: $.components.responses.Orders.content['application/json'].schema
    update:
      $ref: '#/components/schemas/Gone'
  - target: $.components.schemas.User
    remove: true
  - target: $.tags
    update: extra
`),
    )
    const { document, diagnostics } = loadDocument('openapi.yaml', {
      cwd,
      reading: { overlays: ['faulty.yaml'], exclude: { operationIds: ['broken'] } },
    })
    const faults = diagnostics.map(({ code, at, related = [] }) => [
      ...[code, `${at.file}:${at.line}`],
      ...related.map((other) => `${other.message}: ${other.at.file}:${other.at.line}`),
    ])
    expect(faults).toEqual([
      ['reference-missing', 'openapi.yaml:16', 'faulty.yaml removes it: faulty.yaml:11'],
      ['text-unquoted', 'faulty.yaml:6'],
      ['reference-missing', 'faulty.yaml:7'],
      ['reference-missing', 'faulty.yaml:10'],
    ])
    expect(document?.locate('#/tags/2')).toMatchObject({ file: 'faulty.yaml', line: 14 })
    expect(document?.locate('#/tags/1')).toMatchObject({ file: 'openapi.yaml', line: 3 })
  })

  it('is named where it removes what a document must have', () => {
    write('less.yaml', overlay('actions:\n  - target: $.info.version\n    remove: true\n'))
    const { document } = loadDocument('openapi.yaml', { cwd, reading: { overlays: ['less.yaml'] } })
    const [fault] = lint(document as Document).filter(({ message }) => message.startsWith('Info has no'))
    expect(fault?.at).toMatchObject({ file: 'openapi.yaml', line: 2 })
    expect(fault?.related).toMatchObject([
      { message: 'less.yaml removes it', at: { file: 'less.yaml', line: 4 } },
    ])
  })

  it('has the place of a version that duet does not read', () => {
    write('version.yaml', overlay("actions: [{ target: $, update: { openapi: '4.0' } }]\n"))
    const { diagnostics } = loadDocument('openapi.yaml', { cwd, reading: { overlays: ['version.yaml'] } })
    expect(diagnostics.map(({ code, at }) => [code, at.file, at.line])).toEqual([
      ['openapi-version', 'version.yaml', 3],
    ])
  })

  it('is skipped if it extends another document', () => {
    write(
      'other.yaml',
      overlay('extends: another.yaml\nactions: [{ target: $.info, update: { title: Other } }]\n'),
    )
    expect(load({ overlays: ['other.yaml'] }).document?.root.info).toMatchObject({ title: 'Shop' })
  })

  it('reports its errors, and targets without a match', () => {
    write(
      'bad.yaml',
      overlay(
        "actions: [{ target: '$[' }, { target: $.nothing, remove: true }, {}, { target: $.info, updat: {} }]\n",
      ),
    )
    write('none.yaml', 'actions: []\n')
    const { codes } = load({ overlays: ['bad.yaml', 'none.yaml', 'gone.yaml'] })
    expect(codes.filter((code) => code !== 'reference-missing').sort()).toEqual(
      [
        'file-unreadable',
        'overlay-invalid',
        'overlay-invalid',
        'overlay-invalid',
        'overlay-invalid',
        'overlay-unmatched',
      ].sort(),
    )
  })
})
