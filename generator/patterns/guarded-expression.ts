import { patternTest } from './pattern-test.js'

/**
 * Replaces RegExp in validators that the generator runs itself, so that no pattern of a document blocks it.
 * `test` throws Undecidable if it may need more than linear time.
 */
export class GuardedExpression {
  readonly test: (word: string) => boolean

  /** @throws SyntaxError for the same sources as RegExp */
  constructor(source: string, flags = '') {
    new RegExp(source, flags)
    this.test = patternTest(source, flags)
  }
}
