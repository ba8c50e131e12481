import { describe, expect, it } from 'vitest'
import { compared } from '../../../test/diff/compared.js'
import type { Change, Comparison } from '../change/change.js'
import { forProtocol } from '../change/protocol.js'
import { type FailOn, gateOf } from './gate.js'
import { waive } from './waive.js'
import { readWaivers } from './waiver-file.js'
import { waiversText } from './waiver-text.js'

interface Shop {
  readonly version?: string
  readonly name?: string
  readonly path?: string
  readonly maximum?: number
  readonly title?: string
  readonly first?: string
}

/** One operation with a parameter that has a bound. */
function shop({
  version = '1.0.0',
  name = 'shop.list',
  path = '/a',
  maximum = 100,
  title,
  first,
}: Shop): string {
  return [
    'openapi: 3.1.1',
    `info: { title: Shop, version: ${version} }`,
    'paths:',
    ...(first === undefined ? [] : [`  ${first}: { get: { responses: { 200: { description: Fine } } } }`]),
    `  ${path}:`,
    '    get:',
    `      x-rpc-method: ${name}`,
    `      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: ${maximum}${title ?? ''} } }]`,
    '      responses: { 200: { description: Fine } }',
  ].join('\n')
}

const today = '2026-11-21'
const tightened = await compared(shop({}), shop({ version: '1.1.0', maximum: 50 }))
const [bound] = tightened.changes
const fingerprint = bound?.fingerprint ?? ''

function waiversOf(fields: Readonly<Record<string, string | readonly string[]>>) {
  const entry = { fingerprint, owner: 'Ada', reason: 'No caller', expires: '2027-01-31', ...fields }
  const { waivers, diagnostics } = readWaivers('waivers.json', JSON.stringify([entry]))
  expect(diagnostics).toEqual([])
  return waivers
}

function waived(
  fields: Readonly<Record<string, string | readonly string[]>>,
  comparison: Comparison = tightened,
) {
  const { comparison: found, stale } = waive(comparison, waiversOf(fields), today)
  const change = found.changes.find((one) => one.id === 'request-parameter-max-decreased')
  return { waiver: change?.waiver ?? null, stale: stale.map(({ code, message }) => `${code}: ${message}`) }
}

const accepted = { owner: 'Ada', reason: 'No caller', expires: '2027-01-31' }

describe('a waiver', () => {
  it('marks its change, which stays in the report and no longer requires a bump', () => {
    const { comparison, stale } = waive(tightened, waiversOf({}), today)
    expect(stale).toEqual([])
    expect(comparison.changes).toEqual([{ ...bound, waiver: accepted }])
    expect(comparison.verdict).toEqual(tightened.verdict)
    expect([tightened.bump.required, comparison.bump.required]).toEqual(['major', 'none'])
  })

  it('is valid until the end of its last day', () => {
    expect(waived({ expires: today })).toMatchObject({ waiver: { owner: 'Ada' }, stale: [] })
    expect(waived({ expires: '2026-11-20' })).toEqual({
      waiver: null,
      stale: [
        'waiver-expired: The waiver of request-parameter-max-decreased in shop.list by Ada ended on 2026-11-20',
      ],
    })
  })

  it('is reported if no change has its fingerprint', () => {
    expect(waived({ fingerprint: 'ffffffffffffffff' })).toEqual({
      waiver: null,
      stale: ['waiver-unused: No change from 1.0.0 to 1.1.0 has the fingerprint ffffffffffffffff'],
    })
  })

  it('belongs to the review of its versions, and is ignored in others unless it has expired', () => {
    expect(waived({ from: '1.0.0', to: '1.1.0' })).toEqual({ waiver: accepted, stale: [] })
    expect(waived({ from: '0.9.0' })).toEqual({ waiver: null, stale: [] })
    expect(waived({ to: '1.2.0', fingerprint: 'ffffffffffffffff' })).toEqual({ waiver: null, stale: [] })
    expect(waived({ to: '1.2.0', expires: '2026-01-31' }).stale).toHaveLength(1)
  })

  it('waives nothing if its id or operations do not match', () => {
    expect(waived({ id: 'request-parameter-max-decreased', operation: 'shop.list' }).waiver).toEqual(accepted)
    expect(waived({ id: 'request-parameter-removed' })).toEqual({
      waiver: null,
      stale: [
        `waiver-mismatch: The change ${fingerprint} is request-parameter-max-decreased, not request-parameter-removed`,
      ],
    })
    expect(waived({ operation: 'shop.get' })).toEqual({
      waiver: null,
      stale: [
        `waiver-mismatch: The change ${fingerprint} is one of shop.list, which the waiver does not name`,
      ],
    })
  })

  it('covers only the operations that it names, if it names any', () => {
    const wider = { ...bound, operations: ['shop.list', 'shop.more'] } as Change
    const review = { ...tightened, changes: [wider] }
    expect(waived({ operation: 'shop.list' }, review).stale).toEqual([
      `waiver-mismatch: The change ${fingerprint} is one of shop.more, which the waiver does not name`,
    ])
    expect(waived({ operation: ['shop.list', 'shop.more'] }, review).waiver).toEqual(accepted)
  })

  it.each<[string, Shop]>([
    ['the operation moves to another path', { path: '/b' }],
    ['the text around it is reworded', { title: ', description: How many' }],
    ['lines come before it', { first: '/0' }],
  ])('still fits where %s', async (_, more) => {
    const fresh = await compared(shop({}), shop({ version: '1.1.0', maximum: 50, ...more }))
    expect(waived({ operation: 'shop.list' }, fresh)).toEqual({ waiver: accepted, stale: [] })
  })

  it('no longer matches a different change', async () => {
    const fresh = await compared(shop({}), shop({ version: '1.1.0', maximum: 40 }))
    expect(waived({}, fresh)).toMatchObject({
      waiver: null,
      stale: [expect.stringMatching(/^waiver-unused/)],
    })
  })
})

