import { describe, expect, it } from 'vitest'
import { change, review } from '../../../test/fixtures/review.js'
import type { Change, Comparison } from '../change/change.js'
import { gateOf } from '../gate/gate.js'
import { render } from './render.js'
import { countsOf, leadText } from './words.js'

const waiver = { owner: 'ada', reason: 'nobody calls it', expires: '2027-01-01' }

const breaking = (given: Partial<Change> = {}): Change =>
  change({
    ...{ id: 'api-removed-without-deprecation', level: 'breaking' },
    ...{ operation: 'shop.get', message: 'GET /shop was removed', fingerprint: '1', ...given },
  })

const reviewOf = (changes: readonly Change[]): Comparison => ({
  ...review,
  changes,
  verdict: { rest: 'breaking', jsonrpc: 'identical' },
})

describe('the headline', () => {
  const adapter = 'from-1.0.0.ts'
  it.each<[string, Partial<Change>[]]>([
    ['1 breaking change. REST callers must change.', [{}]],
    ['2 breaking changes, 1 waived. REST callers must change.', [{}, { waiver }]],
    ['2 breaking changes, all waived.', [{ waiver }, { waiver }]],
    [
      '2 breaking changes, all adapted: callers of the old version need not change.',
      [{ adapter }, { adapter }],
    ],
    ['3 breaking changes, 2 of them adapted, 1 waived.', [{ adapter }, { adapter }, { waiver }]],
  ])('says: %s', (expected, given) => {
    const changes = given.map((one, index) =>
      breaking({ ...one, protocols: ['rest'], fingerprint: `${index}` }),
    )
    expect(leadText(reviewOf(changes))).toBe(expected)
    expect(render(reviewOf(changes), 'markdown').replaceAll('\\', '')).toContain(expected)
    expect(render(reviewOf(changes), 'html')).toContain(expected)
  })

  it('names the protocols whose callers no waiver covers', () => {
    const changes = [
      breaking({ protocols: ['rest'], waiver, fingerprint: '1' }),
      breaking({ protocols: ['jsonrpc'], fingerprint: '2' }),
    ]
    const compared: Comparison = { ...reviewOf(changes), verdict: { rest: 'breaking', jsonrpc: 'breaking' } }
    expect(leadText(compared)).toBe('2 breaking changes, 1 waived. JSON-RPC callers must change.')
    expect(render(compared, 'markdown')).toContain('| REST | **breaking** | 1 | 0 | 0 | 0 | All waived. |')
  })
})

describe('a change with a proof for each protocol', () => {
  const parts = [
    breaking({ protocols: ['rest'], fingerprint: 'a' }),
    breaking({ protocols: ['jsonrpc'], fingerprint: 'b', partOf: 'a' }),
  ]

  it('counts once', () => {
    expect(countsOf(parts)).toMatchObject([{ level: 'breaking', count: 1 }])
    expect(render(reviewOf(parts), 'markdown')).toContain('### Breaking (1)')
    expect(render(reviewOf(parts), 'html')).toContain('data-changes="1"')
    const { reasons } = gateOf(reviewOf(parts), { failOn: 'breaking', requireBump: false }, [])
    expect(reasons).toEqual(['1 breaking change'])
  })

  it('is waived once all parts are', () => {
    const [first, second] = parts as [Change, Change]
    expect(countsOf([{ ...first, waiver }, second])).toMatchObject([{ count: 1, waived: 0 }])
    expect(
      countsOf([
        { ...first, waiver },
        { ...second, waiver },
      ]),
    ).toMatchObject([{ count: 1, waived: 1 }])
  })
})
