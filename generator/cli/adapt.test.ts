import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  adapt,
  answer,
  derived,
  duet,
  folder,
  next,
  older,
  own,
  read,
  shopForEachTest,
  team,
  write,
} from '../../test/adapt/shop.js'

shopForEachTest()

const stubs = `import { problem } from '@shop/api/1.0.0'
import { derived, type Written } from './1.0.0-to-1.1.0.derived.js'

const written: Written = {
  'shop.search': {
    loss: 'not decided yet',
    params(params) {
      throw problem('not_implemented', 'shop.search is not adapted yet.')
    },
  },
  'shop.token': { gone: 'not_implemented', detail: 'shop.token is not adapted yet.' },
}

/** How 1.1.0 serves calls of 1.0.0. */
export const adapter = { ...derived, ...written }
`

const lines = (text: string) => text.split('\n')

describe('duet adapt', () => {
  it('shows a table, and writes what follows from the documents and stubs for the rest', async () => {
    expect(await adapt()).toEqual({
      code: 0,
      err: '',
      out: `1.0.0 to 1.1.0: 4 operations: 1 identity, 1 derived, 1 written, 1 gone

operation    params    result    problems  kind     verdict
shop.client  identity  derived   identity  derived  proved
shop.search  written   identity  identity  written  not run
shop.token   -         -         -         gone     -

Converted:
  shop.client: result drops /version: proved

Left to write:
  shop.search: params /limit: maximum is 1000 in 1.0.0, 100 in 1.1.0
  shop.token: POST /token has no counterpart.
2 files written (adapters)
`,
    })
    expect(read(team)).toBe(stubs)
    expect(read(derived)).toContain("  'shop.same': 'identity',\n")
  })

  it('leaves code of the team as it is, in whatever form, and shows what callers lose', async () => {
    write(team, own)
    const { out } = await adapt()
    expect(read(team)).toBe(own)
    expect(out).toContain('not run, loses: a page has 100 rows')
    expect(out).toContain('1 file written')
  })

  it('adds what is missing to code of the team', async () => {
    write(team, own.replace(/ {4}'shop.token'.*\n/, ''))
    await adapt()
    expect(read(team)).toContain(
      "    'shop.token': { gone: 'not_implemented', detail: 'shop.token is not adapted yet.' },\n  }\n",
    )
  })

  it('removes an untouched stub that nothing needs any more, and parks code', async () => {
    await adapt()
    write('spec/1.1.0/openapi.yaml', next.replace('maximum: 100', 'maximum: 1000'))
    expect((await adapt()).out).toContain('removed  shop.search: its untouched stub is not needed\n')
    expect(read(team)).not.toContain('shop.search')
    write(team, own)
    expect((await adapt()).out).toContain('parked   shop.search: it needs no code\n')
    expect(read(team)).toContain(
      '// #region parked by duet: shop.search - 1.0.0-to-1.1.0 needs no code for it\n',
    )
    expect(read(team)).toContain("//     'shop.search': { loss: 'a page has 100 rows'")
  })

  it('names error bodies that nothing converts, and tries a converter of the team', async () => {
    const failing = (text: string, members: string) =>
      text.replace(
        /responses: \{ '204': \{ description: Done \} \} \} \}/,
        `responses: { '204': { description: Done }, '404': { description: No, content: { application/json: { schema: { type: object, additionalProperties: false, required: [a], properties: { ${members} } } } } } } } }`,
      )
    write('spec/1.0.0/openapi.yaml', failing(older, 'a: { type: string }'))
    write('spec/1.1.0/openapi.yaml', failing(next, 'a: { type: integer }'))
    expect((await adapt('--check')).out).toContain('  nothing converts the error body of 404: shop.same\n')
    write(
      'built.mjs',
      "export const adapter = { 'shop.same': { error: ({ a }) => ({ a: a > 100 ? a : String(a) }) } }\n",
    )
    const { code, out: tried } = await adapt('--module', 'built.mjs')
    write('late.mjs', "export const adapter = { 'shop.same': { error: async () => ({ a: 'x' }) } }\n")
    expect((await adapt('--module', 'late.mjs')).out).toContain(
      'fails    shop.same error: returns a promise, which error bodies do not wait for\n',
    )
    expect({ code, tried }).toMatchObject({
      code: 1,
      tried: expect.stringMatching(
        /^fails {4}shop\.same error: 1\.0\.0 refuses \/a must be string\n {9}1\.1\.0 answers the error \{"a":\d+\}$/m,
      ),
    })
  })

  it('writes into the folder of the config file, or another one', async () => {
    write('duet.config.json', '{ "package": "@shop/api", "adapters": "src/adapters" }')
    await adapt()
    expect(existsSync(join(folder, 'src/adapters/1.0.0-to-1.1.0.ts'))).toBe(true)
    await adapt('--out', 'other')
    expect(existsSync(join(folder, 'other/1.0.0-to-1.1.0.ts'))).toBe(true)
  })

  it('gives programs the same as JSON', async () => {
    const { out } = await adapt('--format', 'json')
    const { ok, counts, operations } = JSON.parse(out)
    expect({ ok, counts }).toEqual({ ok: true, counts: { identity: 1, derived: 1, written: 1, gone: 1 } })
    expect(operations[2]).toMatchObject({
      operation: 'shop.search',
      kind: 'written',
      stub: true,
      params: { kind: 'written', obstacles: [{ path: '/limit', witness: 101 }] },
    })
  })
})

