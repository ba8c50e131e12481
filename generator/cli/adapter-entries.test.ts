import { expect, it } from 'vitest'
import { adapt, diff, entries, shopForEachTest, team, write } from '../../test/adapt/shop.js'

shopForEachTest()

async function expectFailedCheck(what: string): Promise<void> {
  const { code, out } = await adapt('--check')
  expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining(`fails    ${what}\n`) })
}

const uncounted = [
  [
    'throws the problem of its stub',
    "{ loss: 'rows', params: fail }",
    'params: answers not_implemented to every call',
  ],
  ['throws', "{ loss: 'rows', params: () => { throw new Error('later') } }", 'params: throws later'],
  [
    'makes what the next version refuses',
    "{ loss: 'rows', params: (params) => params }",
    'params: 1.1.0 refuses /limit must be <= 100',
  ],
  ['has no converter', "{ loss: 'rows' }", 'params: has no converter'],
  ['refuses every call', "{ gone: 'not_found' }", 'handle: answers not_found to every call'],
  [
    'has a handler that throws the problem of a stub',
    '{ handle: fail }',
    'handle: answers not_implemented to every call',
  ],
  [
    'has a handler that sends what the next version refuses',
    "{ handle: (params, _, call) => call('shop.search', params) }",
    'handle: calls shop.search with what 1.1.0 refuses /limit must be <= 100',
  ],
  [
    'has a handler that calls what the next version does not have',
    "{ handle: (params, _, call) => call('shop.find', {}) }",
    'handle: calls shop.find, which 1.1.0 does not have',
  ],
] as const

it.each(uncounted)('does not count an entry that %s', async (_, search, what) => {
  await adapt()
  write(team, entries(search))
  const { code, err } = await diff('--adapters')
  expect(code).toBe(1)
  expect(err).toBe(`fails    shop.search ${what}\nThe gate fails: 1 breaking change.\n`)
})

it.each(uncounted)('fails a check if an entry %s', { tags: 'long' }, async (_, search, what) => {
  await adapt()
  write(team, entries(search))
  await expectFailedCheck(`shop.search ${what}`)
})

const failing = [
  ['is forgotten in the adapter', '{ ...derived }', 'shop.search entry: the adapter has none'],
  [
    'passes every call as it is',
    "{ ...derived, ...written, 'shop.search': 'identity' }",
    'shop.search entry: it is "identity", and calls do not pass as they are',
  ],
  [
    'passes every call as it is where a converter is derived',
    "{ ...derived, ...written, 'shop.client': 'identity' }",
    'shop.client entry: it is "identity", and calls do not pass as they are',
  ],
  [
    'replaces a derived one and makes what the older version refuses',
    "{ ...derived, ...written, 'shop.client': { result: (result) => result } }",
    'shop.client result: 1.0.0 refuses must NOT have additional properties',
  ],
  [
    'replaces a derived one without its converter',
    "{ ...derived, ...written, 'shop.client': {} }",
    'shop.client result: has no converter',
  ],
  [
    'turns a problem into a code that the older version does not have',
    "{ ...derived, ...written, 'shop.client': { ...derived['shop.client'], problems: { conflict: 'no_such_code' } } }",
    'shop.client entry: problems name no_such_code, which 1.0.0 does not have',
  ],
  [
    'answers a code that the older version does not have',
    "{ ...derived, ...written, 'shop.token': { gone: 'no_such_code' } }",
    'shop.token handle: answers no_such_code, which 1.0.0 does not have',
  ],
] as const
const writeAdapter = (adapter: string) => {
  const held = "{ loss: 'rows', params: (params) => ({ ...params, limit: 1 }) }"
  write(team, entries(held).replace('{ ...derived, ...written }', adapter))
}

it.each(failing)('fails if an entry %s', async (_, adapter, what) => {
  await adapt()
  writeAdapter(adapter)
  const { code, err } = await diff('--adapters')
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(`fails    ${what}\n`) })
})

it.each(failing)('fails a check if an entry %s', { tags: 'long' }, async (_, adapter, what) => {
  await adapt()
  writeAdapter(adapter)
  await expectFailedCheck(what)
})
