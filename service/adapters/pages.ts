interface Page {
  readonly limit: number
  readonly offset: number
}

/** As many rows as wanted, by an operation that returns at most 100 of them. */
export async function inPages<Params extends Page, Row>(
  params: Params,
  read: (page: Params) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  do {
    const limit = Math.min(params.limit - rows.length, longestPage)
    const page = await read({ ...params, limit, offset: params.offset + rows.length })
    rows.push(...page)
    if (page.length < limit) break
  } while (rows.length < params.limit)
  return rows
}

const longestPage = 100
