import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Failure } from '../failure.js'
import { type Environment, readSettings } from './settings.js'

const versions = ['2.0.0-rc.1', '1.10.0', '1.9.0', '1.0.0']

describe('settings', () => {
  const faults = (environment: Environment, available: readonly string[] = versions): readonly string[] => {
    try {
      readSettings(environment, available)
      return []
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      expect(error.exitCode).toBe(2)
      return error.lines
    }
  }

  it('have the defaults of the design', () => {
    expect(readSettings({}, versions)).toEqual({
      host: '127.0.0.1',
      port: 8080,
      databaseUrl: undefined,
      pool: {
        connections: 10,
        waitMs: 1_667,
        connectMs: 5_000,
        statementMs: 10_000,
        idleMs: 30_000,
        prepared: true,
      },
      cacheMs: 5_000,
      dataDirectory: resolve('.data'),
      secret: undefined,
      oldSecrets: [],
      systemTimezone: 'UTC',
      apiVersion: '1.10.0',
      sunsets: {},
      logLevel: 'info',
      usageDays: 90,
      usageSample: 100,
      linesPerCaller: 1_000,
      shutdownDelayMs: 0,
      shutdownMs: 10_000,
      callMs: 15_000,
      callsPerMinute: 600_000,
      failuresPerMinute: 1_000,
      anonymousPerMinute: 6_000,
      processorShare: 50,
      inFlight: 1_000,
      lagMs: 1_000,
      maxConnections: 10_000,
      trustedProxies: undefined,
      hosts: new Set(),
      origins: undefined,
    })
  })

  it('are read from the environment', () => {
    const environment = {
      HOST: '::1',
      PORT: '0',
      DATABASE_URL: 'postgresql://billing@db/billing',
      DATABASE_POOL: '25',
      DATABASE_CONNECT_TIMEOUT: '2',
      DATABASE_STATEMENT_TIMEOUT: '4',
      DATABASE_IDLE_TIMEOUT: '600',
      DATABASE_PREPARED: 'off',
      CACHE_SECONDS: '0',
      DATA_DIR: '/var/lib/billing',
      BILLING_SECRET: 's'.repeat(32),
      BILLING_SECRET_OLD: 'o'.repeat(32),
      SYSTEM_TIMEZONE: 'America/Argentina/Buenos_Aires',
      API_VERSION: '2.0.0-rc.1',
      USAGE_DAYS: '400',
      USAGE_SAMPLE: '5',
      API_SUNSETS: '1.9.0=2027-06-30',
      LOG_LEVEL: 'silent',
      LOG_LIMIT: '50',
      SHUTDOWN_DELAY: '5',
      SHUTDOWN_TIMEOUT: '0',
      CALL_TIMEOUT: '5',
      RATE_LIMIT: '600',
      FAILURE_LIMIT: '0',
      ANONYMOUS_LIMIT: '90',
      PROCESSOR_SHARE: '40',
      MAX_IN_FLIGHT: '50',
      MAX_LAG: '100',
      MAX_CONNECTIONS: '200',
      TRUST_PROXY: '1',
      ALLOWED_HOSTS: 'billing.example',
      CORS_ORIGINS: 'https://app.example, http://localhost:3000',
    }
    expect(readSettings(environment, versions)).toEqual({
      host: '::1',
      port: 0,
      databaseUrl: 'postgresql://billing@db/billing',
      pool: {
        connections: 25,
        waitMs: 667,
        connectMs: 2_000,
        statementMs: 4_000,
        idleMs: 600_000,
        prepared: false,
      },
      cacheMs: 0,
      dataDirectory: resolve('/var/lib/billing'),
      secret: 's'.repeat(32),
      oldSecrets: ['o'.repeat(32)],
      systemTimezone: 'America/Argentina/Buenos_Aires',
      apiVersion: '2.0.0-rc.1',
      sunsets: { '1.9.0': { day: '2027-06-30' } },
      logLevel: 'silent',
      usageDays: 400,
      usageSample: 5,
      linesPerCaller: 50,
      shutdownDelayMs: 5_000,
      shutdownMs: 0,
      callMs: 5_000,
      callsPerMinute: 600,
      failuresPerMinute: 0,
      anonymousPerMinute: 90,
      processorShare: 40,
      inFlight: 50,
      lagMs: 100,
      maxConnections: 200,
      trustedProxies: 1,
      hosts: new Set(['billing.example']),
      origins: new Set(['https://app.example', 'http://localhost:3000']),
    })
  })

  it.each([
    [{}, new Set()],
    [{ HOST: 'localhost' }, new Set()],
    [{ HOST: '0.0.0.0' }, '*'],
    [{ TRUST_PROXY: '1' }, '*'],
    [{ ALLOWED_HOSTS: '*' }, '*'],
    [{ HOST: '0.0.0.0', ALLOWED_HOSTS: 'api.example' }, new Set(['api.example'])],
  ])('of %j answer for these hosts', (environment, hosts) => {
    expect(readSettings(environment, versions).hosts).toEqual(hosts)
  })

  it.each(['', 'allow', 'REQUIRE', 'verify_full', 'require&sslmode=nonsense'])(
    'have no sslmode %s, which would mean no TLS at all',
    (mode) => {
      const environment = {
        DATABASE_URL: `postgres://u:hunter2@db/billing?sslmode=${mode}`,
        BILLING_SECRET: 's'.repeat(32),
      }
      expect(faults(environment)).toEqual([
        'DATABASE_URL: sslmode must be one of disable, prefer, require, verify-ca, verify-full, no-verify',
      ])
    },
  )

  it.each(['disable', 'verify-full', 'no-verify'])('may have the sslmode %s', (mode) => {
    const environment = {
      DATABASE_URL: `postgres://db/billing?sslmode=${mode}`,
      BILLING_SECRET: 's'.repeat(32),
    }
    expect(faults(environment)).toEqual([])
  })

  it('that are empty count as absent', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '', BILLING_SECRET: ' ' }, versions)).toMatchObject({
      port: 8080,
      databaseUrl: undefined,
    })
  })

  it.each([
    ['PORT', ['-1', '65536', '80a', '0x50', '8080.5', '1e3'], 'PORT must be a whole number from 0 to 65535'],
    ['CALL_TIMEOUT', ['0', '61', 'x'], 'CALL_TIMEOUT must be a whole number of seconds from 1 to 60'],
    ['DATABASE_POOL', ['0', '1001', 'many'], 'DATABASE_POOL must be a whole number from 1 to 1000'],
    ['DATABASE_PREPARED', ['yes', '1', 'ON'], 'DATABASE_PREPARED must be on or off'],
    ['CACHE_SECONDS', ['-1', '61', '0.5'], 'CACHE_SECONDS must be a whole number of seconds from 0 to 60'],
    ['RATE_LIMIT', ['-1', '1e3'], 'RATE_LIMIT must be a whole number from 0 to 1000000000'],
    [
      'TRUST_PROXY',
      ['true', '10.0.0.0/33', '10.0.0', '::1/129', '1,x'],
      'TRUST_PROXY must be a number of proxies, or their addresses or networks such as 10.0.0.0/8, with commas between them',
    ],
    [
      'CORS_ORIGINS',
      ['app.example', 'https://app.example/', 'https://a.example,*', 'null'],
      'CORS_ORIGINS must be * or origins such as https://app.example, with commas between them',
    ],
    ['HOST', ['a b', 'http://host', '/'], 'HOST must be a host name or an address to listen on'],
    [
      'SYSTEM_TIMEZONE',
      ['Mars/Olympus', '+02:00', '../etc', '__proto__'],
      'SYSTEM_TIMEZONE must be a name of the IANA tz database such as Europe/Berlin',
    ],
    [
      'LOG_LEVEL',
      ['loud', 'constructor'],
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
    ],
    [
      'SHUTDOWN_TIMEOUT',
      ['-1', '3601', 'ten'],
      'SHUTDOWN_TIMEOUT must be a whole number of seconds from 0 to 3600',
    ],
    [
      'API_VERSION',
      ['3.0.0', '1.0', '__proto__'],
      'API_VERSION must be one of the generated versions: 2.0.0-rc.1, 1.10.0, 1.9.0, 1.0.0',
    ],
    ['BILLING_SECRET', ['short'], 'BILLING_SECRET must have at least 32 characters'],
    ['BILLING_SECRET_OLD', ['short'], 'BILLING_SECRET_OLD must have at least 32 characters'],
  ])('refuse a wrong %s in one line', (name, values, line) => {
    for (const value of values) expect(faults({ [name]: value })).toEqual([line])
  })

  it('refuse a wrong DATABASE_URL without showing it', () => {
    for (const url of ['mysql://root:hunter2@db/x', 'hunter2', 'postgres//hunter2']) {
      expect(faults({ DATABASE_URL: url, BILLING_SECRET: 's'.repeat(32) })).toEqual([
        'DATABASE_URL must be a URL such as postgres://user:password@host:5432/database',
      ])
    }
  })

  it('ask for BILLING_SECRET with DATABASE_URL', () => {
    expect(faults({ DATABASE_URL: 'postgres://db/billing' })).toEqual([
      'BILLING_SECRET must be set when DATABASE_URL is: at least 32 characters, the same on every node',
    ])
  })

  it('that are wrong are reported all at once, one line each', () => {
    expect(
      faults({ PORT: 'x', LOG_LEVEL: 'x', SYSTEM_TIMEZONE: 'x y' }).map((line) => line.split(' ')[0]),
    ).toEqual(['PORT', 'SYSTEM_TIMEZONE', 'LOG_LEVEL'])
  })

  it('need API_VERSION if only pre-releases are generated', () => {
    expect(faults({}, ['1.0.0-rc.1'])).toEqual([
      'API_VERSION must be set: no release has been generated (1.0.0-rc.1)',
    ])
    expect(faults({}, [])).toEqual([
      'API_VERSION must be set: no release has been generated (no version at all)',
    ])
    expect(faults({ API_VERSION: '1.0.0-rc.1' }, ['1.0.0-rc.1'])).toEqual([])
  })
})
