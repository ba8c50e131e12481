import { createVersions, type VersionModule, type Versions, type VersionsOptions } from 'duet-runtime'
import type { Handlers } from '../handlers/api.js'
import type { Principal } from '../identity/principal.js'

/** The generated versions, and what serves them. */
export interface ApiModule {
  /** From the oldest to the newest. */
  readonly versions: readonly VersionModule[]
  createVersions(
    options: VersionsOptions<Handlers, Principal>,
  ): Pick<Versions<Principal>, 'names' | 'node' | 'targetOf' | 'flushUsage'>
}

/** Loads versions, whose names are given from the newest to the oldest. */
export async function loadApi(names: readonly string[]): Promise<ApiModule> {
  const load = (name: string): Promise<VersionModule> => import(`@billing/api/${name}`)
  return { versions: await Promise.all([...names].reverse().map(load)), createVersions }
}
