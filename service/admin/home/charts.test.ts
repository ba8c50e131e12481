import { expect, it } from 'vitest'
import { quantile, ranges, shownCalls, stepsOf } from './calls.js'
import { barChart, lineChart, roundUp } from './charts.js'

it.each([
  [0, 2],
  [2, 2],
  [3, 4],
  [5, 10],
  [11, 20],
  [81, 100],
  [401, 1000],
])('an axis for %d ends at %d', (value, top) => {
  expect(roundUp(value)).toBe(top)
})

it('bars of one step stand on each other, and have the height of their values', () => {
  const chart = barChart({
    starts: [0, 300],
    step: 300,
    timezone: 'UTC',
    series: [
      { name: 'REST', colour: 'is-rest', values: [1, 0] },
      { name: 'MCP', colour: 'is-mcp', values: [3, 0] },
    ],
  })
  // Of 116 units for 4 calls, 29 for each.
  expect(chart.bars.map(({ y, height, title }) => [y, height, title])).toEqual([
    [95, 29, '00:00: REST 1'],
    [8, 87, '00:00: MCP 3'],
  ])
  expect(chart.marks.map(({ text }) => text)).toEqual(['0', '2', '4'])
})

it('a line is interrupted where there is no value', () => {
  const values = [2, 2, undefined, 2]
  const chart = lineChart({
    starts: [0, 300, 600, 900],
    step: 300,
    timezone: 'UTC',
    series: [{ name: 'p50', colour: 'is-rest', values }],
  })
  expect(chart.lines[0]?.path.match(/M/g)).toHaveLength(2)
})

it('the last step of a range is the one of now', () => {
  const steps = stepsOf(ranges[0], 10_000)
  expect(steps).toHaveLength(36)
  expect([steps[0], steps.at(-1)]).toEqual([9900 - 35 * 300, 9900])
})

it.each([
  // Ten calls of 10 to 25 ms: the half of them is half way.
  [[0, 0, 10, 0, 0, 0, 0, 0, 0, 0], 0.5, 17.5],
  [[10, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1, 5],
  // Beyond the last bound nothing is known but the bound.
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 3], 0.5, 2500],
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.5, undefined],
])('of %j calls, %d took at most %d ms', (times, share, ms) => {
  expect(quantile(times, share)).toBe(ms)
})

it('calls are summed by operation and protocol, the most first', () => {
  const count = { starts: 9900, calls: 1, errors: 1, refused: 0, times: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
  const shown = shownCalls(
    [
      { ...count, operation: 'clients.get', protocol: 'rest' },
      { ...count, operation: 'clients.get', protocol: 'mcp', calls: 1200, errors: 0 },
    ],
    ranges[0],
    { now: 10_000, timezone: 'Europe/Berlin' },
  )
  expect(shown.rows.map(({ protocol, calls, errors }) => [protocol, calls, errors])).toEqual([
    ['MCP', '1,200', '0'],
    ['REST', '1', '1'],
  ])
  expect(shown.charts.map(({ figure }) => figure)).toEqual(['1,201', '< 0.1 %', 'p95 4.8 ms'])
  expect(shown.numbers.at(-1)).toMatchObject({ time: '03:45', calls: '1,201' })
})
