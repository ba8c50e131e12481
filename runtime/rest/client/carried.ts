import { anywhere, exactJson } from '../../contract/int64.js'
import { pointerTo } from '../../contract/pointer.js'
import { ProblemError } from '../../contract/problem.js'
import type { Violation } from '../../contract/problem-details.js'
import { equal } from '../../values/equal.js'
import { jsonText } from '../../values/json-text.js'
import { isJsonObject, type JsonObject, setMember } from '../../values/object.js'

/** The service's reading of written parts. */
export interface Reading {
  readonly params: JsonObject
  readonly violations: readonly Violation[]
}

/** Reads JSON text that this client has written: a number that no double holds was a bigint. */
export function writtenJson(text: string): unknown {
  return exactJson(text, anywhere).value
}

/**
 * Whether the service reads the same value under a name as JSON-RPC would have carried. All digits of a bigint are
 * written, over both protocols: only the service knows whether it reads them.
 */
export function isCarried({ params, violations }: Reading, name: string, value: unknown): boolean {
  const read = Object.hasOwn(params, name) ? params[name] : undefined
  const pointer = pointerTo('', name)
  const isRefused = violations.some(
    ({ keyword, path }) => keyword !== 'exact' && (path === pointer || path.startsWith(`${pointer}/`)),
  )
  return !isRefused && equal(asJson(read), asJson(value))
}

/**
 * The violation of a value that the service would read as another one over REST. The message shows that
 * value.
 */
export function notCarried({ params }: Reading, name: string, path: string): Violation {
  const text = Object.hasOwn(params, name) ? jsonText(params[name]) : undefined
  const read = text === undefined ? 'absent' : text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return uncarried(path, `REST would send it as ${read}; call over JSON-RPC to send it as it is`)
}

/** The violation of a value that REST cannot carry. */
export function uncarried(path: string, message: string): Violation {
  return { path, keyword: 'rest', message }
}

/** @throws ProblemError `validation_failed` if there are violations */
export function refuseUncarried(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new ProblemError('validation_failed', { violations })
}

/** A value as JSON-RPC would carry it. Files stay files, and bigints are the nearest numbers. */
function asJson(value: unknown): unknown {
  if (value instanceof Blob) return value
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map((item) => asJson(item ?? null))
  if (!isJsonObject(value)) return value
  if (typeof value.toJSON === 'function') return asJson(value.toJSON())
  const object: JsonObject = {}
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) setMember(object, name, asJson(member))
  }
  return object
}

/** Most characters of a value in a message. */
const LONGEST = 60
