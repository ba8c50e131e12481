import {
  type EarlierHolding,
  holdingOf,
  isLimiting,
  isValidated,
  keywordNamed,
  keywordsThat,
} from '../../document/vocabulary.js'

/** How a keyword holds schemas that say something of an instance; undefined for any other keyword. */
export function holding(name: string): EarlierHolding | undefined {
  return validated.has(name) ? (keywordNamed(name)?.held ?? holdingOf(name)) : undefined
}

/** Keywords whose text names a schema. */
export const references = keywordsThat(({ role }) => role === 'reference')

/** Keywords of a schema that say something about an instance. */
export function telling(schema: { readonly [key: string]: unknown }): string[] {
  return Object.keys(schema).filter((key) => validated.has(key))
}

/** Keywords that limit values on their own, unlike bounds without `contains` and `nullable` without `type`. */
export const limiting = keywordsThat(
  (keyword) => isLimiting(keyword) && keyword.upgraded !== true && keyword.isDependent !== true,
)

const validated = keywordsThat(isValidated)
