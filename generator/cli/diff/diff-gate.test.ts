import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { billingFolder, build, duetIn } from '../../../test/built-duet.js'
import { runDuet } from '../../../test/in-process.js'

let cwd: string

beforeAll(() => {
  cwd = billingFolder()
})

afterAll(() => rmSync(cwd, { recursive: true }))
beforeEach(() => write('duet.config.json', '{ "package": "@billing/api" }'))

const duet = (...args: string[]) => runDuet(cwd, args)
const review = (...args: string[]) => duet('diff', '1.1.0', '2.0.0-rc.1', ...args)

function write(name: string, text: string): void {
  writeFileSync(join(cwd, name), text)
}

/** What `--format waivers` prints of that review, which most of these tests need. */
const printed = () => (printing ??= review('--format', 'waivers').then(({ out }) => out))
let printing: Promise<string> | undefined

/** Waivers of all that the review fails on, as the command prints them, filled in. */
async function filledIn(expires = '2999-12-31'): Promise<string> {
  return (await printed())
    .replaceAll(/owner:$/gm, 'owner: Ada Lovelace')
    .replaceAll(/reason:$/gm, 'reason: Announced in June.')
    .replaceAll(/expires:$/gm, `expires: ${expires}`)
}

describe('the gate of duet diff', async () => {
  it('writes waivers for breaking changes even if it fails on nothing', async () => {
    const { code, out } = await review('--format', 'waivers', '--fail-on', 'none')
    expect(code).toBe(0)
    expect(out).toBe(await printed())
    expect(out).toContain("- fingerprint: '")
  })

  it('passes compatible changes, and fails on others', async () => {
    expect(await duet('diff', '1.0.0', '1.1.0')).toMatchObject({ code: 0, err: '' })
    expect((await duet('diff', '1.0.0', '1.1.0', '--fail-on', 'any')).code).toBe(1)
    expect(await review()).toMatchObject({ code: 1, err: 'The gate fails: 8 breaking changes.\n' })
    expect(await review('--fail-on', 'none')).toMatchObject({ code: 0, err: '' })
  })

  it('passes once each change is waived, by the file named or by the one of the config file', async () => {
    write('waivers.yaml', await filledIn())
    const { code, out, err } = await review('--waivers', 'waivers.yaml')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('8 breaking (8 waived)')
    write('duet.config.json', '{ "package": "@billing/api", "waivers": "waivers.yaml" }')
    const { changes, gate } = JSON.parse((await review('--format', 'json')).out)
    expect(gate).toEqual({ ok: true, reasons: [], waivers: [], objections: [] })
    const expected = { owner: 'Ada Lovelace', reason: 'Announced in June.', expires: '2999-12-31' }
    const waivers = changes.map((change: { level: string; waiver: unknown }) => [change.level, change.waiver])
    expect(waivers).toContainEqual(['breaking', expected])
    expect(waivers).not.toContainEqual(['breaking', null])
    expect(await duet('diff', '1.0.0', '1.1.0')).toMatchObject({ code: 0, err: '' })
  })

  it('keeps a waiver of a change over one protocol, whichever protocol is selected', {
    tags: 'long',
  }, async () => {
    write('waivers.yaml', await filledIn())
    for (const protocol of ['rest', 'jsonrpc'])
      expect(await review('--waivers', 'waivers.yaml', '--protocol', protocol)).toMatchObject({
        code: 0,
        err: '',
      })
  })

  it('fails on an expired waiver, and shows its lines', async () => {
    write('waivers.yaml', await filledIn('2026-01-31'))
    const { code, err } = await review('--waivers', 'waivers.yaml')
    expect(code).toBe(1)
    expect(err).toMatch(
      /^waivers\.yaml:8:3 error waiver-expired\nThe waiver of api-global-security-removed by /,
    )
    expect(err).toContain('> 24 |   expires: 2026-01-31\n')
    expect(err).toMatch(/The gate fails: 8 breaking changes, 8 waivers expired, unused or mistaken\.\n$/)
  })

  it('fails on a waiver that no change needs', async () => {
    write('waivers.yaml', (await filledIn()).replaceAll(/^ {2}(from|to): .*\n/gm, ''))
    const { code, err } = await duet('diff', '1.0.0', '1.1.0', '--waivers', 'waivers.yaml')
    expect(code).toBe(1)
    expect(err).toMatch(/^waivers\.yaml:2:3 error waiver-unused\nNo change from 1\.0\.0 to 1\.1\.0 has /)
    expect(err).toContain('Remedy: Delete the entry. If it belongs to another review, add from and to.')
  })

  it('exits with 3 for a mistake in the file of waivers, in either format', async () => {
    write('waivers.yaml', await filledIn('31.01.2027'))
    const text = await review('--waivers', 'waivers.yaml')
    expect(text).toMatchObject({ code: 3, out: '' })
    expect(text.err).toMatch(/^waivers\.yaml:8:3 error waiver-field-invalid\n"31\.01\.2027" is not a day/)
    const json = await review('--waivers', 'waivers.yaml', '--format', 'json')
    expect({ ...json, out: '' }).toEqual({ code: 3, out: '', err: '' })
    expect(JSON.parse(json.out).diagnostics[0]).toMatchObject({
      code: 'waiver-field-invalid',
      file: 'waivers.yaml',
      line: 8,
      column: 3,
      remedy: 'Write the last day on which the waiver holds: expires: 2027-01-31.',
    })
  })

  it('exits with 2 if the file of waivers is missing', async () => {
    expect(await review('--waivers', 'none.yaml')).toEqual({
      code: 2,
      out: '',
      err: 'none.yaml cannot be read: there is no such file.\n',
    })
    write('duet.config.json', '{ "package": "@billing/api", "waivers": "none.yaml" }')
    expect(await review()).toMatchObject({
      code: 2,
      err: 'waivers in duet.config.json: none.yaml cannot be read: there is no such file.\n',
    })
  })

  it('requires a sunset far enough ahead with --notice-days', async () => {
    const text = (more: string): string =>
      `openapi: 3.1.1\ninfo: { title: A, version: 1.0.0 }\npaths: { /a: { get: { ${more}responses: { 200: { description: Fine } } } } }\n`
    write('kept.yaml', text(''))
    write('deprecated.yaml', text('deprecated: true, '))
    expect((await duet('diff', 'kept.yaml', 'deprecated.yaml')).code).toBe(0)
    expect((await duet('diff', 'kept.yaml', 'deprecated.yaml', '--notice-days', '90')).code).toBe(1)
    expect((await duet('diff', 'kept.yaml', 'deprecated.yaml', '--notice-days', 'soon')).code).toBe(2)
    write('dated.yaml', text('deprecated: true, x-sunset: 2999-12-31, '))
    expect((await duet('diff', 'kept.yaml', 'dated.yaml', '--notice-days', '90')).code).toBe(0)
  })

  it('fails on a version bump that is too small with --require-bump', async () => {
    const text = readFileSync(join(cwd, 'spec/1.1.0/openapi.yaml'), 'utf8')
    write('patch.yaml', text.replace('version: 1.1.0', 'version: 1.0.1'))
    expect(await duet('diff', '1.0.0', 'patch.yaml')).toMatchObject({ code: 0, err: '' })
    expect(await duet('diff', '1.0.0', 'patch.yaml', '--require-bump')).toMatchObject({
      code: 1,
      err: 'The gate fails: a minor version bump is required and patch declared.\n',
    })
    expect((await review('--fail-on', 'none', '--require-bump')).code).toBe(0)
  })
})

