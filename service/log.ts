import type { CallEvent } from '@duet/runtime'
import { destination, type Logger, pino, stdSerializers } from 'pino'
import type { Principal } from './identity/principal.js'
import type { LogLevel } from './settings.js'

/** JSON lines on stderr. Keys, tokens and passwords never appear in them, wherever they come from. */
export function createLog(level: LogLevel, stream: { write(line: string): void } = standardError()): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.errWithCause },
      redact: { paths: secretPaths, censor: redacted },
      hooks: { streamWrite: withoutSecrets },
    },
    stream,
  )
}

/** One line for each finished call. Params and results are not part of it. */
export function logCall(log: Logger, event: CallEvent<Principal>): void {
  const { requestId, operation, protocol, principal, code, durationMs, warning, error } = event
  const line = {
    requestId,
    operation,
    protocol,
    user: principal?.login,
    code: code ?? 'ok',
    durationMs: Math.round(durationMs * 1000) / 1000,
    warning,
  }
  if (error !== undefined) log.error({ ...line, err: error }, 'call')
  else if (warning !== undefined) log.warn(line, 'call')
  else log.info(line, 'call')
}

const redacted = '[redacted]'

const secretNames = [
  'apiKey',
  'authorization',
  'cookie',
  'jwt',
  'password',
  'secret',
  'token',
  'connectionString',
  // The values of a statement, which the embedded database's errors carry.
  'params',
  '["x-api-key"]',
]
const secretPaths = secretNames.flatMap((name) => {
  const below = name.startsWith('[') ? name : `.${name}`
  return [name, `*${below}`, `*.*${below}`]
})

// The last net: API keys, JWTs and passwords of URLs by their form, as they might stand in an error's message.
export function withoutSecrets(line: string): string {
  return line
    .replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, escaped)
    .replace(/bk_[\w-]{20,}/g, redacted)
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, redacted)
    .replace(/(\w+:\/\/[^\s:/@"]*:)[^\s@"]+@/g, `$1${redacted}@`)
}

/** What a terminal might obey or show in another order, as JSON may write it too; pino escapes those below a space. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function standardError() {
  // Written at once, so that the last lines before an exit are there.
  return destination({ fd: 2, sync: true })
}
