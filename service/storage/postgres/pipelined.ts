import pg from 'pg'

type Target = pg.Pool | pg.PoolClient

/**
 * Runs two statements in one round trip and one transaction, and returns the result of the second. PostgreSQL runs all
 * messages before a Sync in one transaction (Message Flow, Pipelining). So settings that the first statement makes for
 * its transaction apply to the second and no further. A pooler in transaction mode does not separate them either.
 */
export function pipelined<Row extends pg.QueryResultRow>(
  target: Target,
  first: pg.QueryConfig<string[]>,
  second: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const query = target.query as (query: object, values: undefined, callback: Callback<Row>) => void
    query.call(target, new Pipelined(first, second), undefined, (error, result) => {
      if (error) reject(error)
      else resolve(result)
    })
  })
}

type Callback<Row extends pg.QueryResultRow> = (error: Error | undefined, result: pg.QueryResult<Row>) => void

/** The untyped members of pg's queries and connections that we use. */
interface Query {
  text: string
  name: string | undefined
  /** Sends all messages of the query, with a Sync. */
  prepare(connection: Connection): void
  handleRowDescription(message: object): void
  handleDataRow(message: object): void
  handleCommandComplete(message: object, connection: Connection): void
}

interface Connection {
  /** Texts of the prepared statements, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>
  parse(statement: pg.QueryConfig): void
  bind(portal: { readonly statement: string | undefined; readonly values: readonly string[] }): void
  execute(portal: object): void
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig & { queryMode: 'extended' }) => Query

class Pipelined extends Query {
  readonly #first: pg.QueryConfig<string[]>
  readonly #second: pg.QueryConfig
  #isFirst = true

  constructor(first: pg.QueryConfig<string[]>, second: pg.QueryConfig) {
    super({ ...second, queryMode: 'extended' })
    this.#first = first
    this.#second = second
  }

  override prepare(connection: Connection): void {
    const { name, text, values = [] } = this.#first
    if (connection.parsedStatements[name ?? ''] === undefined) connection.parse({ name, text })
    connection.bind({ statement: name, values })
    connection.execute({})
    super.prepare(connection)
    // The client records parsed statements under this name and text.
    this.#become(this.#first)
  }

  override handleRowDescription(message: object): void {
    if (!this.#isFirst) super.handleRowDescription(message)
  }

  override handleDataRow(message: object): void {
    if (!this.#isFirst) super.handleDataRow(message)
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    if (this.#isFirst) this.#become(this.#second)
    else super.handleCommandComplete(message, connection)
    this.#isFirst = false
  }

  #become({ name, text }: pg.QueryConfig): void {
    this.name = name
    this.text = text
  }
}
