import type { Coercion } from '../../contract/operation.js'
import { pointerTo } from '../../contract/pointer.js'
import type { Violation } from '../../contract/problem-details.js'
import { duplicate, report } from '../../contract/violations.js'
import { isJsonObject, type JsonObject, setMember } from '../../values/object.js'
import { AS_TEXT, coerceText, isEmptyList, itemCoercion, memberCoercion } from './coerce.js'
import { mayBeText, shapeOf } from './style.js'

/**
 * The keys of a name such as `a[b][0][]`, whose first bracket is at `open`; undefined if it has another form.
 */
export function keysOf(name: string, open: number): readonly string[] | undefined {
  if (!name.endsWith(']')) return undefined
  const keys = name.slice(open + 1, -1).split('][')
  return keys.length > MAX_KEYS || keys.some((key) => /[[\]]/.test(key)) ? undefined : keys
}

/** The conversion of the value at some keys. */
export function coercionAt(coercion: Coercion, keys: readonly string[]): Coercion {
  const found = keys.reduce(
    (at, key) =>
      isIndex(at, key) ? itemCoercion(at, key === '' ? Number.NaN : Number(key)) : memberCoercion(at, key),
    coercion,
  )
  return shapeOf(found) === 'items' ? (found.items ?? AS_TEXT) : found
}

/**
 * Returns `known` with a text or a file set at `keys`. A number is an array index if the schema allows an
 * array there, an empty key the next item, any other key a member.
 */
export function place(
  known: unknown,
  keys: readonly string[],
  value: string | Blob,
  coercion: Coercion,
  path: string,
  violations: Violation[],
): unknown {
  const [key, ...below] = keys
  if (key === undefined) {
    if (shapeOf(coercion) === 'items') return appended(known, value, coercion, path, violations)
    if (known === undefined) return leaf(value, coercion, path, violations)
    report(violations, duplicate(path))
    return known
  }
  if (isIndex(coercion, key)) return withItem(known, key, below, value, coercion, path, violations)
  if (known !== undefined && !isJsonObject(known)) {
    report(violations, duplicate(path))
    return known
  }
  const object: JsonObject = known ?? {}
  const at = pointerTo(path, key)
  const member = Object.hasOwn(object, key) ? object[key] : undefined
  setMember(object, key, place(member, below, value, memberCoercion(coercion, key), at, violations))
  return object
}

/** The same depth limit as for JSON. */
const MAX_KEYS = 64

function isIndex({ types }: Coercion, key: string): boolean {
  return types.includes('array') && /^\d*$/.test(key)
}

function withItem(
  known: unknown,
  key: string,
  below: readonly string[],
  value: string | Blob,
  coercion: Coercion,
  path: string,
  violations: Violation[],
): unknown {
  if (known !== undefined && !Array.isArray(known)) {
    report(violations, duplicate(path))
    return known
  }
  const array: unknown[] = known ?? []
  const index = key === '' ? nextIndex(array, below) : Number(key)
  if (index > array.length) {
    report(violations, {
      path: `${path}/${key}`,
      keyword: 'index',
      message: 'must count from 0 without gaps',
    })
    return array
  }
  const item = itemCoercion(coercion, index)
  array[index] = place(array[index], below, value, item, `${path}/${index}`, violations)
  return array
}

/** `a[][x]=1&a[][y]=2` is one item, until a member repeats. */
function nextIndex(array: readonly unknown[], [member]: readonly string[]): number {
  const last = array.at(-1)
  const isOpen = member !== undefined && isJsonObject(last) && !Object.hasOwn(last, member)
  return isOpen ? array.length - 1 : array.length
}

/** Appends an item to an array; if the schema allows plain values, a single item does not become an array. */
function appended(
  known: unknown,
  value: string | Blob,
  coercion: Coercion,
  path: string,
  violations: Violation[],
): unknown {
  if (known === undefined && mayBeText(coercion)) {
    keepFirst(value, path, violations)
    return leaf(value, coercion, path, violations)
  }
  if (known === undefined && typeof value === 'string' && isEmptyList(value, coercion)) return []
  const first = (): unknown => {
    const text = firstTexts.get(violations)?.get(path)
    return text === undefined ? known : leaf(text, itemCoercion(coercion, 0), `${path}/0`, violations)
  }
  const array = Array.isArray(known) ? known : known === undefined ? [] : [first()]
  const item = itemCoercion(coercion, array.length)
  array.push(leaf(value, item, `${path}/${array.length}`, violations))
  return array
}

/**
 * The texts of values that become the first items of lists if their names repeat, by path. A list converts its items by
 * other types than a plain value. By the violations, of which each request has its own.
 */
const firstTexts = new WeakMap<Violation[], Map<string, string>>()

function keepFirst(value: string | Blob, path: string, violations: Violation[]): void {
  if (typeof value !== 'string') return
  const texts = firstTexts.get(violations) ?? new Map<string, string>()
  firstTexts.set(violations, texts.set(path, value))
}

function leaf(value: string | Blob, coercion: Coercion, path: string, violations: Violation[]): unknown {
  return typeof value === 'string' ? coerceText(value, coercion, path, violations) : value
}
