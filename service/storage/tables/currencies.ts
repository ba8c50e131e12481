import type { Queryable, Statement } from '../database/database.js'
import { toTimestamptz } from '../database/instant.js'
import { fromNumeric } from './decimal.js'
import type { RecentAnswers } from './recent-answers.js'

export interface ExchangeRate {
  /** Units of `to` for one unit of `from`. */
  readonly rate: number
  /** UTC datetime from which both currencies have the rates that this one is made of. */
  readonly effectiveFrom: string
  /** Milliseconds until the next one takes its place; undefined: none is known, or it is that of a given moment. */
  readonly lastsMs: number | undefined
}

interface Currency {
  readonly code: string
  /** Whether rates are kept against this one. */
  readonly base: boolean
}

export interface CurrencyStore {
  /** All of them, by code. */
  search(): Promise<Currency[]>
  /** The rate at a moment (UTC datetime; now where absent); undefined where a currency has none then. */
  rate(from: string, to: string, at?: string): Promise<ExchangeRate | undefined>
}

/**
 * All currencies: they are not limited by Reseller (seed section 4.2).
 * @param recent by currencies and moment; undefined: the database is asked every time
 */
export function currencyStore(database: Queryable, recent?: RecentAnswers<ExchangeRate>): CurrencyStore {
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
 * (PostgreSQL, numeric round) to 10 decimal places, to fewer where it would have more than the 15 significant
 * digits that a double holds. The long scale of the dividend keeps the division from rounding first.
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
