import { type Logger, pino, stdSerializers } from 'pino'
import type { LogOutput } from './log-output.js'
import type { LogLevel } from './settings.js'

/** Writes JSON lines of bounded length, without keys, tokens and passwords. */
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
  output.onRoom = (dropped) => log.warn({ dropped }, 'lines were dropped because they were not read in time')
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
  // Errors of the embedded database carry the values of the statement.
  'params',
  '["x-api-key"]',
]
const secretPaths = secretNames.flatMap((name) => {
  const below = name.startsWith('[') ? name : `.${name}`
  return [name, `*${below}`, `*.*${below}`]
})

// The last safeguard: finds API keys, JWTs and passwords in URLs by their form, for example in error messages.
export function withoutSecrets(line: string): string {
  return line
    .replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, escaped)
    .replace(/bk_[\w-]{20,}/g, redacted)
    .replace(/eyJ(?:[\w-]+\.[\w-]+\.[\w-]*|[\w-]{16,}(?:\.[\w-]*)?)/g, redacted)
    .replace(/(\b\w{1,40}:\/\/[^\s:/@"]*:)[^\s@"]{1,1000}@/g, `$1${redacted}@`)
}

/**
 * Escapes, as JSON allows, control and bidirectional characters that a terminal might obey. pino escapes those below a
 * space.
 */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Shortens long texts, lists and objects in a value. */
function bounded(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return clipped(value)
  // Errors have their own serializer.
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (depth === mostDeep) return '…'
  if (Array.isArray(value)) return value.slice(0, mostMembers).map((item) => bounded(item, depth + 1))
  const members = Object.entries(value).slice(0, mostMembers)
  return Object.fromEntries(members.map(([name, member]) => [clipped(name), bounded(member, depth + 1)]))
}

function clipped(text: string): string {
  if (text.length <= mostText) return text
  // A secret is recognised by its form, so replace it before the text is cut.
  const start = withoutSecrets(text.slice(0, 2 * mostText)).slice(0, mostText)
  return `${start}… (${text.length} characters)`
}

/** Cuts a line that is too long. */
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
