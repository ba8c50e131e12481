import { patternTest } from './pattern-test.js'

/**
 * Stands for RegExp in validators that the generator runs itself: no pattern of a document keeps it busy.
 * `test` throws Undecidable where the answer may take time that grows with every character.
 */
export class GuardedExpression {
  readonly test: (word: string) => boolean

  /** @throws SyntaxError where RegExp does */
  constructor(source: string, flags = '') {
    new RegExp(source, flags)
    this.test = patternTest(source, flags)
  }
}