describe('duet adapt --check', () => {
  it('writes nothing, and accepts what is in step', async () => {
    expect((await adapt('--check')).code).toBe(1)
    expect(existsSync(join(folder, 'adapters'))).toBe(false)
    await adapt()
    const { code, out } = await adapt('--check')
    expect({ code, last: lines(out).at(-2) }).toEqual({
      code: 0,
      last: 'in step: adapters with 1.0.0 and 1.1.0',
    })
    expect(out).toContain('stub     shop.search: answers a problem to every call\n')
  })

  it("fails without the team's file, though all of a step is derived", async () => {
    write('spec/1.1.0/openapi.yaml', older.replace('version: 1.0.0', 'version: 1.1.0'))
    await adapt()
    expect((await adapt('--check')).code).toBe(0)
    rmSync(join(folder, team))
    const { code, out } = await adapt('--check')
    expect(code).toBe(1)
    expect(out).toContain('missing  1.0.0-to-1.1.0.ts: nothing exports the adapter\n')
  })

  it('names a forgotten entry, one that nothing needs, and a derived file that is not as generated', async () => {
    await adapt()
    write(team, own.replace(/ {4}'shop.token'.*\n/, "    'shop.same': 'identity',\n"))
    write(derived, read(derived).replace("'version'", "'id'"))
    const { code, out } = await adapt('--check')
    expect(code).toBe(1)
    expect(lines(out).slice(-5, -1)).toEqual([
      "stale    1.0.0-to-1.1.0.derived.ts: line 13 would be result: (result) => without(result, 'version'),",
      'missing  shop.token (1.0.0-to-1.1.0.ts): POST /token has no counterpart.',
      'surplus  shop.same (1.0.0-to-1.1.0.ts): it needs no code',
      'not in step: adapters with 1.0.0 and 1.1.0. Remedy: run duet adapt 1.0.0 1.1.0',
    ])
  })

  it.each([
    [
      'makes an invalid value',
      '({ limit, ...params }) => ({ ...params, limit: Math.min(limit, 1000) })',
      '1.1.0 refuses /limit must be <= 100',
      { limit: 1000 },
    ],
    ['loses a member', '({ limit }) => ({ limit: Math.min(limit, 100) })', 'loses /name', { name: '' }],
    [
      'changes a member',
      "(params) => ({ ...params, limit: 1, ...(params.name && { name: 'a' }) })",
      'changes /name',
      { name: 'b' },
    ],
    ['throws', '() => { throw new Error("no limit") }', 'throws no limit', {}],
  ])('shows the call for which a converter of the team %s', async (_, params, what, call) => {
    write('built.mjs', `export const adapter = { 'shop.search': { loss: 'rows', params: ${params} } }\n`)
    const { code, out } = await adapt('--module', 'built.mjs')
    expect(code).toBe(1)
    const shown = lines(out).filter((line) => /^(fails| {9})/.test(line))
    expect(shown[0]).toBe(`fails    shop.search params: ${what}`)
    expect(shown[1]).toContain('REST: curl "$BASE_URL/clients')
    const { params: sent } = JSON.parse(/--data-raw '(.*)'/.exec(shown[2] ?? '')?.[1] ?? '{}')
    expect(Object.keys(sent)).toEqual(Object.keys(call))
  })

  it('shows calls below the base URL, which has the path of the older server', async () => {
    const served = (text: string): string =>
      text.replace('paths:', 'servers: [{ url: https://a.example/v1 }]\npaths:')
    write('spec/1.0.0/openapi.yaml', served(older))
    write('spec/1.1.0/openapi.yaml', served(next))
    write('built.mjs', "export const adapter = { 'shop.search': { params: () => ({ limit: 101 }) } }\n")
    const shown = lines((await adapt('--module', 'built.mjs')).out)
    expect(shown.find((line) => line.includes(' REST: '))).toContain('curl "$BASE_URL/clients')
    expect(shown.find((line) => line.includes(' JSON-RPC: '))).toContain('curl "$BASE_URL" ')
  })

  it('accepts converters of the team that hold', async () => {
    const params = '({ limit, ...params }) => ({ ...params, limit: Math.min(limit, 100) })'
    write('built.mjs', `export default () => ({ 'shop.search': { loss: 'rows', params: ${params} } })\n`)
    const { code, out } = await adapt('--module', 'built.mjs')
    expect(code).toBe(0)
    expect(out).toMatch(/^shop\.search params: held over \d+ cases$/m)
  })

  it('refuses a problem where no loss is declared', async () => {
    const params = '() => { throw Object.assign(new Error(), { code: "conflict" }) }'
    write('built.mjs', `export const adapter = { 'shop.search': { params: ${params} } }\n`)
    expect((await adapt('--module', 'built.mjs')).code).toBe(1)
  })
})

