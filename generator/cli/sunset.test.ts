import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type UsageEntry, usageLines } from 'duet-runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billingFolder } from '../../test/built-duet.js'
import { runDuet } from '../../test/in-process.js'

let cwd: string
beforeAll(() => {
  cwd = billingFolder()
})
afterAll(() => rmSync(cwd, { recursive: true }))

const sunset = (...args: string[]) => runDuet(cwd, ['sunset', ...args])
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)
const config = (sunsets: object) =>
  write('duet.config.json', JSON.stringify({ package: '@billing/api', sunsets }))
const left = (until: string) => Math.round((Date.parse(until) - Date.parse(day(0))) / 86_400_000)
const entry = (more: Partial<UsageEntry>): UsageEntry => ({
  day: day(1),
  api: 'Billing Service API',
  version: '1.0.0',
  protocol: 'rest',
  operation: 'clients.get',
  consumer: 'c1',
  calls: 5,
  sampled: 0,
  unattributed: 0,
  last: `${more.day ?? day(1)}T10:00:00Z`,
  hits: {},
  ...more,
})

describe('duet sunset', () => {
  it('lists deprecated versions and operations', async () => {
    config({ '1.0.0': '2030-06-30' })
    const { code, out } = await sunset()
    expect(code).toBe(0)
    expect(out).toContain(
      `1.0.0 as a whole, sunset 2030-06-30: in ${left('2030-06-30')} days; no recent calls are recorded\n`,
    )
    expect(out).toContain('1.1.0 iam.auth.jwt.refresh, sunset 2027-06-30: ')
  })

  it('says who still calls, by protocol and consumer, and whether it can end on that day', async () => {
    config({ '1.0.0': '2030-06-30' })
    const lines = [
      entry({}),
      entry({ day: day(3), calls: 1200 }),
      entry({ consumer: 'c2', protocol: 'jsonrpc', calls: 1 }),
      entry({ version: '1.1.0', operation: 'iam.auth.jwt.refresh', day: day(45) }),
      ...[38, 31, 24, 17, 10].map((ago) => entry({ version: '2.0.0-rc.1', day: day(ago) })),
    ]
    write('ledger.jsonl', usageLines(lines))
    const { code, out, err } = await sunset('--usage', 'ledger.jsonl')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(
      `1.0.0 as a whole, sunset 2030-06-30: in ${left('2030-06-30')} days; 2 consumers still call it, last on ${day(1)}
  c1 over REST: 1,205 calls, last on ${day(1)}
  c2 over JSON-RPC: 1 call, last on ${day(1)}
`,
    )
    expect(out).toContain('1.1.0 iam.auth.jwt.refresh, sunset 2027-06-30')
    expect(out).toContain('; nobody has called it in 30 days\n')
    const wide = await sunset('--usage', 'ledger.jsonl', '--usage-days', '60', '--format', 'json')
    const { endings } = JSON.parse(wide.out)
    expect(endings).toContainEqual(
      expect.objectContaining({
        version: '1.1.0',
        operation: 'iam.auth.jwt.refresh',
        verdict: 'called',
        callers: [{ protocol: 'rest', consumer: 'c1', calls: 5, last: day(45) }],
      }),
    )
  })

  it('counts the days of a ledger as a review does: back to a gap of more than a week', async () => {
    config({ '1.1.0': '2030-06-30' })
    const known = async (...days: number[]) => {
      write('ledger.jsonl', usageLines(days.map((ago) => entry({ day: day(ago) }))))
      const [line] = (await sunset('--usage', 'ledger.jsonl')).out.split('\n')
      return line?.slice(line.indexOf('; ') + 2)
    }
    expect(await known(29, 22, 15, 8, 1, 0)).toBe('nobody has called it in 30 days')
    expect(await known(30, 23, 16, 9, 2, 1)).toBe('nobody has called it in 30 days')
    expect(await known(28, 21, 14, 7, 0)).toBe(
      'no call was recorded, but the record covers only 29 of the 30 days needed',
    )
    expect(await known(90, 40)).toBe('no recent calls are recorded')
  })

  it('fails if somebody still calls what has ended, or ends soon', async () => {
    write('ledger.jsonl', usageLines([entry({})]))
    config({ '1.0.0': day(-10) })
    expect((await sunset('--usage', 'ledger.jsonl')).code).toBe(1)
    config({ '1.0.0': day(10) })
    const { code, out } = await sunset('--usage', 'ledger.jsonl')
    expect(code).toBe(1)
    expect(out).toContain(`10 days ago; 1 consumer still calls it, last on ${day(1)}`)
    config({ '1.0.0': day(-40) })
    expect((await sunset('--usage', 'ledger.jsonl')).code).toBe(0)
  })

  it.each([
    [{ '9.0.0': '2030-06-30' }, 'no document has the version 9.0.0'],
    [{ '1.0.0': '2030-02-30' }, 'sunsets["1.0.0"] in duet.config.json must be a day such as 2027-06-30.'],
    ['2030-06-30', 'sunsets in duet.config.json is not an object.'],
  ])('refuses %j', async (sunsets, message) => {
    write('duet.config.json', JSON.stringify({ package: '@billing/api', sunsets }))
    const { code, err } = await sunset()
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
