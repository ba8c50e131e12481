/** What a handler sets on the HTTP response besides its result. JSON-RPC and in-process calls ignore it. */
export interface Reply<Status extends number = number> {
  /**
   * Chooses one of the operation's success statuses.
   *
   * @throws RangeError for a status that the document does not declare
   */
  status(status: Status): this
  /**
   * Sets a response header; the last value wins. Each item of a `Set-Cookie` list becomes a header of its
   * own.
   *
   * @throws TypeError for an invalid header name or value, and for a header that frames the message, such as
   * Content-Length
   */
  header(name: string, value: string | number | bigint | readonly string[]): this
}

/** Response headers. Each item of a list becomes a header of its own. */
export type OutgoingHeaders = Record<string, string | readonly string[]>

/** The reply of one call; closed when the call ends. */
export class HandlerReply implements Reply {
  readonly #statuses: readonly number[]
  readonly headers: OutgoingHeaders & { etag?: string } = Object.create(null)
  chosen: number | undefined

  constructor(statuses: readonly number[]) {
    this.#statuses = statuses
  }

  status(status: number): this {
    if (!this.#statuses.includes(status)) {
      throw new RangeError(`The operation has no success status ${status}: ${this.#statuses.join(', ')}`)
    }
    this.chosen = status
    return this
  }

  /** Takes over what another version's operation replied; its status only if this operation has it too. */
  adopt({ chosen, headers }: HandlerReply): void {
    if (chosen !== undefined && this.#statuses.includes(chosen)) this.chosen = chosen
    Object.assign(this.headers, headers)
  }

  header(name: string, value: string | number | bigint | readonly string[]): this {
    if (!TOKEN.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a header name`)
    const values = Array.isArray(value) ? value.map(String) : [String(value)]
    if (!values.every((text) => FIELD_VALUE.test(text)))
      throw new TypeError(`The value of ${name} is not valid in a header`)
    const known = name.toLowerCase()
    if (FRAMING.has(known)) throw new TypeError(`Handlers cannot set ${name}: it frames the message`)
    const isList = known === 'set-cookie' && values.length > 1
    this.headers[known] = isList ? values : values.join(', ')
    return this
  }
}

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** RFC 9110 section 5.5: no control characters, and no leading or trailing white space. */
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
