import type { Principal } from '../identity/principal.js'
import { problem } from '../problem.js'
import type { Storage } from '../storage/storage.js'
import type { AccountingCurrenciesHandlers } from './api.js'

/** Currencies and their dated rates. */
export function currenciesHandlers(storage: Storage): AccountingCurrenciesHandlers<Principal> {
  return {
    search: (_params, { principal }) => storage.as(principal).currencies.search(),
    async get_rate({ from, to, at }, { principal }) {
      const found = await storage.as(principal).currencies.rate(from, to, at)
      if (found === undefined) {
        throw problem('not_found', {
          detail: `There is no rate from ${from} to ${to} at that time.`,
        })
      }
      return { from, to, rate: found.rate, effective_from: found.effectiveFrom }
    },
  }
}
