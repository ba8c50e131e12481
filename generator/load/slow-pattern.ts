import { createRequire } from 'node:module'
import { type Context, createContext, Script } from 'node:vm'

/** How long a regular expression can take over a text that it rejects, and which. */
export interface SlowPattern {
  /** Whether the time doubles with a character more; else it grows with a power of the length. */
  readonly exponential: boolean
  /** What the text repeats; where it follows other text, that is not known. */
  readonly character: string
}

/**
 * Finds backtracking that takes more than linear time; undefined where there is none, or none that the analysis
 * finds (scslre: it looks for texts that repeat one character) within its time.
 *
 * @param budget milliseconds that all patterns of a document may still take; what an analysis takes is taken off
 */
export function slowPattern(pattern: string, budget: { left: number }): SlowPattern | undefined {
  if (!mayBeSlow(pattern)) return undefined
  const known = answers.get(pattern)
  if (known !== undefined) return known ?? undefined
  if (budget.left <= 0) return undefined
  const { analyse } = load()
  const start = performance.now()
  const found = analysed(pattern, analyse)
  budget.left -= performance.now() - start
  answers.set(pattern, found ?? null)
  return found
}

const answers = new Map<string, SlowPattern | null>()

/** One repetition without an end, and another for it to share text with. */
function mayBeSlow(pattern: string): boolean {
  const repetitions = pattern.match(/[*+]|\{\d+(?:,\d*)?\}/g) ?? []
  return repetitions.length > 1 && repetitions.some((text) => !/\d\}$/.test(text))
}

/** A hundred times what an ordinary pattern takes. */
const milliseconds = 100

type Analyse = typeof import('scslre')['analyse']

const run = new Script('analyse()')

/** Only a script can be stopped while it runs. */
let context: Context | undefined

function analysed(source: string, analyse: Analyse): SlowPattern | undefined {
  context ??= createContext(Object.create(null))
  for (const flags of ['u', '']) {
    // Without moving: that is how long a text is searched for, which an anchor or none decides.
    const options = { reportTypes: { Move: false } }
    Object.assign(context, { analyse: () => analyse({ source, flags }, options).reports })
    try {
      const reports: ReturnType<Analyse>['reports'] = run.runInContext(context, {
        timeout: milliseconds,
      })
      const report = reports.find(({ exponential }) => exponential) ?? reports[0]
      return report && { exponential: report.exponential, character: report.character.pick }
    } catch {
      // No regular expression with this flag, or one that takes the analysis too long.
    }
  }
  return undefined
}

/** Few documents have a pattern that need be analysed. */
function load(): typeof import('scslre') {
  return createRequire(import.meta.url)('scslre')
}
