import fc from 'fast-check'
import { runs } from './runs.js'

/**
 * The normal tests try the same cases in each run, so that only a change can make them fail. `npm run test:properties`
 * and `npm run test:security` look for new cases: they use a new seed each time, and a failure prints it.
 */
const looksForMore = [process.env.PROPERTIES, process.env.SECURITY].includes('all')
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: runs(100, 2_000),
  ...(!looksForMore && { seed: 20261122 }),
})
