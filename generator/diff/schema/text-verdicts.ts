import type { Json } from '../../document/document.js'
import { keywordsThat } from '../../document/vocabulary.js'
import { memberFingerprint } from '../../schema/canonical.js'
import { asObject } from '../change/side.js'
import { harmless, isBad, type Judged } from '../decide/judgement.js'
import { isAnnotationKeyword } from '../same/same.js'
import { pick } from '../same/within.js'
import { judgeTexts } from '../texts/texts.js'
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
    const { isRequest, receiver, sender, traits, node } = this.walk
    const isLeftOut = traits.isPreference === true && node.isRoot && action === 'enum-value-removed'
    if (isLeftOut) return { level: 'dangerous', evidence: {} }
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

/**
 * Added or changed keywords that refuse texts which the new type alone accepts: `maxLength` where an integer became a
 * string. Empty if the type alone refuses some texts, or if the schema has keywords other than bounds. `texts`: the
 * verdict on the sender's texts against the whole receiver's schema. `textsBy`: against another schema.
 */
function refusingKeywords(
  { sender, receiver }: { readonly sender: Json; readonly receiver: Json },
  texts: Judged | undefined,
  textsBy: (receiver: Json) => Judged | undefined,
): ReadonlyMap<string, Judged> {
  if (!isBad(texts ?? harmless)) return new Map()
  const [old, fresh] = [asObject(sender), asObject(receiver)]
  const keywords = Object.keys(fresh).filter((key) => !ofType.has(key) && !isAnnotationKeyword(key))
  // A list of values that is new is one change. Otherwise each of its values is.
  const isNewList = (key: string): boolean => (key === 'enum' || key === 'const') && !Object.hasOwn(old, key)
  if (keywords.some((key) => !ofTexts.has(key) && !isNewList(key))) return new Map()
  const changed = keywords.filter((key) => memberFingerprint(old, key) !== memberFingerprint(fresh, key))
  const refusedBy = (...beside: readonly string[]): Judged =>
    textsBy(pick(fresh, [...ofType, ...beside])) ?? harmless
  if (changed.length === 0 || isBad(refusedBy())) return new Map()
  return new Map(changed.map((key) => [key, refusedBy(key)] as const).filter(([, judged]) => isBad(judged)))
}

const ofType: ReadonlySet<string> = new Set(['type', 'format'])
/** Bounds of strings, and of the numbers that texts represent. */
const ofTexts = keywordsThat(({ role, of }) => role === 'assertion' && (of === 'string' || of === 'number'))
