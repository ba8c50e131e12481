import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataDirectory } from '../test/service-process.js'
import { type DatabaseSource, freePort, startPostgres } from './testing/databases.js'
import { run, serve, serviceFile, userCreateFile, version } from './testing/process.js'

describe.runIf(existsSync(serviceFile))('the service as a process', () => {
  const data = dataDirectory()

  it('prints its address and working commands, and logs calls as JSON on stderr without keys', async () => {
    const { url, output, errors } = await serve({ DATA_DIR: data.path })
    const [first, second, third, ...hints] = output().trimEnd().split('\n')
    expect(first).toBe(`Billing ${version} on ${url}`)
    expect(second).toBe(`administration: ${url}/admin/`)
    expect(third).toMatch(/^credentials: .*credentials\.json$/)
    expect(output()).not.toMatch(/bk_/)
    const answers = await Promise.all(hints.map(shell))
    const client = { id: 1, name: 'Aurora Calling', credit: 250.5, currency: 'EUR' }
    expect(answers.map((answer) => JSON.parse(answer))).toEqual([
      client,
      { jsonrpc: '2.0', id: 1, result: client },
    ])

    const apiKey = await data.keyOf('reseller-a')
    await fetch(`${url}/clients/1?probe=1`, { headers: { 'x-api-key': apiKey } })
    await expect.poll(() => errors()).toContain('clients.get')
    expect(errors()).not.toContain(apiKey)
    expect(plainLines(errors())).toEqual([])
  })

  it('refuses wrong configuration with one line for each variable and exit code 2', {
    tags: 'long',
  }, async () => {
    const { ended, errors, output } = run(serviceFile, { PORT: 'x', LOG_LEVEL: 'x', DATA_DIR: data.path })
    expect((await ended).code).toBe(2)
    expect(errors()).toBe(
      'PORT must be a whole number from 0 to 65535\n' +
        'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent\n',
    )
    expect(output()).toBe('')
  })

  it('refuses a port in use, a data directory in use and a database out of reach with one line and exit code 1', {
    tags: 'long',
  }, async () => {
    const { url, child } = await serve({ DATA_DIR: data.path })
    const { port } = new URL(url)
    const other = join(data.path, 'other')
    const second = run(serviceFile, { PORT: port, DATA_DIR: other })
    const third = run(serviceFile, { PORT: '0', DATA_DIR: data.path })
    const fourth = run(serviceFile, {
      PORT: '0',
      DATABASE_URL: `postgres://user:hunter2@127.0.0.1:${await freePort()}/billing`,
      BILLING_SECRET: 's'.repeat(32),
    })
    const codes = await Promise.all([second, third, fourth].map(async ({ ended }) => (await ended).code))
    expect(codes).toEqual([1, 1, 1])
    expect(second.errors()).toBe(`PORT ${port} on HOST 127.0.0.1 is in use by another process\n`)
    expect(third.errors()).toBe(`DATA_DIR ${data.path} is in use by process ${child.pid}\n`)
    expect(fourth.errors()).toMatch(/^DATABASE_URL: the database cannot be reached: .*\n$/)
    expect(fourth.errors()).not.toContain('hunter2')
    expect(existsSync(other)).toBe(false)
  })

  it('creates a user on the command line', { tags: 'long' }, async () => {
    const create = async (args: string) => {
      const command = run(userCreateFile, { DATA_DIR: data.path }, args.split(' '))
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
    const { url } = await serve({ DATA_DIR: data.path })
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

    it('has no users until the command creates one, on any of several nodes', { tags: 'long' }, async () => {
      const { url: databaseUrl = '' } = await source.empty()
      const unused = join(data.path, 'unused')
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
      expect(wrong.errors()).toBe('BILLING_SECRET is not the secret of this database\n')
      expect(existsSync(unused)).toBe(false)
    })
  })
})

/** The lines for people: all except the JSON of the log. */
function plainLines(errors: string): string[] {
  return errors.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
}

async function shell(command: string): Promise<string> {
  const child = spawn('sh', ['-c', `${command.trim()} -s`])
  return text(child.stdout)
}
