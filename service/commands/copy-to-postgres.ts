#!/usr/bin/env node
import { Failure } from '../failure.js'
import { readSettings } from '../settings/settings.js'
import { availableVersions } from '../settings/versions.js'
import { copyDatabase } from '../storage/database/copy.js'
import { migrate, readMigrations } from '../storage/database/migrate.js'
import { inspect } from '../storage/integrity/inspect.js'
import { openPostgres } from '../storage/postgres/postgres.js'
import { runCommand } from './run-command.js'
import { withData } from './with-data.js'

/** `npm run database:copy`: copies the embedded database to PostgreSQL. */
await runCommand('Cannot copy the database', async () => {
  const settings = readSettings(process.env, availableVersions())
  const { databaseUrl } = settings
  if (databaseUrl === undefined) throw new Failure('DATABASE_URL must be set to the database to copy to', 2)
  if (!(await inspect(settings.dataDirectory))) {
    throw new Failure(`DATA_DIR ${settings.dataDirectory} has no database`, 1)
  }
  await withData(
    async ({ database }) => {
      const to = await openPostgres(databaseUrl, settings.pool)
      try {
        await migrate(to, await readMigrations())
        process.stdout.write(`rows copied: ${await copyDatabase(database, to)}\n`)
      } finally {
        await to.close()
      }
    },
    { ...settings, databaseUrl: undefined },
  )
})
