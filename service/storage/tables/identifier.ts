/** An id as a bigint parameter; undefined for a number that no row can have. */
export function toRowId(id: number): string | undefined {
  return Number.isSafeInteger(id) && id > 0 ? String(id) : undefined
}

/** An id column: never beyond 2^53 - 1 by its constraint. */
export function fromRowId(text: string): number {
  return Number(text)
}

/** Whether a text column could hold this: PostgreSQL knows neither NUL nor lone surrogates. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text)
}
