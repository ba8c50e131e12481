import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { readSettings, settingNames } from './settings.js'
import type { UserConfig } from './user-config.js'

const schema = JSON.parse(readFileSync(new URL('../duet.config.schema.json', import.meta.url), 'utf8'))
const accepts = new Ajv2020({ strictTypes: false }).compile(schema)

function reads(value: unknown): boolean {
  try {
    readSettings(value, 'duet.config.json')
    return true
  } catch {
    return false
  }
}

it('types every setting', () => {
  expectTypeOf<keyof UserConfig>().toEqualTypeOf<(typeof settingNames)[number]>()
})

it('documents every setting', () => {
  const [, table = ''] =
    /\n\| setting \| default \| \|\n([\s\S]*?)\n\n/.exec(readFileSync('docs/generate.md', 'utf8')) ?? []
  const documented = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(.+?)`/g)].map(([, name]) => name),
  )
  expect(documented.sort()).toEqual(settingNames.filter((name) => name !== '$schema').sort())
})

describe('duet.config.schema.json', () => {
  it('has every setting that is read, and no other', () => {
    expect(Object.keys(schema.properties)).toEqual([...settingNames])
  })

  it.each([
    { package: '@shop/api' },
    { package: 'a', $schema: 'x', specs: ['spec', 'a.yaml'], out: 'api', emitters: [], templates: 't' },
    { package: 'a', waivers: 'w.yaml', baseline: 'previous' },
    { package: 'a', baseline: { '1.1.0': '1.0.0', '2.0.0': 'git:main:api.yaml' } },
    { package: 'a', naming: 'path' },
    { package: 'a', mcp: { tags: ['orders'], maxBytes: 40_000 } },
    { package: 'a', mcp: { maxBytes: 1 } },
    { package: 'a', naming: { '1.0.0': 'classic', '2.0.0': 'operationId' } },
    { package: 'a', emitters: ['./x.mjs', { use: 'pkg' }, { use: './y.ts', options: { deep: [1] } }] },
  ])('accepts %j, and so does the reader', (value) => {
    expect([accepts(value), reads(value)]).toEqual([true, true])
  })

  const refused: readonly unknown[] = [
    [],
    {},
    { package: '' },
    { package: 'A' },
    { package: '../x' },
    { package: 'a'.repeat(215) },
    { package: 'a', other: 1 },
    { package: 'a', toString: 1 },
    { package: 'a', specs: [] },
    { package: 'a', specs: 'spec' },
    { package: 'a', specs: [''] },
    { package: 'a', specs: [1] },
    { package: 'a', out: '' },
    { package: 'a', out: ' ' },
    { package: 'a', templates: false },
    { package: 'a', waivers: ['w.yaml'] },
    { package: 'a', baseline: true },
    { package: 'a', baseline: { '1.1.0': null } },
    { package: 'a', naming: 'tags' },
    { package: 'a', mcp: true },
    { package: 'a', mcp: {} },
    { package: 'a', mcp: { maxBytes: 0 } },
    { package: 'a', mcp: { tag: ['orders'] } },
    { package: 'a', naming: { '1.0.0': null } },
    { package: 'a', emitters: './x.mjs' },
    { package: 'a', emitters: [''] },
    { package: 'a', emitters: [[]] },
    { package: 'a', emitters: [{}] },
    { package: 'a', emitters: [{ use: 'x', option: {} }] },
    { package: 'a', emitters: [{ use: 'x', options: 1 }] },
  ]
  it.each(refused.map((value) => ({ value })))('refuses $value, and so does the reader', ({ value }) => {
    expect([accepts(value), reads(value)]).toEqual([false, false])
  })
})
