import { contains } from '../../generator/dist/contains/contains.js'

/** Asks pairs and counts the answers by kind. */
export class Tally {
  wrong = 0
  #kinds = new Map()

  constructor(label = '') {
    this.label = label
  }

  /** `expected` may be undefined where nothing is known of a pair. */
  ask({ kind, a, b, dialect, expected }) {
    if (process.env.KIND !== undefined && !kind.includes(process.env.KIND)) return
    const sum = this.#kinds.get(kind) ?? { asked: 0, decided: 0, mistakes: 0, times: [] }
    this.#kinds.set(kind, sum)
    const start = performance.now()
    const { verdict, reason, witness } = contains(a, structuredClone(b), { dialect })
    sum.times.push(performance.now() - start)
    sum.asked += 1
    if (verdict !== 'unknown') sum.decided += 1
    else if (process.env.UNDECIDED !== undefined)
      console.log(`UNKNOWN ${kind}, ${expected}: ${reason} ${JSON.stringify({ a, b, dialect })}`)
    if (verdict === 'unknown' || expected === undefined || verdict === expected) return
    sum.mistakes += 1
    this.wrong += 1
    console.log(`WRONG ${kind}: ${verdict} ${JSON.stringify({ a, b, dialect, witness })}`)
  }

  print() {
    const total = { asked: 0, decided: 0, mistakes: 0, times: [] }
    for (const [kind, sum] of this.#kinds) {
      this.#line(kind, sum)
      for (const key of ['asked', 'decided', 'mistakes']) total[key] += sum[key]
      total.times.push(...sum.times)
    }
    this.#line('together', total)
  }

  #line(kind, { asked, decided, mistakes, times }) {
    times.sort((a, b) => a - b)
    const at = (part) => `${(times[Math.floor((times.length - 1) * part)] ?? 0).toFixed(1)} ms`
    const share = ((100 * decided) / Math.max(1, asked)).toFixed(1)
    console.log(
      `${this.label}${`  ${kind}`.padEnd(22)} ${String(asked).padStart(5)} asked  ${share.padStart(5)} % decided  ` +
        `${mistakes} wrong  median ${at(0.5)}  99 % ${at(0.99)}  worst ${at(1)}`,
    )
  }
}
