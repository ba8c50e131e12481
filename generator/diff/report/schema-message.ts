/** The message of a change in a schema: ``/size of the request body: `maximum` was added (3)``. */
interface SchemaMessage {
  /** Path within what has the schema. Empty for the whole. */
  readonly path: string
  readonly title: string
  readonly what: string
}

/** Undefined if it is not a change in a schema. */
export function readMessage(message: string): SchemaMessage | undefined {
  const { path = '', title, what } = schemaMessage.exec(message)?.groups ?? {}
  return title === undefined || what === undefined ? undefined : { path, title, what }
}

const titles = [
  /the request body/,
  /the response [^\s:]+(?: to the message .+?)?/,
  /the message .+?/,
  /the (?:query|path|header|cookie) parameter .+?/,
  /the header .+? of the response [^\s:]+/,
].map(({ source }) => source)

const schemaMessage = new RegExp(`^(?:(?<path>/.*?) of )?(?<title>${titles.join('|')}): (?<what>.*)$`, 's')
