import type { IncomingMessage } from 'node:http'
import type { Json } from '../core/json.js'
import { isJsonObject, type JsonObject } from '../core/object.js'
import type { BodyMedia } from '../core/operation.js'
import { ProblemError, type Violation } from '../core/problem.js'
import { pointerTo } from '../core/violations.js'
import { type BodyRule, readBytes, textOf } from '../http/body.js'
import { coerceValue } from './coerce.js'
import { coerceJson } from './json-text.js'
import { QueryBinder } from './query.js'

/** Reads bodies of `application/x-www-form-urlencoded` and `multipart/form-data` by their schema. */
export class FormBinder {
  readonly #media: BodyMedia
  readonly #fields: QueryBinder

  constructor(media: BodyMedia) {
    this.#media = media
    this.#fields = new QueryBinder(media.fields ?? [], NONE, coerceJson, true)
  }

  /**
   * The object that a form's fields make, as JSON would have it; files are Blobs. Undefined for an empty
   * body. Throws ProblemErrors for what is no form.
   */
  async read(request: IncomingMessage, rule: BodyRule, violations: Violation[]): Promise<Json | undefined> {
    const body = await readBytes(request, rule)
    if ('parsed' in body) return this.#parsed(body.parsed, violations)
    if (body.length === 0) return undefined
    const value: JsonObject = {}
    if (this.#media.kind === 'form') {
      const timezone = this.#fields.read(textOf(body), value, violations)
      if (timezone !== undefined) value.__tz = timezone
    } else await this.#parts(await formData(body, request.headers['content-type'] ?? ''), value, violations)
    return { value, inexact: [] }
  }

  async #parts(parts: FormData, value: JsonObject, violations: Violation[]): Promise<void> {
    for (const [name, part] of parts) {
      const isText = typeof part !== 'string' && this.#fields.coercion(name).binary !== true
      this.#fields.set(name, isText ? await part.text() : part, value, violations)
    }
  }

  /** What a body parser has made of a form. */
  #parsed(parsed: unknown, violations: Violation[]): Json | undefined {
    if (!isJsonObject(parsed)) return undefined
    const coercions = Object.keys(parsed).map((name) => {
      const coerce = this.#media.fields?.find((field) => field.name === name)?.coerce
      const value = parsed[name]
      return [
        name,
        coerce === undefined ? value : coerceValue(value, coerce, pointerTo('', name), violations),
      ]
    })
    return { value: Object.fromEntries(coercions), inexact: [] }
  }
}

const NONE: ReadonlySet<string> = new Set()

/** The platform's own parser (Fetch Standard, `formData`). */
async function formData(body: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new ProblemError('parse_error', { detail: 'The body is no multipart/form-data.', cause })
  }
}
