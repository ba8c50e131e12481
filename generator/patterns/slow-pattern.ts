import { createRequire } from 'node:module'
import { type Context, createContext, Script } from 'node:vm'
import { noPieces, type Pieces } from '../cache/pieces.js'
import type { Json } from '../document/document.js'
import { isObject } from '../document/json.js'

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
 * @param budget milliseconds that all patterns of a document may still take; what an analysis took is taken off
 * @param pieces answers of earlier runs: most documents have few patterns to analyse, and what does it is slow to load
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
  /** False where the analysis was stopped: on another day it may come to an end. */
  readonly isDecided: boolean
  /** What the analysis took. */
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

/** One repetition without an end, and another for it to share text with. */
function mayBeSlow(pattern: string): boolean {
  const repetitions = pattern.match(/[*+]|\{\d+(?:,\d*)?\}/g) ?? []
  return repetitions.length > 1 && repetitions.some((text) => !/\d\}$/.test(text))
}

/** A hundred times what an ordinary pattern takes. */
const patience = 100

type Analyse = typeof import('scslre')['analyse']

const run = new Script('analyse()')

/** Only a script can be stopped while it runs. */
let context: Context | undefined

function analysed(source: string): Analysis {
  const { analyse } = load()
  const start = performance.now()
  const answer = (found: SlowPattern | undefined, isDecided: boolean): Analysis => ({
    found,
    isDecided,
    milliseconds: performance.now() - start,
  })
  context ??= createContext(Object.create(null))
  let isDecided = true
  for (const flags of ['u', '']) {
    // Without moving: that is how long a text is searched for, which an anchor or none decides.
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
      // No regular expression with this flag, or one that takes the analysis too long.
      isDecided &&= error instanceof SyntaxError
    }
  }
  return answer(undefined, isDecided)
}

/** Few documents have a pattern that need be analysed. */
function load(): typeof import('scslre') {
  return createRequire(import.meta.url)('scslre')
}
