import { apiKey } from '../jobs.mjs'
import { listGateways, updateClient } from './handlers.mjs'

/** The generated package: by default the committed one, else the benchmark's. */
const { createApi, problem } = await import(process.env.BENCH_PACKAGE ?? '@billing/api/1.0.0')

export const options = {
  handlers: { clients: { update: updateClient }, 'lnp.gateways': { search: listGateways } },
  authenticate: (/** @type {Record<string, string>} */ credentials) => {
    if ((credentials.apiKey ?? credentials.benchKey) !== apiKey) throw problem('invalid_api_key')
    return { user: 'bench' }
  },
}

export const api = createApi(options)
