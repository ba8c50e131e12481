import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { valueAt } from '../document/pointer.js'
import { type Loaded, loadDocument } from './load.js'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-load-'))
})

afterEach(() => {
  rmSync(cwd, { recursive: true })
})

function load(files: Record<string, string>): Loaded {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  return loadDocument(Object.keys(files)[0] ?? '', { cwd })
}

function at(loaded: Loaded, ...segments: string[]): unknown {
  return valueAt(loaded.document?.root ?? {}, segments)
}

const head = 'openapi: 3.1.1\ninfo: { title: T, version: 1.0.0 }\n'

describe('loading a document of several files', () => {
  it('puts schemas of other files under components by their own names', () => {
    const loaded = load({
      'api.yaml': `${head}components:\n  schemas:\n    Order: { properties: { client: { $ref: './parts/client.yaml#/Client' } } }\n`,
      'parts/client.yaml':
        "Client: { properties: { owner: { $ref: '#/Owner' }, parent: { $ref: '#/Client' } } }\nOwner: { type: string }\n",
    })
    expect(loaded.diagnostics).toEqual([])
    expect(at(loaded, 'components', 'schemas')).toEqual({
      Order: { properties: { client: { $ref: '#/components/schemas/Client' } } },
      Client: {
        properties: {
          owner: { $ref: '#/components/schemas/Owner' },
          parent: { $ref: '#/components/schemas/Client' },
        },
      },
      Owner: { type: 'string' },
    })
    expect(loaded.document?.locate('#/components/schemas/Owner/type')).toEqual({
      file: 'parts/client.yaml',
      line: 2,
      column: 10,
    })
    expect(loaded.files.map(({ path }) => path)).toEqual(['api.yaml', 'parts/client.yaml'])
  })

  it('follows chains of siblings and parents: path item, parameter and schema', () => {
    const loaded = load({
      'swagger/api.yaml': `${head}paths: { '/classes/{index}': { $ref: './paths/combined.yml#/class' } }\n`,
      'swagger/paths/combined.yml': 'class: { $ref: classes/get.yml }\n',
      'swagger/paths/classes/get.yml':
        "get: { parameters: [{ $ref: '../../parameters.yml#/index' }], responses: { 200: { $ref: '../../responses/class.yml' } } }\n",
      'swagger/parameters.yml':
        "index: { name: index, in: path, required: true, schema: { $ref: './common/index.yml#/index-type' } }\n",
      'swagger/common/index.yml': 'index-type: { enum: [bard] }\n',
      'swagger/responses/class.yml':
        "{ description: A class, content: { application/json: { schema: { $ref: '../schemas/game/class.yml#/class' } } } }\n",
      'swagger/schemas/game/class.yml':
        "class: { properties: { level: { $ref: './level.yml#/level' }, index: { $ref: '../../common/index.yml#/index-type' } } }\n",
      'swagger/schemas/game/level.yml': "level: { properties: { class: { $ref: './class.yml#/class' } } }\n",
    })
    expect(loaded.diagnostics).toEqual([])
    expect(at(loaded, 'components', 'schemas')).toEqual({
      class: {
        properties: {
          level: { $ref: '#/components/schemas/level' },
          index: { $ref: '#/components/schemas/index-type' },
        },
      },
      'index-type': { enum: ['bard'] },
      level: { properties: { class: { $ref: '#/components/schemas/class' } } },
    })
  })

  it('names colliding parts after their file, whatever the order of references', () => {
    const files = { 'b.yaml': 'Client: { type: integer }\n', 'c.yaml': 'Client: { type: boolean }\n' }
    const schemas = (order: string[]) => {
      const properties = order.map((file) => `${file}: { $ref: '${file}.yaml#/Client' }`).join(', ')
      const text = `${head}components: { schemas: { Client: { type: string }, All: { properties: { ${properties} } } } }\n`
      return at(load({ 'api.yaml': text, ...files }), 'components', 'schemas')
    }
    const expected = {
      Client: { type: 'string' },
      All: {
        properties: {
          b: { $ref: '#/components/schemas/b_Client' },
          c: { $ref: '#/components/schemas/c_Client' },
        },
      },
      b_Client: { type: 'integer' },
      c_Client: { type: 'boolean' },
    }
    expect(schemas(['b', 'c'])).toEqual(expected)
    expect(schemas(['c', 'b'])).toEqual(expected)
  })

  it('refers to whole files, and back into the entry file', () => {
    const loaded = load({
      'api.yaml': `${head}components: { schemas: { A: { $ref: 'list.json' }, B: { type: string } } }\n`,
      'list.json': '{ "items": { "$ref": "api.yaml#/components/schemas/B" } }',
    })
    expect(loaded.diagnostics).toEqual([])
    expect(at(loaded, 'components', 'schemas', 'list')).toEqual({ items: { $ref: '#/components/schemas/B' } })
  })

  it('moves path items to where they are used and keeps their positions', () => {
    const loaded = load({
      'api.yaml': `${head}paths:\n  /a: { $ref: 'a.yaml', summary: Mine }\n`,
      'a.yaml':
        "summary: Theirs\nget:\n  parameters: [{ $ref: 'a.yaml#/x-limit' }]\nx-limit: { name: limit, in: query }\n",
    })
    expect(loaded.diagnostics).toEqual([])
    expect(at(loaded, 'paths', '/a', 'summary')).toBe('Mine')
    expect(at(loaded, 'paths', '/a', 'get')).toEqual({
      parameters: [{ $ref: '#/components/parameters/x-limit' }],
    })
    expect(loaded.document?.locate('#/paths/~1a/get')).toEqual({ file: 'a.yaml', line: 2, column: 1 })
  })

  it('rewrites references in a discriminator mapping and leaves names alone', () => {
    const loaded = load({
      'api.yaml': `${head}components: { schemas: { Pet: { discriminator: { propertyName: kind, mapping: { cat: ./cat.yaml, dog: Dog } } } } }\n`,
      'cat.yaml': 'type: object\n',
    })
    expect(at(loaded, 'components', 'schemas', 'Pet', 'discriminator', 'mapping')).toEqual({
      cat: '#/components/schemas/cat',
      dog: 'Dog',
    })
  })

  it('follows references in the project of the document, from whatever folder it is read', () => {
    const shop = join(cwd, 'shop')
    for (const folder of ['specs/v1', 'common', 'elsewhere'])
      mkdirSync(join(shop, folder), { recursive: true })
    const api = (path: string) => `${head}components: { schemas: { A: { $ref: '${path}' } } }\n`
    writeFileSync(join(shop, 'common/a.yaml'), 'type: object\n')
    writeFileSync(join(cwd, 'secret.yaml'), 'password: hunter2\n')
    const codes = (path: string) => {
      writeFileSync(join(shop, 'specs/v1/api.yaml'), api(path))
      const options = { cwd: join(shop, 'elsewhere') }
      return loadDocument('../specs/v1/api.yaml', options).diagnostics.map(({ code }) => code)
    }
    expect(codes('../../common/a.yaml')).toEqual(['reference-outside'])
    writeFileSync(join(shop, 'specs/a.yaml'), 'type: object\n')
    expect(codes('../a.yaml')).toEqual([])
    writeFileSync(join(shop, 'package.json'), '{}')
    expect(codes('../../common/a.yaml')).toEqual([])
    expect(codes('../../../secret.yaml')).toEqual(['reference-outside'])
  })

  it('does not take files from a home folder, although the command runs there', () => {
    vi.stubEnv('HOME', cwd)
    for (const folder of ['downloads', '.cloud']) mkdirSync(join(cwd, folder))
    writeFileSync(join(cwd, '.cloud/key.json'), '{ "type": "string" }')
    const reference = '{ $ref: ../.cloud/key.json }'
    writeFileSync(join(cwd, 'downloads/api.yaml'), `${head}components: { schemas: { A: ${reference} } }\n`)
    const { diagnostics, files } = loadDocument('downloads/api.yaml', { cwd })
    vi.unstubAllEnvs()
    expect(diagnostics.map(({ code }) => code)).toEqual(['reference-outside'])
    expect(files.map(({ path }) => path)).toEqual(['downloads/api.yaml'])
  })

  it('does not follow a link out of the project', () => {
    const outside = mkdtempSync(join(tmpdir(), 'duet-outside-'))
    writeFileSync(join(outside, 'secret.yaml'), 'password: hunter2\n')
    symlinkSync(outside, join(cwd, 'linked'))
    const loaded = load({
      'api.yaml': `${head}components: { schemas: { A: { $ref: 'linked/secret.yaml' } } }\n`,
    })
    rmSync(outside, { recursive: true })
    expect(loaded.diagnostics.map(({ code }) => code)).toEqual(['reference-outside'])
    expect(loaded.files).toHaveLength(1)
  })
})

