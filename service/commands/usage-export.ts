#!/usr/bin/env node
import { usageLines } from 'duet-runtime'
import { Failure } from '../failure.js'
import { usageStore } from '../storage/tables/usage.js'
import { runCommand } from './run-command.js'
import { withData } from './with-data.js'

/** `npm run usage:export`: prints the ledger of who calls what as JSON lines, from a day on. */
await runCommand('Cannot export the usage', async () => {
  const [since = '0001-01-01', ...more] = process.argv.slice(2)
  if (!/^\d{4}-\d\d-\d\d$/.test(since) || more.length > 0)
    throw new Failure('Usage: npm run --silent usage:export [-- SINCE], with a day such as 2026-11-20', 2)
  await withData(({ database }, { usageDays }) =>
    usageStore(database, usageDays).read(since, async (entries) => {
      // Standard output may be a pipe that reads slowly.
      if (process.stdout.write(usageLines(entries))) return
      await new Promise((resolve) => process.stdout.once('drain', resolve))
    }),
  )
})
