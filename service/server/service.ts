import { hostname } from 'node:os'
import type { Call, CallEvent } from 'duet-runtime'
import type { Logger } from 'pino'
import { createAdapters } from '../adapters/adapters.js'
import { createAdministration } from '../admin/administration.js'
import { areaOf } from '../admin/area.js'
import { type Data, openData } from '../data/data.js'
import { createHandlers } from '../handlers/handlers.js'
import { createGate } from '../http/gate.js'
import { type HttpServer, openHttpServer } from '../http/http-server.js'
import { watchOverload } from '../http/overload.js'
import { createIdentity } from '../identity/identity.js'
import { createKeyUse } from '../identity/key-use.js'
import type { Principal } from '../identity/principal.js'
import { Admission } from '../limits/admission.js'
import { clientAddress, type Sender, subjectOf } from '../limits/client-address.js'
import { createRateLimiter } from '../limits/rate-limiter.js'
import type { Settings } from '../settings/settings.js'
import { availableVersions } from '../settings/versions.js'
import { createStorage } from '../storage/storage.js'
import { callCountStore } from '../storage/tables/call-counts.js'
import { apiKeyStore } from '../storage/tables/identity/api-keys.js'
import { nodeStore } from '../storage/tables/nodes.js'
import { rateCounts } from '../storage/tables/rate-counts.js'
import { keepRecent, type Recent } from '../storage/tables/recent.js'
import { usageAreaOf } from '../usage/area.js'
import { type CallCounter, createCallCounter } from '../usage/call-counter.js'
import { overviewOf } from '../usage/overview.js'
import { startReports } from '../usage/reports.js'
import { createShadow } from '../usage/shadow.js'
import { type ApiModule, loadApi } from './api.js'
import { createCallLog } from './call-log.js'
import { credentialsIn } from './credentials-in.js'
import { createMetrics } from './metrics.js'
import { createPages } from './pages.js'
import { createProbe } from './probes.js'
import { setRateLimitHeaders } from './rate-limit-headers.js'
import { referenceFiles } from './reference.js'
import { Shares } from './shares.js'

/** The running service. */
export interface Service {
  readonly url: string
  /** The sample's credentials file, if it exists. */
  readonly credentialsPath: string | undefined
  /**
   * Keeps serving for SHUTDOWN_DELAY, unready. Then accepts no new calls, waits for running ones and closes the
   * database. False: it cut off some calls.
   */
  stop(): Promise<boolean>
}

/**
 * Opens the port, then the database, then serves.
 * @param droppedLines how many lines of the log were dropped so far
 * @throws Failure
 */
