import { decimalOf, isExact, isLongNumber } from 'duet-runtime/json'
import type { Json } from './document.js'

/**
 * The numbers of an object or array that a double does not hold, as the document writes them. A spread keeps them.
 * Other copies lose them, unless they call {@link keepDigits}.
 */
const digits = Symbol('digits')

type Holder = { [digits]?: ReadonlyMap<string, string> }

/** Whether any document has such numbers. Nearly none has. */
let areNoted = false

/** Notes how the document writes a number, if a double does not hold it. */
export function noteDigits(holder: object, key: string | number, source: string): void {
  if (!isLongNumber(source, 0, source.length)) return
  const text = jsonNumber(source)
  if (isExact(text)) return
  areNoted = true
  const held = holder as Holder
  held[digits] = new Map([...(held[digits] ?? []), [String(key), text]])
}

/** A number that a double does not hold, as a number of JSON. Undefined for any other value. */
export function digitsOf(holder: object, key: string | number): string | undefined {
  if (!areNoted) return undefined
  const text = (holder as Holder)[digits]?.get(String(key))
  // The member may have another value by now.
  return text !== undefined && Number(text) === Reflect.get(holder, key) ? text : undefined
}

/** Copies the notes about all members that two objects share. */
export function keepDigits(source: object, made: object): void {
  const known = areNoted ? (source as Holder)[digits] : undefined
  if (known !== undefined) (made as Holder)[digits] = known
}

/** Moves the note about one member. Without a note, the other member has none either. */
export function keepDigitsAt(
  [source, from]: readonly [object, string],
  [made, to]: readonly [object, string],
): void {
  if (!areNoted) return
  const text = (source as Holder)[digits]?.get(from)
  const { [digits]: known } = made as Holder
  if (text === undefined && known?.has(to) !== true) return
  const all = new Map(known)
  if (text === undefined) all.delete(to)
  else all.set(to, text)
  ;(made as Holder)[digits] = all
}

/** Whether two equal members have equal digits in their documents, too. */
export function haveSameDigits(a: object, b: object, key: string | number): boolean {
  return !areNoted || decimalText(a, key) === decimalText(b, key)
}

/** The decimal of a member that is a number. Equal numbers have equal texts, however they are written. */
export function decimalText(holder: object, key: string | number): string {
  const text = digitsOf(holder, key)
  if (text === undefined) return JSON.stringify(Reflect.get(holder, key))
  const { negative, digits: significant, exponent } = decimalOf(text)
  return `${negative ? '-' : ''}${significant}e${exponent}`
}

/** Whether any two members of a value have numbers that become one double. `known`: the decimals of doubles. */
export function hasMergedNumbers(value: object, known: Map<number, string>): boolean {
  if (!areNoted) return false
  for (const [key, member] of Object.entries(value)) {
    if (typeof member !== 'number') continue
    const text = decimalText(value, key)
    if ((known.get(member) ?? text) !== text) return true
    known.set(member, text)
  }
  return false
}

/** Compares two members that are numbers, with all digits of their documents. */
export function compareNumbers(a: object, b: object, key: string): number {
  const [one, other] = [a, b].map((holder) => digitsOf(holder, key) ?? String(Reflect.get(holder, key)))
  if (one === undefined || other === undefined || one === other) return 0
  const [first, second] = [decimalOf(one), decimalOf(other)]
  if (first.negative !== second.negative) return first.negative ? -1 : 1
  const size = (decimal: typeof first): number =>
    decimal.digits === '' ? Number.NEGATIVE_INFINITY : decimal.digits.length + decimal.exponent
  const larger =
    size(first) === size(second)
      ? compareText(first.digits, second.digits)
      : size(first) > size(second)
        ? 1
        : -1
  return first.negative ? -larger : larger
}

/** JSON with all digits of the documents' numbers. Undefined if no document has any that a double does not hold. */
export function jsonOfDigits(value: Json): string | undefined {
  return areNoted ? writtenJson(value) : undefined
}

/** JSON with all digits of the documents' numbers. */
export function writtenJson(value: Json, indent?: number): string {
  if (!areNoted) return JSON.stringify(value, null, indent)
  const text = JSON.stringify(value, numbersMarked, indent)
  return text.includes(mark) ? text.replaceAll(marked, '$1') : text
}

/** JSON of a member, with all digits. */
export function writtenMember(holder: object, key: string | number): string {
  return digitsOf(holder, key) ?? writtenJson(Reflect.get(holder, key))
}

function numbersMarked(this: object, key: string, value: unknown): unknown {
  const text = typeof value === 'number' ? digitsOf(this, key) : undefined
  return text === undefined ? value : `${mark}${text}`
}

/** No document can guess it. */
const mark = `${Math.random()} ${Math.random()} `
const marked = new RegExp(`"${mark}([^"]*)"`, 'g')

/** A number of YAML as a number of JSON (RFC 8259 section 6). */
function jsonNumber(source: string): string {
  if (/^0[ox]/.test(source)) return String(BigInt(source))
  const [, sign = '', whole = '', rest = ''] = /^([-+]?)0*(\d*)(.*)$/.exec(source) ?? []
  return `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${rest.replace(/\.(?!\d)/, '')}`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
