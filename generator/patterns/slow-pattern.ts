import { createRequire } from 'node:module'
import { type Context, createContext, Script } from 'node:vm'
import { noPieces, type Pieces } from '../cache/pieces.js'
import type { Json } from '../document/document.js'
import { isObject } from '../document/json.js'

/** How long a regular expression can take for a text that it rejects, and for which text. */
export interface SlowPattern {
  /** Whether each additional character doubles the time. Otherwise it grows with a power of the length. */
  readonly exponential: boolean
  /** The character that the text repeats. Text before it is not known. */
  readonly character: string
}

/**
 * Finds backtracking with more than linear time. Undefined if there is none, or if the analysis (scslre,
 * which looks for texts that repeat one character) finds none in time.
 *
 * @param budget milliseconds of processor time left for all patterns of a document; reduced by that of the analysis
 * @param pieces results of earlier runs: most documents have few patterns to analyse, and the analysis is
 * slow to load
 */
export function slowPattern(
  pattern: string,
  budget: { left: number },
  pieces: Pieces = noPieces,
): SlowPattern | undefined {
  if (!mayBeSlow(pattern) || budget.left <= 0) return undefined
  const kept = readAnalysis(pieces.get('slow pattern', pattern))
  const answer = kept ?? answers.get(pattern) ?? analysed(pattern)
  const { found, isDecided, milliseconds } = answer
  budget.left -= milliseconds
  if (kept !== undefined) return found
  answers.set(pattern, answer)
  if (isDecided)
    pieces.set({ found: found === undefined ? null : { ...found }, milliseconds }, 'slow pattern', pattern)
  return found
}

interface Analysis {
  readonly found: SlowPattern | undefined
  /** False if the analysis was stopped. Next time it may finish. */
  readonly isDecided: boolean
  /** The processor time of the analysis, which does not depend on how busy the machine is. */
  readonly milliseconds: number
}

const answers = new Map<string, Analysis>()

function readAnalysis(kept: Json | undefined): Analysis | undefined {
  if (!isObject(kept) || typeof kept.milliseconds !== 'number') return undefined
  const { found, milliseconds } = kept
  if (found === null) return { found: undefined, isDecided: true, milliseconds }
  if (!isObject(found) || typeof found.exponential !== 'boolean') return undefined
  const { exponential, character } = found
  return { found: { exponential, character: String(character) }, isDecided: true, milliseconds }
}

/** Whether there is an unbounded repetition, and another with which it may share text. */
function mayBeSlow(pattern: string): boolean {
  const repetitions = pattern.match(/[*+]|\{\d+(?:,\d*)?\}/g) ?? []
  return repetitions.length > 1 && repetitions.some((text) => !/\d\}$/.test(text))
}

/** Milliseconds: thousands of times what an ordinary pattern takes, because a busy machine may pause the analysis. */
const patience = 2_000

type Analyse = typeof import('scslre')['analyse']

const run = new Script('analyse()')

/** Only a script can be stopped while it runs. */
let context: Context | undefined

function analysed(source: string): Analysis {
  const { analyse } = load()
  const start = process.cpuUsage()
  const milliseconds = (): number => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
  const answer = (found: SlowPattern | undefined, isDecided: boolean): Analysis => ({
    found,
    isDecided,
    milliseconds: milliseconds(),
  })
  context ??= createContext(Object.create(null))
  let isDecided = true
  for (const flags of ['u', '']) {
    // Without moving: that is how long the search for a text takes, which depends on anchors.
    const options = { reportTypes: { Move: false } }
    Object.assign(context, { analyse: () => analyse({ source, flags }, options).reports })
    try {
      const reports: ReturnType<Analyse>['reports'] = run.runInContext(context, {
        timeout: patience,
      })
      const report = reports.find(({ exponential }) => exponential) ?? reports[0]
      const found = report && { exponential: report.exponential, character: report.character.pick }
      return answer(found, isDecided)
    } catch (error) {
      // Either this flag makes the expression invalid, or the analysis takes too long.
      isDecided &&= error instanceof SyntaxError
    }
  }
  return answer(undefined, isDecided)
}

/** Few documents have a pattern that must be analysed. */
function load(): typeof import('scslre') {
  return createRequire(import.meta.url)('scslre')
}
