import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runs } from '../../test/runs.js'
import type { UsageEntry } from './entry.js'
import { jsonLinesLedger, readUsage, usageLines } from './json-lines.js'
import { mergeUsage } from './merge.js'
import { type UsageOptions, UsageRecorder } from './recorder.js'

const moment = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`
const entry = (more: Partial<UsageEntry> = {}): UsageEntry => ({
  day: '2026-11-20',
  api: 'Billing',
  version: '1.1.0',
  next: '2.0.0',
  protocol: 'rest',
  operation: 'clients.search',
  consumer: 'a1',
  calls: 3,
  sampled: 2,
  unattributed: 0,
  last: moment(10),
  hits: { f1: { calls: 1, last: moment(9) } },
  ...more,
})

describe('mergeUsage', () => {
  test('adds counts of the same key, and keeps the later moment', () => {
    const other = entry({
      calls: 4,
      last: moment(8),
      hits: { f1: { calls: 2, last: moment(11) }, f0: { calls: 1, last: moment(1) } },
    })
    expect(mergeUsage([entry(), other])).toEqual([
      {
        ...entry(),
        calls: 7,
        sampled: 4,
        hits: { f0: { calls: 1, last: moment(1) }, f1: { calls: 3, last: moment(11) } },
      },
    ])
  })

  test.each(['day', 'api', 'version', 'next', 'watched', 'operation', 'consumer'] as const)(
    'keeps entries of another %s apart',
    (name) => expect(mergeUsage([entry(), entry({ [name]: '2026-11-21' })])).toHaveLength(2),
  )

  const entries = fc.array(
    fc
      .record({
        day: fc.constantFrom('2026-11-20', '2026-11-21'),
        consumer: fc.constantFrom('a', 'b', '__proto__'),
        protocol: fc.constantFrom('rest', 'jsonrpc'),
        calls: fc.nat(9),
        sampled: fc.nat(9),
        unattributed: fc.nat(9),
        last: fc.nat(23).map(moment),
        hits: fc.dictionary(
          fc.constantFrom('f1', 'f2', '__proto__'),
          fc.record({ calls: fc.nat(9), last: fc.nat(23).map(moment) }),
        ),
      })
      .map((given) => entry(given as Partial<UsageEntry>)),
    { maxLength: 12 },
  )

  test('is commutative, associative, and leaves merged ledgers as they are', () => {
    fc.assert(
      fc.property(entries, entries, entries, (one, two, three) => {
        const whole = mergeUsage([...one, ...two, ...three])
        expect(mergeUsage([...three, ...two, ...one])).toEqual(whole)
        expect(mergeUsage([...mergeUsage([...one, ...two]), ...three])).toEqual(whole)
        expect(mergeUsage([...one, ...mergeUsage([...two, ...three])])).toEqual(whole)
        expect(mergeUsage(whole)).toEqual(whole)
        const calls = (list: readonly UsageEntry[]) => list.reduce((sum, each) => sum + each.calls, 0)
        expect(calls(whole)).toBe(calls([...one, ...two, ...three]))
      }),
      { numRuns: runs(200, 20_000) },
    )
  })
})

describe('JSON lines', () => {
  test('are read as they were written, at the end of a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'usage-'))
    const ledger = jsonLinesLedger(join(folder, 'ledger.jsonl'))
    await ledger.record([entry()])
    await ledger.record([entry({ consumer: 'b2' })])
    const text = readFileSync(join(folder, 'ledger.jsonl'), 'utf8')
    rmSync(folder, { recursive: true })
    expect(text.split('\n')).toHaveLength(3)
    expect(readUsage(text)).toEqual({ entries: [entry(), entry({ consumer: 'b2' })], torn: [] })
  })

  test('go to a stream', async () => {
    const written: string[] = []
    await jsonLinesLedger({ write: (text: string) => written.push(text) }).record([entry()])
    expect(written.join('')).toBe(usageLines([entry()]))
  })

  test.each<[string, string]>([
    [usageLines([entry()]).slice(0, 40), 'is not JSON'],
    ['[]', 'is not an object'],
    [JSON.stringify({ ...entry(), day: 'today' }), 'has no day'],
    [JSON.stringify({ ...entry(), last: '2026-11-20' }), 'has no last call'],
    [JSON.stringify({ ...entry(), consumer: 7 }), 'has no consumer'],
    [JSON.stringify({ ...entry(), next: 7 }), 'has no text as next'],
    [JSON.stringify({ ...entry(), protocol: 'soap' }), 'has no protocol'],
    [JSON.stringify({ ...entry(), calls: -1 }), 'has counts that are not whole numbers'],
    [JSON.stringify({ ...entry(), hits: { f1: 3 } }), 'has no hits'],
  ])('that are torn are named and left out: %s', (line, reason) => {
    const text = `${usageLines([entry()])}${line}\n`
    expect(readUsage(text)).toEqual({ entries: [entry()], torn: [{ line: 2, reason }] })
  })
})

describe('a recorder', () => {
  const about = { api: 'Billing', version: '1.1.0' }
  const search = { operation: 'clients.search', protocol: 'rest', watched: undefined } as const
  const recorderOf = (more: Partial<UsageOptions<string>> = {}) => {
    const recorded: UsageEntry[] = []
    const told: string[] = []
    const options = {
      ledger: { record: (entries: readonly UsageEntry[]) => void recorded.push(...entries) },
      ...more,
    }
    return {
      recorder: new UsageRecorder<string>(options, about, (message) => told.push(message)),
      recorded,
      told,
    }
  }
  const byName = { consumer: (name: string) => name, salt: 'the team knows it' }

  afterEach(() => {
    vi.useRealTimers()
  })

  test('hashes consumers with the salt, and never says their names', async () => {
    const { recorder, recorded } = recorderOf(byName)
    recorder.called(search, 'Ada')
    recorder.called(search, 'Ada')
    recorder.called(search, undefined)
    await recorder.flush()
    const other = recorderOf({ ...byName, salt: 'another' })
    other.recorder.called(search, 'Ada')
    await other.recorder.flush()
    expect(recorded).toMatchObject([
      { consumer: expect.stringMatching(/^[0-9a-f]{16}$/), calls: 2 },
      { consumer: 'anonymous', calls: 1 },
    ])
    expect(other.recorded[0]?.consumer).not.toBe(recorded[0]?.consumer)
    expect(JSON.stringify([recorded, other.recorded])).not.toMatch(/Ada|knows/)
  })

  test('without `consumer` counts all who authenticate as one', async () => {
    const { recorder, recorded } = recorderOf()
    recorder.called(search, 'Ada')
    recorder.called(search, 'Grace')
    await recorder.flush()
    expect(recorded).toMatchObject([{ consumer: 'authenticated', calls: 2 }])
  })

  test('counts consumers beyond its bound as one, and says so', async () => {
    const { recorder, recorded, told } = recorderOf({ ...byName, entries: 2 })
    for (const name of ['a', 'b', 'c', 'd', 'a']) recorder.called(search, name)
    await recorder.flush()
    expect(recorded.map(({ consumer, calls }) => [consumer === 'others', calls])).toEqual([
      [false, 2],
      [false, 1],
      [true, 2],
    ])
    expect(told).toEqual(['More than 2 counts of usage: consumers beyond them count as one'])
  })

  test('records at its interval, and the next day apart', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T23:59:59Z') })
    const { recorder, recorded } = recorderOf({ intervalMs: 5000 })
    recorder.called(search, 'Ada')
    vi.setSystemTime(Date.parse('2026-11-21T00:00:01Z'))
    recorder.tried(search, recorder.called(search, 'Ada'), { hits: new Set(['f1']), isUnattributed: true })
    expect(recorded).toMatchObject([{ day: '2026-11-20', calls: 1, last: '2026-11-20T23:59:59Z' }])
    await vi.advanceTimersByTimeAsync(5000)
    expect(recorded.slice(1)).toMatchObject([
      {
        day: '2026-11-21',
        calls: 1,
        sampled: 1,
        unattributed: 1,
        hits: { f1: { calls: 1, last: '2026-11-21T00:00:01Z' } },
      },
    ])
  })

  test('survives a ledger and a function that fail', async () => {
    const { recorder, told } = recorderOf({
      ...byName,
      consumer: () => {
        throw new Error('no')
      },
      ledger: { record: () => Promise.reject(new Error('full')) },
    })
    expect(recorder.called(search, 'Ada')).toBe('others')
    await recorder.flush()
    expect(told).toEqual(['shadow.consumer failed', 'The ledger failed, so its usage is lost'])
  })

  test.each<[Partial<UsageOptions<string>>, RegExp]>([
    [{ sample: 2 }, /shadow\.sample is 2/],
    [{ consumer: (name) => name }, /needs shadow\.salt/],
  ])('refuses %j', (options, message) => {
    expect(() => recorderOf(options)).toThrow(message)
  })
})