export async function startService(
  settings: Settings,
  log: Logger,
  api: ApiModule | Promise<ApiModule> = loadApi(availableVersions()),
  droppedLines: () => number = () => 0,
): Promise<Service> {
  const { versions, createVersions } = await api
  let data: Data | undefined
  let recent: Recent | undefined
  const overload = watchOverload(settings)
  const metrics = createMetrics({ overload, pool: () => data?.database.pool?.(), droppedLines })
  const callLog = createCallLog(log, settings)
  let admission: Admission | undefined
  const addressOf = (sender: Sender) => subjectOf(clientAddress(sender, settings.trustedProxies))
  let counter: CallCounter | undefined
  const record = (event: CallEvent<Principal>, sender?: Sender) => {
    metrics.count(event)
    counter?.count(event)
    callLog.call(event, sender)
  }
  const gate = createGate({
    ...settings,
    overload,
    onRefusal: record,
    onShed: metrics.shed,
    admission: () => admission,
  })
  const probe = createProbe({
    metrics,
    overload,
    state: () => http.state,
    ping: async () => data?.database.ping(),
    onRefusal: record,
  })
  const http: HttpServer = await openHttpServer(settings, probe, gate, {
    maxConnections: settings.maxConnections,
  })
  try {
    const opened = await openData(settings, http.url, (error) =>
      log.warn({ err: error }, 'the database is unavailable'),
    )
    data = opened
    const { database, secret, oldSecrets } = opened
    if (settings.cacheMs > 0) recent = await keepRecent(database, settings.cacheMs)
    const limiter = createRateLimiter({
      // An embedded database has one node.
      counts: settings.databaseUrl === undefined ? undefined : rateCounts(database.reserved),
      onError: (error) => log.warn({ err: error }, 'rate limits are not shared'),
    })
    const keyUse = createKeyUse(apiKeyStore(database).used)
    const admitted = new Admission({
      ...settings,
      limiter,
      identity: createIdentity({ database, secret, oldSecrets, recent, onKeyUse: keyUse.note }),
      subjectOf: addressOf,
      credentialsOf: credentialsIn,
      setHeaders: setRateLimitHeaders,
      onLimited: metrics.limited,
      onFailedSignIn: callLog.failedSignIn,
    })
    admission = admitted
    const onCall = (event: CallEvent<Principal>) => {
      record(event)
      admitted.countFinished(event)
    }
    const whoMakes = ({ principal, request }: Call<Principal>) =>
      principal === undefined ? `address ${request && addressOf(request)}` : `user ${principal.userId}`
    const shares = new Shares({
      isHalfTaken: (calls) => overload.isHalfTaken || database.pool?.().isHalfTaken(calls) === true,
      onShed: () => metrics.shed('share'),
    })
    const shadow = await createShadow({
      ...opened,
      settings,
      versions: versions.map(({ contract }) => contract.version),
      onRecord: metrics.used,
      onError: (error) => log.warn({ err: error }, 'usage of the last minute is lost'),
    })
    const served = createVersions({
      versions,
      handlers: createHandlers(createStorage(database, recent)),
      adapters: createAdapters(admitted.identity),
      defaultVersion: settings.apiVersion,
      sunsets: settings.sunsets,
      authenticate: (credentials, call) => admitted.authenticate(credentials, call),
      timezone: (principal) => principal.timezone,
      systemTimezone: settings.systemTimezone,
      limits: {
        callMs: settings.callMs,
        // An embedded database runs one statement at a time, so parallel calls would only delay other callers.
        ...(settings.databaseUrl === undefined && { batchParallel: 1 }),
      },
      async around(call, run) {
        admitted.admit(call)
        const end = metrics.begin(call.operation, call.protocol)
        try {
          return await shares.run(whoMakes(call), run)
        } catch (error) {
          admitted.countFailed(call, error)
          throw error
        } finally {
          end()
        }
      },
      onCall,
      ...(shadow !== undefined && { shadow }),
      work: {
        admit: (request) => admitted.admitWork(request),
        spent: (request, milliseconds) => admitted.countWork(request, milliseconds),
      },
      // The call log already has a line with the error.
      logger: false,
    })
    const credentialsPath = await opened.updateCredentials()
    const pages = new Map(
      versions.map(({ contract }) => [
        contract.version,
        createPages(contract, record, {
          reference: referenceFiles(contract.version),
          versions: served.names,
        }),
      ]),
    )
    const contracts = versions.map(({ contract }) => contract)
    const usage = usageAreaOf(opened, settings, contracts)
    const operations = new Set(contracts.flatMap((contract) => Object.keys(contract.operations)))
    const calls = createCallCounter(callCountStore(database), operations)
    counter = calls
    const reports = startReports({
      nodes: nodeStore(database),
      flush: () => Promise.all([calls.flush(), keyUse.flush()]),
      name: `${hostname()}:${new URL(http.url).port}`,
      load: () => ({ inFlight: overload.inFlight, lagMs: overload.lagMs }),
      onError: (error) => log.warn({ err: error }, 'the state of this node is not stored'),
    })
    const overview = overviewOf(database, operations, reports.state)
    const administration = createAdministration(
      areaOf(opened, admitted, settings, { usage, overview }),
      onCall,
    )
    const answer = served.node({
      fallback: (request, response) => {
        if (probe(request, response) || administration(request, response)) return
        admitted.count(request)
        const { version, url, refusal } = served.targetOf(request)
        response.setHeader('API-Version', version)
        response.appendHeader('Vary', 'API-Version')
        pages.get(version)?.(request, response, url, refusal)
      },
    })
    http.serve(answer)
    return {
      url: http.url,
      credentialsPath,
      async stop() {
        const inTime = await http.drain(settings.shutdownMs, settings.shutdownDelayMs)
        await served.flushUsage()
        await reports.stop()
        await limiter.stop()
        overload.stop()
        await recent?.close()
        await opened.close()
        callLog.stop()
        return inTime
      },
    }
  } catch (error) {
    overload.stop()
    callLog.stop()
    await http.drain(0)
    await recent?.close()
    await data?.close()
    throw error
  }
}
