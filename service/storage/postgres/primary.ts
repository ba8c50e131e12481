import pg from 'pg'
import { unavailable } from '../database/unavailable.js'

/**
 * A client class that connects to the primary of several servers. It remembers the primary until a connection to it
 * ends or fails. Then it asks all servers again.
 */
export function primaryClient(servers: readonly pg.ClientConfig[]): typeof pg.Client {
  let found: Promise<Address> | undefined
  const lost = () => {
    found = undefined
  }
  const find = () => {
    const finding = findPrimary(servers)
    finding.catch(lost)
    return finding
  }
  return class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      const connecting = this.#connect()
      if (callback === undefined) return connecting
      connecting.then((client) => callback(null, client), callback)
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      found ??= find()
      Object.assign(this, await found)
      this.once('end', lost)
      try {
        return await super.connect()
      } catch (error) {
        lost()
        throw error
      }
    }
  }
}

type Connected = ((error: Error) => void) & ((error: null, client: pg.Client) => void)

interface Address {
  readonly host: string
  readonly port: number
}

/** Asks all servers in parallel, so that one without an answer delays no connection. */
async function findPrimary(servers: readonly pg.ClientConfig[]): Promise<Address> {
  const asked = servers.map(async (server) => {
    const client = new pg.Client(server)
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
      if (rows[0]?.transaction_read_only !== 'off') throw new Error(`${client.host} is read-only`)
      return { host: client.host, port: client.port }
    } finally {
      void client.end().catch(() => {})
    }
  })
  return Promise.any(asked).catch((cause: AggregateError) => {
    throw unavailable('No database server accepts changes now.', 1, cause)
  })
}
