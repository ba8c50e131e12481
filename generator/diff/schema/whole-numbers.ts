/** From one whole number to another, both included; open where a bound is absent. */
export interface Range {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** A pattern of the whole numbers of a range as callers write them: decimal digits, no zero before others. */
export function wholeNumbers({ from, to }: Range): string {
  const found: string[] = []
  if (to === undefined || to >= 0) found.push(...digits(Math.max(from ?? 0, 0), to))
  if (from === undefined || from < 0)
    found.push(
      ...digits(Math.max(-(to ?? -1), 1), from === undefined ? undefined : -from).map((one) => `-${one}`),
    )
  return `^(?:${found.join('|')})$`
}

/** Of numbers from zero on: one pattern or more for each count of digits. */
function digits(from: number, to: number | undefined): string[] {
  if (to !== undefined && from > to) return []
  const [least, most] = [String(from), to === undefined ? undefined : String(to)]
  const found: string[] = []
  for (let count = least.length; count <= (most ?? least).length; count++) {
    const low = count === least.length ? least : `1${'0'.repeat(count - 1)}`
    const high = count === most?.length ? most : '9'.repeat(count)
    found.push(between(low, high))
  }
  return most === undefined ? [...found, `[1-9][0-9]{${least.length},}`] : found
}

/** Of texts of as many digits, from one to another. */
function between(low: string, high: string): string {
  const [first = '', last = ''] = [low[0], high[0]]
  if (low === '') return ''
  if (first === last) return first + between(low.slice(1), high.slice(1))
  const rest = low.length - 1
  const [least, most] = ['0'.repeat(rest), '9'.repeat(rest)]
  const inner =
    Number(last) - Number(first) > 1 ? [`[${Number(first) + 1}-${Number(last) - 1}][0-9]{${rest}}`] : []
  const parts = [first + between(low.slice(1), most), ...inner, last + between(least, high.slice(1))]
  return `(?:${parts.join('|')})`
}
