import type { Api, ApiOptions, Contract } from 'duet-runtime'
import type { Handlers } from '../handlers/api.js'
import type { Principal } from '../identity/principal.js'

/** The parts of a generated version that the service uses. */
export interface ApiModule {
  readonly contract: Contract
  createApi(
    options: ApiOptions<Handlers, Principal, 'apiKey' | 'jwt'>,
  ): Pick<Api<Record<string, never>, Principal>, 'node'>
}

/** Loads one of the available versions. */
export async function loadApi(version: string): Promise<ApiModule> {
  return await import(`@billing/api/${version}`)
}
