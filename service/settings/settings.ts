import { resolve } from 'node:path'
import type { Sunset } from 'duet-runtime'
import { Failure } from '../failure.js'
import { readTrustedProxies, type TrustedProxies } from '../limits/client-address.js'
import { defaultPool, type PoolOptions } from '../storage/postgres/postgres.js'
import { serverUrls } from '../storage/postgres/server-urls.js'
import { type AllowedOrigins, readOrigins } from './cors.js'
import { type AllowedHosts, isLoopback, readHosts } from './hosts.js'
import { timezoneNamed } from './timezone.js'
import { newestRelease, readSunsets } from './versions.js'

/** The settings from environment variables. See docs/billing.md. */
export interface Settings {
  /** HOST. */
  readonly host: string
  /** PORT. 0: any free port. */
  readonly port: number
  /** DATABASE_URL. Undefined: the embedded database in `dataDirectory`. */
  readonly databaseUrl: string | undefined
  /** DATABASE_POOL, DATABASE_*_TIMEOUT, DATABASE_PREPARED: how to use the server at `databaseUrl`. */
  readonly pool: PoolOptions
  /** CACHE_SECONDS in milliseconds: how long to cache users and rates. 0: never. */
  readonly cacheMs: number
  /** DATA_DIR, absolute. */
  readonly dataDirectory: string
  /** BILLING_SECRET. Undefined: created once and stored in `dataDirectory`. Required with `databaseUrl`. */
  readonly secret: string | undefined
  /** BILLING_SECRET_OLD: the previous secrets, until all keys are re-encrypted. */
  readonly oldSecrets: readonly string[]
  /** SYSTEM_TIMEZONE: IANA name. */
  readonly systemTimezone: string
  /** API_VERSION: the version of callers who choose none. */
  readonly apiVersion: string
  /** API_SUNSETS: the day from which a version is no longer served. */
  readonly sunsets: Readonly<Record<string, Sunset>>
  /** USAGE_DAYS: how long to keep the ledger of usage. 0: there is none. */
  readonly usageDays: number
  /** USAGE_SAMPLE: percent of the calls that are tried on the next version. */
  readonly usageSample: number
  /** LOG_LEVEL. */
  readonly logLevel: LogLevel
  /** LOG_LIMIT: call lines per caller in ten seconds. 0: no limit. */
  readonly linesPerCaller: number
  /** SHUTDOWN_DELAY in milliseconds: how long a node keeps serving, unready, before it shuts down. */
  readonly shutdownDelayMs: number
  /** SHUTDOWN_TIMEOUT in milliseconds: how long to wait for running calls. */
  readonly shutdownMs: number
  /** CALL_TIMEOUT in milliseconds: how long one call may take. */
  readonly callMs: number
  /** RATE_LIMIT: calls per minute and user, on all nodes together. 0: no limit. */
  readonly callsPerMinute: number
  /** FAILURE_LIMIT: failed authentications per minute and address. 0: no limit. */
  readonly failuresPerMinute: number
  /** ANONYMOUS_LIMIT: anonymous calls per minute and address. 0: no limit. */
  readonly anonymousPerMinute: number
  /**
   * PROCESSOR_SHARE: percent of one core per user. An address without good credentials gets half of it. 0: no limit.
   */
  readonly processorShare: number
  /** MAX_IN_FLIGHT: most requests in progress. */
  readonly inFlight: number
  /** MAX_LAG in milliseconds: greatest lag of the event loop. */
  readonly lagMs: number
  /** MAX_CONNECTIONS. */
  readonly maxConnections: number
  /** TRUST_PROXY: the proxies whose X-Forwarded-For we trust. Undefined: none. */
  readonly trustedProxies: TrustedProxies
  /** ALLOWED_HOSTS: accepted values of Host. */
  readonly hosts: AllowedHosts
  /** CORS_ORIGINS: origins whose pages may call. Undefined: none. */
  readonly origins: AllowedOrigins | undefined
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings. An empty variable counts as absent.
 * @param versions the generated API versions
 * @throws Failure with exit code 2 and one line per invalid variable, without the values of secrets
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
  const whole = (name: string, absent: number, least: number, most: number, unit = '') =>
    read(
      name,
      (text) => {
        const value = toWhole(text, most)
        return value === undefined || value < least ? undefined : value
      },
      `must be a whole number ${unit}from ${least} to ${most}`,
      absent,
    )
  const seconds = (name: string, absentMs: number, least: number, most: number) =>
    whole(name, absentMs / 1000, least, most, 'of seconds ') * 1000
  const databaseUrl = read<string | undefined>('DATABASE_URL', toDatabaseUrl, databaseUrlFault, undefined)
  const wrongMode = sslModesOf(databaseUrl).find((mode) => !sslModes.has(mode))
  if (wrongMode !== undefined) faults.push(`DATABASE_URL: sslmode must be one of ${[...sslModes].join(', ')}`)
  const secret = read<string | undefined>(
    'BILLING_SECRET',
    toSecret,
    'must have at least 32 characters',
    undefined,
  )
  const oldSecret = read<string | undefined>(
    'BILLING_SECRET_OLD',
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
  const callMs = seconds('CALL_TIMEOUT', 15_000, 1, 60)
  const connectMs = seconds('DATABASE_CONNECT_TIMEOUT', defaultPool.connectMs, 1, 60)
  const waitMs = Math.round(Math.min(callMs, connectMs) / 3)
  const host = read('HOST', toHost, 'must be a host name or an address to listen on', '127.0.0.1')
  const trustedProxies = read<TrustedProxies>(
    'TRUST_PROXY',
    (text) => readTrustedProxies(text) ?? undefined,
    'must be a number of proxies, or their addresses or networks such as 10.0.0.0/8, with commas between them',
    undefined,
  )
  const settings: Settings = {
    host,
    port: read('PORT', toPort, 'must be a whole number from 0 to 65535', 8080),
    databaseUrl,
    pool: {
      connections: whole('DATABASE_POOL', defaultPool.connections, 1, 1_000),
      // A call has up to two statements, one of them to find the caller. Both must end before the call's timeout.
      waitMs,
      connectMs,
      // A statement must not take effect after its call has failed.
      statementMs: Math.min(
        seconds('DATABASE_STATEMENT_TIMEOUT', defaultPool.statementMs, 1, 60),
        callMs - waitMs,
      ),
      idleMs: seconds('DATABASE_IDLE_TIMEOUT', defaultPool.idleMs, 1, 3_600),
      prepared: read('DATABASE_PREPARED', toSwitch, 'must be on or off', defaultPool.prepared),
      listenUrl: read<string | undefined>('DATABASE_LISTEN_URL', toDatabaseUrl, databaseUrlFault, undefined),
    },
    cacheMs: seconds('CACHE_SECONDS', 5_000, 0, 60),
    dataDirectory: resolve(variable(environment, 'DATA_DIR') ?? '.data'),
    secret,
    oldSecrets: oldSecret === undefined ? [] : [oldSecret],
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
    sunsets: read(
      'API_SUNSETS',
      (text) => readSunsets(text, versions),
      'must be versions with days such as 1.0.0=2027-06-30, with commas between them',
      {},
    ),
    usageDays: whole('USAGE_DAYS', 90, 0, 3_650, 'of days '),
    usageSample: whole('USAGE_SAMPLE', 100, 0, 100, 'of percent '),
    logLevel: read('LOG_LEVEL', toLogLevel, `must be one of ${logLevels.join(', ')}`, 'info'),
    linesPerCaller: whole('LOG_LIMIT', 1_000, 0, 1_000_000_000),
    shutdownDelayMs: seconds('SHUTDOWN_DELAY', 0, 0, 3_600),
    shutdownMs: seconds('SHUTDOWN_TIMEOUT', 10_000, 0, 3_600),
    callMs,
    callsPerMinute: whole('RATE_LIMIT', 600_000, 0, 1_000_000_000),
    failuresPerMinute: whole('FAILURE_LIMIT', 1_000, 0, 1_000_000_000),
    anonymousPerMinute: whole('ANONYMOUS_LIMIT', 6_000, 0, 1_000_000_000),
    processorShare: whole('PROCESSOR_SHARE', 50, 0, 10_000, 'of percent '),
    inFlight: whole('MAX_IN_FLIGHT', 1_000, 1, 1_000_000),
    lagMs: whole('MAX_LAG', 1_000, 1, 60_000, 'of milliseconds '),
    maxConnections: whole('MAX_CONNECTIONS', 10_000, 1, 1_000_000),
    trustedProxies,
    hosts: read<AllowedHosts>(
      'ALLOWED_HOSTS',
      readHosts,
      'must be * or host names and addresses without ports, with commas between them',
      // Behind a proxy or on a network, a node has names that it cannot know.
      isLoopback(host) && !trustedProxies ? new Set() : '*',
    ),
    origins: read<AllowedOrigins | undefined>(
      'CORS_ORIGINS',
      readOrigins,
      'must be * or origins such as https://app.example, with commas between them',
      undefined,
    ),
  }
  if (newest === undefined && variable(environment, 'API_VERSION') === undefined) {
    faults.push(
      `API_VERSION must be set: no release has been generated (${versions.join(', ') || 'no version at all'})`,
    )
  }
  if (faults.length > 0) throw new Failure(faults, 2)
  return settings
}

function variable(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim()
  return text === '' ? undefined : text
}

function toDatabaseUrl(text: string): string | undefined {
  return serverUrls(text) === undefined ? undefined : text
}

const databaseUrlFault = 'must be a URL such as postgres://user:password@host:5432/database'

/** The values that pg supports. With any other it would silently connect without TLS. */
const sslModes: ReadonlySet<string> = new Set([
  'disable',
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
  'no-verify',
])

function sslModesOf(databaseUrl: string | undefined): string[] {
  const [server] = databaseUrl === undefined ? [] : (serverUrls(databaseUrl) ?? [])
  return server === undefined ? [] : new URL(server).searchParams.getAll('sslmode')
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

function toSwitch(text: string): boolean | undefined {
  return text === 'on' || text === 'off' ? text === 'on' : undefined
}

function toWhole(text: string, maximum: number): number | undefined {
  return /^\d{1,10}$/.test(text) && Number(text) <= maximum ? Number(text) : undefined
}

function toTimezone(text: string): string | undefined {
  return timezoneNamed(text)
}

function toLogLevel(text: string): LogLevel | undefined {
  return logLevels.find((level) => level === text)
}
