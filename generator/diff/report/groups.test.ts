import { expect, it } from 'vitest'
import { change } from '../../../test/fixtures/review.js'
import type { Change } from '../change/change.js'
import { grouped, rowGroups } from './groups.js'
import { headline } from './rows.js'

const told = (changes: readonly Change[]): string[] =>
  grouped(changes).map(({ message, operations, protocols, parts }) =>
    [message, operations.join(), protocols.join(), parts.length].join(' | '),
  )

function removed(value: string, more: Partial<Change> = {}): Change {
  const message = `/size of the request body: a value was removed from its \`enum\` (was "${value}")`
  const id = 'request-property-enum-value-removed'
  return change({ id, level: 'breaking', operation: 'a.do', path: '/size', message, ...more })
}

it('the values of one list are one line', () => {
  expect(told(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((value) => removed(value)))).toEqual([
    '/size of the request body: 7 values were removed from its `enum` (was "a", "b", "c", "d", "e" and 2 more) | a.do | rest,jsonrpc | 7',
  ])
})

it('values of two lists or two levels, and waived ones, stay separate', () => {
  const waiver = { owner: 'ada', reason: 'unused', expires: '2027-01-31' }
  const other = {
    path: '/kind',
    message: '/kind of the request body: a value was removed from its `enum` (was "a")',
  }
  const all = [
    removed('a'),
    removed('b', { level: 'dangerous' }),
    removed('c', { waiver }),
    removed('d', other),
  ]
  expect(grouped(all).map(({ parts }) => parts.length)).toEqual([1, 1, 1, 1])
})

it('an edit of many operations is one line that names them', () => {
  const secured = ['a.get', 'b.get', 'c.get'].map((operation) =>
    change({ id: 'api-security-added', level: 'breaking', operation, message: 'the security key was added' }),
  )
  expect(told(secured)).toEqual(['the security key was added | a.get,b.get,c.get | rest,jsonrpc | 3'])
})

it('a list with copies in several operations is one line', () => {
  const copies = ['a.get', 'b.get'].flatMap((operation) =>
    ['x', 'y'].map((value) => removed(value, { operation, operations: [operation] })),
  )
  expect(told(copies)).toEqual([
    '/size of the request body: 2 values were removed from its `enum` (was "x", "y") | a.get,b.get | rest,jsonrpc | 4',
  ])
})

it('copies of one schema that changed alike are one line, wherever they are', () => {
  const copy = (path: string, more: Partial<Change> = {}): Change =>
    removed('a', {
      path,
      message: `${path} of the request body: a value was removed from its \`enum\` (was "a")`,
      copy: 'x',
      ...more,
    })
  const copies = ['/size', '/box/size', '/crate/size', '/bag/size'].map((path) => copy(path))
  const other = copy('/lid/size', { copy: 'y' })
  const groups = grouped([...copies, other, copy('/pot/size', { level: 'dangerous' })])
  expect(groups.map(({ message, copies, parts }) => ({ message, copies, parts: parts.length }))).toEqual([
    {
      message: '/size of the request body: a value was removed from its `enum` (was "a")',
      copies: ['/box', '/crate', '/bag'].map((path) => `${path}/size of the request body`),
      parts: 4,
    },
    {
      message: '/lid/size of the request body: a value was removed from its `enum` (was "a")',
      copies: undefined,
      parts: 1,
    },
    {
      message: '/pot/size of the request body: a value was removed from its `enum` (was "a")',
      copies: undefined,
      parts: 1,
    },
  ])
})

it('changes of one member are one row, with all that happened', () => {
  const of = (what: string, more: Partial<Change> = {}): Change =>
    change({
      id: 'request-property-max-set',
      level: 'breaking',
      operation: 'a.do',
      direction: 'request',
      path: '/size',
      message: `/size of the request body: ${what}`,
      ...more,
    })
  const all = [
    of('`maximum` was added (9)'),
    of('a value was removed from its `enum` (was 10)'),
    of('a value was removed from its `enum` (was 11)'),
    of('`minimum` was removed (was 1)', { level: 'compatible' }),
    of('`maximum` was added (9)', {
      path: '/other',
      message: '/other of the request body: `maximum` was added (9)',
    }),
  ]
  expect(rowGroups(all).map((group) => `${headline(group)} | ${group.parts.length}`)).toEqual([
    'size of the request body: `maximum` was added (9), loses 10, 11 | 3',
    'size of the request body: `minimum` was removed (was 1) | 1',
    'other of the request body: `maximum` was added (9) | 1',
  ])
})

