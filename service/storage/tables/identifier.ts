/** An id as a bigint parameter. Undefined for a number that no row can have. */
export function toRowId(id: number): string | undefined {
  return Number.isSafeInteger(id) && id > 0 ? String(id) : undefined
}

/** Reads an id column. Its constraint bounds it by 2^53 - 1. */
export function fromRowId(text: string): number {
  return Number(text)
}

/** Whether a text column can hold this. PostgreSQL stores neither NUL nor lone surrogates. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text)
}
