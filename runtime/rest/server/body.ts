import type { ReadableRequest } from '../../contract/http-request.js'
import type { BodyBinding, BodyMedia } from '../../contract/operation.js'
import type { Json } from '../../contract/parsed-json.js'
import { ProblemError } from '../../contract/problem.js'
import type { Violation } from '../../contract/problem-details.js'
import { type BodyRule, readBytes, readJson, textOf } from '../../http/body.js'
import {
  checkCharset,
  checkEncoding,
  checkMediaType,
  essenceOf,
  isJson,
  isUnder,
} from '../../http/media-type.js'
import type { Eventual } from '../../values/eventual.js'
import type { JsonReader } from '../style/query.js'
import { FormBinder } from './form.js'

/** Reads request bodies of one operation, in every media type that it accepts. */
export class BodyReader {
  readonly #accepted: readonly Accepted[] | undefined

  /** @param json reads form fields that are JSON text */
  constructor(body: BodyBinding | undefined, json?: JsonReader) {
    this.#accepted = body?.media?.map((media) => ({
      media,
      form: media.kind === 'form' || media.kind === 'multipart' ? new FormBinder(media, json) : undefined,
    }))
  }

  /**
   * Whether zero bytes are a body: an empty text or file, which its Content-Type distinguishes from no body.
   */
  takesEmpty({ headers }: ReadableRequest): boolean {
    const type = headers['content-type']
    const kind = type === undefined ? undefined : this.#find(type)?.media.kind
    return kind === 'text' || kind === 'binary'
  }

  /**
   * The body as a JSON value, with Blobs for files; undefined if there is none. Invalid form fields become
   * violations. Throws ProblemErrors for an unreadable body.
   */
  read(request: ReadableRequest, rule: BodyRule, violations: Violation[]): Eventual<Json | undefined> {
    if (this.#accepted === undefined) {
      checkMediaType(request)
      return readJson(request, rule)
    }
    const type = request.headers['content-type']
    const { media, form } = this.#accept(type)
    checkEncoding(request.headers)
    if (type !== undefined && media.kind !== 'binary') checkCharset(type)
    if (media.kind === 'json') return readJson(request, rule)
    if (form !== undefined) return form.read(request, rule, violations)
    return this.#whole(request, rule, media)
  }

  /** A body that is one text or file. */
  async #whole(request: ReadableRequest, rule: BodyRule, media: BodyMedia): Promise<Json> {
    const type = request.headers['content-type']
    const body = await readBytes(request, rule)
    if ('parsed' in body) return { value: body.parsed, inexact: [] }
    const value =
      media.kind === 'text'
        ? textOf(body)
        : new Blob([new Uint8Array(body)], { type: type === undefined ? '' : essenceOf(type) })
    return { value, inexact: [] }
  }

  /** A body without a Content-Type counts as the operation's preferred media type (RFC 9110 section 8.3). */
  #accept(type: string | undefined): Accepted {
    const found = this.#find(type)
    if (found !== undefined) return found
    const types = (this.#accepted ?? []).map(({ media }) => media.type)
    throw new ProblemError('unsupported_media_type', { detail: `The body must be ${types.join(' or ')}.` })
  }

  #find(type: string | undefined): Accepted | undefined {
    const accepted = this.#accepted ?? []
    if (type === undefined) return accepted[0]
    const essence = essenceOf(type)
    return (
      accepted.find(({ media }) => media.type === essence) ??
      accepted.find(({ media }) => media.kind === 'json' && isJson(essence)) ??
      accepted.find(({ media }) => isUnder(essence, media.type))
    )
  }
}

interface Accepted {
  readonly media: BodyMedia
  readonly form: FormBinder | undefined
}
