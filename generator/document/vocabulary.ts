import { type Keyword, type KeywordName, type Row, rows, type SchemaHolding } from './keyword-table.js'

export {
  type Dialect,
  dialects,
  type EarlierHolding,
  type Keyword,
  type KeywordName,
  type SchemaHolding,
  schemaTypes,
} from './keyword-table.js'

export const keywords: readonly (Keyword & { readonly name: KeywordName })[] = Object.entries<Row>(rows).map(
  ([name, row]) => ({ ...row, name: name as KeywordName }),
)

const byName: ReadonlyMap<string, Keyword> = new Map(keywords.map((keyword) => [keyword.name, keyword]))

const groups = new Map<string, string[]>()
for (const { name, group } of keywords)
  if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), name])

/** What is known of a keyword; undefined where it is none that Duet knows. */
export function keywordNamed(name: string): Keyword | undefined {
  return byName.get(name)
}

/** Whether a name is one of an extension that says nothing of an instance: any with `x-`, unless the table says more. */
export function isExtension(name: string): boolean {
  const keyword = byName.get(name)
  return keyword === undefined ? name.startsWith('x-') : keyword.role === 'extension'
}

/** How a keyword holds schemas; undefined where it holds none. */
export function holdingOf(name: string): SchemaHolding | undefined {
  const holds = byName.get(name)?.holds
  return holds === 'schema' || holds === 'schemas' || holds === 'schema-map' ? holds : undefined
}

/** The keywords that have a meaning only together with a keyword, and the keyword itself. */
export function groupOf(name: string): readonly string[] {
  const group = byName.get(name)?.group
  return group === undefined ? [name] : (groups.get(group) ?? [name])
}

/** Names of the keywords that a test holds of. */
export function keywordsThat(test: (keyword: Keyword) => boolean): ReadonlySet<string> {
  return new Set(keywords.filter(test).map(({ name }) => name))
}

/** Whether lint knows a keyword as one of a Schema Object: of JSON Schema 2020-12 or OpenAPI, or an assertion of Duet. */
export function isCurrent({ role, outdated }: Keyword): boolean {
  return outdated === undefined && role !== 'extension'
}

/** Whether validators check what a keyword says. */
export function isValidated({ role }: Keyword): boolean {
  return !unvalidated.has(role)
}

const unvalidated: ReadonlySet<Keyword['role']> = new Set(['identifier', 'note', 'words', 'extension'])

/** Whether a keyword limits values, by its own value or by the schemas that it holds. */
export function isLimiting({ role, outdated }: Keyword): boolean {
  return role === 'assertion' || (outdated === undefined && (role === 'in-place' || role === 'child'))
}

/**
 * Keywords of the table that limit values and that a program does not know. It must refuse a schema with one of them,
 * since it would accept whatever the keyword refuses.
 */
export function unknownKeywords(isKnown: (name: string) => boolean): readonly Keyword[] {
  return keywords.filter((keyword) => isLimiting(keyword) && !isKnown(keyword.name))
}

/** Keywords that hold values of instances, in which nothing is a schema or a reference. */
export const valueKeywords = keywordsThat(
  ({ role, holds }) => (holds === 'value' || holds === 'values') && role !== 'extension',
)

/** Keywords whose lists of schemas all describe the instance that the schema describes. */
export const compositions = ['allOf', 'anyOf', 'oneOf'] as const

/** Keywords whose schemas describe the same instance. */
export const inPlaceKeywords = keywordsThat(
  ({ role, outdated }) => role === 'in-place' && outdated === undefined,
)
