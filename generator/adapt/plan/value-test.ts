import { stringText, valueText } from '../../code/literal.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { isAnnotation, type Schema } from '../../schema/schema.js'
import type { Resolve } from '../view.js'

/** What a schema of texts, numbers, booleans and null says, so that code can test a value without a validator. */
export interface ValueTest {
  readonly types: readonly ScalarType[]
  /** All values. Undefined: any of the types. */
  readonly values?: readonly Json[]
  readonly bounds: Readonly<Partial<Record<Bound, number>>>
}

type ScalarType = 'string' | 'number' | 'integer' | 'boolean' | 'null'
type Bound = 'minimum' | 'maximum' | 'minLength' | 'maxLength'

/** The test of a schema. Undefined if it says more than code tests. */
export function valueTestOf(schema: Schema, resolve: Resolve): ValueTest | undefined {
  if (!isObject(schema)) return undefined
  const target = resolve(schema)
  const keywords = Object.keys(schema).filter((keyword) => !isAnnotation(keyword) && !silent.has(keyword))
  if (target !== undefined)
    return keywords.every((keyword) => keyword === '$ref') ? valueTestOf(target, resolve) : undefined
  if (!keywords.every((keyword) => known.has(keyword))) return undefined
  const values = Object.hasOwn(schema, 'const') ? [own(schema, 'const') ?? null] : own(schema, 'enum')
  if (values !== undefined && !(isArray(values) && values.every(isScalar))) return undefined
  const types = [own(schema, 'type') ?? (values ?? []).map(typeOf)].flat()
  if (types.length === 0 || !types.every(isScalarType)) return undefined
  const bounds = Object.fromEntries(
    boundNames.flatMap((name) => {
      const bound = own(schema, name)
      return typeof bound === 'number' ? [[name, bound] as const] : []
    }),
  )
  const test = { types, bounds }
  return values === undefined ? test : { ...test, values: values.filter((value) => passes(test, value)) }
}

/** Whether a value passes a test. */
export function passes({ types, values, bounds }: ValueTest, value: Json): boolean {
  if (values !== undefined && !values.includes(value)) return false
  const { minimum, maximum, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = bounds
  if (value === null) return types.includes('null')
  if (typeof value === 'boolean') return types.includes('boolean')
  if (typeof value === 'string')
    return types.includes('string') && [...value].length >= minLength && [...value].length <= maxLength
  if (typeof value !== 'number') return false
  const isOfType = types.includes('number') || (types.includes('integer') && Number.isInteger(value))
  return isOfType && value >= (minimum ?? value) && value <= (maximum ?? value)
}

/** The schema of the values that pass. */
export function testedSchema({ types, values, bounds }: ValueTest): JsonObject {
  return { type: types, ...bounds, ...(values !== undefined && { enum: values }) }
}

/** A function that narrows an unknown value to the type of those that pass: `(one): one is string => …`. */
export function testText({ types, values, bounds }: ValueTest): string {
  const list = values?.map((value) => valueText(value, Number.POSITIVE_INFINITY))
  const type = list ?? [...new Set(types.map((one) => (one === 'integer' ? 'number' : one)))]
  if (type.length === 0) return '(one): one is never => false'
  const tests =
    list === undefined ? types.map((one) => typeText(one, bounds)) : list.map((one) => [`one === ${one}`])
  const joined = tests.map((parts) => {
    const text = parts.join(' && ')
    return parts.length > 1 && tests.length > 1 ? `(${text})` : text
  })
  return `(one): one is ${type.join(' | ')} => ${joined.join(' || ')}`
}

/** `a boolean`, for people. */
export function testWords({ types, values, bounds }: ValueTest): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ')
  const limits = Object.entries(bounds).map(([name, bound]) => `${name} ${bound}`)
  return [
    types.map((one) => (one === 'null' ? one : `${one === 'integer' ? 'an' : 'a'} ${one}`)).join(' or '),
    ...limits,
  ].join(', ')
}

function typeText(
  type: ScalarType,
  { minimum, maximum, minLength, maxLength }: ValueTest['bounds'],
): string[] {
  if (type === 'null') return ['one === null']
  const parts = [`typeof one === ${stringText(type === 'integer' ? 'number' : type)}`]
  const limit = (what: string, least: number | undefined, most: number | undefined): void => {
    if (least !== undefined) parts.push(`${what} >= ${least}`)
    if (most !== undefined) parts.push(`${what} <= ${most}`)
  }
  if (type === 'integer') parts.push('Number.isInteger(one)')
  if (type === 'string') limit('[...one].length', minLength, maxLength)
  else if (type !== 'boolean') limit('one', minimum, maximum)
  return parts
}

const boundNames: readonly Bound[] = ['minimum', 'maximum', 'minLength', 'maxLength']
const known: ReadonlySet<string> = new Set(['type', 'enum', 'const', ...boundNames])
const silent: ReadonlySet<string> = new Set(['$comment', 'default', 'deprecated'])

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null
}

function typeOf(value: Json): string {
  return value === null ? 'null' : typeof value
}

function isScalarType(type: Json): type is ScalarType {
  return typeof type === 'string' && ['string', 'number', 'integer', 'boolean', 'null'].includes(type)
}
