import { type CallCount, timeBounds } from '../../storage/tables/call-counts.js'
import { protocolNames } from '../protocol-names.js'
import { shownNumber } from '../shown.js'
import { barChart, type Chart, lineChart, timeOf } from './charts.js'

/** Stretches of time to look at. */
export const ranges = [
  { name: '3h', label: '3 hours', seconds: 3 * 3600, step: 300 },
  { name: '24h', label: '24 hours', seconds: 86_400, step: 1800 },
  { name: '7d', label: '7 days', seconds: 7 * 86_400, step: 3 * 3600 },
] as const

export type Range = (typeof ranges)[number]

/** Starts of the steps of a range that ends now, the last one unfinished. */
export function stepsOf({ seconds, step }: Range, now: number): readonly number[] {
  const last = Math.floor(now / step) * step
  return Array.from({ length: seconds / step }, (_, index) => last - seconds + step * (index + 1))
}

export const protocols = new Map(
  Array.from(protocolNames, ([protocol, name]) => [protocol, { name, colour: `is-${protocol}` }]),
)

/** The charts, sums and table of counts. */
export function shownCalls(
  counts: readonly CallCount[],
  range: Range,
  { now, timezone }: { readonly now: number; readonly timezone: string },
) {
  const starts = stepsOf(range, now)
  const steps = starts.map((start) => sumOf(counts.filter((count) => count.starts === start)))
  const all = sumOf(counts)
  const base = { starts, step: range.step, timezone }
  const used = [...protocols].filter(([protocol]) => counts.some((count) => count.protocol === protocol))
  const shownProtocols = used.length === 0 ? [...protocols].slice(0, 2) : used
  const charts: readonly ShownChart[] = [
    {
      id: 'calls',
      title: 'Calls',
      figure: shownNumber(all.calls),
      chart: barChart({
        ...base,
        series: shownProtocols.map(([protocol, { name, colour }]) => ({
          name,
          colour,
          values: starts.map(
            (start) =>
              sumOf(counts.filter((count) => count.starts === start && count.protocol === protocol)).calls,
          ),
        })),
      }),
    },
    {
      id: 'errors',
      title: 'Errors and refusals',
      figure: shownShare(all.errors + all.refused, all.calls),
      chart: barChart({
        ...base,
        series: [
          { name: 'Errors', colour: 'is-error', values: steps.map(({ errors }) => errors) },
          { name: 'Refusals', colour: 'is-refused', values: steps.map(({ refused }) => refused) },
        ],
      }),
    },
    {
      id: 'latency',
      title: 'Latency in ms',
      figure: `p95 ${shownMs(quantile(all.times, 0.95))}`,
      chart: lineChart({
        ...base,
        series: [
          { name: 'p50', colour: 'is-rest', values: steps.map(({ times }) => quantile(times, 0.5)) },
          { name: 'p95', colour: 'is-mcp', values: steps.map(({ times }) => quantile(times, 0.95)) },
        ],
      }),
    },
  ]
  return {
    charts,
    numbers: starts.flatMap((start, index) =>
      steps[index]?.calls === 0 ? [] : [{ time: timeOf(start, base), ...shownSum(steps[index]) }],
    ),
    numbersLeftOut: steps.some(({ calls }) => calls === 0),
    rows: rowsOf(counts),
  }
}

interface ShownChart {
  readonly id: string
  readonly title: string
  /** The sum or share that the chart is about. */
  readonly figure: string
  readonly chart: Chart
}

function rowsOf(counts: readonly CallCount[]) {
  const groups = new Map<string, CallCount[]>()
  for (const count of counts) {
    const key = `${count.operation}\n${count.protocol}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [count])
    else group.push(count)
  }
  return [...groups.values()]
    .map((group) => ({ first: group[0], sum: sumOf(group) }))
    .sort((one, other) => other.sum.calls - one.sum.calls)
    .map(({ first, sum }) => ({
      operation: first?.operation,
      protocol: protocols.get(first?.protocol ?? '')?.name ?? first?.protocol,
      ...shownSum(sum),
    }))
}

type Sum = Pick<CallCount, 'calls' | 'errors' | 'refused' | 'times'>

const noCalls: Sum = { calls: 0, errors: 0, refused: 0, times: [...timeBounds, 0].map(() => 0) }

function sumOf(counts: readonly CallCount[]): Sum {
  return counts.reduce<Sum>(
    (sum, count) => ({
      calls: sum.calls + count.calls,
      errors: sum.errors + count.errors,
      refused: sum.refused + count.refused,
      times: sum.times.map((time, slot) => time + (count.times[slot] ?? 0)),
    }),
    noCalls,
  )
}

function shownSum({ calls, errors, refused, times }: Sum = noCalls) {
  return {
    calls: shownNumber(calls),
    errors: shownNumber(errors),
    refused: shownNumber(refused),
    p50: shownMs(quantile(times, 0.5)),
    p95: shownMs(quantile(times, 0.95)),
  }
}

/**
 * The time in milliseconds that this share of calls did not exceed, taken as evenly spread between two bounds.
 * Undefined without calls.
 */
export function quantile(times: readonly number[], share: number): number | undefined {
  const wanted = times.reduce((sum, time) => sum + time, 0) * share
  if (wanted === 0) return undefined
  let below = 0
  for (const [slot, count] of times.entries()) {
    if (count > 0 && below + count >= wanted) {
      const from = timeBounds[slot - 1] ?? 0
      const to = timeBounds[slot]
      return to === undefined ? from : from + (to - from) * ((wanted - below) / count)
    }
    below += count
  }
  return undefined
}

function shownShare(part: number, whole: number): string {
  if (whole === 0) return '0 %'
  const percent = (100 * part) / whole
  return `${percent > 0 && percent < 0.1 ? '< 0.1' : percent.toFixed(1)} %`
}

function shownMs(value: number | undefined): string {
  if (value === undefined) return '–'
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ms`
}
