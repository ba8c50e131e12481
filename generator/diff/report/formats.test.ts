import { readFileSync } from 'node:fs'
import ajvDraft04 from 'ajv-draft-04'
import ajvFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { change, review } from '../../../test/fixtures/review.js'
import type { Change, Comparison } from '../change/change.js'
import { type Gate, passed } from '../gate/gate.js'
import { render } from './render.js'

/** Text from a document that tries to be more than text. */
const hostile = 'a\u0000\u001b[31m\r\n::error::x%0A]]></failure><script>"\'&\ud800\u202e`|@team #1 {0} [t](u)'

/** The characters of a text that must not reach a terminal, a parser or an editor. */
function steering(text = ''): string[] {
  return ['\u0000', '\u001b', '\r', '\u202e', '\ud800'].filter((sign) => text.includes(sign))
}

function changed(changes: readonly Change[]): Comparison {
  return { ...review, changes }
}

function many(count: number, given: Partial<Change> = {}): Change[] {
  return Array.from({ length: count }, (_, index) =>
    change({
      id: 'api-removed-without-deprecation',
      level: 'breaking',
      operation: `shop.${index}`,
      message: `GET /shop/${index} was removed`,
      fingerprint: index.toString(16).padStart(16, '0'),
      ...given,
    }),
  )
}

const attack = changed(
  many(1, {
    operation: hostile,
    operations: [hostile],
    message: hostile,
    path: hostile,
    new: { pointer: hostile, file: hostile, line: 1, column: 1 },
    proof: { status: 'unproven', reason: hostile },
    handlers: [hostile],
  }),
)

/** A gate with objections but no failing change. */
const objecting: Gate = {
  ...passed,
  ok: false,
  objections: [
    {
      id: 'waiver-expired',
      message: `It ended. ${hostile}`,
      at: { file: 'waivers.yaml', line: 8, column: 3 },
    },
    {
      id: 'version-bump-missing',
      message: 'a major version bump is required and minor declared',
      at: null,
    },
  ],
}

describe('a gate that only objects', () => {
  const shown = (format: 'sarif' | 'junit' | 'github'): string =>
    render(changed([]), format, { gate: objecting })

  it('is an error at the line of the waiver', () => {
    const [first, second] = shown('github').trimEnd().split('\n')
    expect(first).toMatch(
      /^::error file=waivers\.yaml,line=8,col=3,title=the gate::It ended\. .* \[waiver-expired\]$/,
    )
    expect(second).toBe(
      '::error title=the gate::a major version bump is required and minor declared [version-bump-missing]',
    )
  })

  it('is a failure in JUnit', () => {
    const text = shown('junit')
    expect(text).toMatch(/^<testsuites [^>]* tests="2" failures="2" skipped="0">$/m)
    expect(text.match(/<failure type="(waiver-expired|version-bump-missing)"/g)).toHaveLength(2)
  })

  it('is a result in SARIF', () => {
    const { results } = JSON.parse(shown('sarif')).runs[0]
    expect(results.map(({ ruleId, level }: Record<string, string>) => `${ruleId} ${level}`)).toEqual([
      'waiver-expired error',
      'version-bump-missing error',
    ])
  })

  it.each(['sarif', 'junit', 'github'] as const)('has no control characters as %s', (format) => {
    expect(steering(shown(format))).toEqual([])
  })
})