describe('a member named $ref', () => {
  it('is data in example, examples, default, enum, const and extensions', () => {
    const data = "{ $ref: 'nowhere.yaml' }"
    const loaded = load({
      'api.yaml': `${head}components:\n  schemas:\n    A: { default: ${data}, const: ${data}, enum: [${data}], examples: [${data}], example: ${data}, x-any: ${data} }\n  examples:\n    E: { value: ${data} }\n`,
    })
    expect(loaded.diagnostics).toEqual([])
  })

  it('is a property under properties', () => {
    const loaded = load({
      'api.yaml': `${head}components: { schemas: { A: { properties: { $ref: { type: string } } } } }\n`,
    })
    expect(loaded.diagnostics).toEqual([])
    expect(at(loaded, 'components', 'schemas', 'A', 'properties', '$ref')).toEqual({ type: 'string' })
  })
})

describe('a key named __proto__', () => {
  it.each([
    ['api.yaml', `${head}components: { schemas: { __proto__: { type: object, polluted: true } } }\n`],
    [
      'api.json',
      '{"openapi":"3.1.1","components":{"schemas":{"__proto__":{"type":"object","polluted":true}}}}',
    ],
  ])('is a member like any other in %s', (file, text) => {
    const schemas = at(load({ [file]: text }), 'components', 'schemas') as object
    expect(Object.keys(schemas)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(schemas)).toBe(Object.prototype)
    expect(({} as { polluted?: true }).polluted).toBeUndefined()
  })

  it('stays one in what is taken over from another file', () => {
    const loaded = load({
      'api.yaml': `${head}components: { schemas: { A: { $ref: 'b.yaml' } } }\n`,
      'b.yaml': 'properties: { __proto__: { type: string } }\n',
    })
    expect(Object.keys(at(loaded, 'components', 'schemas', 'b', 'properties') as object)).toEqual([
      '__proto__',
    ])
  })
})

describe('locating', () => {
  it('leads to the source of a 3.0 document, after its upgrade', () => {
    const { document } = load({
      'api.yaml':
        'openapi: 3.0.3\ncomponents:\n  schemas:\n    A:\n      type: string\n      example: x\n      nullable: true\n',
    })
    expect(document?.locate('#/components/schemas/A/examples/0')).toEqual({
      file: 'api.yaml',
      line: 6,
      column: 7,
    })
    expect(document?.locate('#/components/schemas/A/type')).toEqual({ file: 'api.yaml', line: 5, column: 7 })
  })

  it('accepts pointers with and without percent-encoding, and gives the nearest ancestor of a missing part', () => {
    const { document } = load({ 'api.yaml': `${head}paths:\n  /a/{id}:\n    get: {}\n` })
    const place = { file: 'api.yaml', line: 5, column: 5 }
    expect(document?.locate('#/paths/~1a~1{id}/get')).toEqual(place)
    expect(document?.locate('#/paths/~1a~1%7Bid%7D/get')).toEqual(place)
    expect(document?.locate('#/paths/~1a~1{id}/get/responses/200')).toEqual(place)
  })
})
