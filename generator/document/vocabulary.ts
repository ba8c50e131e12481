import {
  type Keyword,
  type KeywordName,
  type KeywordWith,
  type Row,
  rows,
  type SchemaHolding,
} from './keyword-table.js'

export {
  type Dialect,
  dialects,
  type EarlierHolding,
  type Keyword,
  type KeywordName,
  type KeywordWith,
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

/** The row of a keyword. Undefined for an unknown one. */
export function keywordNamed(name: string): Keyword | undefined {
  return byName.get(name)
}

/**
 * Whether a name is an extension that does not describe instances: any with `x-`, unless the table has another role for
 * it.
 */
export function isExtension(name: string): boolean {
  const keyword = byName.get(name)
  return keyword === undefined ? name.startsWith('x-') : keyword.role === 'extension'
}

/** How a keyword holds schemas. Undefined if it holds none. */
export function holdingOf(name: string): SchemaHolding | undefined {
  const holds = byName.get(name)?.holds
  return holds === 'schema' || holds === 'schemas' || holds === 'schema-map' ? holds : undefined
}

/** A keyword, and the keywords that have a meaning only together with it. */
export function groupOf(name: string): readonly string[] {
  const group = byName.get(name)?.group
  return group === undefined ? [name] : (groups.get(group) ?? [name])
}

/** Names of the keywords that pass a test. */
export function keywordsThat(test: (keyword: Keyword) => boolean): ReadonlySet<string> {
  return new Set(keywords.filter(test).map(({ name }) => name))
}

/** Whether a Schema Object may have the keyword: JSON Schema 2020-12 or OpenAPI defines it. */
export function isCurrent({ role, outdated }: Keyword): boolean {
  return outdated === undefined && role !== 'extension'
}

/** Whether validators check what a keyword says. */
export function isValidated({ role }: Keyword): boolean {
  return !unvalidated.has(role)
}

const unvalidated: ReadonlySet<Keyword['role']> = new Set(['identifier', 'note', 'words', 'extension'])

/** Whether programs rely on a keyword that no validator checks. */
export function isNote({ role, reported }: Keyword): boolean {
  return role === 'note' || role === 'extension' || reported === true
}

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

const plainData: ReadonlySet<Keyword['holds']> = new Set(['number', 'positive', 'count', 'flag', 'text'])

/** Keywords that limit values by one number, flag or text of their own, whatever is next to them. */
export const plainLimits = keywordsThat(
  ({ role, holds, isDependent }) => role === 'assertion' && plainData.has(holds) && isDependent === undefined,
)

/** Keywords that hold values of instances, in which nothing is a schema or a reference. */
export const valueKeywords = keywordsThat(
  ({ role, holds }) => (holds === 'value' || holds === 'values') && role !== 'extension',
)

/** The names of the rows with these columns, in the table's order. */
function namesWith<const Columns extends Partial<Row>>(columns: Columns): readonly KeywordWith<Columns>[] {
  const wanted = Object.entries(columns)
  const found = keywords.filter((keyword) =>
    wanted.every(([column, value]) =>
      Object.entries(keyword).some(([name, is]) => name === column && is === value),
    ),
  )
  return found.map(({ name }) => name as KeywordWith<Columns>)
}

/** Keywords that hold samples of what a schema describes. */
export const sampleKeywords = keywordsThat(
  ({ name, role }) => valueKeywords.has(name) && role !== 'assertion',
)

/** Keywords whose lists of schemas all describe the instance that the schema describes. */
export const compositions = namesWith({ role: 'in-place', holds: 'schemas' })

export type Composition = (typeof compositions)[number]

/** Compositions of which some schemas may fail. */
export const choices = namesWith({ binds: 'tentative', holds: 'schemas' })
export type Choice = (typeof choices)[number]

/** For programs that read only one of two choices: the stricter first. */
export const strictestFirst: readonly Choice[] = [...choices].reverse()

/** Keywords whose schemas describe the same instance. */
export const inPlaceKeywords = keywordsThat(
  ({ role, outdated }) => role === 'in-place' && outdated === undefined,
)

/** Keywords with one schema for the same instance. */
export const singlesInPlace = namesWith({ role: 'in-place', holds: 'schema' })

const children = keywords.filter(({ role, outdated }) => role === 'child' && outdated === undefined)

/** Keywords whose schemas describe items. */
export const itemKeywords = new Set<string>(
  children.filter(({ of }) => of === 'array').map(({ name }) => name),
)

/** Keywords whose schemas describe members, not their names. */
export const memberKeywords = new Set<string>(
  children.filter(({ of, binds }) => of === 'object' && binds === undefined).map(({ name }) => name),
)

/** Keywords whose one schema describes every member that others leave. */
export const otherMembers = [...memberKeywords].filter((name) => holdingOf(name) === 'schema')

/** Keywords whose schemas describe members by other things than their names. */
export const unnamedMembers = [...memberKeywords].filter((name) => byName.get(name)?.names === undefined)

/** Keywords whose objects have the names of properties as keys. */
export const namingKeywords = namesWith({ names: true })

/** Keywords whose schemas describe the instances that match them. */
export const describingInPlace = keywordsThat(
  ({ name, negates, isDependent }) =>
    inPlaceKeywords.has(name) && negates === undefined && isDependent === undefined,
)

/** Keywords that may refuse null: those that describe values of every type. */
export const refusingNull = keywordsThat(
  (keyword) =>
    isCurrent(keyword) && isValidated(keyword) && keyword.upgraded === undefined && keyword.of === undefined,
)

/** The ranges of how much an instance has: characters, items, members. */
export const sizeRanges = keywords.flatMap(({ name, least, of, holds, isDependent }) =>
  least === undefined || holds !== 'count' || isDependent === true ? [] : [{ least, most: name, of }],
)

/** Exclusive bounds, each with the inclusive one. */
export const exclusiveBounds = keywords.flatMap(({ name, inclusive }) =>
  inclusive === undefined ? [] : [[name, inclusive] as const],
)

/** Keywords that name schemas, or refer to them by such names. */
export const locatedKeywords = keywordsThat(({ located }) => located === true)

export const unevaluatedKeywords = namesWith({ unevaluated: true })
