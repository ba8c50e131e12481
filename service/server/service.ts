import type { CallEvent } from '@duet/runtime'
import type { Logger } from 'pino'
import { createHandlers, handlersOf } from '../handlers/handlers.js'
import { createIdentity } from '../identity/identity.js'
import type { Principal } from '../identity/principal.js'
import { logCall } from '../log.js'
import type { Settings } from '../settings.js'
import { createStorage } from '../storage/storage.js'
import { type ApiModule, loadApi } from './api.js'
import { type Data, openData } from './data.js'
import { type HttpServer, openHttpServer } from './http-server.js'
import { createMetrics } from './metrics.js'
import { createPages } from './pages.js'
import { createProbe } from './probes.js'

/** The running service. */
export interface Service {
  readonly url: string
  /** The sample's credentials file, where there is one. */
  readonly credentialsPath: string | undefined
  /** Ends running calls, takes no new ones, closes the database. False: some calls were cut off. */
  stop(): Promise<boolean>
}

/**
 * Opens the port, then the database, then serves.
 * @throws Failure
 */
export async function startService(
  settings: Settings,
  log: Logger,
  api: ApiModule | Promise<ApiModule> = loadApi(settings.apiVersion),
): Promise<Service> {
  const { contract, createApi } = await api
  const metrics = createMetrics()
  let data: Data | undefined
  const probe = createProbe({ metrics, state: () => http.state, ping: async () => data?.database.ping() })
  const http: HttpServer = await openHttpServer(settings, probe)
  try {
    const opened = await openData(settings, http.url, (error) =>
      log.warn({ err: error }, 'the database does not serve'),
    )
    data = opened
    const { database, secret } = opened
    const identity = createIdentity({ database, secret })
    const onCall = (event: CallEvent<Principal>) => {
      metrics.count(event)
      logCall(log, event)
    }
    const served = createApi({
      handlers: handlersOf(createHandlers(createStorage(database), identity), settings.apiVersion),
      authenticate: (credentials) => identity.authenticate(credentials),
      timezone: (principal) => principal.timezone,
      systemTimezone: settings.systemTimezone,
      onCall,
    })
    const credentialsPath = await opened.updateCredentials()
    const pages = createPages(contract, onCall)
    http.serve(
      served.node({
        fallback: (request, response) => {
          if (!probe(request, response)) pages(request, response)
        },
      }),
    )
    return {
      url: http.url,
      credentialsPath,
      async stop() {
        const inTime = await http.drain(settings.shutdownMs)
        await opened.close()
        return inTime
      },
    }
  } catch (error) {
    await http.drain(0)
    await data?.close()
    throw error
  }
}
