import { resolve } from 'node:path'
import type { ShadowChanges } from 'duet-runtime'
import type { UsageEntry } from 'duet-runtime/usage'
import type { Comparison } from '../../diff/change/change.js'
import { type Side, titleOf } from '../../diff/change/side.js'
import type { Usage, UsageFloor } from '../../diff/gate/usage.js'
import { readText } from '../../document/file.js'
import type { Terminal } from '../../project/terminal.js'
import { UsageError } from '../../project/usage-error.js'

interface UsageOptions {
  readonly usage?: readonly string[]
  readonly usageDays?: number
  readonly usageCalls?: number
}

/** The comparison with what ledgers say of it. Undefined without ledgers. Names on standard error what it skips. */
export async function usageFor(
  { usage: files, usageDays, usageCalls }: UsageOptions,
  comparison: Comparison,
  signs: ShadowChanges | undefined,
  { old, today }: { readonly old: Side; readonly today: string },
  terminal: Terminal,
): Promise<{ readonly comparison: Comparison; readonly usage: Usage } | undefined> {
  if (files === undefined) return undefined
  const { Usage, usualFloor, withUsage } = await import('../../diff/gate/usage.js')
  const entries = (await ledgerOf(files, [old.model?.title ?? titleOf(old)], terminal, today)).filter(
    ({ version }) => version === old.version,
  )
  if (entries.length === 0)
    terminal.err(`warning: the ledgers have no calls of ${old.version}, so no change counts as unused.\n`)
  const usage = new Usage(comparison, signs, entries, today)
  const floor: UsageFloor = {
    days: usageDays ?? usualFloor.days,
    calls: usageCalls ?? usualFloor.calls,
  }
  return { comparison: withUsage(comparison, usage, floor), usage }
}

/**
 * The entries of several ledgers, merged. Names on standard error what it skips: torn lines, entries of another
 * document, and those of a ledger before, such as an older copy of the same. Two nodes may have equal entries too, if
 * they count the same at the same second: then fewer calls are known than there were, and none of their hits is lost.
 *
 * @param apis the titles of the documents
 * @throws UsageError if a file cannot be read
 */
export async function ledgerOf(
  files: readonly string[],
  apis: readonly string[],
  terminal: Terminal,
  today: string,
): Promise<readonly UsageEntry[]> {
  const { mergeUsage, readUsage } = await import('duet-runtime/usage')
  let all: readonly UsageEntry[] = []
  /** How often an entry is in the ledgers before, at most. */
  const most = new Map<string, number>()
  for (const file of files) {
    const found = readText(resolve(terminal.cwd, file))
    if ('reason' in found) throw new UsageError(`${file} cannot be read: ${found.reason}.`)
    const { entries, torn } = readUsage(found.text)
    const [first] = torn
    if (first !== undefined) {
      const more = torn.length === 1 ? '' : ` and ${torn.length - 1} more`
      terminal.err(
        `warning: ${file}:${first.line} ${first.reason}${more}: ${linesText(torn.length)} skipped.\n`,
      )
    }
    const foreign = entries.filter((entry) => !apis.includes(entry.api))
    if (foreign.length > 0) {
      const name = JSON.stringify(foreign[0]?.api)
      terminal.err(
        `warning: ${file} has calls of ${name}, not of ${apis.map((api) => JSON.stringify(api)).join(', ')}: ${linesText(foreign.length)} skipped.\n`,
      )
    }
    const isOwn = ({ api, day }: UsageEntry) => apis.includes(api) && day <= today
    const own = entries.filter(isOwn)
    const early = entries.length - foreign.length - own.length
    if (early > 0)
      terminal.err(`warning: ${file} has days after today, ${today}: ${linesText(early)} skipped.\n`)
    const fresh = notIn(most, own)
    const copied = own.length - fresh.length
    if (copied > 0) {
      const what =
        fresh.length === 0 ? 'is in the ledgers before' : `has ${linesText(copied)} of the ledgers before`
      terminal.err(`note: ${file} ${what}: counted once.\n`)
    }
    all = all.concat(fresh)
  }
  return mergeUsage(all)
}

/** Entries of a ledger that are not in the ledgers before. Adds them to those. */
function notIn(most: Map<string, number>, entries: readonly UsageEntry[]): readonly UsageEntry[] {
  const counts = new Map<string, number>()
  const fresh = entries.filter((entry) => {
    const text = JSON.stringify(entry)
    const count = 1 + (counts.get(text) ?? 0)
    counts.set(text, count)
    return count > (most.get(text) ?? 0)
  })
  for (const [text, count] of counts) most.set(text, Math.max(count, most.get(text) ?? 0))
  return fresh
}

function linesText(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`
}
