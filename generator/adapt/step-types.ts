import { commentText } from '../code/literal.js'
import type { Adaptation } from './adaptation.js'

/** The types that a derived file needs. */
export interface UsedTypes {
  readonly conversion: boolean
  readonly replacement: boolean
  readonly refusal: boolean
  readonly loss: boolean
  readonly failing: boolean
  readonly streaming: boolean
}

/** Declarations of the types in a derived file. */
export function stepTypes(
  { older, next }: Pick<Adaptation, 'older' | 'next'>,
  { conversion, replacement, refusal, loss, failing, streaming }: UsedTypes,
): readonly string[] {
  return [
    ...(conversion
      ? [
          '',
          commentText([`Params of ${older.version} become those of ${next.version}, and results go back.`]),
          'type Step<From extends keyof Older, To extends keyof Next> = Conversion<',
          `  Older[From]['input'],`,
          `  Next[To]['params'],`,
          `  Next[To]['result'],`,
          `  Older[From]['result']`,
          '>',
        ]
      : []),
    ...(failing
      ? [
          '',
          commentText([`A step with error bodies of the documents' own.`]),
          `type Failing<Whole, From extends keyof Older, To extends keyof Next> = Omit<Whole, 'error'> & {`,
          "  error?(error: Next[To]['body'], response: string): Older[From]['body']",
          '}',
        ]
      : []),
    ...(streaming
      ? [
          '',
          commentText(['A step with pieces of a stream.']),
          `type Streaming<Whole, NextPiece, OlderPiece> = Omit<Whole, 'piece'> & {`,
          '  piece?(piece: NextPiece): OlderPiece | Promise<OlderPiece>',
          '}',
        ]
      : []),
    ...(replacement && conversion
      ? [
          '',
          commentText(['A step that has all of these parts.']),
          'type Complete<Whole, Part extends keyof Whole> = Whole & Required<Pick<Whole, Part>>',
        ]
      : []),
    ...(loss
      ? [
          '',
          commentText([
            `Not every value of ${older.version} has one of ${next.version}: says what callers lose.`,
          ]),
          'type Lossy<Whole> = Whole & { readonly loss: string }',
        ]
      : []),
    ...(replacement
      ? [
          '',
          commentText([`A handler of its own, which may call operations of ${next.version}.`]),
          'type Instead<From extends keyof Older> = Replacement<',
          "  Older[From]['input'],",
          "  Older[From]['result'],",
          "  <To extends keyof Next>(operation: To, params: Next[To]['params']) => Promise<Next[To]['result']>",
          '> & { readonly loss?: string }',
        ]
      : []),
    ...(refusal
      ? [
          '',
          commentText([`A problem for every call, or a handler of its own.`]),
          'type Gone<From extends keyof Older> = Refusal | Instead<From>',
        ]
      : []),
  ]
}
