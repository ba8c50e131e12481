import { resolve } from 'node:path'
import { Failure } from './failure.js'
import { newestRelease } from './versions.js'

/** What the service is told by environment variables; see the table in README.md. */
export interface Settings {
  /** HOST. */
  readonly host: string
  /** PORT; 0: any free one. */
  readonly port: number
  /** DATABASE_URL; undefined: the embedded database in `dataDirectory`. */
  readonly databaseUrl: string | undefined
  /** DATA_DIR, absolute. */
  readonly dataDirectory: string
  /** BILLING_SECRET; undefined: made once and kept in `dataDirectory`. Always there with `databaseUrl`. */
  readonly secret: string | undefined
  /** SYSTEM_TIMEZONE: IANA name. */
  readonly systemTimezone: string
  /** API_VERSION: one of the available ones. */
  readonly apiVersion: string
  /** LOG_LEVEL. */
  readonly logLevel: LogLevel
  /** SHUTDOWN_TIMEOUT in milliseconds: how long running calls may still take. */
  readonly shutdownMs: number
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings; an empty variable counts as absent.
 * @param versions API versions that have been generated
 * @throws Failure with exit code 2 and one line for each variable that is wrong; none shows a secret's value
 */
export function readSettings(environment: Environment, versions: readonly string[]): Settings {
  const faults: string[] = []
  const read = <Value>(
    name: string,
    parse: (text: string) => Value | undefined,
    fault: string,
    absent: Value,
  ) => {
    const text = variable(environment, name)
    const value = text === undefined ? absent : parse(text)
    if (value === undefined && text !== undefined) faults.push(`${name} ${fault}`)
    return value ?? absent
  }
  const databaseUrl = read<string | undefined>(
    'DATABASE_URL',
    toDatabaseUrl,
    'must be a URL such as postgres://user:password@host:5432/database',
    undefined,
  )
  const wrongMode = sslModesOf(databaseUrl).find((mode) => !sslModes.has(mode))
  if (wrongMode !== undefined) faults.push(`DATABASE_URL: sslmode must be one of ${[...sslModes].join(', ')}`)
  const secret = read<string | undefined>(
    'BILLING_SECRET',
    toSecret,
    'must have at least 32 characters',
    undefined,
  )
  if (
    variable(environment, 'DATABASE_URL') !== undefined &&
    variable(environment, 'BILLING_SECRET') === undefined
  ) {
    faults.push(
      'BILLING_SECRET must be set when DATABASE_URL is: at least 32 characters, the same on every node',
    )
  }
  const newest = newestRelease(versions)
  const settings: Settings = {
    host: read('HOST', toHost, 'must be a host name or an address to listen on', '127.0.0.1'),
    port: read('PORT', toPort, 'must be a whole number from 0 to 65535', 8080),
    databaseUrl,
    dataDirectory: resolve(variable(environment, 'DATA_DIR') ?? '.data'),
    secret,
    systemTimezone: read(
      'SYSTEM_TIMEZONE',
      toTimezone,
      'must be a name of the IANA tz database such as Europe/Berlin',
      'UTC',
    ),
    apiVersion: read(
      'API_VERSION',
      (text) => (versions.includes(text) ? text : undefined),
      `must be one of the generated versions: ${versions.join(', ') || 'there are none'}`,
      newest ?? '',
    ),
    logLevel: read('LOG_LEVEL', toLogLevel, `must be one of ${logLevels.join(', ')}`, 'info'),
    shutdownMs:
      read('SHUTDOWN_TIMEOUT', toSeconds, 'must be a whole number of seconds from 0 to 3600', 10) * 1000,
  }
  if (newest === undefined && variable(environment, 'API_VERSION') === undefined) {
    faults.push(
      `API_VERSION must be set: no release has been generated (${versions.join(', ') || 'no version at all'})`,
    )
  }
  if (faults.length > 0) throw new Failure(faults, 2)
  return settings
}

/** Whether this is the name of a zone; offsets such as +02:00 are not names. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+\-/]*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function variable(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim()
  return text === '' ? undefined : text
}

function toDatabaseUrl(text: string): string | undefined {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) ? text : undefined
}

/** What pg does something about; with any other it would connect without TLS and say nothing. */
const sslModes: ReadonlySet<string> = new Set([
  'disable',
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
  'no-verify',
])

function sslModesOf(databaseUrl: string | undefined): string[] {
  return databaseUrl === undefined ? [] : new URL(databaseUrl).searchParams.getAll('sslmode')
}

function toSecret(text: string): string | undefined {
  return text.length >= 32 ? text : undefined
}

function toHost(text: string): string | undefined {
  return /^[A-Za-z0-9._:%-]+$/.test(text) ? text : undefined
}

function toPort(text: string): number | undefined {
  return toWhole(text, 65_535)
}

function toSeconds(text: string): number | undefined {
  return toWhole(text, 3_600)
}

function toWhole(text: string, maximum: number): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= maximum ? Number(text) : undefined
}

function toTimezone(text: string): string | undefined {
  return isTimezone(text) ? text : undefined
}

function toLogLevel(text: string): LogLevel | undefined {
  return logLevels.find((level) => level === text)
}
