// @module-tag long

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataDirectory } from '../../test/service-process.js'
import { type DatabaseSource, startPostgres } from '../testing/databases.js'
import { commandFile, creditOf, run, serve, serviceFile } from '../testing/process.js'

describe.runIf(existsSync(serviceFile))('database:copy', () => {
  const data = dataDirectory()
  let source: DatabaseSource
  beforeAll(async () => {
    source = await startPostgres()
  })
  afterAll(() => source?.stop())

  const copy = async (environment: Record<string, string>) => {
    const { ended, errors } = run(commandFile('copy-to-postgres'), environment)
    return { code: (await ended).code, errors: errors() }
  }

  it('moves a service from the embedded database to PostgreSQL, with its keys', async () => {
    const { url = '' } = await source.empty()
    const BILLING_SECRET = (await readFile(join(data.path, 'secret'), 'utf8')).trim()
    const environment = { DATA_DIR: data.path, DATABASE_URL: url, BILLING_SECRET }
    expect(await copy({ ...environment, DATA_DIR: `${data.path}-none` })).toMatchObject({
      code: 1,
      errors: `DATA_DIR ${data.path}-none has no database\n`,
    })
    expect(await copy({ ...environment, BILLING_SECRET: 's'.repeat(32) })).toMatchObject({ code: 2 })
    expect(await copy(environment)).toEqual({ code: 0, errors: '' })
    const service = await serve({ DATABASE_URL: url, BILLING_SECRET })
    expect(await creditOf(service.url, await data.keyOf('reseller-a'), 1)).toBe(250.5)
  })
})
