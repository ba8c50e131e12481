import { describe, expect, it } from 'vitest'
import { change, review } from '../../../test/fixtures/review.js'
import { comparisonText } from './text.js'

describe('the report for a terminal', () => {
  it('has a line for each change, the worst first, counts changes for information, and ends with the verdict of each protocol', () => {
    expect(comparisonText(review)).toBe(
      [
        'shared schemas',
        '  breaking   Customer.email: became nullable in 4 operations: customers.get, customers.search and 2 more response-property-became-nullable',
        '',
        'orders.clear',
        '  breaking   DELETE /orders was removed [waived] api-removed-without-deprecation',
        '',
        'orders.search',
        '  breaking   the query parameter limit: max decreased (1000 to 100) [REST only] request-parameter-max-decreased',
        '',
        'orders.search',
        '  dangerous  the query parameter code: pattern changed request-parameter-pattern-changed',
        '',
        'orders.search',
        '  compatible the query parameter state was added new-optional-request-parameter',
        '',
        '1 change of wording and names for information: --verbose shows it',
        '',
        'shop-1.yaml (1.0.0) to shop-2.yaml (1.1.0): 3 breaking (1 waived), 1 dangerous, 1 compatible, 1 info',
        '  REST      breaking: 3 breaking (1 waived), 1 dangerous, 1 compatible, 1 info',
        '  JSON-RPC  breaking: 2 breaking (1 waived), 1 dangerous, 1 compatible, 1 info',
        'version bump: major required, minor declared (not enough)',
        'handlers to look at: customers.get (customers.ts), orders.clear, orders.search (orders.ts)',
        '',
      ].join('\n'),
    )
  })

  it('adds proof, positions, handlers and waiver if verbose', () => {
    const lines = comparisonText(review, { verbose: true }).split('\n')
    const at = lines.findIndex((line) => line.includes('max decreased'))
    expect(lines.slice(at + 1, at + 9)).toEqual([
      '      rule         request-parameter-max-decreased',
      '      old          shop-1.yaml:10:5',
      '      new          shop-2.yaml:10:5',
      '      proof        1.0.0 accepts, 1.1.0 rejects: /limit must be <= 100',
      `      REST         curl "$BASE_URL/orders?limit=101" -H 'X-Note: it'\\''s'`,
      `      JSON-RPC     curl "$BASE_URL/" -H 'Content-Type: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"orders.search","params":{"limit":101}}'`,
      '      handlers     orders.search',
      '      fingerprint  00000000000000c3',
    ])
    expect(lines).toContain('      waived       by ada until 2027-01-31: nobody has called it since May')
    expect(lines).toContain('      proof        none: the pattern is no regular language')
  })

  it('shortens the middle of a path before anything else, to fit the terminal', () => {
    const path = '/orders/-/customer/invoices/-/lines/-/product/supplier/address/country'
    const long = change({
      id: 'response-property-max-increased',
      level: 'breaking',
      operation: 'orders.get',
      path,
      message: `${path} of the answer 200: max increased`,
    })
    const [, line = ''] = comparisonText({ ...review, changes: [long] }, { columns: 120 }).split('\n')
    expect(line.length).toBeLessThanOrEqual(120)
    expect(line).toMatch(
      /^ {2}breaking {3}\/orders\S+…\S+\/country of the answer 200: max increased response-/,
    )
  })

  it('omits the rule on a narrow terminal before it cuts the message', () => {
    const wide = 'POST /iam/auth/jwt/authenticate was removed before its sunset 2027-06-30'
    const removed = change({
      id: 'api-path-removed-before-sunset',
      level: 'breaking',
      operation: 'a',
      message: wide,
    })
    const line = (columns: number) =>
      comparisonText({ ...review, changes: [removed] }, { columns }).split('\n')[1]
    expect(line(120)).toBe(`  breaking   ${wide} api-path-removed-before-sunset`)
    expect(line(100)).toBe(`  breaking   ${wide}`)
    expect(line(60)).toBe('  breaking   POST /iam/auth/jwt/authenticate was removed be…')
  })

  it('colours levels and verdicts, and shows control characters of documents', () => {
    const mark = (sign: string) => (text: string) => `<${sign}>${text}</${sign}>`
    const paints = { red: mark('r'), yellow: mark('y'), green: mark('g'), bold: mark('b'), dim: mark('d') }
    const changes = [
      change({
        id: 'api-removed-before-sunset',
        level: 'breaking',
        operation: 'a\u001b[2J',
        message: 'm\nn',
      }),
    ]
    const text = comparisonText({ ...review, changes }, { paints })
    expect(text).toContain(
      '<b>a\ufffd[2J</b>\n  <r>breaking  </r> m\ufffdn <d>api-removed-before-sunset</d>\n',
    )
    expect(text).toContain('REST      <r>breaking</r>: 1 breaking\n')
  })
})
