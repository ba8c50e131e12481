import { contains } from '../../generator/dist/contains/contains.js'
import { instances } from '../../generator/dist/contains/instances.js'
import { secondJudge } from './second-judge.mjs'

/** Decides pairs and counts the verdicts by kind. */
export class Tally {
  wrong = 0
  #kinds = new Map()
  #decided = []

  constructor(label = '') {
    this.label = label
  }

  /** `expected` is undefined if the right verdict is unknown. */
  ask({ kind, a, b, dialect, expected }) {
    if (process.env.KIND !== undefined && !kind.includes(process.env.KIND)) return
    const sum = this.#kinds.get(kind) ?? { asked: 0, decided: 0, mistakes: 0, times: [] }
    this.#kinds.set(kind, sum)
    const start = performance.now()
    const { verdict, reason, witness } = contains(a, structuredClone(b), { dialect })
    sum.times.push(performance.now() - start)
    sum.asked += 1
    if (verdict !== 'unknown') {
      sum.decided += 1
      this.#decided.push({ kind, a, b, dialect, verdict, witness })
    } else if (process.env.UNDECIDED !== undefined)
      console.log(`UNKNOWN ${kind}, ${expected}: ${reason} ${JSON.stringify({ a, b, dialect })}`)
    if (verdict === 'unknown' || expected === undefined || verdict === expected) return
    sum.mistakes += 1
    this.wrong += 1
    console.log(`WRONG ${kind}: ${verdict} ${JSON.stringify({ a, b, dialect, witness })}`)
  }

  /** Lets a second validator check witnesses, and a few instances of contained schemas. */
  async confirm() {
    let [judged, differing] = [0, 0]
    for (const { kind, a, b, dialect, verdict, witness } of this.#decided) {
      const [inA, inB] = [await secondJudge(a, dialect), await secondJudge(b, dialect)]
      if (typeof inA === 'string' || typeof inB === 'string') continue
      judged += 1
      const isWitness = verdict === 'not-contained'
      const values = isWitness ? [witness] : instances(a, 4, { dialect })
      const other = values.find((value) => {
        const accepted = inA(value)
        return accepted !== undefined && (accepted && inB(value) === false) !== isWitness
      })
      if (other === undefined) continue
      differing += 1
      console.log(`SECOND ${kind}: ${JSON.stringify({ verdict, value: other, a, b, dialect }).slice(0, 600)}`)
    }
    console.log(`${this.label}  a second validator judged ${judged} and differs on ${differing}`)
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
