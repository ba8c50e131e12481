import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'
import type { SampleUser } from '../service/data/credentials.js'
import { startService as serveHere } from '../service/server/service.js'
import { createLog } from '../service/settings/log.js'
import { readSettings } from '../service/settings/settings.js'
import { availableVersions } from '../service/settings/versions.js'
import { endAll, serve } from '../service/testing/process.js'
import { copyFolder, template } from '../service/testing/template.js'

/** A service on an embedded database of its own. */
export interface TestService {
  readonly url: string
  readonly dataDirectory: string
  user(login: string): SampleUser
  /** The data stays until `remove`. */
  stop(): Promise<unknown>
  remove(): void
}

export interface RunningService extends TestService {
  readonly process: ChildProcess
  /** Ends the process with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>
}

/** Starts the built service as users do, on a new embedded database and a free port. */
export async function startService(
  settings: Readonly<Record<string, string>> = {},
  dataDirectory?: string,
): Promise<RunningService> {
  const directory = dataDirectory ?? (await newDirectory('BILLING_SECRET' in settings))
  const environment = { API_VERSION: undefined, LOG_LEVEL: 'warn', DATA_DIR: directory, ...settings }
  const { child, ended, output, errors } = await serve(environment)
  void ended.then(({ code, signal }) => {
    if (code !== 0 && signal === null)
      console.error(`The service ended with ${code}:\n${output()}${errors()}`)
  })
  return {
    ...seeded(directory),
    process: child,
    async stop() {
      child.kill('SIGTERM')
      return (await ended).code
    },
  }
}

/** A separate data directory for each test, in the state after a first start. Registers the hooks. */
export function dataDirectory(): {
  readonly path: string
  keyOf(login: string): Promise<string>
  users(): Promise<SampleUser[]>
} {
  let directory = ''
  beforeEach(async () => {
    directory = await newDirectory()
  })
  afterEach(async () => {
    await endAll()
    await rm(directory, { recursive: true, force: true })
  })
  afterAll(endAll)
  const users = async (): Promise<SampleUser[]> =>
    JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8')).users
  return {
    get path() {
      return directory
    },
    users,
    keyOf: async (login) => (await users()).find((user) => user.login === login)?.apiKey ?? '',
  }
}

/**
 * Starts the service from its sources inside this process, which is quicker. For tests that
 * only call it, and do not block the event loop, which it shares with them; therefore it sheds no load either.
 */
export async function startServiceHere(
  settings: Readonly<Record<string, string>> = {},
  { directory, onLog }: { readonly directory?: string; readonly onLog?: (lines: string) => void } = {},
): Promise<TestService> {
  const dataDirectory = directory ?? (await newDirectory())
  const environment = { PORT: '0', MAX_LAG: '60000', DATA_DIR: dataDirectory, ...settings }
  const log = createLog(onLog === undefined ? 'silent' : 'info', { write: onLog ?? (() => {}) })
  const { stop } = await serveHere(readSettings(environment, availableVersions()), log)
  return { ...seeded(dataDirectory), stop }
}

/** The first start takes seconds, so later ones begin with a copy of its result, unless they have their own secret. */
export async function newDirectory(empty = false): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'duet-service-'))
  if (!empty) await copyFolder(`${await firstStart()}/.`, directory)
  return directory
}

const firstStart = () =>
  template('service', async (folder) => {
    await (await startServiceHere({}, { directory: folder })).stop()
  })

/** What a service reports about itself and its users after its start on a folder. */
function seeded(dataDirectory: string): Omit<TestService, 'stop'> {
  const { baseUrl, users } = JSON.parse(readFileSync(join(dataDirectory, 'credentials.json'), 'utf8')) as {
    baseUrl: string
    users: SampleUser[]
  }
  return {
    url: baseUrl,
    dataDirectory,
    user(login) {
      const user = users.find((candidate) => candidate.login === login)
      if (user === undefined) throw new Error(`credentials.json has no user ${login}`)
      return user
    },
    remove: () => rmSync(dataDirectory, { recursive: true, force: true }),
  }
}
