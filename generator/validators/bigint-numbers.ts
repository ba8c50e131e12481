/**
 * AJV's source of a function, so changed that a bigint counts as a number. No text of a document is touched: it stands in
 * quotation marks, within which a quotation mark has a backslash before it.
 */
export function takeBigInts(source: string): string {
  return source
    .replace(integer, 'isInteger($1)')
    .replace(number, 'isNumber($1)')
    .replace(bound, 'if($1 $2 $3 || Number.isNaN($1)){')
}

/** A value, or a member of one, as AJV writes it. */
const value = String.raw`(data\d*(?:\.\w+|\[(?:\w+|"(?:[^"\\]|\\.)*")\])*)`

const integer = new RegExp(
  String.raw`\(typeof ${value} == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)`,
  'g',
)
const number = new RegExp(`typeof ${value} == "number"`, 'g')
/** A line of its own, so that it begins with no text of a document. */
const bound = new RegExp(String.raw`^if\(${value} (<=|>=|<|>) (\S+) \|\| isNaN\(\1\)\)\{$`, 'gm')
