import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runDuet } from '../../../test/in-process.js'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-diff-test-'))
  writeFileSync(join(cwd, 'old.yaml'), shop('a', '1.0.0'))
  writeFileSync(join(cwd, 'renamed.yaml'), shop('b', '1.1.0'))
  writeFileSync(join(cwd, 'broken.yaml'), 'openapi: 3.1.1\npaths: [')
})

afterEach(() => rmSync(cwd, { recursive: true }))

/** One operation with a method name, at one path. */
function shop(name: string, version: string): string {
  return [
    'openapi: 3.1.1',
    `info: { title: Shop, version: ${version} }`,
    `paths: { /a: { get: { x-rpc-method: ${name}.list, responses: { 200: { description: Fine } } } } }`,
    '',
  ].join('\n')
}

const diff = (...args: string[]) => runDuet(cwd, ['diff', ...args])

describe('duet diff', () => {
  it('exits with 0 and says identical if nothing has changed', async () => {
    const { code, out } = await diff('old.yaml', 'old.yaml')
    expect(code).toBe(0)
    expect(out).toMatch(/REST +identical\n +JSON-RPC +identical\n/)
  })

  it('fails only on breaking changes of the selected protocol', async () => {
    expect((await diff('old.yaml', 'renamed.yaml')).code).toBe(1)
    expect((await diff('old.yaml', 'renamed.yaml', '--protocol', 'jsonrpc')).code).toBe(1)
    expect((await diff('old.yaml', 'renamed.yaml', '--protocol', 'rest')).code).toBe(0)
    expect((await diff('old.yaml', 'renamed.yaml', '--fail-on', 'none')).code).toBe(0)
  })

  it('says that a schema can hold no value, even if nothing breaks', async () => {
    const answer = (schema: string): string => `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths: { /a: { get: { operationId: a.get, responses: { 200: { description: Fine, content: { application/json: {
  schema: { type: object, required: [a], properties: { a: ${schema} } } } } } } } } }
`
    writeFileSync(join(cwd, 'some.yaml'), answer('{ type: string }'))
    writeFileSync(join(cwd, 'none.yaml'), answer('{ allOf: [{ type: string }, { type: integer }] }'))
    const { out } = await diff('some.yaml', 'none.yaml')
    expect(out).toContain(
      'compatible a of the response 200: a branch was added to `allOf` ({"type":"integer"}); the new schema can hold no value',
    )
  })

  it('writes JSON with a change, its places and the version bump', async () => {
    await diff('old.yaml', 'renamed.yaml', '--format', 'json', '--out', 'diff.json')
    expect(JSON.parse(readFileSync(join(cwd, 'diff.json'), 'utf8'))).toEqual({
      old: { file: 'old.yaml', version: '1.0.0' },
      new: { file: 'renamed.yaml', version: '1.1.0' },
      verdict: { rest: 'identical', jsonrpc: 'breaking' },
      bump: { required: 'major', declared: 'minor', ok: false },
      pairing: { old: 1, new: 1, paired: 1, score: 1 },
      gate: { ok: false, reasons: ['1 breaking change'], waivers: [], objections: [] },
      changes: [
        {
          id: 'rpc-method-renamed',
          level: 'breaking',
          protocols: ['jsonrpc'],
          operation: 'b.list',
          operations: ['b.list'],
          direction: null,
          path: '',
          message: 'a.list is now called b.list',
          old: { pointer: '#/paths/~1a/get', file: 'old.yaml', line: 3, column: 16 },
          new: { pointer: '#/paths/~1a/get', file: 'renamed.yaml', line: 3, column: 16 },
          proof: {
            status: 'verified',
            value: {},
            jsonrpc: { jsonrpc: '2.0', id: 1, method: 'a.list', params: {} },
            old: 'accepts',
            new: 'rejects: -32601 Unknown operation',
          },
          handlers: ['b.list'],
          fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
          waiver: null,
        },
      ],
    })
  })

  it('reads a committed document', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' })
    git('init')
    git('add', 'old.yaml')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-m', 'Shop')
    const { code, out } = await diff('git:HEAD:old.yaml', 'old.yaml')
    expect(code).toBe(0)
    expect(out).toContain('git:HEAD:old.yaml (1.0.0) to old.yaml (1.0.0): no changes\n')
    expect(await diff('git:HEAD:none.yaml', 'old.yaml')).toMatchObject({
      code: 2,
      err: 'git has no file none.yaml in HEAD.\n',
    })
  })

  it('exits with 3 and shows the errors of a document that does not parse', async () => {
    const { code, out, err } = await diff('old.yaml', 'broken.yaml')
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toContain('broken.yaml:2:')
  })
})
