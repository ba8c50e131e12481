import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ShadowChanges, type UsageEntry, usageLines } from 'duet-runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runDuet } from '../../../test/in-process.js'

let cwd: string
let shadow: ShadowChanges
/** The fingerprint of the smaller maximum of clients.search. */
let maximum: string

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-usage-'))
  write(document('1.1.0', 1000), 'old.yaml')
  write(document('2.0.0', 100), 'new.yaml')
  shadow = JSON.parse((await review('--format', 'shadow')).out)
  const { changes } = JSON.parse((await review('--format', 'json')).out)
  maximum = changes[0].fingerprint
})
afterAll(() => rmSync(cwd, { recursive: true }))

/** Its versions differ in the longest list alone. */
const document = (version: string, longest: number) => `openapi: 3.1.1
info: { title: Clients, version: ${version} }
paths:
  /clients:
    get:
      x-rpc-method: clients.search
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: ${longest} } }]
      responses: { 204: { description: Done. } }
  /clients/{id}:
    get:
      x-rpc-method: clients.get
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { 204: { description: Done. } }
`
const review = (...args: string[]) => runDuet(cwd, ['diff', 'old.yaml', 'new.yaml', ...args])
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const write = (text: string, name = 'ledger.jsonl') => writeFileSync(join(cwd, name), text)

/** One day's calls, all of them tried. */
const entry = (operation: string, more: Partial<UsageEntry> = {}): UsageEntry => ({
  day: day(0),
  api: 'Clients',
  version: '1.1.0',
  next: '2.0.0',
  watched: shadow.operations[operation]?.watched ?? '',
  protocol: 'rest',
  operation,
  consumer: 'c1',
  calls: 500,
  sampled: 500,
  unattributed: 0,
  last: `${more.day ?? day(0)}T10:00:00Z`,
  hits: {},
  ...more,
})
/** A month in which only clients.search is called. Lines without calls leave no gap of more than a week. */
const month = (more: Partial<UsageEntry> = {}) => [
  entry('clients.search', { day: day(29), ...more }),
  ...[22, 15, 8, 1].map((ago) => entry('clients.get', { day: day(ago), calls: 0, sampled: 0 })),
  entry('clients.search', more),
]
const hit = (more: Partial<UsageEntry> = {}) =>
  entry('clients.search', { hits: { [maximum]: { calls: 3, last: `${day(2)}T08:00:00Z` } }, ...more })

/** What the review says of the smaller maximum of clients.search. */
async function said(entries: readonly UsageEntry[], ...args: string[]) {
  write(usageLines(entries))
  const { code, out, err } = await review('--usage', 'ledger.jsonl', '--format', 'json', ...args)
  const { changes } = JSON.parse(out)
  const usage = changes.find(({ fingerprint }: { fingerprint: string }) => fingerprint === maximum)?.usage
  return { code, err, usage, changes }
}

