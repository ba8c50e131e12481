import type { Json } from '../../document/document.js'
import { asObject } from '../change/side.js'
import { harmless, isBad, type Judged } from '../decide/judgement.js'
import { judgeTexts } from '../texts/texts.js'
import { refusingKeywords } from './refusing-keywords.js'
import type { Difference, SchemaWalk } from './schema-walk.js'

/** The verdicts on texts over REST, if both versions read text and convert it to other types. Each is judged once. */
export class TextVerdicts {
  #all: { readonly judged: Judged | undefined } | undefined
  #refusing: ReadonlyMap<string, Judged> | undefined

  constructor(readonly walk: SchemaWalk) {}

  get all(): Judged | undefined {
    this.#all ??= { judged: this.#by(this.walk.receiver) }
    return this.#all.judged
  }

  /** The receiver's keywords that refuse texts in addition to its type, with their verdicts. */
  get refusing(): ReadonlyMap<string, Judged> {
    this.#refusing ??= refusingKeywords(this.walk, this.all, (receiver) => this.#by(receiver))
    return this.#refusing
  }

  /** The verdict for the value alone that a change is about, if it is about one. */
  of({ action, old, new: fresh }: Difference): Judged | undefined {
    const { isRequest, receiver, sender } = this.walk
    const isOfValue = action === 'enum-value-added' || action === 'enum-value-removed'
    const value = isOfValue ? (isRequest ? old : fresh) : undefined
    if (value === undefined || !isBad(this.all ?? harmless)) return this.all
    return this.#by(receiver, { ...asObject(sender), enum: [value] })
  }

  #by(receiver: Json, sender = this.walk.sender): Judged | undefined {
    const { traits, isRequest, old, new_, judgement, node } = this.walk
    if (traits.isLoose !== true) return undefined
    const [from, to] = isRequest ? [old, new_] : [new_, old]
    return judgeTexts(judgement, traits, node.isRoot, [from, sender], [to, receiver])
  }
}
