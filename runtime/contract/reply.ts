/**
 * What a handler says of the HTTP answer beside its result. JSON-RPC and calls in process have no place
 * for it, and leave it out.
 */
export interface Reply<Status extends number = number> {
  /**
   * Chooses one of the operation's statuses of a success.
   *
   * @throws RangeError for a status that the document does not have
   */
  status(status: Status): this
  /**
   * Sets a header of the answer; the last value counts. Each item of a list of `Set-Cookie` is a header of its own.
   *
   * @throws TypeError for a name or value that cannot stand in a header, and for a header that frames the
   * message, such as Content-Length
   */
  header(name: string, value: string | number | bigint | readonly string[]): this
}

/** Headers of an answer. A list is sent as one header for each item. */
export type OutgoingHeaders = Record<string, string | readonly string[]>

/** A reply while its call lasts. */
export class HandlerReply implements Reply {
  readonly #statuses: readonly number[]
  readonly headers: OutgoingHeaders & { etag?: string } = Object.create(null)
  chosen: number | undefined

  constructor(statuses: readonly number[]) {
    this.#statuses = statuses
  }

  status(status: number): this {
    if (!this.#statuses.includes(status)) {
      throw new RangeError(`The operation has no success of status ${status}: ${this.#statuses.join(', ')}`)
    }
    this.chosen = status
    return this
  }

  header(name: string, value: string | number | bigint | readonly string[]): this {
    if (!TOKEN.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a header`)
    const values = Array.isArray(value) ? value.map(String) : [String(value)]
    if (!values.every((text) => FIELD_VALUE.test(text)))
      throw new TypeError(`The value of ${name} cannot stand in a header`)
    const known = name.toLowerCase()
    if (FRAMING.has(known))
      throw new TypeError(`The header ${name} frames the message; it is not a handler's`)
    const isList = known === 'set-cookie' && values.length > 1
    this.headers[known] = isList ? values : values.join(', ')
    return this
  }
}

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** RFC 9110 section 5.5: no control characters, and no white space at either end. */
const FIELD_VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/

const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
])
