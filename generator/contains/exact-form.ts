import {
  type Dialect,
  holdingOf,
  locatedKeywords,
  unevaluatedKeywords,
  valueKeywords,
} from '../document/vocabulary.js'
import { evaluatingIf, evaluatingItems } from '../schema/evaluation.js'
import { valueAt } from './lazy-library.js'
import { isModern } from './schema/dialect.js'
import { isObject, type Json, objectOf } from './values/value.js'

/**
 * A schema and its document in a form whose members and items AJV evaluates as the specification does. The same objects
 * if they ask for nothing unevaluated. Where addresses name schemas, AJV's own reading of items stays.
 */
export function exactForm(schema: Json, document: Json, dialect: Dialect): { schema: Json; document: Json } {
  const isAsked = isModern(dialect) && [schema, document].some((part) => traitsOf(part).isAsked)
  if (!isAsked) return { schema, document }
  const isExact = dialect === '2020-12' && ![schema, document].some((part) => traitsOf(part).isNamed)
  const memo = forms.get(isObject(document) ? document : forms) ?? new WeakMap<object, Json>()
  forms.set(isObject(document) ? document : forms, memo)
  const target = ({ $ref }: { readonly [key: string]: Json }): Json | undefined =>
    typeof $ref === 'string' ? valueAt(document, $ref) : undefined
  const read = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value
    const known = memo.get(value)
    if (known !== undefined) return known
    const form = Array.isArray(value) ? value.map(read) : ofObject(value)
    memo.set(value, form)
    return form
  }
  const ofObject = (value: Json): Json => {
    if (!isObject(value)) return value
    const exact = evaluatingIf(isExact ? evaluatingItems(value, target) : value)
    return membersOf(exact, (key, member) => {
      if (valueKeywords.has(key)) return member
      return isMap(key) && isObject(member) ? membersOf(member, (_, part) => read(part)) : read(member)
    })
  }
  return { schema: read(schema), document: read(document) }
}

const forms = new WeakMap<object, WeakMap<object, Json>>()

interface Traits {
  /** Whether it asks for members or items that nothing evaluates. */
  readonly isAsked: boolean
  /** Whether schemas have addresses or anchors, or references lead elsewhere. */
  readonly isNamed: boolean
}

const traits = new WeakMap<object, Traits>()
const none: Traits = { isAsked: false, isNamed: false }

function traitsOf(value: Json): Traits {
  if (typeof value !== 'object' || value === null) return none
  const known = traits.get(value)
  if (known !== undefined) return known
  const below = Object.values(value).map(traitsOf)
  const has = (test: (key: string, member: Json) => boolean): boolean =>
    isObject(value) && Object.entries(value).some(([key, member]) => test(key, member))
  const found: Traits = {
    isAsked:
      has((key) => unevaluatedKeywords.some((one) => one === key)) || below.some(({ isAsked }) => isAsked),
    isNamed: has(isElsewhere) || below.some(({ isNamed }) => isNamed),
  }
  traits.set(value, found)
  return found
}

function isElsewhere(key: string, member: Json): boolean {
  if (key === '$ref') return typeof member === 'string' && member !== '#' && !member.startsWith('#/')
  return locatedKeywords.has(key) && typeof member === 'string'
}

function membersOf(
  value: { readonly [key: string]: Json },
  read: (key: string, member: Json) => Json,
): { readonly [key: string]: Json } {
  return objectOf(Object.entries(value).map(([key, member]) => [key, read(key, member)] as const))
}

/** Whether members are named by the document, not by keywords. */
function isMap(key: string): boolean {
  return holdingOf(key) === 'schema-map' || maps.has(key)
}

const maps: ReadonlySet<string> = new Set(['dependencies', 'schemas', 'responses'])
