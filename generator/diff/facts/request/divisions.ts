import { isDeepStrictEqual } from 'node:util'
import type { Coercion, ParameterBinding } from 'duet-runtime'
import { childPointer } from '../../../document/cursor.js'

/** A position where the versions split a text differently. */
export interface Division {
  /** The path within the parameter or field. */
  readonly at: string
  readonly kinds: readonly [string, string]
  /** Texts that may show it, besides the usual samples. */
  readonly texts: readonly string[]
  /** Whether the new version has no param for the name in these texts. */
  readonly isUndeclared?: boolean
  /** Whether both versions read the same value, so that only its refusal counts. */
  readonly isSame?: boolean
}

/**
 * Where two versions of a parameter or of a form's field split its text differently, or else convert it to values of
 * other types: `1,2` in a list of any values is two texts.
 */
export function divisions(
  was: ParameterBinding,
  is: ParameterBinding,
  isSpread: (binding: ParameterBinding) => boolean,
  isForm = false,
): Division[] {
  const kinds = kindsOf(dividedAs(was), dividedAs(is), was.coerce, is.coerce)
  if (kinds !== undefined) {
    const name = encodeURIComponent(was.name)
    const texts = was.in === 'query' ? emptyTexts(was.coerce, is.coerce, name) : [emptyText(was, name)]
    return [{ at: '', kinds, texts: texts.filter((text) => text !== undefined) }]
  }
  const members = new Map(membersOf(is, isSpread(is), isForm).map((one) => [one.at, one]))
  const parts = membersOf(was, isSpread(was), isForm)
  const divided = parts.flatMap(({ at, name, coerce }) => {
    const other = members.get(at)?.coerce
    if (other === undefined) return []
    const kinds = kindsOf(shapedAs(coerce), shapedAs(other), coerce, other)
    return kinds === undefined ? [] : [{ at, kinds, texts: emptyTexts(coerce, other, name) }]
  })
  if (parts.length > 0 || isDeepStrictEqual(was.coerce, is.coerce)) return divided
  const kind = dividedAs(was)
  return [{ at: '', kinds: [kind, kind], texts: [] }]
}

/** The text of an empty value outside of the query. A path has one only where its style writes more than the value. */
function emptyText(binding: ParameterBinding, name: string): string | undefined {
  if (binding.in !== 'path') return ''
  return binding.style === 'label' ? '.' : binding.style === 'matrix' ? `;${name}=` : undefined
}

/** Empty texts, and those of a list before an item, if both versions have lists. */
function emptyTexts(one: Coercion, other: Coercion, name: string): string[] {
  if (isEmptyNull(one) && !isEmptyNull(other)) return [`${name}=`]
  const areLists = [one, other].every(({ types }) => types.includes('array'))
  return areLists ? ['', `&${name}=1`, `&${name}=true`].map((rest) => `${name}=${rest}`) : []
}

/** Whether an empty text is null: strings are empty themselves. */
function isEmptyNull({ types }: Coercion): boolean {
  return types.includes('null') && types.every((type) => !['string', 'array', 'object'].includes(type))
}

/** Undefined where both divide a text alike. */
function kindsOf(
  was: string,
  is: string,
  one: Coercion,
  other: Coercion,
): readonly [string, string] | undefined {
  if (was !== is) return [was, is]
  if (was === 'a text' && isEmptyNull(one) && !isEmptyNull(other)) return ['null', was]
  const [before, after] = [listedAs(was, one), listedAs(is, other)]
  return before === after ? undefined : [before, after]
}

/** A value within an object or a list that has a text of its own. */
interface Member {
  readonly at: string
  /** The name of its text in the request. */
  readonly name: string
  readonly coerce: Coercion
}

/** OpenAPI defines one level of brackets. Forms have any, of which schemas seldom use more. */
const deepest = 4

function membersOf(binding: ParameterBinding, isSpread: boolean, isForm: boolean): Member[] {
  const { name, style, coerce } = binding
  const whole = { at: '', name: encodeURIComponent(name), coerce }
  if (isSpread) return below(whole, (key) => encodeURIComponent(key)).filter(({ at }) => at !== '/-')
  if (style !== 'deepObject' && !isForm) return []
  const found: Member[] = []
  let level: Member[] = [whole]
  for (let depth = 0; depth < deepest; depth++) {
    level = level.flatMap((one) => below(one, (key) => `${one.name}[${encodeURIComponent(key)}]`))
    found.push(...level)
  }
  return found
}

/** The members of an object and the first item of a list. One name represents all that the schema does not list. */
function below({ at, coerce }: Member, nameOf: (key: string) => string): Member[] {
  const { properties = {}, values, types, items, prefix: [first = items] = [] } = coerce
  const named = Object.entries(properties).map(([key, one]) => [childPointer(at, key), key, one] as const)
  let other = 'k'
  while (Object.hasOwn(properties, other)) other += 'k'
  const others = types.includes('object') ? ([[`${at}/*`, other, values ?? plain]] as const) : []
  const item = types.includes('array') ? ([[`${at}/-`, '0', first ?? plain]] as const) : []
  return [...named, ...others, ...item].map(([path, key, one]) => ({
    at: path,
    name: nameOf(key),
    coerce: one,
  }))
}

const plain: Coercion = { types: ['string'] }

function dividedAs({ coerce, entityTag, preferences }: ParameterBinding): string {
  if (entityTag === true) return 'an entity tag'
  return preferences === undefined ? shapedAs(coerce) : 'a list of preferences'
}

function shapedAs({ types }: Coercion): string {
  if (!types.includes('object') && !types.includes('array')) return 'a text'
  const shape = types.includes('array') ? 'a list' : 'an object'
  const mayBeText = types.some((type) => type !== 'array' && type !== 'object' && type !== 'null')
  return mayBeText ? `${shape} or a text` : shape
}

/** An empty text is an item of a list of texts. Of other items it is an empty list. */
function listedAs(shape: string, { items, prefix: [first = items] = [] }: Coercion): string {
  if (shape !== 'a list') return shape
  const isText = first?.types.some((type) => type === 'string' || type === 'null') ?? true
  return isText ? 'a list of texts' : 'a list'
}