describe('duet diff --usage', () => {
  it('says who is hit, over which protocols, and when last', async () => {
    const rpc = hit({ protocol: 'jsonrpc', consumer: 'c2', day: day(1) })
    const { usage } = await said([...month(), hit({ consumer: 'c3' }), rpc])
    expect(usage).toEqual({
      verdict: 'used',
      text: `hit by 2 consumers over REST and JSON-RPC, last on ${day(2)}`,
      consumers: 2,
      hits: 6,
      calls: 2000,
      sampled: 2000,
      last: day(2),
    })
    expect((await said([hit({ consumer: 'others' })])).usage.text).toContain(
      'hit by at least 1 consumer over REST',
    )
  })

  it.each<[string, () => UsageEntry[], string, string]>([
    [
      'every call was watched',
      () => month(),
      'unused',
      'not hit in 1,000 calls of 30 days, all of them sampled',
    ],
    [
      'enough calls were sampled',
      () => month({ calls: 90_000, sampled: 5_000 }),
      'unused',
      'not hit in 10,000 of 180,000 calls of 30 days',
    ],
    [
      'too few were sampled',
      () => month({ calls: 90_000, sampled: 5 }),
      'unknown',
      'not hit in 10 of 180,000 calls of 30 days, but only 10 calls were tried',
    ],
    [
      'the ledger is too short',
      () => [entry('clients.search', { calls: 5_000, sampled: 5_000 })],
      'unknown',
      'not hit in 5,000 calls of 30 days, all of them sampled, but the record covers only 1 of the 30 days needed',
    ],
    [
      'the ledger has too few calls',
      () => month({ calls: 40, sampled: 40 }),
      'unknown',
      'not hit in 80 calls of 30 days, all of them sampled, but the record has only 80 of the 1,000 calls needed',
    ],
    [
      'other changes were looked for',
      () => month({ watched: '0000000000000000' }),
      'unknown',
      'none of 1,000 calls was tried on this version',
    ],
    [
      'another version was tried',
      () => month({ next: '2.0.1' }),
      'unknown',
      'none of 1,000 calls was tried on this version',
    ],
    [
      'refusals have no known cause',
      () => month({ unattributed: 2 }),
      'unknown',
      'not hit in 1,000 calls of 30 days, all of them sampled, but 4 of them fail for reasons that no change explains',
    ],
    [
      'only other operations are called',
      () => month({ operation: 'clients.get' }),
      'unused',
      'nobody calls it: no call in 30 days',
    ],
    [
      'calls are older than the window',
      () => [hit({ day: day(40) })],
      'unknown',
      'no call was recorded, but the record covers only 0 of the 30 days needed',
    ],
    [
      'calls are of another version',
      () => [hit({ version: '1.0.0' })],
      'unknown',
      'no call was recorded, but the record covers only 0 of the 30 days needed',
    ],
  ])('if %s', async (_, entries, verdict, text) => {
    expect((await said(entries())).usage).toMatchObject({ verdict, text })
  })

  it('takes the window and the floor from the command line', async () => {
    const few = [entry('clients.search', { calls: 40, sampled: 40 })]
    const { usage } = await said(few, '--usage-days', '1', '--usage-calls', '40')
    expect(usage).toMatchObject({
      verdict: 'unused',
      text: 'not hit in 40 calls of 1 day, all of them sampled',
    })
  })

  it('adds the ledgers of several nodes', async () => {
    write(usageLines(month()))
    write(usageLines([hit({ consumer: 'c9' })]), 'other.jsonl')
    const { out } = await review('--usage', 'ledger.jsonl', '--usage', 'other.jsonl')
    expect(out).toContain(`hit by 1 consumer over REST, last on ${day(2)}`)
  })

  it('counts a ledger once that is given twice, an older copy of it, and parts of it', async () => {
    const calls = async (...files: string[]) => {
      const given = files.flatMap((file) => ['--usage', file])
      const { out, err } = await review(...given, '--format', 'json', '--fail-on', 'none')
      const { changes } = JSON.parse(out)
      const change = changes.find(({ fingerprint }: { fingerprint: string }) => fingerprint === maximum)
      return { calls: change.usage.calls, err }
    }
    // A node may write equal lines: they count as often as one ledger has them.
    write(usageLines([...month(), entry('clients.search')]))
    write(usageLines([...month(), entry('clients.search')]), 'copy.jsonl')
    write(usageLines(month()), 'older.jsonl')
    write(usageLines([entry('clients.search'), entry('clients.search', { consumer: 'c2' })]), 'part.jsonl')
    const is = (file: string) => `note: ${file} is in the ledgers before: counted once.\n`
    expect(await calls('ledger.jsonl')).toEqual({ calls: 1500, err: '' })
    expect(await calls('ledger.jsonl', 'ledger.jsonl')).toEqual({ calls: 1500, err: is('ledger.jsonl') })
    expect(await calls('ledger.jsonl', 'copy.jsonl')).toEqual({ calls: 1500, err: is('copy.jsonl') })
    expect(await calls('ledger.jsonl', 'older.jsonl')).toEqual({ calls: 1500, err: is('older.jsonl') })
    const newer = 'note: ledger.jsonl has 6 lines of the ledgers before: counted once.\n'
    expect(await calls('older.jsonl', 'ledger.jsonl')).toEqual({ calls: 1500, err: newer })
    const part = 'note: part.jsonl has 1 line of the ledgers before: counted once.\n'
    expect(await calls('ledger.jsonl', 'part.jsonl')).toEqual({ calls: 2000, err: part })
  })

  it('reads ledgers with a byte order mark, and skips days to come', async () => {
    write(`\uFEFF${usageLines([entry('clients.search'), entry('clients.search', { day: day(-40) })])}`)
    const { out, err } = await review('--usage', 'ledger.jsonl', '--format', 'json', '--fail-on', 'none')
    expect(err).toBe(`warning: ledger.jsonl has days after today, ${day(0)}: 1 line skipped.\n`)
    expect(JSON.parse(out).changes[0].usage.calls).toBe(500)
  })

  it('reads ledgers of any length', { tags: 'long' }, async () => {
    const one = entry('clients.search', { calls: 1, sampled: 1 })
    write(usageLines(Array.from({ length: 130_000 }, (_, index) => ({ ...one, consumer: `c${index}` }))))
    const { out } = await review('--usage', 'ledger.jsonl', '--format', 'json', '--fail-on', 'none')
    expect(JSON.parse(out).changes[0].usage.calls).toBe(130_000)
  })

  it('names, skips and counts torn lines and other documents', async () => {
    const torn = `${usageLines([entry('clients.search')]).slice(0, 50)}\n`
    write(torn + usageLines([...month(), entry('clients.search', { api: 'Shop' })]) + torn)
    const { err } = await review('--usage', 'ledger.jsonl', '--fail-on', 'none')
    expect(err).toBe(
      'warning: ledger.jsonl:1 is not JSON and 1 more: 2 lines skipped.\n' +
        'warning: ledger.jsonl has calls of "Shop", not of "Clients": 1 line skipped.\n',
    )
    expect(await review('--usage', 'none.jsonl')).toMatchObject({
      code: 2,
      err: expect.stringContaining('none.jsonl cannot be read: there is no such file.'),
    })
    write('')
    expect((await review('--usage', 'ledger.jsonl', '--fail-on', 'none')).err).toBe(
      'warning: the ledgers have no calls of 1.1.0, so no change counts as unused.\n',
    )
  })

  it('fails only on what is in use with --fail-on used, and keeps the levels', async () => {
    const unused = await said(month(), '--fail-on', 'used')
    expect(unused).toMatchObject({ code: 0, err: '' })
    expect(unused.changes).toMatchObject([{ level: 'breaking' }])
    const used = await said([...month(), hit()], '--fail-on', 'used')
    expect(used).toMatchObject({
      code: 1,
      err: 'The gate fails: 1 breaking change in use, or not known to be unused.\n',
    })
    expect(await review('--fail-on', 'used')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--fail-on used needs a ledger: --usage FILE'),
    })
  })

  it('shows it in text, Markdown and HTML', async () => {
    write(usageLines([...month(), hit()]))
    const text = `hit by 1 consumer over REST, last on ${day(2)}`
    for (const format of ['text', 'markdown', 'html'])
      expect((await review('--usage', 'ledger.jsonl', '--format', format)).out).toContain(text)
  })

  it('ends a waiver that depends on it when the ledger shows a call', async () => {
    const waiver = (unused: string) =>
      `- { fingerprint: '${maximum}', owner: Ada, reason: Nobody asks for more, expires: 2999-12-31, unused: ${unused} }\n`
    write(waiver('{ days: 30, calls: 100 }'), 'waivers.yaml')
    const waived = async (...args: string[]) => {
      const { out, err } = await review('--waivers', 'waivers.yaml', '--format', 'json', ...args)
      const { changes } = JSON.parse(out)
      const change = changes.find(({ fingerprint }: { fingerprint: string }) => fingerprint === maximum)
      return { isWaived: change.waiver !== null, err }
    }
    write(usageLines(month()))
    expect(await waived('--usage', 'ledger.jsonl')).toMatchObject({ isWaived: true })
    write(usageLines([...month(), hit()]))
    const ended = await waived('--usage', 'ledger.jsonl')
    expect(ended.isWaived).toBe(false)
    expect(ended.err).toContain('waiver-used')
    expect(ended.err).toContain(`holds while nobody uses it: hit by 1 consumer over REST, last on ${day(2)}`)
    expect(await waived()).toMatchObject({
      isWaived: false,
      err: expect.stringContaining('this review has no --usage'),
    })
    write(waiver('30'), 'waivers.yaml')
    expect((await review('--waivers', 'waivers.yaml')).err).toContain('two whole numbers, days and calls')
  })
})
