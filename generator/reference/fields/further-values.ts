import { isArray, isObject, own } from '../../document/json.js'
import { strictestFirst } from '../../document/vocabulary.js'
import { writtenMember } from '../../document/written-digits.js'
import { referenceOf, type Schema, schemaList } from '../../schema/schema.js'
import { shownValues } from './type-text.js'

/** The values of an enumeration that the words of its type leave out. */
export interface FurtherValues {
  readonly count: number
  /** As JSON. */
  readonly values: readonly string[]
  /** How many are too many for a page. */
  readonly left: number
}

/** Those of a schema, or of its items, its map or an alternative. Components have pages of their own. */
export function furtherValues(schema: Schema | undefined, depth = 0): FurtherValues | undefined {
  if (schema === undefined || !isObject(schema) || depth > deepest || referenceOf(schema) !== undefined)
    return undefined
  const known = own(schema, 'enum')
  if (isArray(known)) {
    const count = known.length - shownValues
    if (count <= 0) return undefined
    let room = mostCharacters
    const further = known.map((_, index) => writtenMember(known, index)).slice(shownValues)
    const values = further.filter((text) => {
      room -= text.length
      return room >= 0
    })
    return { count, values, left: count - values.length }
  }
  const inner = ['items', 'additionalProperties'].map((keyword) => own(schema, keyword) as Schema | undefined)
  const branches = strictestFirst.flatMap((keyword) => schemaList(schema, keyword))
  for (const one of [...inner, ...branches]) {
    const found = furtherValues(one, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

const deepest = 3
/** A page shows many fields. */
const mostCharacters = 50_000
