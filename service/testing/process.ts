import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packageRoot } from '../package-root.js'

/** Process tests run the build: run `npm run build` first. */
export const serviceFile = join(packageRoot, 'dist', 'server', 'main.js')
export const commandFile = (name: string) => join(packageRoot, 'dist', 'commands', `${name}.js`)
export const userCreateFile = commandFile('user-create')
export const version = '1.0.0'

export interface Run {
  readonly child: ChildProcess
  readonly output: () => string
  readonly errors: () => string
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts a built program, and ends it with the test. */
export function run(
  file: string,
  environment: NodeJS.ProcessEnv,
  args: readonly string[] = [],
  prefix: readonly string[] = [],
): Run {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !serviceVariables.has(name)),
  )
  // Optimised WebAssembly does not pay for processes with few calls.
  const [command = '', ...rest] = [...prefix, process.execPath, '--liftoff-only', file, ...args]
  const child = spawn(command, rest, {
    env: { ...clean, API_VERSION: version, ...environment },
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  child.stderr.on('data', (data) => {
    errors += data
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  const started = { child, output: () => output, errors: () => errors, ended }
  runs.push(started)
  return started
}

/** Starts the service and waits until it prints its address. */
export async function serve(
  environment: NodeJS.ProcessEnv,
  prefix: readonly string[] = [],
): Promise<Run & { url: string }> {
  const started = run(serviceFile, { PORT: '0', ...environment }, [], prefix)
  const failed = started.ended.then(() => Promise.reject(new Error(`The service ended: ${started.errors()}`)))
  const ready = async () => {
    for (;;) {
      const url = /^Billing \S+ on (\S+)$/m.exec(started.output())?.[1]
      if (url !== undefined) return url
      await delay(10)
    }
  }
  return { ...started, url: await Promise.race([ready(), failed]) }
}

/** Runs the service as process 1 of its own PID and UTS namespaces, like a container. */
export function serveInContainer(host: string, environment: NodeJS.ProcessEnv) {
  const command = 'hostname "$0" && exec "$@"'
  const unshare = ['--pid', '--fork', '--kill-child', '--uts', '--mount-proc', 'sh', '-c', command, host]
  return serve(environment, ['unshare', ...unshare])
}

export const canUnshare =
  spawnSync('unshare', ['--pid', '--fork', '--uts', '--mount-proc', 'true']).status === 0

export const patchCredit = (url: string, apiKey: string, id: number, credit: number) =>
  fetch(`${url}/clients/${id}`, {
    method: 'PATCH',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ credit }),
  })

export async function creditOf(url: string, apiKey: string, id: number): Promise<number> {
  return creditIn(await fetch(`${url}/clients/${id}`, { headers: { 'x-api-key': apiKey } }))
}

export async function creditIn(response: Response): Promise<number> {
  const { credit } = (await response.json()) as { credit: number }
  return credit
}

const runs: Run[] = []

const serviceVariables = new Set(
  'HOST PORT DATABASE_URL DATA_DIR BILLING_SECRET SYSTEM_TIMEZONE API_VERSION USAGE_DAYS USAGE_SAMPLE LOG_LEVEL LOG_LIMIT SHUTDOWN_DELAY SHUTDOWN_TIMEOUT CALL_TIMEOUT RATE_LIMIT FAILURE_LIMIT ANONYMOUS_LIMIT PROCESSOR_SHARE MAX_IN_FLIGHT MAX_LAG MAX_CONNECTIONS TRUST_PROXY ALLOWED_HOSTS CORS_ORIGINS DATABASE_POOL DATABASE_CONNECT_TIMEOUT DATABASE_STATEMENT_TIMEOUT DATABASE_IDLE_TIMEOUT DATABASE_PREPARED CACHE_SECONDS BILLING_SECRET_OLD DATABASE_LISTEN_URL'.split(
    ' ',
  ),
)

export async function endAll(): Promise<void> {
  for (const { child, ended } of runs.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
}
