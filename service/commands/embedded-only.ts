import { Failure } from '../failure.js'
import { readSettings, type Settings } from '../settings/settings.js'
import { availableVersions } from '../settings/versions.js'

/** The settings for a command that works only with DATA_DIR. @throws Failure if DATABASE_URL is set */
export function embeddedSettings(instead: string): Settings {
  const settings = readSettings(process.env, availableVersions())
  if (settings.databaseUrl !== undefined) throw new Failure(`DATABASE_URL is set: use ${instead}`, 2)
  return settings
}
