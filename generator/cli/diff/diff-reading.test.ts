import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compared, sidesOf } from '../../../test/diff/compared.js'
import type { Code } from '../../diagnostics/catalogue.js'
import type { Comparison } from '../../diff/change/change.js'
import { compare } from '../../diff/compare.js'
import { prove } from '../../diff/proof/prove.js'
import type { JsonObject } from '../../document/document.js'
import { buildModel } from '../../model/build/build.js'
import { readVersion, readVersions } from './diff-reading.js'

type Part = Readonly<Record<string, JsonObject>>

/** A document with one valid operation that has a limit, and with the given extra parts. */
function shop(maximum: number, paths: Part, more: JsonObject = {}): string {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum } }
  const sound = { operationId: 'a.list', parameters: [limit], responses: done }
  const info = { title: 'Shop', version: '1.0.0' }
  return JSON.stringify({ openapi: '3.1.1', info, paths: { '/a': { get: sound }, ...paths }, ...more })
}

const done = { 200: { description: 'Done' } }

function answering(schema: JsonObject, extra: JsonObject = {}): JsonObject {
  const content = { 'application/json': { schema } }
  return { responses: { 200: { description: 'Done', content } }, ...extra }
}

const schemas = (members: JsonObject): JsonObject => ({ components: { schemas: members } })

const endless = {
  type: 'object',
  required: ['self'],
  properties: { self: { $ref: '#/components/schemas/Self' } },
}

const flaws: readonly (readonly [code: Code, paths: Part, more?: JsonObject])[] = [
  ['parameter-invalid', { '/b': { get: { parameters: [{ name: 'x', in: 'body' }], responses: done } } }],
  ['security-scheme-invalid', {}, { components: { securitySchemes: { key: { type: 'apiKey' } } } }],
  ['path-invalid', { '/b#one': { get: answering({}) }, 'c/{': { get: answering({}) } }],
  ['path-ambiguous', { '/b/{x}': { get: answering({}) }, '/b/{y}': { get: answering({}) } }],
  ['path-of-rpc', { '/': { post: answering({}) } }],
  ['parameter-duplicate', { '/b': { get: { parameters: [named('x'), named('x')], responses: done } } }],
  ['params-clash', { '/b/{x}': { get: { parameters: [named('x'), placed('x')], responses: done } } }],
  ['rpc-method-invalid', { '/b': { get: { 'x-rpc-method': 'rpc.b', responses: done } } }],
  ['rpc-method-duplicate', { '/b': { get: { 'x-rpc-method': 'a.list', responses: done } } }],
  ['rpc-method-prefix', { '/b': { get: { 'x-rpc-method': 'a.list.b', responses: done } } }],
  ['error-code-unknown', { '/b': { get: { 'x-errors': ['gone'], responses: done } } }],
  ['errors-invalid', {}, { 'x-errors': { Bad: 1 } }],
  ['schema-contradiction', { '/b': { get: answering({ minLength: 2, maxLength: 1 }) } }],
  ['schema-endless', { '/b': { get: answering(to('Self')) } }, schemas({ Self: endless })],
  ['schema-recursion', { '/b': { get: answering(to('Loop')) } }, schemas({ Loop: { anyOf: [to('Loop')] } })],
  ['reference-cycle', { '/b': { get: answering(to('A')) } }, schemas({ A: to('B'), B: to('A') })],
  ['reference-missing', { '/b': { get: answering(to('None')) } }],
  ['reference-missing', { '/b': { get: { parameters: [{ $ref: '#/components/parameters/N' }] } } }],
  ['reference-missing', { '/b': { get: { responses: { 200: { $ref: '#/components/responses/N' } } } } }],
  ['reference-kind', { '/b': { get: { parameters: [to('A')], responses: done } } }, schemas({ A: {} })],
  ['reference-anchor', { '/b': { get: answering({ $ref: '#none' }) } }],
  ['timezone-invalid', { '/b': { get: answering({ type: 'integer', 'x-timezone': true }) } }],
  ['sunset-without-deprecation', { '/b': { get: answering({}, { 'x-sunset': '2027-01-01' }) } }],
  ['version-invalid', {}, { info: { title: 'Shop', version: '../b' } }],
  ['wrong-type', { '/b': { get: { parameters: { x: 1 }, responses: done } } }],
]

function named(name: string): JsonObject {
  return { name, in: 'query', schema: { type: 'string' } }
}

function placed(name: string): JsonObject {
  return { name, in: 'path', required: true, schema: { type: 'integer' } }
}

