import { describe, expect, it } from 'vitest'
import { change, review } from '../../../test/fixtures/review.js'
import { comparisonText } from './text.js'

describe('the report for a terminal', () => {
  it('has a line for each change, the worst first, counts changes for information, and ends with the verdict of each protocol', () => {
    expect(comparisonText(review)).toBe(
      [
        'shared schemas',
        '  breaking   Customer.email of responses may now be null in 4 operations: customers.get, customers.search and 2 more response-property-became-nullable',
        '',
        'orders.clear',
        '  breaking   DELETE /orders was removed [waived] api-removed-without-deprecation',
        '',
        'orders.search',
        '  breaking   the query parameter limit: `maximum` became smaller (1000 to 100) [REST only] request-parameter-max-decreased',
        '',
        'orders.search',
        '  dangerous  the query parameter code: `pattern` changed request-parameter-pattern-changed',
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
        'affected handlers: customers.get (customers.ts), orders.clear, orders.search (orders.ts)',
        '',
      ].join('\n'),
    )
  })

  it('adds proof, positions, handlers and waiver if verbose', () => {
    const lines = comparisonText(review, { verbose: true }).split('\n')
    const at = lines.findIndex((line) => line.includes('became smaller'))
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

  it('leaves out the rule and the names of operations on a narrow terminal, and wraps what happened', () => {
    const gains = Array.from({ length: 4 }, (_, index) =>
      change({
        id: 'response-property-enum-value-added',
        level: 'breaking',
        direction: 'response',
        operation: 'orders.get',
        operations: ['orders.get', 'orders.search', 'orders.update'],
        path: '/type',
        message: `/type of the response 200: a value was added to its \`enum\` ("method_${index}")`,
        new: { pointer: '#/components/schemas/Order/properties/type', file: 'a', line: 1, column: 1 },
      }),
    )
    const told = (columns: number): string[] => {
      const lines = comparisonText({ ...review, changes: gains }, { columns }).split('\n')
      return lines.slice(1, lines.indexOf(''))
    }
    const fact = 'Order.type of responses gains "method_0", "method_1", "method_2", "method_3"'
    expect(told(200)).toEqual([
      `  breaking   ${fact} in 3 operations: orders.get, orders.search, orders.update response-property-enum-value-added`,
    ])
    expect(told(150)).toEqual([
      `  breaking   ${fact} in 3 operations: orders.get, orders.search, orders.update`,
    ])
    expect(told(80)).toEqual([
      '  breaking   Order.type of responses gains "method_0", "method_1", "method_2",',
      '             "method_3" in 3 operations',
    ])
  })

  it('names the operations of two changes that read alike, even where little fits', () => {
    const added = [
      ['intents.create', 'intents.update', 'orders.create'],
      ['intents.create', 'setups.confirm', 'setups.update'],
    ].map((operations) =>
      change({
        id: 'new-optional-request-property',
        level: 'compatible',
        direction: 'request',
        operation: operations[0] ?? '',
        operations,
        path: '/card',
        message: '/card of the request body: this optional property was added',
        fingerprint: operations.join(),
      }),
    )
    const lines = comparisonText({ ...review, changes: added }, { columns: 80 }).split('\n')
    expect(lines.slice(1, 5)).toEqual([
      '  compatible card of the request body was added (optional) in 3 operations:',
      '             intents.update, orders.create, intents.create',
      '  compatible card of the request body was added (optional) in 3 operations:',
      '             setups.confirm, setups.update, intents.create',
    ])
  })

  it('breaks its last lines between words at 80 columns', () => {
    const last = comparisonText(review, { columns: 80 }).trimEnd().split('\n\n').at(-1)
    expect(last?.split('\n')).toEqual([
      'shop-1.yaml (1.0.0) to shop-2.yaml (1.1.0): 3 breaking (1 waived), 1',
      '  dangerous, 1 compatible, 1 info',
      '  REST      breaking: 3 breaking (1 waived), 1 dangerous, 1 compatible, 1 info',
      '  JSON-RPC  breaking: 2 breaking (1 waived), 1 dangerous, 1 compatible, 1 info',
      'version bump: major required, minor declared (not enough)',
      'affected handlers: customers.get (customers.ts), orders.clear, orders.search',
      '  (orders.ts)',
    ])
  })

  it('cuts no word of a long path at 80 columns', () => {
    const wide = 'POST /iam/auth/jwt/authenticate was removed before its sunset 2027-06-30'
    const removed = change({
      id: 'api-path-removed-before-sunset',
      level: 'breaking',
      operation: 'a',
      message: wide,
    })
    const lines = comparisonText({ ...review, changes: [removed] }, { columns: 80 }).split('\n')
    expect(lines.slice(1, 3)).toEqual([
      '  breaking   POST /iam/auth/jwt/authenticate was removed before its sunset',
      '             2027-06-30',
    ])
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