it('a renamed operationId, and a change reported once for each protocol, are one line each', () => {
  const message = 'operationId changed: getA to findA'
  const renamed = (['removed', 'added'] as const).map((how) =>
    change({ id: `api-operation-id-${how}`, level: 'info', operation: 'a.get', message }),
  )
  const halves = (['jsonrpc', 'rest'] as const).map((protocol) => removed('a', { protocols: [protocol] }))
  expect(told([...renamed, ...halves])).toEqual([
    `${message} | a.get | rest,jsonrpc | 2`,
    '/size of the request body: a value was removed from its `enum` (was "a") | a.do | rest,jsonrpc | 2',
  ])
})

it('the part with a proof is first', () => {
  const proof = { status: 'verified', value: { size: 'b' }, old: 'accepts', new: 'rejects' } as const
  const [group] = grouped([removed('a'), removed('b', { proof })])
  expect(group?.proof).toBe(proof)
})

it('what breaks nothing because a schema holds no value is one line, and what breaks stays apart', () => {
  const none = '; the new schema can hold no value'
  const of = (message: string, path: string, level: Change['level'] = 'compatible') =>
    change({ id: 'response-body-all-of-added', level, operation: 'a.do', path, message: message + none })
  const all = [
    of('/name of the response 200: this required property was removed', '/name'),
    of('the response 200: a branch was added to `allOf` ({"type":"object"})', ''),
    of('the response 200: a branch was added to `allOf` ({"minLength":3})', '', 'breaking'),
  ]
  expect(told(all)).toEqual([
    `the response 200: 2 changes${none} | a.do | rest,jsonrpc | 2`,
    `the response 200: a branch was added to \`allOf\` ({"minLength":3})${none} | a.do | rest,jsonrpc | 1`,
  ])
})

it('the keywords of a condition that comes are one line', () => {
  const of = (keyword: string, level: Change['level'] = 'breaking') =>
    change({
      id: `request-body-${keyword}-added` as Change['id'],
      level,
      operation: 'a.do',
      path: '',
      message: `the body: \`${keyword}\` was added ({"required":["${keyword}"]})`,
    })
  expect(told([of('else', 'compatible'), of('then'), of('if')])).toEqual([
    'the body: `else` was added ({"required":["else"]}) | a.do | rest,jsonrpc | 1',
    'the body: `if` was added ({"required":["if"]}), `then` was added ({"required":["then"]}) | a.do | rest,jsonrpc | 2',
  ])
})

it('what follows from a JSON-RPC name that leads to another operation is one line', () => {
  const of = (message: string, more: Partial<Change> = {}) =>
    change({
      id: 'request-parameter-removed',
      level: 'breaking',
      operation: 'a.do',
      protocols: ['jsonrpc'],
      message,
      ...more,
    })
  const all = [
    of('the query parameter p was removed'),
    of('the query parameter q was removed', { path: '/q' }),
    of('the query parameter r was added', { level: 'compatible' }),
    of('the response 200 was removed', { protocols: ['rest'] }),
    of('the query parameter q was removed', { operation: 'b.do', operations: ['b.do'] }),
    of('a.do is GET /b instead of GET /a', { level: 'info', id: 'rpc-method-moved' }),
  ]
  expect(told(all)).toEqual([
    'a.do is GET /b instead of GET /a: 2 changes, such as the query parameter p was removed | a.do | jsonrpc | 2',
    'the query parameter r was added | a.do | jsonrpc | 1',
    'the response 200 was removed | a.do | rest | 1',
    'the query parameter q was removed | b.do | jsonrpc | 1',
    'a.do is GET /b instead of GET /a | a.do | jsonrpc | 1',
  ])
})
