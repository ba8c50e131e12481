import type { OperationValidators } from '../../contract/contract.js'
import { isUnder } from '../../http/media-type.js'

/**
 * The media type of a result: of the declared types whose schema it fits, the one that the caller prefers. The first of
 * these if the caller accepts none, since a handler cannot answer in another form.
 *
 * @param types in order of preference, at least one
 * @param accept the request's header (RFC 9110 section 12.5.1); absent: any type
 */
export function jsonTypeOf(
  types: readonly string[],
  { contents = {} }: OperationValidators,
  result: unknown,
  accept = '*/*',
): string {
  const fitting = types.filter((type) => contents[type]?.(result) !== false)
  // A result that only another status declares fits no type of this one.
  const [first = '', ...others] = fitting.length === 0 ? types : fitting
  const ranges = rangesOf(accept)
  const weight = (type: string): number => ranges.find(({ range }) => isUnder(type, range))?.weight ?? 0
  return others.reduce((best, type) => (weight(type) > weight(best) ? type : best), first)
}

/** The ranges of `Accept`, the most specific first. */
function rangesOf(accept: string): { readonly range: string; readonly weight: number }[] {
  const ranges = accept.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((text) => text.startsWith('q='))
    return { range, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
  })
  return ranges.sort((a, b) => stars(a.range) - stars(b.range))
}

function stars(range: string): number {
  return range.split('*').length
}
