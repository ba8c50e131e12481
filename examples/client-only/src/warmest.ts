import { apiKey, createClient, isApiError, rest } from '#client'

/** The warmest of the next days, in degrees Celsius. Undefined if the service does not know the city. */
export async function warmest(city: string, address: string): Promise<number | undefined> {
  const client = createClient({
    transport: rest(address),
    auth: { key: apiKey(() => process.env.WEATHER_KEY ?? 'none') },
    timeout: 5_000,
  })
  try {
    const { celsius } = await client.forecasts.get({ city, days: 3 })
    return Math.max(...celsius)
  } catch (error) {
    if (isApiError(error, 'not_found')) return undefined
    throw error
  }
}
