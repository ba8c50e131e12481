import { appendFile } from 'node:fs/promises'
import type { Protocol } from '../contract/operation.js'
import { isJsonObject } from '../values/object.js'
import type { Ledger, UsageEntry } from './entry.js'

/** A stream: `process.stdout`, a file, a socket. */
interface Lines {
  write(text: string): unknown
}

/** A ledger that appends one JSON object per line to a file or a stream. */
export function jsonLinesLedger(target: string | Lines): Ledger {
  return {
    async record(entries) {
      if (entries.length === 0) return
      const text = usageLines(entries)
      if (typeof target === 'string') await appendFile(target, text)
      else target.write(text)
    },
  }
}

/** Entries as JSON lines. */
export function usageLines(entries: Iterable<UsageEntry>): string {
  let text = ''
  for (const entry of entries) text += `${JSON.stringify(entry)}\n`
  return text
}

/** A line that is not an entry. Lines count from 1. */
export interface TornLine {
  readonly line: number
  readonly reason: string
}

/** Reads JSON lines. Skips lines that are not entries, and names them in `torn`. */
export function readUsage(text: string): {
  readonly entries: readonly UsageEntry[]
  readonly torn: readonly TornLine[]
} {
  const entries: UsageEntry[] = []
  const torn: TornLine[] = []
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const read = entryOf(line)
    if (typeof read === 'string') torn.push({ line: index + 1, reason: read })
    else entries.push(read)
  }
  return { entries, torn }
}

const protocols: Readonly<Record<Protocol, true>> = { rest: true, jsonrpc: true, mcp: true }

function entryOf(line: string): UsageEntry | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'is not JSON'
  }
  if (!isJsonObject(value)) return 'is not an object'
  const { day, last, next, watched, protocol, hits, calls, sampled, unattributed } = value
  if (typeof day !== 'string' || !dayText.test(day)) return 'has no day'
  if (!isMoment(last)) return 'has no last call'
  for (const name of ['api', 'version', 'operation', 'consumer'])
    if (typeof value[name] !== 'string') return `has no ${name}`
  for (const [name, text] of [
    ['next', next],
    ['watched', watched],
  ])
    if (text !== undefined && typeof text !== 'string') return `has no text as ${name}`
  if (typeof protocol !== 'string' || !Object.hasOwn(protocols, protocol)) return 'has no protocol'
  if (![calls, sampled, unattributed].every(isCount)) return 'has counts that are not whole numbers'
  const isHit = (hit: unknown) => isJsonObject(hit) && isCount(hit.calls) && isMoment(hit.last)
  if (!isJsonObject(hits) || !Object.values(hits).every(isHit)) return 'has no hits'
  return value as unknown as UsageEntry
}

const dayText = /^\d{4}-\d\d-\d\d$/

function isMoment(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
