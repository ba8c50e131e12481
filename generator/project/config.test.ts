import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findConfig } from './config.js'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-config-'))
})

afterEach(() => rmSync(cwd, { recursive: true }))

function write(name: string, text: string): void {
  writeFileSync(join(cwd, name), text)
}

describe('a config file', () => {
  it.each([
    ['duet.config.json', '{ "$schema": "./x.json", "package": "@shop/api", "out": "api" }'],
    ['duet.config.mjs', 'export default { package: "@shop/api", out: "api" }'],
    ['duet.config.js', 'module.exports = { package: "@shop/api", out: "api" }'],
    [
      'duet.config.ts',
      'interface S { package: string; out: string }\nexport default { package: "@shop/api", out: "api" } satisfies S',
    ],
  ])('is read from %s, and no file remains next to it', (name, text) => {
    write(name, text)
    expect(findConfig(cwd)).toEqual({
      file: name,
      package: '@shop/api',
      reading: {},
      clientOnly: false,
      int64: 'number',
      specs: undefined,
      out: 'api',
      emitters: [],
      templates: undefined,
      waivers: undefined,
      baseline: undefined,
      reference: true,
    })
    expect(readdirSync(cwd)).toEqual([name])
  })

  it('in TypeScript imports TypeScript and JavaScript files, even in a cycle, but no types', () => {
    write('duet.config.ts', "import { name } from './name.js'\nexport default { package: name() }\n")
    write(
      'name.ts',
      [
        "import type { Missing } from './missing.js'",
        "import { scope } from './scope.ts'",
        "import { tail } from './tail.mjs'",
        "export const name = (): string => [scope(), tail].join('/')",
        'export const base: Missing = "shop"',
        '',
      ].join('\n'),
    )
    write(
      'scope.ts',
      "import { base } from './name.js'\nexport const scope = (): string => '@'.concat(base)\n",
    )
    write('tail.mjs', "export const tail = 'api'\n")
    expect(findConfig(cwd)?.package).toBe('@shop/api')
    expect(readdirSync(cwd).sort()).toEqual(['duet.config.ts', 'name.ts', 'scope.ts', 'tail.mjs'])
  })

  it('is read anew each time, as it then is', () => {
    write('duet.config.ts', "export default { package: 'one' }")
    expect(findConfig(cwd)?.package).toBe('one')
    write('duet.config.ts', "export default { package: 'two' }")
    expect(findConfig(cwd)?.package).toBe('two')
  })

  it.each([
    [
      'duet.config.ts',
      'export default {\n  package: =\n}',
      /^duet\.config\.ts cannot be loaded: duet\.config\.ts:2:12 Expression expected\.$/,
    ],
    ['duet.config.ts', "throw new Error('no\\nway')", /^duet\.config\.ts cannot be loaded: no$/],
    [
      'duet.config.ts',
      "import './gone.js'",
      /^duet\.config\.ts cannot be loaded: Cannot find module .*gone\.js/,
    ],
    ['duet.config.mjs', 'export const x = 1', /^duet\.config\.mjs has no default export\. Write: /],
    ['duet.config.mjs', 'export default 1', /^duet\.config\.mjs is not an object of settings\. Write: /],
    ['duet.config.json', '{', /^duet\.config\.json is not JSON: /],
    ['duet.config.json', '{"package":"a","spec":["x"]}', /unknown setting "spec"\. Did you mean specs\?$/],
    [
      'duet.config.json',
      '{"package":"a","colour":"red"}',
      /unknown setting "colour"\. The settings are package, specs, out, .*, only, int64\.$/,
    ],
    ['duet.config.json', '{"package":"a","specs":"x"}', /^specs in duet\.config\.json is not a list/],
    [
      'duet.config.json',
      '{"package":"a","specs":[" "]}',
      /^specs\[0\] in duet\.config\.json must be a file or folder\.$/,
    ],
    ['duet.config.json', '{"package":"a","out":7}', /^out in duet\.config\.json must be a folder\.$/],
    [
      'duet.config.json',
      '{"package":"a","emitters":[{"use":""}]}',
      /^emitters\[0\]\.use in duet\.config\.json must be a path/,
    ],
    [
      'duet.config.json',
      '{"package":"a","emitters":[{"use":"x","options":[]}]}',
      /^emitters\[0\]\.options in /,
    ],
    [
      'duet.config.json',
      '{"package":"a","templates":null}',
      /^templates in duet\.config\.json must be a folder\.$/,
    ],
    [
      'duet.config.json',
      '{"package":"a","int64":"BigInt"}',
      /^int64 in duet\.config\.json must be one of number, bigint, string\.$/,
    ],
  ])('%s of %j is refused in one line', (name, text, message) => {
    write(name, text)
    expect(() => findConfig(cwd)).toThrow(message)
    expect(() => findConfig(cwd)).not.toThrow(/\n/)
    expect(readdirSync(cwd)).toEqual([name])
  })

  it.each([
    [
      { waivers: 'none.yaml' },
      'waivers in duet.config.json: none.yaml cannot be read: there is no such file.',
    ],
    [
      { baseline: '9.9.9' },
      'baseline in duet.config.json: 9.9.9 is neither a file nor a version under spec/. Versions there: 1.0.0.',
    ],
    [
      { baseline: { '1.0.0': 'previous', '9.9.9': 'previous' } },
      'baseline in duet.config.json: 9.9.9 is neither a file nor a version under spec/. Versions there: 1.0.0.',
    ],
  ])('is refused if %j names a missing file or version', (settings, message) => {
    mkdirSync(join(cwd, 'spec/1.0.0'), { recursive: true })
    write('spec/1.0.0/openapi.yaml', '')
    const configure = (more: object) => write('duet.config.json', JSON.stringify({ package: 'a', ...more }))
    configure({ baseline: { '1.0.0': 'git:main:spec/0.9.0/openapi.yaml' }, naming: 'path' })
    expect(findConfig(cwd)?.naming).toBe('path')
    configure(settings)
    expect(() => findConfig(cwd)).toThrow(message)
  })

  it('may be missing', () => {
    expect(findConfig(cwd)).toBeUndefined()
  })

  it('is one', () => {
    write('duet.config.json', '{ "package": "a" }')
    write('duet.config.ts', "export default { package: 'a' }")
    expect(() => findConfig(cwd)).toThrow(
      'There are both duet.config.ts and duet.config.json. Keep one of them.',
    )
  })
})
