import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { packageRoot } from './package-root.js'
import type { SampleUser } from './sample/credentials.js'
import { type DatabaseSource, freePort, startPostgres } from './testing/databases.js'

/** These run the build, `npm run build` first, as real processes. */
const serviceFile = join(packageRoot, 'dist', 'server', 'main.js')
const userCreateFile = join(packageRoot, 'dist', 'commands', 'user-create.js')
const version = '1.0.0'
/** Making databases is the slowest there is, several times over on a busy machine. */
const firstStartMs = 90_000

interface Run {
  readonly child: ChildProcess
  readonly output: () => string
  readonly errors: () => string
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

const runs: Run[] = []

function run(
  file: string,
  environment: Record<string, string>,
  args: readonly string[] = [],
  prefix: readonly string[] = [],
): Run {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !serviceVariables.has(name)),
  )
  const [command = '', ...rest] = [...prefix, process.execPath, file, ...args]
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

const serviceVariables = new Set(
  'HOST PORT DATABASE_URL DATA_DIR BILLING_SECRET SYSTEM_TIMEZONE API_VERSION LOG_LEVEL SHUTDOWN_TIMEOUT'.split(
    ' ',
  ),
)

async function serve(
  environment: Record<string, string>,
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

/** The service as process 1 of its own process and host name spaces, as a container has it. */
function serveInContainer(host: string, environment: Record<string, string>) {
  const command = 'hostname "$0" && exec "$@"'
  const unshare = ['--pid', '--fork', '--kill-child', '--uts', '--mount-proc', 'sh', '-c', command, host]
  return serve(environment, ['unshare', ...unshare])
}

const canUnshare = spawnSync('unshare', ['--pid', '--fork', '--uts', '--mount-proc', 'true']).status === 0

async function endAll(): Promise<void> {
  for (const { child, ended } of runs.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
}

/** What the process wrote for people: every line but the JSON of the log. */
function plainLines(errors: string): string[] {
  return errors.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
}

const patchCredit = (url: string, apiKey: string, id: number, credit: number) =>
  fetch(`${url}/clients/${id}`, {
    method: 'PATCH',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ credit }),
  })
async function creditOf(url: string, apiKey: string, id: number): Promise<number> {
  return creditIn(await fetch(`${url}/clients/${id}`, { headers: { 'x-api-key': apiKey } }))
}

async function creditIn(response: Response): Promise<number> {
  const { credit } = (await response.json()) as { credit: number }
  return credit
}