describe('bad input of duet diff', () => {
  it('exits with 3 and the errors, whichever side has them and in either format', async () => {
    write('broken.yaml', 'openapi: 3.1.1\npaths: [')
    for (const sides of [
      ['broken.yaml', '1.0.0'],
      ['1.0.0', 'broken.yaml'],
    ]) {
      const text = await duet('diff', ...sides)
      expect(text).toMatchObject({ code: 3, out: '' })
      expect(text.err).toMatch(/^broken\.yaml:2:\d+ error yaml-syntax\n/)
      const { code, out } = await duet('diff', ...sides, '--format', 'json')
      expect(code).toBe(3)
      expect(JSON.parse(out).diagnostics[0]).toMatchObject({ code: 'yaml-syntax', file: 'broken.yaml' })
    }
  })

  it('shows the errors of both sides', async () => {
    write('broken.yaml', 'openapi: 3.1.1\npaths: [')
    write('old.yaml', 'openapi: 4.0.0\n')
    const { code, err } = await duet('diff', 'old.yaml', 'broken.yaml')
    expect(code).toBe(3)
    expect(err).toMatch(/old\.yaml:1:1 error openapi-version[\s\S]*broken\.yaml:2:\d+ error yaml-syntax/)
  })

  it.each([
    ['neither paths nor anything else', '{"openapi":"3.1.1","info":{"title":"A","version":"1.0.0"}}', '1:1'],
    ['no info', '{"openapi":"3.1.1","components":{}}', '1:1'],
    ['an empty info', '{"openapi":"3.1.1","info":{},"components":{}}', '1:20'],
  ])('exits with 3 for a document that has %s', async (_what, text, at) => {
    write('empty.json', text)
    for (const sides of [
      ['empty.json', '1.0.0'],
      ['1.0.0', 'empty.json'],
    ]) {
      const { code, out, err } = await duet('diff', ...sides)
      expect({ code, out }).toEqual({ code: 3, out: '' })
      expect(err).toMatch(new RegExp(`^empty\\.json:${at} error missing-field\\n[^]*\\nRemedy: Add `))
    }
  })

  it('compares a document whose only error is a missing version', async () => {
    write('lacking.json', '{"openapi":"3.1.1","info":{"title":"A"},"paths":{}}')
    expect(await duet('diff', 'lacking.json', 'lacking.json')).toMatchObject({
      code: 0,
      err: '',
    })
  })

  it('asks whether documents of two services belong together, with the pairing score', async () => {
    write(
      'weather.yaml',
      [
        'openapi: 3.1.1',
        'info: { title: Weather, version: 1.0.0 }',
        'servers: [{ url: / }]',
        'paths:',
        '  /forecast: { get: { x-rpc-method: weather.forecast, responses: { 200: { description: Fine } } } }',
        '',
      ].join('\n'),
    )
    const question =
      'Are these two versions of one service? Of 6 and 1 operations, 0 found a partner (pairing score 0.00).'
    const text = await duet('diff', '1.0.0', 'weather.yaml')
    expect(text.code).toBe(1)
    expect(text.out).toContain(question)
    const json = await duet('diff', '1.0.0', 'weather.yaml', '--format', 'json', '--fail-on', 'none')
    expect(json).toMatchObject({ code: 0, err: `${question}\n` })
    expect(JSON.parse(json.out).pairing).toEqual({ old: 6, new: 1, paired: 0, score: 0 })
  })

  it('exits with 2 for an unknown version', async () => {
    expect(await duet('diff', '1.0.0', '9.9.9')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^9\.9\.9 is neither a file nor a version under spec\/\. Versions there: 1\.0\.0, /,
      ),
    })
    const { code, err } = await duet('diff', 'git:--upload-pack=x:a.yaml', '1.0.0')
    expect({ code, err }).toEqual({
      code: 2,
      err: '--upload-pack=x is not a revision: it begins with a hyphen.\n',
    })
  })
})

describe('the process of duet diff', () => {
  it('exits with 0, 1, 2 and 3', { tags: 'long' }, async () => {
    expect(await build()).toBe('')
    write('mistake.yaml', '- owner: Ada')
    const codes = [
      ['1.0.0', '1.1.0'],
      ['1.1.0', '2.0.0-rc.1'],
      ['1.0.0', '1.1.0', '--waivers', 'none.yaml'],
      ['1.0.0', '1.1.0', '--waivers', 'mistake.yaml'],
    ].map((args) => duetIn(cwd, 'diff', ...args).status)
    expect(codes).toEqual([0, 1, 2, 3])
  })
})
