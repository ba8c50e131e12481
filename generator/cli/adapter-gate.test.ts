import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  adapt,
  answer,
  check,
  derived,
  diff,
  entries,
  folder,
  next,
  older,
  own,
  ownCheck,
  read,
  shopForEachTest,
  team,
  write,
} from '../../test/adapt/shop.js'

shopForEachTest()

const lines = (text: string) => text.split('\n')

describe('duet diff --adapters', () => {
  it('fails on changes that nothing adapts: without adapters, with stubs, and with a stale derived file', async () => {
    const failing = async (...args: string[]) => (await diff(...args)).err
    expect(await failing()).toBe('The gate fails: 3 breaking changes.\n')
    const missing = 'No adapter counts: adapters has no 1.0.0-to-1.1.0.derived.ts.\n'
    expect(await failing('--adapters')).toBe(`${missing}The gate fails: 3 breaking changes.\n`)
    await adapt()
    expect(await failing('--adapters')).toBe('The gate fails: 2 breaking changes.\n')
    write(team, own)
    write(check, ownCheck)
    expect(await diff('--adapters')).toMatchObject({ code: 0, err: '' })
    expect(await failing()).toBe('The gate fails: 3 breaking changes.\n')
    write(derived, `${read(derived)}// edited\n`)
    const stale = `No adapter counts: ${derived} is not what duet adapt writes today. Write it again.\n`
    expect(await failing('--adapters')).toBe(`${stale}The gate fails: 3 breaking changes.\n`)
  })

  it.each([
    ['holds', "{ loss: 'rows', params: (params) => ({ ...params, limit: 1 }) }", 'held over '],
    [
      'has a handler that holds',
      "{ handle: ({ limit, ...params }, _, call) => call('shop.search', { ...params, limit: Math.min(limit, 100) }) }",
      'held over ',
    ],
  ])('counts an entry that %s, and says what was tried', async (_, search, what) => {
    await adapt()
    write(team, entries(search))
    const { code, out } = await diff('--adapters', '--verbose')
    expect(code).toBe(0)
    expect(out).toContain(`adapter      1.0.0-to-1.1.0.ts, ${what}`)
  })

  it('does not count an entry that refuses what the change breaks, and says how many calls', async () => {
    await adapt()
    const refusing = '(params) => { if (params.limit > 100) throw problem; return params }'
    const search = `{ loss: 'large pages', params: ${refusing} }`
    const problem = "Object.assign(new Error(), { name: 'ProblemError', code: 'validation_failed' })"
    write(team, `const problem = ${problem}\n${entries(search)}`)
    const { code, err } = await diff('--adapters')
    expect(code).toBe(1)
    const [line = '', gate] = lines(err)
    expect(line).toMatch(
      /^refuses {2}shop\.search params: \d+ of \d+ calls that 1\.0\.0 accepts\. They still break$/,
    )
    expect(gate).toBe('The gate fails: 1 breaking change.')
  })

  const advice = [
    '         What is not tried does not count. Say in 1.0.0-to-1.1.0.check.ts how to try it: export the adapter with test',
    '         doubles, a context, or checks of your own (docs/adapt.md, What is tried).',
  ]

  it.each([
    [
      'reads the caller',
      '{ handle: (params, { principal }) => principal.most }',
      'handle: it needs the caller of a call',
    ],
    [
      'waits for something',
      '{ handle: () => new Promise(() => {}) }',
      'handle: it did not end within a second',
    ],
  ])('does not count an entry that %s and so is not tried, and says what to do', async (_, search, what) => {
    await adapt()
    write(team, entries(search))
    // Nothing comes later, so that the second need not pass.
    const later = setTimeout
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) =>
      later(run, ms === 1000 ? 0 : ms)) as typeof setTimeout)
    onTestFinished(() => void vi.restoreAllMocks())
    const { code, err } = await diff('--adapters')
    expect(code).toBe(1)
    expect(lines(err)).toEqual([
      `untried  shop.search ${what}`,
      ...advice,
      'The gate fails: 1 breaking change.',
      '',
    ])
  })

  it('says the same in a check', async () => {
    await adapt()
    write(team, own)
    const { code, out } = await adapt('--check')
    const line = 'untried  shop.search params: it needs the running service'
    expect({ code, out }).toMatchObject({
      code: 1,
      out: expect.stringContaining(`${line}\n${advice.join('\n')}\n`),
    })
  })

  it.each([
    ['a double of the service makes it triable', 'adapterOf(100)', '', 'held over '],
    [
      'a check of its own passes',
      'adapterOf',
      "export const checks = { 'shop.search': async () => {} }",
      'checked by 1.0.0-to-1.1.0.check.ts',
    ],
  ])('counts an entry that uses the service if %s', async (_, adapter, more, what) => {
    await adapt()
    write(team, own)
    const { code, err } = await diff('--adapters')
    expect({ code, err: lines(err)[0] }).toEqual({
      code: 1,
      err: 'untried  shop.search params: it needs the running service',
    })
    write(
      check,
      `import { adapterOf } from './1.0.0-to-1.1.0.js'\nexport const adapter = ${adapter}\n${more}\n`,
    )
    const { out } = await diff('--adapters', '--verbose')
    expect(out).toContain(`adapter      1.0.0-to-1.1.0.ts, ${what}`)
    expect((await diff('--adapters')).code).toBe(0)
    expect((await adapt('--check')).code).toBe(0)
  })

  it('counts an entry that reads the caller if it is tried with one', async () => {
    await adapt()
    write(
      team,
      entries(
        "{ loss: 'rows', params: (params, { principal }) => ({ ...params, limit: Math.min(params.limit, principal.most) }) }",
      ),
    )
    const context = (most: number) =>
      `export { adapter } from './1.0.0-to-1.1.0.js'\nexport const context = { principal: { most: ${most} } }\n`
    write(check, context(100))
    expect((await diff('--adapters')).code).toBe(0)
    write(check, context(101))
    expect((await diff('--adapters')).err).toContain(
      'fails    shop.search params: 1.1.0 refuses /limit must be <= 100\n',
    )
  })

  it('fails if the check file tries other code than services run', async () => {
    await adapt()
    write(team, own)
    const params = '(params) => ({ ...params, limit: Math.min(params.limit, 100) })'
    write(
      check,
      `import { adapterOf } from './1.0.0-to-1.1.0.js'
export const adapter = { ...adapterOf(100), 'shop.search': { loss: 'a page has 100 rows', params: ${params} } }\n`,
    )
    const { code, err } = await diff('--adapters')
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'fails    shop.search entry: the check file does not try the code of the adapter\n',
      ),
    })
  })

  it.each([
    [
      'a check of its own fails',
      "{ 'shop.search': () => { throw new Error('lost a row') } }",
      'shop.search check: lost a row',
    ],
    [
      'a check names no operation',
      "{ 'shop.search': () => {}, 'shop.find': () => {} }",
      'shop.find check: 1.0.0 has no such operation',
    ],
  ])('fails if %s', async (_, checks, what) => {
    await adapt()
    write(team, own)
    write(
      check,
      `export { adapterOf as adapter } from './1.0.0-to-1.1.0.js'\nexport const checks = ${checks}\n`,
    )
    expect((await diff('--adapters')).err).toContain(`fails    ${what}\n`)
    const { code, out } = await adapt('--check')
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining(`fails    ${what}\n`) })
  })

  it('does not count code that cannot be loaded, and says why', async () => {
    await adapt()
    write(team, `import 'not-installed'\n${entries("{ loss: 'rows', params: (params) => params }")}`)
    const { code, err } = await diff('--adapters')
    expect(code).toBe(1)
    expect(err).toMatch(/^The code of adapters does not count: Cannot find package 'not-installed'/)
    expect(err).toContain('The gate fails: 3 breaking changes.\n')
    expect(await adapt('--check')).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        "untried  adapters: its code cannot be loaded: Cannot find package 'not-installed'",
      ),
    })
  })

  it.each([
    [
      'waits for ever at its top level',
      'await new Promise(() => {})',
      'require() cannot be used on an ESM graph',
    ],
    ['ends the process', 'process.exit(0)', 'it ends the process'],
  ])('does not count code that %s', async (_, line, why) => {
    await adapt()
    write(team, `${entries("{ loss: 'rows', params: (params) => params }")}${line}\n`)
    const { code, err } = await diff('--adapters')
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(`does not count: ${why}`) })
    expect((await adapt('--check')).code).toBe(1)
  })

  it('counts no derived entry without the file of the team', async () => {
    await adapt()
    rmSync(join(folder, team))
    expect((await diff('--adapters')).err).toBe('The gate fails: 3 breaking changes.\n')
  })

  it('counts a change as adapted only if every operation that it reaches is', async () => {
    await adapt()
    write(team, own.replace(/ {4}'shop.token'.*\n/, ''))
    write(check, ownCheck)
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
    write(check, `${ownCheck}export const checks = { 'shop.search': () => {} }\n`)
    const by = '1.0.0-to-1.1.0.ts, checked by 1.0.0-to-1.1.0.check.ts (callers lose: a page has 100 rows)'
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
