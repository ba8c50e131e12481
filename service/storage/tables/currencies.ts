import type { Queryable, Statement } from '../database/database.js'
import { toTimestamptz } from '../database/instant.js'
import { fromNumeric } from './decimal.js'
import type { QueryCache } from './query-cache.js'

export interface ExchangeRate {
  /** Units of `to` for one unit of `from`. */
  readonly rate: number
  /** UTC datetime from which both underlying rates apply. */
  readonly effectiveFrom: string
  /** Milliseconds until the next rate applies. Undefined: none is known, or the moment was given. */
  readonly lastsMs: number | undefined
}

interface Currency {
  readonly code: string
  /** Whether the stored rates are relative to this currency. */
  readonly base: boolean
}

export interface CurrencyStore {
  /** All currencies, by code. */
  search(): Promise<Currency[]>
  /** The rate at a moment (UTC datetime, default now). Undefined if a currency has no rate then. */
  rate(from: string, to: string, at?: string): Promise<ExchangeRate | undefined>
}

/**
 * All currencies. No Reseller limits them (seed section 4.2).
 * @param recent cache by currencies and moment; undefined: none
 */
export function currencyStore(database: Queryable, recent?: QueryCache<ExchangeRate>): CurrencyStore {
  return {
    search: () => database.query<Currency>(selectCurrencies),
    rate(from, to, at) {
      const moment = at === undefined ? null : toTimestamptz(at)
      const ask = async () => {
        const [row] = await database.query<RateRow>(selectRate, [from, to, moment])
        return row && toRate(row)
      }
      return recent?.get(JSON.stringify([from, to, moment]), ask) ?? ask()
    },
  }
}

const selectCurrencies: Statement = {
  prepared: true,
  text: 'select code, is_base as base from currencies order by code',
}

interface RateRow {
  readonly rate: string
  readonly effective_from: string
  readonly lasts_ms: string | null
}

function toRate({ rate, effective_from, lasts_ms }: RateRow): ExchangeRate {
  return {
    rate: fromNumeric(rate),
    effectiveFrom: effective_from,
    lastsMs: lasts_ms === null ? undefined : Number(lasts_ms),
  }
}

/**
 * A cross rate is the quotient of both currencies' rates against the base currency, rounded half away from zero
 * (PostgreSQL, numeric round) to 10 decimal places, or fewer to stay within the 15 significant digits that a double
 * holds. The long scale of the dividend keeps the division from rounding first.
 */
const selectRate: Statement = {
  prepared: true,
  text: `select round(quotient, least(10, greatest(0, 15 - length(trunc(quotient)::text)))) as rate, effective_from,
      (
        select extract(epoch from min(effective_from) - now()) * 1000 from currency_rates
        where $3::timestamptz is null and currency in ($1, $2) and effective_from > now()
      ) as lasts_ms
    from (
      select target.rate::numeric(60, 40) / source.rate as quotient,
        greatest(source.effective_from, target.effective_from) as effective_from
      from (
        select rate, effective_from from currency_rates
        where currency = $1 and effective_from <= coalesce($3::timestamptz, now())
        order by effective_from desc limit 1
      ) source
      cross join (
        select rate, effective_from from currency_rates
        where currency = $2 and effective_from <= coalesce($3::timestamptz, now())
        order by effective_from desc limit 1
      ) target
    ) crossed`,
}