function schemaOf(name: string, type: string): JsonObject {
  return { type: 'object', properties: { [name]: { type } } }
}

function to(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

describe('a released document with errors', () => {
  it.each(flaws.map(([code, paths, more = {}]) => [code, paths, more] as const))(
    'is compared in spite of %s',
    async (_code, paths, more) => {
      const { changes } = await compared(shop(10, paths, more), shop(5, paths, more))
      expect(changes).toMatchObject([
        { id: 'request-parameter-max-decreased', level: 'breaking', path: '/limit' },
      ])
    },
  )

  it.each([
    ['one that led nowhere', to('None'), to('Sound')],
    ['one that leads nowhere now', to('Sound'), to('None')],
    ['one that leads back to itself now', to('Sound'), to('Loop')],
  ])('has no certain level for a reference that changed: %s', async (_what, old, fresh) => {
    const more = schemas({ Sound: { type: 'string', maxLength: 5 }, Loop: to('Loop') })
    const one = shop(10, { '/b': { get: answering(old, { operationId: 'b.get' }) } }, more)
    const { changes } = await compared(one, one.replace(JSON.stringify(old), JSON.stringify(fresh)))
    const levels = changes.filter(({ operation }) => operation === 'b.get').map(({ level }) => level)
    expect(new Set(levels)).toEqual(new Set(['dangerous']))
  })

  it('is told apart where its params clash and those of the version before did not', async () => {
    const body = { content: { 'application/json': { schema: schemaOf('a', 'integer') } } }
    const clashing = { operationId: 'b.add', parameters: [named('a')], requestBody: body, responses: done }
    const document = (more: JsonObject): string =>
      shop(10, { '/b': { post: clashing }, '/c': { get: { ...more, responses: done } } })
    const { changes, verdict } = await compared(document({}), document({ 'x-rpc-method': 'c.get' }))
    expect(changes.filter(({ level }) => level !== 'info')).toMatchObject([
      { id: 'request-params-clash', operation: 'b.add', level: 'dangerous' },
    ])
    expect(verdict).toEqual({ rest: 'dangerous', jsonrpc: 'dangerous' })
  })

  it('has no proof over REST for a path whose requests another one answers, but has for the others', async () => {
    const one = (name: string, maximum: number) => ({
      parameters: [{ ...placed(name), schema: { type: 'integer', maximum } }],
    })
    const two = (maximum: number): Part => ({
      '/b/{x}': { get: answering({}, { ...one('x', maximum), operationId: 'b.x' }) },
      '/b/{y}': { get: answering({}, { ...one('y', maximum), operationId: 'b.y' }) },
    })
    const { changes } = await proven(shop(10, two(10)), shop(5, two(5)))
    expect(changes).toMatchObject([
      { operation: 'a.list', proof: { status: 'verified', rest: {}, jsonrpc: {} } },
      { operation: 'b.x', proof: { status: 'verified', rest: {}, jsonrpc: {} } },
      { operation: 'b.y', protocols: ['jsonrpc'], proof: { status: 'verified', jsonrpc: {} } },
      { operation: 'b.y', protocols: ['rest'], proof: { status: 'unproven' } },
    ])
  })
})

it('counts the errors that duet lint lists, and not those of the model stage that repeat them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-errors-'))
  const parameters = [{ $ref: '#/components/parameters/None' }]
  const broken = { components: { securitySchemes: { key: { type: 'apiKey', name: 'K' } } } }
  writeFileSync(join(folder, 'a.json'), shop(10, { '/b': { get: { parameters, responses: done } } }, broken))
  const { tolerated, diagnostics } = await readVersion('a.json', folder, { buildModel })
  rmSync(folder, { recursive: true })
  const codes = ['missing-field', 'parameter-invalid', 'reference-missing', 'security-scheme-invalid']
  expect(diagnostics.map(({ code }) => code).sort()).toEqual(codes)
  expect(tolerated).toBe(2)
})

