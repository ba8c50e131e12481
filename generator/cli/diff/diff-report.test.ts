import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runDuet } from '../../../test/in-process.js'

let cwd: string

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-report-'))
  writeFileSync(join(cwd, 'old.yaml'), shop('1.0.0', '1000'))
  writeFileSync(join(cwd, 'new.yaml'), shop('1.1.0', '100'))
})

afterAll(() => rmSync(cwd, { recursive: true }))

/** One operation with a limit. */
function shop(version: string, maximum: string): string {
  return `openapi: 3.1.1
info: { title: Shop, version: ${version} }
paths:
  /orders:
    get:
      operationId: orders.search
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: ${maximum} } }
      responses: { 200: { description: Fine } }
`
}

describe('the formats of duet diff', () => {
  it.each([
    ['text', /^orders\.search\n {2}breaking /],
    ['json', /^\{\n {2}"old": \{\n/],
    ['markdown', /^<!-- duet-diff -->\n## API review: Shop 1\.0\.0 to 1\.1\.0\n/],
    ['html', /^<!doctype html>\n/],
    ['sarif', /^\{\n {2}"\$schema": "https:\/\/docs\.oasis-open\.org\//],
    ['junit', /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /],
    ['github', /^::error file=new\.yaml,line=\d+,col=\d+,title=breaking%3A orders\.search::/],
  ])('%s goes to standard output alone, or to the file that is named', async (format, beginning) => {
    const { code, out, err } = await runDuet(cwd, ['diff', 'old.yaml', 'new.yaml', '--format', format])
    expect({ code, err }).toEqual({ code: 1, err: 'The gate fails: 1 breaking change.\n' })
    expect(out).toMatch(beginning)
    const silent = await runDuet(cwd, [
      ...['diff', 'old.yaml', 'new.yaml', '--format', format, '--out', 'report'],
    ])
    expect(silent).toEqual({ code: 1, out: '', err: `wrote report\n${err}` })
    expect(readFileSync(join(cwd, 'report'), 'utf8')).toMatch(beginning)
  })

  it.each(['markdown', 'html'])('say in %s that the check failed, and why', async (format) => {
    const { out } = await runDuet(cwd, ['diff', 'old.yaml', 'new.yaml', '--format', format])
    expect(out).toMatch(/Check failed(\*\*|<\/strong>): 1 breaking change\./)
  })

  it.each([
    ['none', '::warning ', 'failures="0"', 0],
    ['breaking', '::error ', 'failures="1"', 1],
    ['dangerous', '::error ', 'failures="1"', 1],
  ])(
    'fail in JUnit and on GitHub what fails the gate: --fail-on %s',
    async (failOn, kind, failures, exit) => {
      const args = ['diff', 'old.yaml', 'new.yaml', '--fail-on', failOn]
      const { code, out } = await runDuet(cwd, [
        ...args,
        '--format',
        'junit',
        '--out',
        'a.xml',
        '--format',
        'github',
      ])
      expect(code).toBe(exit)
      expect(out.startsWith(kind)).toBe(true)
      expect(readFileSync(join(cwd, 'a.xml'), 'utf8')).toContain(failures)
    },
  )

  it('are several of one review, each to the file that is named in its place, the last to standard output', async () => {
    const { out } = await runDuet(cwd, [
      ...['diff', 'old.yaml', 'new.yaml', '--format', 'markdown', '--out', 'review.md'],
      ...['--format', 'sarif', '--out', 'review.sarif', '--format', 'text'],
    ])
    expect(out).toMatch(/^orders\.search\n/)
    expect(readFileSync(join(cwd, 'review.md'), 'utf8')).toMatch(/^<!-- duet-diff -->/)
    expect(JSON.parse(readFileSync(join(cwd, 'review.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' })
  })

  it.each([
    [['--out', 'a', '--out', 'b'], /more --out files than --format formats/],
    [['--format', 'json', '--format', 'text'], /but the last needs a file/],
    [['--format', 'yaml'], /Allowed choices are text, json/],
  ])('exit with 2 on %j', async (args, message) => {
    const { code, err } = await runDuet(cwd, ['diff', 'old.yaml', 'new.yaml', ...args])
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it('link to both references below an address, and refuse one without a version or outside of the web', async () => {
    const diff = ['diff', 'old.yaml', 'new.yaml', '--format', 'html', '--reference']
    const { out } = await runDuet(cwd, [...diff, 'https://api.example.com/{version}/docs'])
    expect(out).toContain('href="https://api.example.com/1.0.0/docs/index.html"')
    expect(out).toContain('href="https://api.example.com/1.1.0/docs/orders.html#orders.search"')
    for (const wrong of ['https://api.example.com/', 'javascript:{version}'])
      expect(await runDuet(cwd, [...diff, wrong])).toMatchObject({
        code: 2,
        err: expect.stringContaining('--reference'),
      })
  })

  it('name in Markdown the affected handlers', async () => {
    writeFileSync(join(cwd, 'more.yaml'), shop('1.1.0', '1000').replace('limit,', 'size,'))
    const { out } = await runDuet(cwd, ['diff', 'old.yaml', 'more.yaml', '--format', 'markdown'])
    expect(out).toContain('\nAffected handlers: orders.search ')
  })

  it('show the lines of both documents in HTML', async () => {
    const { out } = await runDuet(cwd, ['diff', 'old.yaml', 'new.yaml', '--format', 'html'])
    expect(out).toContain('<del>1000</del>')
    expect(out).toContain('<ins>100</ins>')
  })

  it('show places and fingerprint on request', async () => {
    const { out } = await runDuet(cwd, ['diff', 'old.yaml', 'new.yaml', '--verbose'])
    expect(out).toMatch(
      /\n {6}rule {9}request-parameter-max-decreased\n {6}old {10}old\.yaml:8:\d+\n {6}new {10}new\.yaml:8:\d+\n/,
    )
    expect(out).toMatch(/\n {6}fingerprint {2}[0-9a-f]{16}\n/)
  })

  it('fail with 2 if the file cannot be written', async () => {
    const { code, err } = await runDuet(cwd, ['diff', 'old.yaml', 'new.yaml', '--out', 'no/such/folder'])
    expect(code).toBe(2)
    expect(err).toContain('no/such/folder cannot be written')
  })
})

describe('duet changelog', () => {
  beforeAll(() => {
    for (const [version, maximum] of [
      ['1.0.0', '1000'],
      ['1.1.0', '100'],
    ] as const) {
      mkdirSync(join(cwd, 'spec', version), { recursive: true })
      writeFileSync(join(cwd, 'spec', version, 'openapi.yaml'), shop(version, maximum))
    }
  })

  it.each([
    [
      'text',
      /^1\.1\.0 \(since 1\.0\.0: REST breaking, JSON-RPC breaking\)\n {2}Breaking\n {4}orders\.search: /,
    ],
    ['markdown', /^# Changes of Shop\n\n## 1\.1\.0\n/],
    ['json', /^\{\n {2}"title": "Shop",\n/],
    ['html', /^<!doctype html>\n/],
  ])('shows the changes of spec/ as %s', async (format, beginning) => {
    const { code, out, err } = await runDuet(cwd, ['changelog', '--format', format])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(beginning)
  })

  it('writes several formats, each to the file after it, and refuses a file without a format', async () => {
    const pairs = ['--format', 'html', '--out', 'a.html', '--format', 'text', '--out', 'b.txt']
    const { code, out, err } = await runDuet(cwd, ['changelog', ...pairs])
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: 'wrote a.html\nwrote b.txt\n' })
    expect(readFileSync(join(cwd, 'a.html'), 'utf8')).toMatch(/^<!doctype html>/)
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toMatch(/^1\.1\.0 /)
    const more = await runDuet(cwd, ['changelog', '--out', 'c.txt', '--out', 'd.txt'])
    expect(more).toMatchObject({ code: 2, err: expect.stringContaining('more --out files than --format') })
  })

  it('exits with 3 and shows the errors of a version that does not parse', async () => {
    const file = join(cwd, 'spec', '1.1.0', 'openapi.yaml')
    writeFileSync(file, 'openapi: 3.1.1\npaths: [')
    const { code, out, err } = await runDuet(cwd, ['changelog'])
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toContain('spec/1.1.0/openapi.yaml:2:')
  })
})
