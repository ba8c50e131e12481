import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answer, derived, next, older, own, Shop, team } from '../../test/adapt/shop.js'

let shop: Shop

beforeEach(() => {
  shop = new Shop()
})

afterEach(() => shop.remove())

const write = (path: string, text: string) => shop.write(path, text)
const read = (path: string) => shop.read(path)
const adapt = (...args: string[]) => shop.adapt(...args)

const lines = (text: string) => text.split('\n')

describe('duet diff --adapters', () => {
  const diff = (...args: string[]) => shop.duet('diff', '1.0.0', '1.1.0', ...args)

  it('fails on changes that nothing adapts: without adapters, with stubs, and with a stale derived file', async () => {
    const failing = async (...args: string[]) => (await diff(...args)).err
    expect(await failing()).toBe('The gate fails: 3 breaking changes.\n')
    expect(await failing('--adapters')).toBe('The gate fails: 3 breaking changes.\n')
    await adapt()
    expect(await failing('--adapters')).toBe('The gate fails: 2 breaking changes.\n')
    write(team, own)
    expect(await diff('--adapters')).toMatchObject({ code: 0, err: '' })
    expect(await failing()).toBe('The gate fails: 3 breaking changes.\n')
    write(derived, `${read(derived)}// edited\n`)
    expect(await failing('--adapters')).toBe('The gate fails: 3 breaking changes.\n')
  })

  const entries = (search: string, token = "{ gone: 'not_found' }"): string =>
    `import { derived, type Written } from './1.0.0-to-1.1.0.derived.js'
class ProblemError extends Error { name = 'ProblemError'; code = 'not_implemented' }
const fail = () => { throw new ProblemError('later') }
const written: Written = { 'shop.search': ${search}, 'shop.token': ${token} }
export const adapter = { ...derived, ...written }
`

  it.each([
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
  ])('does not count an entry that %s', async (_, search, what) => {
    await adapt()
    write(team, entries(search))
    const { code, err } = await diff('--adapters')
    expect(code).toBe(1)
    expect(lines(err)).toEqual([`fails    shop.search ${what}`, 'The gate fails: 1 breaking change.', ''])
    expect((await adapt('--check')).out).toContain(`fails    shop.search ${what}\n`)
  })

  it.each([
    ['holds', "{ loss: 'rows', params: (params) => ({ ...params, limit: 1 }) }", 'held over '],
    [
      'has a handler that holds',
      "{ handle: ({ limit, ...params }, _, call) => call('shop.search', { ...params, limit: Math.min(limit, 100) }) }",
      'held over ',
    ],
    [
      'reads the caller',
      '{ handle: (params, { principal }) => principal.most }',
      'not tried: it needs the caller of a call',
    ],
    [
      'waits for something',
      '{ handle: () => new Promise(() => {}) }',
      'not tried: it did not end within a second',
    ],
  ])(
    'counts an entry that %s, and says what was tried',
    async (_, search, what) => {
      await adapt()
      write(team, entries(search))
      const { code, out } = await diff('--adapters', '--verbose')
      expect(code).toBe(0)
      expect(out).toContain(`adapter      1.0.0-to-1.1.0.ts, ${what}`)
    },
    20_000,
  )

  it('does not count code that cannot be loaded, and says why', async () => {
    await adapt()
    write(team, `import 'not-installed'\n${entries("{ loss: 'rows', params: (params) => params }")}`)
    const { code, err } = await diff('--adapters')
    expect(code).toBe(1)
    expect(err).toMatch(/^The code of adapters does not count: Cannot find package 'not-installed'/)
    expect(err).toContain('The gate fails: 2 breaking changes.\n')
  })

  it('counts a change as adapted only if every operation that it reaches is', async () => {
    await adapt()
    write(team, own.replace(/ {4}'shop.token'.*\n/, ''))
    expect((await diff('--adapters')).err).toBe('The gate fails: 1 breaking change.\n')
  })

  it.each([
    ['what no validator sees', '', 'contentEncoding: base64', 'contentEncoding: base64url'],
    ['an announcement', 'deprecated: true', 'x-sunset: 2030-01-01', 'x-sunset: 2029-01-01'],
  ])('does not count %s as adapted by identity', async (_, beside, was, is) => {
    const text = (note: string) => `id: { type: string, ${beside && `${beside}, `}${note} }`
    const paths = (note: string) =>
      `paths:\n  /file: { get: { x-rpc-method: shop.file, ${answer(text(note))} } }\n`
    write(
      'spec/1.0.0/openapi.yaml',
      older.replace(/paths:[\s\S]*/, () => paths(was)),
    )
    write(
      'spec/1.1.0/openapi.yaml',
      next.replace(/paths:[\s\S]*/, () => paths(is)),
    )
    await adapt()
    expect((await diff()).err).toBe('The gate fails: 1 breaking change.\n')
    expect((await diff('--adapters')).err).toBe('The gate fails: 1 breaking change.\n')
  })

  it('shows in each report what adapts a change', async () => {
    await adapt()
    write(team, own)
    const by =
      '1.0.0-to-1.1.0.ts, not tried: it needs the running service (callers lose: a page has 100 rows)'
    const { out } = await diff('--adapters', '--verbose')
    expect(out).toContain('[adapted] request-parameter-max-decreased\n')
    expect(out).toContain(`adapter      ${by}\n`)
    expect(out).toContain('3 breaking (3 adapted)')
    const markdown = await diff('--adapters', '--format', 'markdown')
    expect(markdown.out).toContain('Adapted')
    expect(markdown.out).toMatch(/, adapted by 1\.0\.0-to-1\.1\.0\.ts/)
    const html = await diff('--adapters', '--format', 'html')
    expect(html.out).toContain(`<p>Adapted by ${by}</p>`)
    const { changes } = JSON.parse((await diff('--adapters', '--format', 'json')).out)
    expect(changes.map((change: { adapter?: string }) => change.adapter)).toContain(by)
  })
})
