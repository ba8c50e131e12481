/** Ledgers of who calls what: to write, read, merge and ask them. */
export { consumerHash } from './usage/consumer.js'
export { coveredDays, type LedgerSpan, spanOf, type UsageWindow, windowStart } from './usage/days.js'
export { ANONYMOUS, type Hit, type Ledger, OTHERS, type UsageEntry } from './usage/entry.js'
export { jsonLinesLedger, readUsage, type TornLine, usageLines } from './usage/json-lines.js'
export { mergeUsage } from './usage/merge.js'
export {
  type Caller,
  deprecatedOperations,
  type Ending,
  type EndingUsage,
  endingUsage,
  type RecentUsage,
} from './usage/sunset.js'
