#!/usr/bin/env node
import { relative } from 'node:path'
import type { Logger } from 'pino'
import { Failure, reasonOf } from '../failure.js'
import { createLog } from '../settings/log.js'
import { openLogOutput } from '../settings/log-output.js'
import { readSettings, type Settings } from '../settings/settings.js'
import { availableVersions } from '../settings/versions.js'
import { keyIn } from './credentials-key.js'
import { type Service, startService } from './service.js'

/** Exit codes of a process that a signal ended (128 and the signal's number). */
const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** How long to wait until the last log lines are read. */
const lastLinesMs = 1_000

let service: Service | undefined
let stopping = false

// Keep serving if the reader of the start lines has exited.
process.stdout.on('error', () => {})
// By default Node opens its debugger on SIGUSR1, which can read and change everything, and ends on SIGUSR2.
for (const signal of ['SIGUSR1', 'SIGUSR2']) process.on(signal, () => {})

const output = openLogOutput()
try {
  const settings = readSettings(process.env, availableVersions())
  const log = createLog(settings.logLevel, output)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error')
    process.exit(1)
  })
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      // During the start there is nothing to wait for. A second signal exits at once.
      if (service === undefined || stopping) process.exit(code)
      stopping = true
      void stop(service, signal, log)
    })
  }
  service = await startService(settings, log, undefined, () => output.dropped)
  welcome(service, settings)
  log.info({ url: service.url, version: settings.apiVersion }, 'serving')
} catch (error) {
  const failure =
    error instanceof Failure ? error : new Failure(`The service cannot start: ${reasonOf(error)}`, 1)
  await output.end(lastLinesMs)
  for (const line of failure.lines) process.stderr.write(`${line}\n`)
  process.exit(failure.exitCode)
}

async function stop(running: Service, signal: string, log: Logger): Promise<void> {
  log.info({ signal }, 'stopping')
  if (!(await running.stop())) log.warn('calls exceeded SHUTDOWN_TIMEOUT and were aborted')
  log.info('stopped')
  await output.end(lastLinesMs)
  process.exit(0)
}

function welcome({ url, credentialsPath }: Service, { apiVersion }: Settings): void {
  const lines = [`Billing ${apiVersion} on ${url}`, `administration: ${url}/admin/`]
  let key = '$API_KEY'
  if (credentialsPath !== undefined) {
    lines.push(`credentials: ${relative(process.cwd(), credentialsPath) || credentialsPath}`)
    // The key stays out of terminals and logs: the shell reads it from the file.
    key = keyIn(credentialsPath)
  }
  const rpc = '{"jsonrpc":"2.0","id":1,"method":"clients.get","params":{"id":1}}'
  lines.push(
    `  curl -H "X-Api-Key: ${key}" ${url}/clients/1`,
    `  curl -H "X-Api-Key: ${key}" -H 'Content-Type: application/json' -d '${rpc}' ${url}/`,
  )
  process.stdout.write(`${lines.join('\n')}\n`)
}