describe('SARIF', () => {
  const ajv = new ajvDraft04.default({ strict: false, allErrors: true })
  ajvFormats.default(ajv as never)
  const schema = JSON.parse(
    readFileSync(new URL('../../../test/fixtures/sarif-schema-2.1.0.json', import.meta.url), 'utf8'),
  )
  const validate = ajv.compile(schema)

  it.each([
    ['of a review', review],
    ['of nothing', changed([])],
    ['of hostile text', attack],
    ['of more than GitHub reads', changed(many(25_001))],
  ])('is valid by its official schema: %s', { tags: 'long' }, (_, comparison) => {
    validate(JSON.parse(render(comparison, 'sarif', { version: '1.0.0', gate: objecting })))
    expect(validate.errors ?? []).toEqual([])
  })

  it('has a rule for each id, and results with level, new position or else the old one, and fingerprint', () => {
    const [run] = JSON.parse(render(review, 'sarif')).runs
    expect(run.tool.driver.rules).toHaveLength(6)
    const result = (id: string) => run.results.find(({ ruleId }: { ruleId: string }) => ruleId === id)
    expect(result('request-parameter-max-decreased')).toMatchObject({
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'shop-2.yaml' },
            region: { startLine: 10, startColumn: 5 },
          },
          logicalLocations: [{ fullyQualifiedName: 'orders.search' }],
        },
      ],
      partialFingerprints: { 'duetChange/v1': '00000000000000c3' },
    })
    expect(result('api-removed-without-deprecation')).toMatchObject({
      locations: [{ physicalLocation: { artifactLocation: { uri: 'shop-1.yaml' } } }],
      suppressions: [{ kind: 'external', status: 'accepted' }],
    })
    expect(result('request-parameter-pattern-changed').level).toBe('warning')
    expect(result('new-optional-request-parameter').level).toBe('note')
    expect(result('api-description-changed')).toMatchObject({ level: 'none', kind: 'informational' })
  })

  it('writes paths as relative URIs', () => {
    const place = { pointer: '#', file: 'my spec/a%b.yaml', line: 1, column: 1 }
    const [run] = JSON.parse(render(changed(many(1, { new: place })), 'sarif')).runs
    const [location] = run.results[0].locations
    expect(location.physicalLocation.artifactLocation.uri).toBe('my%20spec/a%25b.yaml')
  })

  it('has no placeholders and links in messages', () => {
    const [run] = JSON.parse(render(changed(many(1, { message: '{0} of {id}, [a](b)' })), 'sarif')).runs
    expect(run.results[0].message.text).toBe('{{0}} of {id}, \\[a](b)')
  })
})

