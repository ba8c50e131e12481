import { isJsonObject, type JsonObject, setMember } from '../core/object.js'
import type { Coercion, ParameterBinding } from '../core/operation.js'
import type { Violation } from '../core/problem.js'
import { conflict, duplicate, pointerTo } from '../core/violations.js'
import { AS_TEXT, coerceDivided, coerceText, isEmptyList, memberCoercion } from './coerce.js'
import { divide, mayBeText, type Shape, shapeOf } from './style.js'

/** Reads query strings of one operation. */
export class QueryBinder {
  /** Parameters by their name on the wire; those of objects whose members stand alone, by each member's name. */
  readonly #slots = new Map<string, Slot>()
  readonly #deep = new Map<string, Slot>()
  readonly #ignored: ReadonlySet<string>

  /** `ignored` are names that carry credentials. */
  constructor(parameters: readonly ParameterBinding[], ignored: ReadonlySet<string>) {
    this.#ignored = ignored
    const slots = parameters.map(slotOf)
    for (const slot of slots) {
      const { name, style } = slot.parameter
      if (style === 'deepObject') this.#deep.set(name, slot)
      else if (slot.shape !== 'members' || !slot.parameter.explode) this.#slots.set(name, slot)
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
   * Reads into params. A name that the operation does not declare becomes a param as text, so that a closed
   * schema refuses it just as it does over JSON-RPC. Returns `__tz`, undefined where it is not there.
   */
  read(query: string, params: JsonObject, violations: Violation[]): string | undefined {
    let timezone: string | undefined
    for (let start = 0; start < query.length; ) {
      const next = query.indexOf('&', start)
      const end = next === -1 ? query.length : next
      if (end > start) {
        const equals = query.indexOf('=', start)
        const nameEnd = equals === -1 || equals > end ? end : equals
        const name = decodeQuery(query.slice(start, nameEnd), '', violations)
        const raw = query.slice(nameEnd + 1, end)
        const slot = this.#slots.get(name)
        if (slot !== undefined) this.#declared(slot, raw, params, violations)
        else if (name === '__tz') timezone = zone(raw, timezone, violations)
        else if (!this.#deepMember(name, raw, params, violations))
          this.#undeclared(name, raw, params, violations)
      }
      start = end + 1
    }
    return timezone
  }

  #declared(slot: Slot, raw: string, params: JsonObject, violations: Violation[]): void {
    const { parameter, path, member, shape } = slot
    const { coerce, param, explode } = parameter
    if (member !== undefined) {
      setDeep(slot, member, raw, params, violations)
    } else if (shape === 'items' && explode) {
      const text = decodeQuery(raw, path, violations)
      setMember(params, param, append(params, param, text, coerce, path, violations))
    } else if (Object.hasOwn(params, param)) {
      violations.push(duplicate(path))
    } else {
      const divided = divide(raw, parameter, (text) => decodeQuery(text, path, violations))
      setMember(params, param, coerceDivided(divided, coerce, path, violations))
    }
  }

  /** `filter[name]`: one level deep, as OpenAPI defines it. */
  #deepMember(name: string, raw: string, params: JsonObject, violations: Violation[]): boolean {
    if (this.#deep.size === 0 || !name.endsWith(']')) return false
    const open = name.indexOf('[')
    const slot = open === -1 ? undefined : this.#deep.get(name.slice(0, open))
    const member = name.slice(open + 1, -1)
    if (slot === undefined || member.includes('[')) return false
    setDeep(slot, member, raw, params, violations)
    return true
  }

  #undeclared(name: string, raw: string, params: JsonObject, violations: Violation[]): void {
    if (this.#ignored.has(name)) return
    const path = pointerTo('', name)
    if (Object.hasOwn(params, name)) violations.push(duplicate(path))
    else setMember(params, name, decodeQuery(raw, path, violations))
  }
}

interface Slot {
  readonly parameter: ParameterBinding
  /** JSON pointer of the param. */
  readonly path: string
  readonly shape: Shape
  /** The member of the param's object that this name on the wire is. */
  readonly member?: string
}

/** `+` is a space in a query string (WHATWG URL, application/x-www-form-urlencoded). */
function decodeQuery(raw: string, path: string, violations: Violation[]): string {
  const text = raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  return text.includes('%') ? decodeText(text, path, violations) : text
}

/** Percent-decodes; what is no UTF-8 is a violation and stays as it is. */
export function decodeText(text: string, path: string, violations: Violation[]): string {
  try {
    return decodeURIComponent(text)
  } catch {
    violations.push({ path, keyword: 'encoding', message: 'must be percent-encoded UTF-8' })
    return text
  }
}

function zone(raw: string, known: string | undefined, violations: Violation[]): string {
  const timezone = decodeQuery(raw, '/__tz', violations)
  if (known !== undefined && known !== timezone) violations.push(conflict('/__tz'))
  return timezone
}

/** The array that one more item makes of a member; where the schema allows it, one item alone is no array. */
function append(
  object: JsonObject,
  member: string,
  text: string,
  coercion: Coercion,
  path: string,
  violations: Violation[],
): unknown {
  const first = !Object.hasOwn(object, member)
  if (first && mayBeText(coercion)) return coerceText(text, coercion, path, violations)
  const { items = AS_TEXT } = coercion
  if (first && isEmptyList(text, items)) return []
  const known = first ? [] : object[member]
  const array = Array.isArray(known) ? known : [known]
  array.push(coerceText(text, items, `${path}/${array.length}`, violations))
  return array
}

function setDeep(slot: Slot, member: string, raw: string, params: JsonObject, violations: Violation[]): void {
  const { param, coerce } = slot.parameter
  const path = pointerTo(slot.path, member)
  const known = Object.hasOwn(params, param) ? params[param] : undefined
  const object = isJsonObject(known) ? known : {}
  const text = decodeQuery(raw, path, violations)
  const coercion = memberCoercion(coerce, member)
  if (shapeOf(coercion) === 'items') {
    setMember(object, member, append(object, member, text, coercion, path, violations))
  } else if (Object.hasOwn(object, member)) {
    violations.push(duplicate(path))
  } else {
    setMember(object, member, coerceText(text, coercion, path, violations))
  }
  setMember(params, param, object)
}

function slotOf(parameter: ParameterBinding): Slot {
  return { parameter, path: pointerTo('', parameter.param), shape: shapeOf(parameter.coerce) }
}
