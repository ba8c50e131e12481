import { type Logger, pino, stdSerializers } from 'pino'
import type { LogOutput } from './log-output.js'
import type { LogLevel } from './settings.js'

/** JSON lines of bounded length. Keys, tokens and passwords never appear in them, wherever they come from. */
export function createLog(
  level: LogLevel,
  output: Pick<LogOutput, 'write'> & Partial<Pick<LogOutput, 'onRoom'>>,
): Logger {
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => bounded(fields) as Record<string, unknown>,
      },
      serializers: { err: (error) => bounded(stdSerializers.errWithCause(error)) },
      redact: { paths: secretPaths, censor: redacted },
      hooks: { streamWrite: (line) => withoutSecrets(shortened(line)) },
    },
    output,
  )
  output.onRoom = (dropped) => log.warn({ dropped }, 'lines were dropped that nobody read in time')
  return log
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
    .replace(/eyJ(?:[\w-]+\.[\w-]+\.[\w-]*|[\w-]{16,}(?:\.[\w-]*)?)/g, redacted)
    .replace(/(\b\w{1,40}:\/\/[^\s:/@"]*:)[^\s@"]{1,1000}@/g, `$1${redacted}@`)
}

/** What a terminal might obey or show in another order, as JSON may write it too; pino escapes those below a space. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A value with no text, list or object in it that is longer than a line should hold. */
function bounded(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return clipped(value)
  // Errors have a serializer of their own.
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (depth === mostDeep) return '…'
  if (Array.isArray(value)) return value.slice(0, mostMembers).map((item) => bounded(item, depth + 1))
  const members = Object.entries(value).slice(0, mostMembers)
  return Object.fromEntries(members.map(([name, member]) => [clipped(name), bounded(member, depth + 1)]))
}

function clipped(text: string): string {
  if (text.length <= mostText) return text
  // A secret is known by its form, and may not be cut before it has been replaced.
  const start = withoutSecrets(text.slice(0, 2 * mostText)).slice(0, mostText)
  return `${start}… (${text.length} characters)`
}

/** A line as it is, or its beginning where it is too long. */
function shortened(line: string): string {
  if (line.length <= mostLine) return line
  const time = new Date().toISOString()
  const start = withoutSecrets(line.slice(0, mostText))
  return `${JSON.stringify({ level: 'warn', pid: process.pid, time, length: line.length, start, msg: 'a line was too long' })}\n`
}

const mostText = 4_096
const mostMembers = 50
const mostDeep = 5
const mostLine = 16_384
