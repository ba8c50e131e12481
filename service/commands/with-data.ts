import { type Data, openData } from '../data/data.js'
import { readSettings, type Settings } from '../settings/settings.js'
import { availableVersions } from '../settings/versions.js'

/** Opens the data that the environment names, and closes it after use. `given`: the settings, if already read. */
export async function withData<Result>(
  use: (data: Data, settings: Settings) => Promise<Result>,
  given?: Settings,
): Promise<Result> {
  const settings = given ?? readSettings(process.env, availableVersions())
  const data = await openData(settings, `http://${settings.host}:${settings.port}`)
  try {
    return await use(data, settings)
  } finally {
    await data.close()
  }
}
