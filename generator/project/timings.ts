import type { Terminal } from './terminal.js'

/** Measures the phases of a run. A phase that starts again continues. */
export class Timings {
  readonly #phases = new Map<string, number>()
  readonly #start: number

  /** @param start when the run began; if that is 0, the start of the process, starting up is the first phase */
  constructor(start: number = performance.now()) {
    this.#start = start
    if (start === 0) this.#phases.set('start', performance.now())
  }

  /** Runs a step and adds its time to a phase. For a promise, the time until it settles. */
  measure<T>(phase: string, step: () => T): T {
    const start = performance.now()
    const count = () => this.#phases.set(phase, (this.#phases.get(phase) ?? 0) + performance.now() - start)
    const result = step()
    if (result instanceof Promise) return result.finally(count) as T
    count()
    return result
  }

  /** Seconds since the run began. */
  get seconds(): number {
    return (performance.now() - this.#start) / 1000
  }

  /** One line per phase in seconds, in the order of their starts, then the whole process and its peak memory. */
  report(terminal: Terminal): void {
    const lines = [...this.#phases, ['total', this.seconds * 1000] as const]
    const width = Math.max(...lines.map(([phase]) => phase.length))
    for (const [phase, milliseconds] of lines)
      terminal.err(`${phase.padEnd(width)}  ${(milliseconds / 1000).toFixed(3)} s\n`)
    // Kilobytes on every system (libuv).
    const megabytes = process.resourceUsage().maxRSS / 1024
    terminal.err(`${'memory'.padEnd(width)}  ${megabytes.toFixed(0)} MB at its peak\n`)
  }
}