describe('two versions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-reading-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** How many models are built to read two texts, and whether both sides share one. */
  async function read(old: readonly [string, string], fresh: readonly [string, string]) {
    let models = 0
    const places = [old, fresh].map(([file, text]) => {
      writeFileSync(join(folder, file), text)
      return { file, cwd: folder }
    })
    const [one = { file: '', cwd: '' }, other = one] = places
    const found = await readVersions([one, other], {
      buildModel: (document) => {
        models += 1
        return buildModel(document)
      },
    })
    return { models, isOne: found[0].side === found[1].side, files: found.map(({ file }) => file) }
  }

  const json = '{"openapi": "3.1.1", "paths": {}, "info": {"version": "1", "title": "Shop"}}'
  const yaml = '# A comment\nopenapi: 3.1.1\ninfo: { title: Shop, version: "1" }\npaths: {}\n'

  it('that say the same in other bytes need no model', async () => {
    const expected = { models: 0, isOne: true, files: ['old.json', 'new.yaml'] }
    expect(await read(['old.json', json], ['new.yaml', yaml])).toEqual(expected)
  })

  it('that are the same JSON but for space are loaded once', async () => {
    const places = ['old.json', 'new.json'].map((file, index) => {
      writeFileSync(join(folder, file), JSON.stringify(JSON.parse(json), undefined, index))
      return { file, cwd: folder }
    })
    const [old = { file: '', cwd: '' }, fresh = old] = places
    const [before, after] = await readVersions([old, fresh], { buildModel })
    expect([before.file, after.file, after.side]).toEqual(['old.json', 'new.json', before.side])
    expect(after.files).toBe(before.files)
  })

  it('that are the same are not searched for errors, except for what a comparison needs', async () => {
    const readBoth = async (text: string) => {
      const places = ['old.json', 'new.json'].map((file) => {
        writeFileSync(join(folder, file), text)
        return { file, cwd: folder }
      })
      const [old = { file: '', cwd: '' }, fresh = old] = places
      return await readVersions([old, fresh], { buildModel })
    }
    const twice = { '/b': { get: { parameters: [named('x'), named('x')], responses: done } } }
    const [before, after] = await readBoth(shop(10, twice))
    expect([before.tolerated, after.side]).toEqual([0, before.side])
    expect(before.side).toBeDefined()
    for (const text of [
      '{"openapi": "3.1.1", "info": {}, "paths": {}}',
      '{"openapi": "3.1.1", "paths": []}',
    ]) {
      const [wrong] = await readBoth(text)
      expect(wrong.side).toBeUndefined()
      expect(wrong.diagnostics).not.toEqual([])
    }
  })

  const called = (name: string) => answering({}, { 'x-rpc-method': name })
  const twice = { '/b': { get: called('b') }, '/c': { get: called('b') } }
  const inCallback = (name: string): Part => ({
    '/b': { post: answering({}, { callbacks: { told: { '/': { post: called('b') } } } }) },
    '/c': { get: called(name) },
  })

  const pairs: readonly (readonly [what: string, least: number, old: string, fresh: string])[] = [
    ...flaws.map(([code, paths, more]) => [code, 0, shop(10, paths, more), shop(5, paths, more)] as const),
    ...flaws.map(
      ([code, paths, more]) => [`${code}, removed`, 0, shop(10, paths, more), shop(10, {})] as const,
    ),
    ['a name of two operations', 1, shop(10, twice), shop(10, { '/b': { get: called('b') } })],
    ['a name of a callback, too', 1, shop(10, inCallback('b')), shop(10, inCallback('c'))],
  ]
  it.each(pairs)('have the errors that each has for itself: %s', async (_, least, old, fresh) => {
    const texts = [old, fresh]
    const places = texts.map((text, index) => {
      writeFileSync(join(folder, `${index}.json`), text)
      return { file: `${index}.json`, cwd: folder }
    })
    const [one = { file: '', cwd: '' }, other = one] = places
    const alone = await Promise.all(places.map(({ file }) => readVersion(file, folder, { buildModel })))
    const both = await readVersions([one, other], { buildModel })
    const countOf = ({ tolerated, side }: (typeof both)[number]) => [tolerated, side?.flaws.at]
    expect(both.map(countOf)).toEqual(alone.map(countOf))
    expect(alone[0]?.tolerated).toBeGreaterThanOrEqual(least)
  })

  it('that differ in one word each have a model', async () => {
    const expected = { models: 2, isOne: false, files: ['old.json', 'new.yaml'] }
    expect(await read(['old.json', json], ['new.yaml', yaml.replace('Shop', 'Store')])).toEqual(expected)
  })

  it('have a model each if one has errors, and their own findings', async () => {
    const wrong =
      '{"openapi": "3.1.1", "paths": {"/a": {"get": {"responses": {"200": {"$ref": "#/b"}}}}}, "info": {"version": "1", "title": "Shop"}}'
    const expected = { models: 2, isOne: false, files: ['old.json', 'new.json'] }
    expect(await read(['old.json', wrong], ['new.json', ` ${wrong}`])).toEqual(expected)
  })
})

async function proven(old: string, fresh: string): Promise<Comparison> {
  const [before, after] = await sidesOf(old, fresh)
  return prove(compare(before, after), before, after)
}