describe('duet changelog', () => {
  it('says what callers of the version before lose, as the adapter of the team states it', async () => {
    const title = 'Lost by callers of the version before, whom an adapter serves'
    await adapt()
    expect((await duet('changelog')).out).not.toContain(title)
    write(team, own)
    expect((await duet('changelog')).out).toContain(`  ${title}\n    shop.search: a page has 100 rows\n`)
    const markdown = (await duet('changelog', '--format', 'markdown')).out
    expect(markdown).toContain(`### ${title}\n\n- \`shop.search\`: a page has 100 rows\n`)
    expect((await duet('changelog', '--format', 'html')).out).toContain('a page has 100 rows')
    const { releases } = JSON.parse((await duet('changelog', '--format', 'json')).out)
    expect(releases[0].entries.lost).toEqual([
      { operation: 'shop.search', message: 'a page has 100 rows', protocols: ['rest', 'jsonrpc'] },
    ])
    write(team, `${own}}`)
    expect(await duet('changelog')).toMatchObject({ code: 0, out: expect.not.stringContaining(title) })
  })

  it('says which values fallbacks replace', async () => {
    const state = (values: string) => `state: { type: string, enum: [${values}]`
    const member = 'properties: { id: { type: integer }'
    write('spec/1.0.0/openapi.yaml', older.replace(member, `${member}, ${state('open, paid')} }`))
    const fallback = 'x-enum-fallback: { late: open }'
    write(
      'spec/1.1.0/openapi.yaml',
      next.replace(member, `${member}, ${state('open, paid, late')}, ${fallback} }`),
    )
    await adapt()
    expect((await duet('changelog')).out).toContain('    shop.client: result replaces "late" by "open"\n')
  })
})

describe('duet adapt with int64 as bigint', () => {
  it.each([
    ['inline', '{ type: integer }', '{ type: integer, format: int64 }', ''],
    [
      'behind a reference',
      "{ $ref: '#/components/schemas/Id' }",
      undefined,
      'components: { schemas: { Id: ID } }\n',
    ],
  ])('leaves a number to a person that is a bigint in the next version: %s', async (_, was, is, more) => {
    write('duet.config.json', '{ "package": "@shop/api", "int64": "bigint" }')
    const paths = (id: string) =>
      `paths:\n  /client: { get: { x-rpc-method: shop.client, ${answer(`id: ${id}`)} } }\n`
    const [number, bigint] = ['{ type: integer }', '{ type: integer, format: int64 }']
    const document = (text: string, id: string, version: string) =>
      text.replace(/paths:[\s\S]*/, () => paths(id) + more.replace('ID', version))
    write('spec/1.0.0/openapi.yaml', document(older, was, number))
    write('spec/1.1.0/openapi.yaml', document(next, is ?? was, bigint))
    expect((await adapt()).out).toContain(
      'shop.client: result /id: code of 1.1.0 has an int64 as bigint here, code of 1.0.0 plain JSON\n',
    )
  })
})

describe('duet adapt with wrong input', () => {
  it('explains it', async () => {
    expect(await duet('adapt', '1.0.0', '1.0.0')).toMatchObject({
      code: 2,
      err: expect.stringContaining('are both version 1.0.0. Adapters are between two versions.'),
    })
    expect((await adapt('--cases', '0')).code).toBe(2)
    expect((await adapt('--module', 'none.mjs')).code).toBe(2)
    write('spec/1.1.0/openapi.yaml', 'openapi: [')
    expect((await adapt()).code).toBe(3)
  })
})
