import { canonical } from '../../contains/values/value.js'
import type { Json } from '../../document/document.js'
import { own } from '../../document/json.js'
import { keywordsThat } from '../../document/vocabulary.js'
import { asObject } from '../change/side.js'
import { harmless, isBad, type Judged } from '../decide/judgement.js'
import { isAnnotationKeyword } from '../same/same.js'
import { pick } from '../same/within.js'

/**
 * Added or changed keywords that refuse texts which the new type alone accepts: `maxLength` where an integer became a
 * string. Empty if the type alone refuses some texts, or if the schema has keywords other than bounds. `texts`: the
 * verdict on the sender's texts against the whole receiver's schema. `textsBy`: against another schema.
 */
export function refusingKeywords(
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
  const changed = keywords.filter((key) => canonical(own(old, key) ?? null) !== canonical(fresh[key] ?? null))
  const refusedBy = (...beside: readonly string[]): Judged =>
    textsBy(pick(fresh, [...ofType, ...beside])) ?? harmless
  if (changed.length === 0 || isBad(refusedBy())) return new Map()
  return new Map(changed.map((key) => [key, refusedBy(key)] as const).filter(([, judged]) => isBad(judged)))
}

const ofType: ReadonlySet<string> = new Set(['type', 'format'])
/** Bounds of strings, and of the numbers that texts represent. */
const ofTexts = keywordsThat(({ role, of }) => role === 'assertion' && (of === 'string' || of === 'number'))
