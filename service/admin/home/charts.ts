import { shownNumber, shownTime } from '../shown.js'

/** Values over time under one name. Undefined: none in this step. */
interface Series {
  readonly name: string
  /** Class of its colour. */
  readonly colour: string
  readonly values: readonly (number | undefined)[]
}

export interface ChartOptions {
  /** Starts of the steps in seconds since the epoch. */
  readonly starts: readonly number[]
  /** Seconds of a step. */
  readonly step: number
  /** IANA name. */
  readonly timezone: string
  readonly series: readonly Series[]
}

/** Places of a chart's parts, for its template. */
export interface Chart extends ReturnType<typeof frameOf> {
  readonly bars: readonly Bar[]
  readonly lines: readonly Line[]
}

interface Bar {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly colour: string
  readonly title: string
}

/** Stacked bars, one for each step. */
export function barChart(options: ChartOptions): Chart {
  const { starts, series } = options
  const sums = starts.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const frame = frameOf(options, Math.max(...sums, 0))
  const width = plot.width / starts.length
  const bars = starts.flatMap((start, index) => {
    let below = 0
    return series.flatMap(({ name, colour, values }) => {
      const value = values[index] ?? 0
      if (value === 0) return []
      const height = frame.heightOf(value)
      below += height
      return {
        x: round(plot.left + index * width + width * 0.1),
        y: round(plot.bottom - below),
        width: round(width * 0.8),
        height: round(height),
        colour,
        title: `${timeOf(start, options)}: ${name} ${shownNumber(value)}`,
      }
    })
  })
  return { ...frame, bars, lines: [] }
}

interface Line {
  readonly colour: string
  /** Path data of its pieces, which a step without a value interrupts. */
  readonly path: string
}

/** One line for each series. */
export function lineChart(options: ChartOptions): Chart {
  const { starts, series } = options
  const all = series.flatMap(({ values }) => values.filter((value) => value !== undefined))
  const frame = frameOf(options, Math.max(...all, 0))
  const width = plot.width / starts.length
  const lines = series.map(({ colour, values }) => {
    const path = values
      .map((value, index) => {
        if (value === undefined) return ''
        const x = round(plot.left + (index + 0.5) * width)
        const y = round(plot.bottom - frame.heightOf(value))
        // A point without neighbours is a short stroke.
        return values[index - 1] === undefined ? `M${round(x - 2)} ${y}H${round(x + 2)}` : `L${x} ${y}`
      })
      .join('')
    return { colour, path }
  })
  return { ...frame, bars: [], lines }
}

const plot = { left: 38, right: 396, top: 8, bottom: 124, width: 358, height: 116 } as const

function frameOf(options: ChartOptions, greatest: number) {
  const { starts, series } = options
  const top = roundUp(greatest)
  const heightOf = (value: number) => (value / top) * plot.height
  const marks = [0, top / 2, top].map((value) => ({
    y: round(plot.bottom - heightOf(value)),
    text: short.format(value),
  }))
  const places = [0, Math.floor(starts.length / 2), starts.length - 1]
  return {
    heightOf,
    left: plot.left,
    right: plot.right,
    marks,
    times: places.map((index, place) => ({
      x: round(plot.left + ((index + 0.5) * plot.width) / starts.length),
      text: timeOf(starts[index] ?? 0, options),
      anchor: ['start', 'middle', 'end'][place],
    })),
    legend: series.map(({ name, colour }) => ({ name, colour })),
  }
}

/** There is room for a few characters beside a drawing: `10K`. */
const short = new Intl.NumberFormat('en', { notation: 'compact' })

/** The next of 2, 4, 10, 20, 40, ..., whose half is a short number too. At least 2. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 2)))
  return [1, 2, 4, 10].map((factor) => factor * power).find((one) => one >= Math.max(value, 2)) ?? value
}

/** The time of a step: the hour within a day, else the day. */
export function timeOf(start: number, { step, timezone }: Pick<ChartOptions, 'step' | 'timezone'>): string {
  const { text } = shownTime(new Date(start * 1000).toISOString(), timezone)
  return step < 7200 ? text.slice(11, 16) : text.slice(5, 16)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
