import { MIMEType } from 'node:util'
import type { ReadableRequest } from '../../contract/http-request.js'
import type { BodyMedia } from '../../contract/operation.js'
import type { Json } from '../../contract/parsed-json.js'
import { ProblemError } from '../../contract/problem.js'
import type { Violation } from '../../contract/problem-details.js'
import { type BodyRule, readBytes, textOf } from '../../http/body.js'
import { measured, measuredUntil } from '../../server/work.js'
import { isJsonObject, type JsonObject } from '../../values/object.js'
import { coerceJson } from '../style/json-text.js'
import { type JsonReader, QueryBinder } from '../style/query.js'

/** Reads bodies of `application/x-www-form-urlencoded` and `multipart/form-data` by their schema. */
export class FormBinder {
  readonly #media: BodyMedia
  readonly #fields: QueryBinder

  constructor(media: BodyMedia, json: JsonReader = coerceJson) {
    this.#media = media
    this.#fields = new QueryBinder(media.fields ?? [], NONE, json, true)
  }

  /**
   * Reads a form into an object like that of a JSON body, with Blobs for files. Undefined for an empty body.
   * Throws a ProblemError if the body is not a form.
   */
  async read(request: ReadableRequest, rule: BodyRule, violations: Violation[]): Promise<Json | undefined> {
    const body = await readBytes(request, rule)
    if (!('parsed' in body) && body.length === 0) return undefined
    const value: JsonObject = {}
    if ('parsed' in body || this.#media.kind === 'form') {
      const text = 'parsed' in body ? formText(body.parsed) : textOf(body)
      measured(rule.work, request, () => this.#form(text, value, violations))
    } else {
      const type = request.headers['content-type'] ?? ''
      refuseManyParts(body, type, rule.parts)
      const parts = formData(body, type).then((read) => this.#parts(read, value, violations))
      await measuredUntil(rule.work, request, parts)
    }
    return { value, inexact: [] }
  }

  #form(text: string, value: JsonObject, violations: Violation[]): void {
    const timezone = this.#fields.read(text, value, violations)
    if (timezone !== undefined) value.__tz = timezone
  }

  async #parts(parts: FormData, value: JsonObject, violations: Violation[]): Promise<void> {
    for (const [name, part] of parts) {
      const isText = typeof part !== 'string' && this.#fields.coercion(name).binary !== true
      this.#fields.set(name, isText ? await part.text() : part, value, violations)
    }
  }
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Writes a form that a body parser has parsed as text again. Parsers turn names with brackets into nested values. A
 * comma most likely separated two items.
 */
function formText(parsed: unknown): string {
  const fields: string[] = []
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) add(isJsonObject(item) ? `${name}[${index}]` : name, item)
    else if (isJsonObject(value))
      for (const [key, member] of Object.entries(value)) add(`${name}[${key}]`, member)
    else
      fields.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`)
  }
  if (isJsonObject(parsed)) for (const [name, value] of Object.entries(parsed)) add(name, value)
  return fields.join('&')
}

/**
 * Refuses a form with too many parts before parsing it, since a part costs many times as much as its bytes.
 * Throws `payload_too_large`, or `parse_error` if the Content-Type has no boundary.
 */
function refuseManyParts(body: Buffer, type: string, most: number): void {
  const boundary = boundaryOf(type)
  let parts = 0
  // The last boundary ends the form and begins no part.
  for (let at = body.indexOf(boundary); at !== -1; at = body.indexOf(boundary, at + boundary.length)) {
    if (parts > most) {
      throw new ProblemError('payload_too_large', { detail: `A body may have at most ${most} parts.` })
    }
    parts += 1
  }
}

function boundaryOf(type: string): string {
  try {
    const boundary = new MIMEType(type).params.get('boundary')
    if (boundary) return `--${boundary}`
  } catch {}
  throw new ProblemError('parse_error', { detail: 'The body is not multipart/form-data.' })
}

/** The platform's own parser (Fetch Standard, `formData`). */
async function formData(body: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new ProblemError('parse_error', { detail: 'The body is not multipart/form-data.', cause })
  }
}
