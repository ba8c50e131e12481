import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService as serveHere } from '../service/server/service.js'
import { createLog } from '../service/settings/log.js'
import { readSettings } from '../service/settings/settings.js'
import { availableVersions } from '../service/settings/versions.js'
import { copyFolder, template } from '../service/testing/template.js'

interface SeededUser {
  readonly login: string
  readonly password: string
  readonly apiKey: string
  readonly reseller: string | null
  readonly timezone: string | null
}

/** A service on an embedded database of its own. */
export interface TestService {
  readonly url: string
  readonly dataDirectory: string
  user(login: string): SeededUser
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
  return startProcess(settings, dataDirectory ?? (await newDirectory('BILLING_SECRET' in settings)))
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

async function startProcess(
  settings: Readonly<Record<string, string>>,
  dataDirectory: string,
): Promise<RunningService> {
  // Optimised WebAssembly does not pay for processes with few calls.
  const child = spawn(process.execPath, ['--liftoff-only', 'service/dist/server/main.js'], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', PORT: '0', DATA_DIR: dataDirectory, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  await ready(child, output)
  child.once('exit', (code, signal) => {
    if (code !== 0 && signal === null) console.error(`The service ended with ${code}:\n${output.text}`)
  })
  return {
    ...seeded(dataDirectory),
    process: child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      return child.exitCode
    },
  }
}

/** What a service reports about itself and its users after its start on a folder. */
function seeded(dataDirectory: string): Omit<TestService, 'stop'> {
  const { baseUrl, users } = JSON.parse(readFileSync(join(dataDirectory, 'credentials.json'), 'utf8')) as {
    baseUrl: string
    users: SeededUser[]
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

function collect(child: ChildProcess): { text: string } {
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => {
      output.text += chunk
    })
  }
  return output
}

async function ready(child: ChildProcess, output: { readonly text: string }): Promise<void> {
  const deadline = Date.now() + 280_000
  while (!/ on http:\/\/\S+/.test(output.text)) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}:\n${output.text}`)
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`The service is not ready after 280 s:\n${output.text}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