describe('JUnit', () => {
  it('fails unwaived breaks, skips waived changes, and passes the rest', () => {
    const xml = render(review, 'junit')
    expect(xml).toContain('tests="6" failures="2" skipped="1">')
    expect(xml).toContain('<failure type="request-parameter-max-decreased"')
    expect(xml).toContain('<skipped message="by ada until 2027-01-31: nobody has called it since May"/>')
    expect(xml).toContain('name="the query parameter state was added" file="shop-2.yaml" line="11"/>')
  })

  it('stays well-formed whatever a document contains', () => {
    const xml = render(attack, 'junit')
    expect(steering(xml)).toEqual([])
    expect(xml.match(/<[^>]*>/g)?.map((tag) => tag.replace(/[ >].*/s, ''))).toEqual([
      '<?xml',
      '<testsuites',
      '<testsuite',
      '<testcase',
      '<failure',
      '</failure',
      '</testcase',
      '</testsuite',
      '</testsuites',
    ])
    expect(xml).not.toContain(']]>')
    expect(xml.replace(/&#\d+;/g, '')).not.toContain('&')
  })
})

describe('GitHub annotations', () => {
  it('have kind, position and title, and show waived changes as notices', () => {
    const lines = render(review, 'github').split('\n')
    expect(lines).toContain(
      '::error file=shop-2.yaml,line=10,col=5,title=breaking%3A orders.search::the query parameter limit: `maximum` became smaller (1000 to 100) [request-parameter-max-decreased]',
    )
    expect(lines).toContainEqual(expect.stringMatching(/^::notice file=shop-1\.yaml,.*waived by ada/))
    expect(lines).toContainEqual(expect.stringMatching(/^::warning title=dangerous%3A orders\.search::/))
  })

  it('are at most ten of a kind, and count the others', () => {
    const lines = render(changed(many(12)), 'github')
      .trimEnd()
      .split('\n')
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10)
    expect(lines.at(-1)).toBe('2 more of kind error: GitHub shows 10 of a kind. Another format has all.')
  })

  it('are one command each, whatever a document contains', () => {
    const lines = render(attack, 'github').trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('%0A::error::x%250A')
    expect(steering(lines[0])).toEqual([])
  })
})

describe('Markdown', () => {
  it('begins with the marker for automation, and the verdicts', () => {
    const [marker, title, , lead, , , , rest] = render(review, 'markdown').split('\n')
    expect(marker).toBe('<!-- duet-diff -->')
    expect(title).toBe('## API review: Shop 1.0.0 to 1.1.0')
    expect(lead).toBe('3 breaking changes, 1 waived. REST and JSON-RPC callers must change.')
    expect(rest).toBe('| REST | **breaking** | 3 | 1 | 1 | 1 | Callers must change. |')
  })

  it('shows breaks with their proofs, and folds the rest', () => {
    const text = render(review, 'markdown')
    expect(text.indexOf('### Breaking (2)')).toBeLessThan(text.indexOf('### Dangerous (1)'))
    expect(text).toContain('1.0.0 accepts; 1.1.0 rejects: /limit must be &lt;= 100.')
    expect(text).toContain('<details><summary>Compatible (1)</summary>')
    expect(text).toContain('<details><summary>Waived (1)</summary>')
  })

  it('contains no markup, mention, reference or link of a document', () => {
    const message = '<img src=x> @team #12 [a](https://b.c) www.d.e | `x` me@f.g deadbeef12'
    const text = render(changed(many(1, { message })), 'markdown')
    const [line] = text.split('\n').filter((one) => one.startsWith('- '))
    expect(line).toContain(
      '&lt;img src=x&gt; @\u200bteam \\#\u200b12 \\[a\\]\\(https:\u200b//b.c\\) www\u200b.d.e',
    )
    expect(line).toContain('\\| \\`x\\` me@\u200bf.g deadbe\u200bef12')
  })

  it('keeps hostile text on its line and in its code', () => {
    const text = render(attack, 'markdown')
    const outsideOfCode = text.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
    expect(outsideOfCode.replace(/<!-- duet-diff -->|<\/?(?:details|summary)>/g, '')).not.toContain('<')
    expect(steering(text)).toEqual([])
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(1)
  })

  it('omits proofs before breaking changes, and breaking changes last', () => {
    const proof = {
      status: 'verified',
      value: {},
      rest: { method: 'GET', url: `/${'a'.repeat(900)}`, headers: {} },
      old: 'accepts',
      new: 'rejects: 404 Not Found',
    } as const
    const harmless = many(400, { level: 'compatible' }).map((one, index) => ({
      ...one,
      message: `more ${index}`,
    }))
    const text = render(changed([...harmless, ...many(300, { proof })]), 'markdown')
    for (let index = 0; index < 300; index++) expect(text).toContain(`GET /shop/${index} was removed`)
    expect(text).toContain('<summary>Proof</summary>')
    expect(Buffer.byteLength(text)).toBeLessThan(65_536)
  })

  it("stays below GitHub's limit, closes what it opened, and counts what is left out", () => {
    const text = render(changed([...many(3000), ...many(10, { level: 'info' })]), 'markdown')
    expect(Buffer.byteLength(text)).toBeLessThan(65_536)
    expect(text.split('<details>').length).toBe(text.split('</details>').length)
    const listed = text.split('\n').filter((line) => line.startsWith('- ')).length
    expect(text).toContain(`_${3010 - listed} more changes are left out`)
  })
})

describe('HTML', () => {
  it('allows only its own style and script to load or run', () => {
    const html = render(review, 'html')
    const [policy = ''] = /(?<=Content-Security-Policy" content=")[^"]*/.exec(html) ?? []
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; img-src data:; base-uri 'none'; form-action 'none'$/,
    )
    expect(html).not.toMatch(/\s(?:src|style|on\w+)=/)
  })

  it('escapes all text of a document', () => {
    const html = render(attack, 'html')
    expect(html.split('<script').length).toBe(2)
    expect(steering(html)).toEqual([])
  })

  it('distinguishes two documents with one version number, and shows that no bump is declared', () => {
    const dated = { file: 'shop.yaml', version: '2026-11-21' }
    const bump = { required: 'major', declared: 'none', ok: true } as const
    const html = render({ ...review, old: dated, new: dated, bump }, 'html')
    expect(html).toContain('<b>old</b> accepts')
    expect(html).toContain('<b>new</b> rejects: /limit must be &lt;&#x3D; 100')
    expect(html).toContain('not declared')
  })

  it('has one entry for an edit of many values, with all fingerprints', () => {
    const values = many(3, { operation: 'shop.get', path: '/size', operations: ['shop.get'] }).map(
      (one, index) => ({
        ...one,
        message: `/size of the request body: a value was removed from its \`enum\` (was "${index}")`,
      }),
    )
    const html = render(changed(values), 'html')
    expect(html.split('data-level="breaking"').length - 1).toBe(1)
    expect(html).toContain('data-changes="3"')
    for (const { fingerprint } of values) expect(html).toContain(fingerprint)
  })

  it('keeps the worst of too many changes, and says so', { tags: 'long' }, () => {
    const html = render(changed([...many(10, { level: 'info' }), ...many(3000)]), 'html')
    expect(html).toContain('Only the worst 1500 of 3010 changes are shown.')
    expect(html.split('data-level="breaking"').length - 1).toBe(1500)
    expect(html.length).toBeLessThan(2_500_000)
  })
})

describe('JSON', () => {
  it('has every change, and no control characters', () => {
    const text = render(attack, 'json')
    expect(JSON.parse(text).changes[0].message).toBe(hostile)
    expect(steering(text)).toEqual([])
  })
})
