import type { Coercion, ParameterBinding } from '../../contract/operation.js'
import { pointerTo } from '../../contract/pointer.js'
import type { Violation } from '../../contract/problem-details.js'
import { conflict, duplicate, MAX_VIOLATIONS, report } from '../../contract/violations.js'
import { type JsonObject, setMember } from '../../values/object.js'
import { AS_TEXT, coerceDivided, coerceText } from './coerce.js'
import { coercionAt, keysOf, place } from './nested.js'
import { divide, mayBeText, type Shape, shapeOf } from './style.js'

/** Reads the text of a param that has a JSON media type. */
export type JsonReader = (text: string, path: string, violations: Violation[]) => unknown

/** Reads query strings of one operation, and form bodies, which have the same syntax. */
export class QueryBinder {
  /**
   * Parameters by their name in the request; a parameter whose object members have names of their own has one
   * slot per member.
   */
  readonly #slots = new Map<string, Slot>()
  readonly #deep = new Map<string, Slot>()
  /** The parameter that receives undeclared names. */
  readonly #open: Slot | undefined
  readonly #ignored: ReadonlySet<string>
  readonly #json: JsonReader

  /** `ignored` are names without a param. In a form every field may nest: `a[b][0]=…`. */
  constructor(
    parameters: readonly ParameterBinding[],
    ignored: ReadonlySet<string>,
    json: JsonReader,
    isForm = false,
  ) {
    this.#ignored = ignored
    this.#json = json
    const slots = parameters.map(slotOf)
    this.#open = slots.find(({ parameter }) => parameter.open === true)
    for (const slot of slots) {
      const { name, style } = slot.parameter
      if (style === 'deepObject' || isForm) this.#deep.set(name, slot)
      if (style === 'deepObject') continue
      if (slot.shape !== 'members' || !slot.parameter.explode) this.#slots.set(name, slot)
      // Its members have names of their own, but a value that is one text has the parameter's.
      else if (!isForm && mayBeText(slot.parameter.coerce) && slot.parameter.open !== true)
        this.#slots.set(name, { ...slot, shape: 'text' })
    }
    for (const slot of slots) {
      const { style, explode, coerce } = slot.parameter
      if (slot.shape !== 'members' || !explode || style === 'deepObject') continue
      for (const member of Object.keys(coerce.properties ?? {})) {
        if (!this.#slots.has(member)) this.#slots.set(member, { ...slot, member })
      }
    }
  }

  /**
   * Reads a query into params. An undeclared name becomes a param as text, so that a closed schema refuses it
   * as over JSON-RPC. Returns `__tz`, undefined if it is absent.
   */
  read(query: string, params: JsonObject, violations: Violation[]): string | undefined {
    let timezone: string | undefined
    let equals = -1
    for (let start = 0; start < query.length; ) {
      const next = query.indexOf('&', start)
      const end = next === -1 ? query.length : next
      if (end > start) {
        // Searches again only after the last position: otherwise each of many names without `=` would search
        // the rest of the text.
        if (equals < start) equals = query.indexOf('=', start)
        if (equals === -1) equals = query.length
        const nameEnd = Math.min(equals, end)
        const name = decodeQuery(query.slice(start, nameEnd), '', violations)
        const raw = query.slice(nameEnd + 1, end)
        const slot = this.#slots.get(name)
        if (slot !== undefined) this.#declared(slot, raw, params, violations)
        else if (name === '__tz') timezone = zone(raw, timezone, violations)
        else if (!this.#nested(name, raw, params, violations)) this.#undeclared(name, raw, params, violations)
      }
      start = end + 1
    }
    return timezone
  }

  #declared(slot: Slot, raw: string, params: JsonObject, violations: Violation[]): void {
    const { parameter, path, member, shape } = slot
    const { coerce, param, explode, json } = parameter
    if (raw === '' && parameter.emptyIsAbsent === true) return
    if (member !== undefined) {
      setNested(slot, [member], decodeQuery(raw, path, violations), params, violations)
    } else if (shape === 'items' && explode) {
      setNested(slot, [], decodeQuery(raw, path, violations), params, violations)
    } else if (Object.hasOwn(params, param)) {
      report(violations, duplicate(path))
    } else {
      if (json === true) {
        const value = this.#json(decodeQuery(raw, path, violations), path, violations)
        setMember(params, param, value)
        return
      }
      if (shape === 'text') {
        setMember(params, param, coerceText(decodeQuery(raw, path, violations), coerce, path, violations))
        return
      }
      const divided = divide(raw, parameter, (text) => decodeQuery(text, path, violations))
      setMember(params, param, coerceDivided(divided, coerce, path, violations))
    }
  }

  /**
   * Sets the value at a form's name, such as `a[b][0]`, to a text or a file. Parses a field that holds JSON
   * and is sent as one part; divides a list whose style puts all items into one text (OpenAPI 3.1, Encoding
   * Object, style and explode).
   */
  set(name: string, value: string | Blob, params: JsonObject, violations: Violation[]): void {
    const open = name.indexOf('[')
    const slot = this.#deep.get(open === -1 ? name : name.slice(0, open))
    const keys = open === -1 ? [] : keysOf(name, open)
    if (slot === undefined || keys === undefined) {
      const path = pointerTo('', name)
      if (Object.hasOwn(params, name)) report(violations, duplicate(path))
      else setMember(params, name, value)
    } else if (slot.parameter.json === true && keys.length === 0 && typeof value === 'string') {
      if (Object.hasOwn(params, slot.parameter.param)) report(violations, duplicate(slot.path))
      else setMember(params, slot.parameter.param, this.#json(value, slot.path, violations))
    } else if (typeof value === 'string' && keys.length === 0 && isInOneText(slot, params)) {
      const { parameter, path } = slot
      const divided = divide(value, parameter, (text) => text)
      setMember(params, parameter.param, coerceDivided(divided, parameter.coerce, path, violations))
    } else setNested(slot, keys, value, params, violations)
  }

  /** The conversion of the value at a form's name. */
  coercion(name: string): Coercion {
    const open = name.indexOf('[')
    const slot = this.#deep.get(open === -1 ? name : name.slice(0, open))
    return slot === undefined
      ? AS_TEXT
      : coercionAt(slot.parameter.coerce, open === -1 ? [] : (keysOf(name, open) ?? []))
  }

  /** `filter[name]`, `items[0][price]`, `tags[]`: OpenAPI defines one level, frameworks agree on the rest. */
  #nested(name: string, raw: string, params: JsonObject, violations: Violation[]): boolean {
    if (this.#deep.size === 0) return false
    const open = name.indexOf('[')
    const slot = this.#deep.get(open === -1 ? name : name.slice(0, open))
    const keys = open === -1 ? [] : keysOf(name, open)
    if (slot === undefined || keys === undefined) return false
    setNested(slot, keys, decodeQuery(raw, slot.path, violations), params, violations)
    return true
  }

  #undeclared(name: string, raw: string, params: JsonObject, violations: Violation[]): void {
    if (this.#ignored.has(name)) return
    if (this.#open !== undefined) {
      const value = decodeQuery(raw, pointerTo(this.#open.path, name), violations)
      setNested(this.#open, [name], value, params, violations)
      return
    }
    const path = pointerTo('', name)
    if (Object.hasOwn(params, name)) report(violations, duplicate(path))
    else setMember(params, name, decodeQuery(raw, path, violations))
  }
}

interface Slot {
  readonly parameter: ParameterBinding
  /** JSON pointer of the param. */
  readonly path: string
  readonly shape: Shape
  /** The member of the param's object that this request name sets. */
  readonly member?: string
}

/** `+` is a space in a query string (WHATWG URL, application/x-www-form-urlencoded). */
function decodeQuery(raw: string, path: string, violations: Violation[]): string {
  const text = raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  return text.includes('%') ? decodeText(text, path, violations) : text
}

/** Percent-decodes a text. Invalid UTF-8 is a violation, and the text stays as it is. */
export function decodeText(text: string, path: string, violations: Violation[]): string {
  // The request is refused anyway, and each undecodable text costs an exception.
  if (violations.length >= MAX_VIOLATIONS) return text
  try {
    return decodeURIComponent(text)
  } catch {
    report(violations, { path, keyword: 'encoding', message: 'must be percent-encoded UTF-8' })
    return text
  }
}

function zone(raw: string, known: string | undefined, violations: Violation[]): string {
  const timezone = decodeQuery(raw, '/__tz', violations)
  if (known !== undefined && known !== timezone) report(violations, conflict('/__tz'))
  return timezone
}

/**
 * Whether the first text contains all items of a list. Clients that send each item separately are accepted
 * too.
 */
function isInOneText({ parameter, shape }: Slot, params: JsonObject): boolean {
  const { style, explode, coerce, param } = parameter
  if (shape !== 'items' || explode || style === 'deepObject' || coerce.items?.binary === true) return false
  return !Object.hasOwn(params, param)
}

function setNested(
  { parameter: { param, coerce }, path }: Slot,
  keys: readonly string[],
  value: string | Blob,
  params: JsonObject,
  violations: Violation[],
): void {
  const known = Object.hasOwn(params, param) ? params[param] : undefined
  setMember(params, param, place(known, keys, value, coerce, path, violations))
}

function slotOf(parameter: ParameterBinding): Slot {
  const shape = parameter.json === true ? 'text' : shapeOf(parameter.coerce)
  return { parameter, path: pointerTo('', parameter.param), shape }
}