describe('the gate', () => {
  const reasons = (
    comparison: Comparison,
    failOn: FailOn,
    requireBump = false,
    stale = 0,
  ): readonly string[] => {
    const { stale: all } = waive(comparison, waiversOf({ expires: '2001-01-01' }), today)
    return gateOf(comparison, { failOn, requireBump }, all.slice(0, stale)).reasons
  }

  it('fails on unwaived changes of its level and above', () => {
    const levels = ['breaking', 'dangerous', 'dangerous', 'compatible', 'info'] as const
    const changes = levels.map((level): Change => ({ ...(bound as Change), level }))
    const mixed = { ...tightened, changes }
    expect(reasons(mixed, 'breaking')).toEqual(['1 breaking change'])
    expect(reasons(mixed, 'dangerous')).toEqual(['1 breaking change', '2 dangerous changes'])
    expect(reasons(mixed, 'any')).toHaveLength(4)
    expect(reasons(mixed, 'none')).toEqual([])
    const all = changes.map((change) => ({ ...change, waiver: accepted }))
    expect(reasons({ ...tightened, changes: all }, 'any')).toEqual([])
  })

  it('counts what the callers of the protocol notice', async () => {
    const renamed = await compared(shop({}), shop({ version: '1.1.0', name: 'shop.all' }))
    expect(reasons(forProtocol(renamed, 'jsonrpc'), 'breaking')).toEqual(['1 breaking change'])
    expect(reasons(forProtocol(renamed, 'rest'), 'breaking')).toEqual([])
  })

  it('fails on a version that is raised too little if the rules require a bump, whatever else fails', async () => {
    const patch = await compared(shop({}), shop({ version: '1.0.1', first: '/0' }))
    expect(reasons(patch, 'breaking')).toEqual([])
    const expected = ['a minor version bump is required and patch declared']
    expect(reasons(patch, 'breaking', true)).toEqual(expected)
    expect(reasons(patch, 'none', true)).toEqual(expected)
    const major = await compared(shop({}), shop({ version: '2.0.0', maximum: 50 }))
    expect(reasons(major, 'none', true)).toEqual([])
  })

  it('fails on stale waivers unless it has no rules', () => {
    const none = { ...tightened, changes: [] }
    expect(reasons(none, 'breaking', false, 1)).toEqual(['1 waiver expired, unused or mistaken'])
    expect(reasons(none, 'none', false, 1)).toEqual([])
  })
})

describe('waivers to fill in', () => {
  it('are read and match once they are filled in', () => {
    const text = waiversText(tightened, tightened.changes)
    expect(readWaivers('w.yaml', text).diagnostics.map(({ message }) => message)).toEqual([
      'owner of the waiver is empty',
      'reason of the waiver is empty',
      'expires of the waiver is empty',
    ])
    const filled = text.replace('owner:', 'owner: Ada').replace('reason:', 'reason: x')
    const { waivers } = readWaivers('w.yaml', filled.replace('expires:', 'expires: 2027-01-31'))
    const { comparison, stale } = waive(tightened, waivers, today)
    expect([comparison.changes[0]?.waiver?.owner, stale]).toEqual(['Ada', []])
  })

  it('keep any text of a document intact', () => {
    const hostile = {
      operations: ['a: b\n- x', 'c'],
      message: 'a\n- fingerprint: x',
      fingerprint: '12345678',
    }
    const change: Change = { ...(bound as Change), ...hostile }
    const named = { ...tightened, old: { file: 'a', version: '1.0' }, new: { file: 'b', version: '*x # y' } }
    const text = waiversText(named, [change]).replace(/(owner|reason):$/gm, '$1: x')
    const { waivers, diagnostics } = readWaivers('w.yaml', text.replace('expires:', 'expires: 2027-01-31'))
    expect(diagnostics).toEqual([])
    expect(waivers).toMatchObject([
      { fingerprint: '12345678', operations: ['a: b\n- x', 'c'], from: '1.0', to: '*x # y' },
    ])
  })

  it('are empty if nothing fails', () => {
    expect(readWaivers('w.yaml', waiversText(tightened, []))).toEqual({ waivers: [], diagnostics: [] })
  })
})
