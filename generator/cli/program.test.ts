import { describe, expect, it } from 'vitest'
import { document, duet, projectForEachTest, stages, write } from '../../test/duet-project.js'

projectForEachTest()

describe('wrong usage', () => {
  it.each([
    [['generate', '--colour'], "error: unknown option '--colour'"],
    [['genrate'], "error: unknown command 'genrate'\n(Did you mean generate?)"],
    [['generate', '--format', 'xml'], "argument 'xml' is invalid"],
    [['generate', '--check', '--dry-run'], '--check and --dry-run exclude each other.'],
    [['generate', '--watch', '--check'], '--watch and --check exclude each other.'],
    [['generate', '--watch', '--format', 'json'], '--watch and --format json exclude each other.'],
    [['lint', '9.9.9'], '9.9.9 is neither a file nor a version under spec/. Versions there: 1.0.0, 2.0.0.'],
    [['lint', '--explain', 'nope'], ', yaml-syntax, yaml-tag.'],
    [['lint', '--explain', 'path-ambigous'], 'There is no code path-ambigous. Did you mean path-ambiguous?'],
    [[], 'Usage: duet [options] [command]'],
  ])('%j exits with 2 and says so', async (args, message) => {
    const { code, out, err } = await duet(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })

  it.each([
    ['{', 'duet.config.json is not JSON'],
    ['[]', 'duet.config.json is not a JSON object'],
    ['{}', 'duet.config.json has no package. Write: { "package": "@your-scope/api" }'],
    ['{"package":"../x"}', 'package in duet.config.json is not an npm package name'],
    ['{"package":"x","packge":"y"}', 'duet.config.json has an unknown setting "packge"'],
  ])('a configuration of %s exits with 2', async (text, message) => {
    write('duet.config.json', text)
    const { code, err } = await duet('generate')
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})

it('suggests a package name that is made from the name of the project', async () => {
  write('duet.config.json', '{}')
  write('package.json', '{ "name": "@acme/shop" }')
  const { err } = await duet('generate')
  expect(err).toContain('Write: { "package": "@acme/shop-api" }')
})

describe('help', () => {
  it.each([[], ['generate'], ['lint'], ['mock'], ['scaffold'], ['init'], ['contains']])(
    'of %j shows examples and exit codes, and exits with 0',
    async (...command) => {
      const { code, out } = await duet(...command, '--help')
      expect(code).toBe(0)
      expect(out).toMatch(/^Usage: duet[\s\S]*Examples:\n {2}duet [\s\S]*Exit codes: 0 /)
    },
  )

  it.each([
    [
      'generate',
      [
        '--out',
        '--check',
        '--dry-run',
        '--watch',
        '--allow-remote',
        '--no-cache',
        '--timings',
        '--verbose',
        '--format',
      ],
    ],
    ['lint', ['--allow-remote', '--format', '--verbose', '--explain']],
    ['mock', ['--port', '--host', '--seed', '--allow-remote']],
    ['scaffold', ['--out', '--api', '--check', '--dry-run', '--allow-remote', '--format']],
    [
      'init',
      [
        '--spec',
        '--name',
        '--package-manager',
        '--link',
        '--include',
        '--client',
        '--exclude',
        '--overlay',
        '--allow-remote',
      ],
    ],
    ['contains', ['--assert-formats', '--dialect', '--jsonl', '--budget']],
  ])('of %s names every option, and no other', async (command, options) => {
    const { out } = await duet(command, '--help')
    const [, section = ''] = /\nOptions:\n([\s\S]*?)\n\n/.exec(out) ?? []
    const named = section.match(/^ {2}(?:-\w, )?--[\w-]+/gm)?.map((text) => text.replace(/^.*?--/, '--'))
    expect(named?.sort()).toEqual([...options, '--help'].sort())
  })

  it('prints the version of the package', async () => {
    expect(await duet('--version')).toEqual({ code: 0, out: '1.0.0\n', err: '' })
  })

  it('explains a code', async () => {
    const { code, out } = await duet('lint', '--explain', 'path-ambiguous')
    expect(code).toBe(0)
    expect(out).toMatch(/^path-ambiguous \(warning\): Two paths that match the same requests\n/)
  })
})

describe('duet lint', () => {
  it('lints every version and exits with 0', async () => {
    expect(await duet('lint')).toEqual({
      code: 0,
      out: '0 errors, 0 warnings in spec/1.0.0/openapi.yaml\n\n0 errors, 0 warnings in spec/2.0.0/openapi.yaml\n',
      err: '',
    })
  })

  it('prints JSON alone, with pointers, and exits with 3', async () => {
    write('bad.yaml', `${document('1.0.0')}servers: 1\n`)
    const { code, out, err } = await duet('lint', 'bad.yaml', '--format', 'json')
    expect({ code, err }).toEqual({ code: 3, err: '' })
    expect(JSON.parse(out)).toEqual({
      diagnostics: [
        {
          code: 'wrong-type',
          severity: 'error',
          message: 'servers of the document must be an array; it is a number',
          remedy: 'Write a value of the type that the message names.',
          file: 'bad.yaml',
          line: 4,
          column: 1,
          pointer: '#/servers',
        },
      ],
      errors: 1,
      warnings: 0,
    })
  })
})

describe('duet contains', () => {
  it('reports only that a schema cannot be read, and exits with 3', async () => {
    write('a.json', '{}')
    expect(await duet('contains', 'a.json#/none', 'a.json')).toEqual({
      code: 3,
      out: '',
      err: 'a.json#/none: the reference /none leads nowhere\n',
    })
  })
})

describe('an internal error', () => {
  it('is one line that calls it a bug, and exits with 1', async () => {
    const { emit } = stages
    Object.assign(stages, { emit: () => Promise.reject(new Error('broken\nstack')) })
    const { code, out, err } = await duet('generate').finally(() => Object.assign(stages, { emit }))
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toBe('This is a bug in duet: broken (DEBUG=duet shows where)\n')
  })
})
