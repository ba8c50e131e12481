import type { Replacement } from 'duet-runtime'

interface Page {
  readonly limit: number
  readonly offset: number
}

/** Up to 1,000 rows, from an operation that returns at most 100. */
export function inPages(operation: string): Replacement<Page, unknown[]> {
  return {
    async handle({ limit, offset, ...search }, _context, call) {
      const rows: unknown[] = []
      do {
        const wanted = Math.min(limit - rows.length, longestPage)
        const page = await call(operation, { ...search, limit: wanted, offset: offset + rows.length })
        if (!Array.isArray(page)) throw new Error(`${operation} returned no list`)
        rows.push(...page)
        if (page.length < wanted) break
      } while (rows.length < limit)
      return rows
    },
  }
}

const longestPage = 100
