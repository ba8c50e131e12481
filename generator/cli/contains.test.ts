import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Terminal } from '../project/terminal.js'
import { addContains } from './contains.js'

let cwd: string

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-contains-'))
  writeFileSync(join(cwd, 'integer.json'), '{"type":"integer"}')
  writeFileSync(join(cwd, 'number.yaml'), 'type: number\n')
  writeFileSync(join(cwd, 'api.json'), '{"components":{"schemas":{"Id":{"type":"integer","minimum":1}}}}')
  writeFileSync(join(cwd, 'broken.json'), '{')
})

afterAll(() => rmSync(cwd, { recursive: true }))

async function run(args: readonly string[], input = '') {
  let [code, out] = [-1, '']
  const program = new Command('duet').exitOverride().configureOutput({ writeErr: () => {} })
  const show = (text: string): void => {
    out += text
  }
  const terminal = { cwd, out: show } as Terminal
  addContains(
    program,
    terminal,
    {} as never,
    (given) => {
      code = given
    },
    Readable.from([input]),
  )
  for (const command of program.commands) command.copyInheritedSettings(program)
  await program.parseAsync(['contains', ...args], { from: 'user' })
  return {
    code,
    lines: out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }
}

describe('duet contains A B', () => {
  it('exits with 0 if A is contained', async () => {
    expect(await run(['integer.json', 'number.yaml'])).toEqual({ code: 0, lines: [{ verdict: 'contained' }] })
  })

  it('exits with 1 and shows a witness if it is not', async () => {
    const { code, lines } = await run(['integer.json', 'api.json#/components/schemas/Id'])
    expect({ code, lines }).toEqual({ code: 1, lines: [{ verdict: 'not-contained', witness: 0 }] })
  })

  it.each(['json', 'yaml'])('proves nothing with numbers of %s that become one double', async (type) => {
    writeFileSync(join(cwd, `odd.${type}`), '{"enum": [9007199254740993]}')
    writeFileSync(join(cwd, `even.${type}`), '{"enum": [9007199254740992]}')
    const reason = 'the schemas have numbers that differ only in digits that a double does not hold'
    const lines = [{ verdict: 'unknown', reason }]
    expect(await run([`odd.${type}`, `even.${type}`])).toEqual({ code: 1, lines })
    expect(await run([`odd.${type}`, `odd.${type}`])).toEqual({ code: 0, lines: [{ verdict: 'contained' }] })
  })

  it.each([
    [['missing.json', 'integer.json'], 'missing.json cannot be read'],
    [['broken.json', 'integer.json'], 'broken.json is not JSON or YAML'],
    [['api.json#/none', 'integer.json'], 'api.json#/none: the reference /none leads nowhere'],
    [['integer.json'], 'contains needs two schemas'],
    [['--jsonl', 'integer.json'], '--jsonl reads the schemas from standard input'],
    [['integer.json', 'number.yaml', '--dialect', 'draft5'], "argument 'draft5' is invalid"],
    [['integer.json', 'number.yaml', '--budget', '0'], 'Write a whole number'],
  ])('%j is refused', async (args, message) => {
    await expect(run(args)).rejects.toThrow(message)
  })
})

describe('duet contains --jsonl', () => {
  it('answers line by line, in order, in the dialect of each', async () => {
    const input = [
      '{"a":{"type":"integer"},"b":{"type":"number"},"dialect":"draft4"}',
      '',
      '{"a":{"type":"number","minimum":0},"b":{"type":"number","minimum":0,"exclusiveMinimum":true},"dialect":"draft4"}',
      '{"a":{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":[{"type":"null"}]},"b":{"maxItems":9}}',
    ].join('\n')
    const { code, lines } = await run(['--jsonl'], input)
    expect(code).toBe(0)
    expect(lines.map(({ verdict }) => verdict)).toEqual(['contained', 'not-contained', 'not-contained'])
    expect(lines[1]).toEqual({ verdict: 'not-contained', witness: 0 })
  })

  it('proves nothing with bounds that become one double', async () => {
    const input = ['9007199254740992', '9007199254740993', '9.007199254740993e15']
      .map((most) => `{"a":{"maximum":9007199254740993},"b":{"maximum":${most}}}`)
      .join('\n')
    const { lines } = await run(['--jsonl'], input)
    expect(lines.map(({ verdict }) => verdict)).toEqual(['unknown', 'contained', 'contained'])
  })

  it('asserts formats of later drafts if asked to', async () => {
    const line = '{"a":{"const":"x"},"b":{"format":"date"},"dialect":"2020-12"}'
    expect((await run(['--jsonl'], line)).lines).toEqual([
      { verdict: 'unknown', reason: 'AJV and the specification read these schemas differently' },
    ])
    expect((await run(['--jsonl', '--assert-formats'], line)).lines).toEqual([
      { verdict: 'not-contained', witness: 'x' },
    ])
  })

  it('keeps names that every object inherits, and survives depth and references without end', async () => {
    const deep = `${'{"items":'.repeat(1000)}true${'}'.repeat(1000)}`
    const { code, lines } = await run(
      ['--jsonl'],
      [
        '{"a":{"required":["__proto__"],"type":"object"},"b":{"maxProperties":0}}',
        `{"a":{},"b":${deep}}`,
        `{"a":${deep},"b":${deep.replace('true', 'false')}}`,
        '{"a":{"$ref":"#"},"b":{"type":"null"}}',
        '{"a":{"allOf":[{"$ref":"#/$defs/x"}],"$defs":{"x":{"$ref":"#/$defs/x"}}},"b":false}',
        '{"a":1,"b":{}}',
        '{"a":{"type":"null"},"b":{}}',
      ].join('\n'),
    )
    expect(code).toBe(0)
    const [inherited, ...rest] = lines
    expect(JSON.stringify(inherited)).toBe('{"verdict":"not-contained","witness":{"__proto__":null}}')
    const verdicts = rest.map(({ verdict }) => verdict)
    expect(verdicts).toEqual([...Array(5).fill('unknown'), 'contained'])
  })

  it('answers an invalid line with the reason, continues, and exits with 3', async () => {
    const lines = ['{', '[]', '{"a":{}}', '{"a":{},"b":{},"dialect":"draft5"}', '{"a":false,"b":{}}']
    const answer = await run(['--jsonl'], lines.join('\n'))
    expect(answer).toEqual({
      code: 3,
      lines: [
        { verdict: 'unknown', reason: expect.stringContaining('the line is not JSON') },
        { verdict: 'unknown', reason: 'the line is not a JSON object' },
        { verdict: 'unknown', reason: 'the line has no schema "b"' },
        { verdict: 'unknown', reason: expect.stringContaining('"dialect" is ') },
        { verdict: 'contained' },
      ],
    })
  })
})
