import type { Document } from '../document/document.js'
import type { Model } from '../model/model.js'
import type { Findings } from './findings.js'
import type { CommonResponse } from './hopeless.js'
import type { Secrets } from './secrets.js'
import type { Shapes } from './shapes.js'
import type { Target } from './target.js'
import type { TestData } from './test-data.js'
import type { Places } from './wire.js'

export interface ProbeOptions {
  /** The same seed sends the same calls. */
  readonly seed: string
  /** Calls of one operation that differ from a valid one, half of them valid. */
  readonly cases: number
  readonly isUnsafe: boolean
  readonly data: TestData
  /** Milliseconds after which an answer is slow. Undefined: never. */
  readonly slowMs: number | undefined
  /** Receives what was answered, without values. */
  readonly shapes: Shapes | undefined
}

/** What a run may use. */
export interface Surroundings {
  readonly document: Document
  readonly model: Model
  /** The version that the server has, if the document is an earlier one. */
  readonly now?: Model
  readonly target: Target
  readonly places: Places
  readonly secrets: Secrets
  readonly findings: Findings
  /** Receives each answer over REST. */
  readonly answers: CommonResponse
  /** Whether to end: the time is over, or there are enough findings. */
  readonly isOver: () => boolean
  /** Receives each operation before its first call. */
  readonly onOperation: (done: number, all: number, name: string) => void
}