describe.runIf(existsSync(serviceFile))('the service as a process', () => {
  let directory: string
  let template: string
  // The first start takes seconds; most tests begin with a copy of what it leaves.
  beforeAll(async () => {
    template = await mkdtemp(join(tmpdir(), 'billing-process-'))
    const { child, ended } = await serve({ DATA_DIR: template })
    child.kill('SIGTERM')
    await ended
  })
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'billing-process-'))
    await cp(template, directory, { recursive: true })
  })
  afterEach(async () => {
    await endAll()
    await rm(directory, { recursive: true, force: true })
  })
  afterAll(async () => {
    await endAll()
    await rm(template, { recursive: true, force: true })
  })

  const users = async (): Promise<SampleUser[]> =>
    JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8')).users
  const keyOf = async (login: string) => (await users()).find((user) => user.login === login)?.apiKey ?? ''

  it('says where it is and how to call it, and the calls work as pasted', async () => {
    const { url, output } = await serve({ DATA_DIR: directory })
    const [first, second, ...hints] = output().trimEnd().split('\n')
    expect(first).toBe(`Billing ${version} on ${url}`)
    expect(second).toMatch(/^credentials: .*credentials\.json$/)
    expect(output()).not.toMatch(/bk_/)
    const answers = await Promise.all(hints.map(shell))
    const client = { id: 1, name: 'Aurora Calling', credit: 250.5, currency: 'EUR' }
    expect(answers.map((answer) => JSON.parse(answer))).toEqual([
      client,
      { jsonrpc: '2.0', id: 1, result: client },
    ])
  })

  it('logs calls as JSON on stderr, without keys', async () => {
    const { url, errors } = await serve({ DATA_DIR: directory })
    const apiKey = await keyOf('reseller-a')
    await fetch(`${url}/clients/1?probe=1`, { headers: { 'x-api-key': apiKey } })
    await expect.poll(() => errors()).toContain('clients.get')
    expect(errors()).not.toContain(apiKey)
    expect(plainLines(errors())).toEqual([])
  })

  it('ends running calls on SIGTERM, takes no new ones, and exits with 0', async () => {
    const { url, child, ended } = await serve({ DATA_DIR: directory })
    const apiKey = await keyOf('reseller-a')
    const body = JSON.stringify({ credit: 77.5 })
    // The call is under way while its body is still to come.
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    socket.write(
      `PATCH /clients/1 HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 3)}`,
    )
    await delay(100)
    child.kill('SIGTERM')
    await delay(100)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    socket.write(body.slice(3))
    await once(socket, 'close')
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(received).toMatch(/^connection: close\r$/im)
    expect(await ended).toEqual({ code: 0, signal: null })
    const again = await serve({ DATA_DIR: directory })
    expect(await creditOf(again.url, apiKey, 1)).toBe(77.5)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('exits at once on a second %s', async (signal, code) => {
    const { url, child, ended } = await serve({ DATA_DIR: directory })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
    await delay(100)
    child.kill(signal)
    await delay(100)
    child.kill(signal)
    expect(await ended).toEqual({ code, signal: null })
  })

  it('does not wait for calls longer than SHUTDOWN_TIMEOUT', async () => {
    const { url, child, ended } = await serve({ DATA_DIR: directory, SHUTDOWN_TIMEOUT: '1' })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
    await delay(100)
    const start = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - start).toBeGreaterThan(900)
    expect(performance.now() - start).toBeLessThan(4_000)
  })

  it('loses no acknowledged update to SIGKILL, time and again', async () => {
    let credit = 0
    for (const pause of [40, 90, 160]) {
      const { url, child, ended } = await serve({ DATA_DIR: directory, LOG_LEVEL: 'silent' })
      const apiKey = await keyOf('reseller-a')
      if (credit > 0) expect(await creditOf(url, apiKey, 1)).toBe(credit)
      credit = await creditIn(await patchCredit(url, apiKey, 1, credit + 1))
      setTimeout(() => child.kill('SIGKILL'), pause)
      let sent = credit
      try {
        for (;;) {
          sent += 1
          const response = await patchCredit(url, apiKey, 1, sent)
          if (response.status === 200) credit = await creditIn(response)
        }
      } catch {
        // The process has gone; the last update may or may not have been made.
      }
      expect((await ended).signal).toBe('SIGKILL')
      const again = await serve({ DATA_DIR: directory })
      const kept = await creditOf(again.url, apiKey, 1)
      expect([credit, sent]).toContain(kept)
      credit = kept
      again.child.kill('SIGTERM')
      expect((await again.ended).code).toBe(0)
    }
    expect(credit).toBeGreaterThan(0)
  })

  it(
    'starts whole after SIGKILL at any moment of its first start',
    async () => {
      await rm(directory, { recursive: true })
      for (const pause of [200, 700, 1_200, 1_700, 2_200, 2_700]) {
        const { child, ended, output } = run(serviceFile, { PORT: '0', DATA_DIR: directory })
        await Promise.race([delay(pause), ended])
        child.kill('SIGKILL')
        await ended
        if (output() !== '') break
      }
      const { url } = await serve({ DATA_DIR: directory })
      expect((await users()).map((user) => user.login)).toEqual(['admin', 'reseller-a', 'reseller-b'])
      expect(await creditOf(url, await keyOf('reseller-b'), 4)).toBe(9999.9999)
      expect((await readdir(directory)).filter((name) => name.includes('new'))).toEqual([])
    },
    firstStartMs,
  )

  it.each(['before', 'after'])(
    'starts with credentials that work when its first start ends right %s the database is in place',
    async (moment) => {
      await rm(directory, { recursive: true })
      // Ends the process at the rename that moves the database into place, on the side that is asked for.
      const source = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { rename } = fs.promises
const die = () => process.kill(process.pid, 'SIGKILL')
fs.promises.rename = async (from, to) => {
  const last = to.endsWith('/database')
  if (last && ${moment === 'before'}) die()
  await rename(from, to)
  if (last) die()
}
syncBuiltinESMExports()`
      const first = run(serviceFile, {
        PORT: '0',
        DATA_DIR: directory,
        NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(source).toString('base64')}`,
      })
      expect((await first.ended).signal).toBe('SIGKILL')
      expect(existsSync(join(directory, 'database'))).toBe(moment === 'after')
      const { url } = await serve({ DATA_DIR: directory })
      expect(await creditOf(url, await keyOf('reseller-b'), 4)).toBe(9999.9999)
    },
    firstStartMs,
  )

  it.runIf(canUnshare)(
    'is kept out by another container on its volume, and opens it when that one was killed',
    async () => {
      const first = await serveInContainer('boxa', { DATA_DIR: directory })
      const second = await serveInContainer('boxb', { DATA_DIR: directory }).catch(
        (error: Error) => error.message,
      )
      expect(second).toContain(`DATA_DIR ${directory} is in use by process 1 on boxa`)
      const sameName = await serveInContainer('boxa', { DATA_DIR: directory }).catch(
        (error: Error) => error.message,
      )
      expect(sameName).toContain(`DATA_DIR ${directory} is in use by process 1`)
      const apiKey = await keyOf('reseller-a')
      await patchCredit(first.url, apiKey, 1, 88)
      first.child.kill('SIGKILL')
      await first.ended
      const third = await serveInContainer('boxc', { DATA_DIR: directory })
      expect(await creditOf(third.url, apiKey, 1)).toBe(88)
    },
  )

  it('refuses wrong configuration with one line for each variable and exit code 2', async () => {
    const { ended, errors, output } = run(serviceFile, { PORT: 'x', LOG_LEVEL: 'x', DATA_DIR: directory })
    expect((await ended).code).toBe(2)
    expect(errors()).toBe(
      'PORT must be a whole number from 0 to 65535\n' +
        'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent\n',
    )
    expect(output()).toBe('')
  })

  it('refuses a port in use, a data directory in use and a database out of reach with one line and exit code 1', async () => {
    const { url, child } = await serve({ DATA_DIR: directory })
    const { port } = new URL(url)
    const other = join(directory, 'other')
    const second = run(serviceFile, { PORT: port, DATA_DIR: other })
    const third = run(serviceFile, { PORT: '0', DATA_DIR: directory })
    const fourth = run(serviceFile, {
      PORT: '0',
      DATABASE_URL: `postgres://user:hunter2@127.0.0.1:${await freePort()}/billing`,
      BILLING_SECRET: 's'.repeat(32),
    })
    const codes = await Promise.all([second, third, fourth].map(async ({ ended }) => (await ended).code))
    expect(codes).toEqual([1, 1, 1])
    expect(second.errors()).toBe(`PORT ${port} on HOST 127.0.0.1 is in use by another process\n`)
    expect(third.errors()).toBe(`DATA_DIR ${directory} is in use by process ${child.pid}\n`)
    expect(fourth.errors()).toMatch(/^DATABASE_URL: the database can't be reached: .*\n$/)
    expect(fourth.errors()).not.toContain('hunter2')
    expect(existsSync(other)).toBe(false)
  })

  it('makes a user on the command line', async () => {
    const { child, ended } = await serve({ DATA_DIR: directory })
    child.kill('SIGTERM')
    await ended
    const create = async (args: string) => {
      const command = run(userCreateFile, { DATA_DIR: directory }, args.split(' '))
      command.child.stdin?.end('a long password\n')
      return { ...(await command.ended), output: command.output(), errors: command.errors() }
    }
    const made = await create('--login ann --reseller Acme --create-reseller --password-stdin')
    expect(made).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^login: ann\nAPI key: bk_[\w-]{43}\n$/),
    })
    expect(await create('--login ann')).toMatchObject({
      code: 1,
      output: '',
      errors: 'The login ann is taken\n',
    })
    expect(await create('--log')).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^[^\n]+usage: [^\n]+\n$/),
    })
    const { url } = await serve({ DATA_DIR: directory })
    const apiKey = /bk_\S+/.exec(made.output)?.[0] ?? ''
    const response = await fetch(`${url}/clients/1`, { headers: { 'x-api-key': apiKey } })
    expect(response.status).toBe(404)
  })

  describe('on PostgreSQL', () => {
    let source: DatabaseSource
    beforeAll(async () => {
      source = await startPostgres()
    })
    afterAll(() => source?.stop())

    it('has no users until the command makes one, on any of several nodes', async () => {
      const { url: databaseUrl = '' } = await source.empty()
      const unused = join(directory, 'unused')
      const environment = { DATABASE_URL: databaseUrl, BILLING_SECRET: 's'.repeat(32), DATA_DIR: unused }
      const [one, two] = await Promise.all([serve(environment), serve(environment)])
      const command = run(userCreateFile, environment, ['--login', 'ann'])
      expect((await command.ended).code).toBe(0)
      const apiKey = /bk_\S+/.exec(command.output())?.[0] ?? ''
      for (const { url } of [one, two]) {
        const response = await fetch(`${url}/lnp/gateways`, { headers: { 'x-api-key': apiKey } })
        expect([response.status, await response.json()]).toEqual([200, []])
        expect((await fetch(`${url}/readyz`)).status).toBe(200)
      }
      const wrong = run(serviceFile, { ...environment, BILLING_SECRET: 'x'.repeat(32), PORT: '0' })
      expect((await wrong.ended).code).toBe(2)
      expect(wrong.errors()).toBe('BILLING_SECRET is not the one that this database was set up with\n')
      expect(existsSync(unused)).toBe(false)
    })
  })
})

async function shell(command: string): Promise<string> {
  const child = spawn('sh', ['-c', `${command.trim()} -s`])
  return text(child.stdout)
}
