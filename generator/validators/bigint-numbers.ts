/**
 * Changes AJV's source of a function so that bigints count as numbers. Leaves texts of a document alone: they
 * are in quotation marks, and quotation marks inside them have a backslash.
 */
export function takeBigInts(source: string): string {
  return source
    .replace(integer, 'isInteger($1)')
    .replace(number, 'isNumber($1)')
    .replace(bound, 'if($1 $2 $3 || Number.isNaN($1)){')
}

/** A value or one of its members, as AJV writes it. */
const value = String.raw`(data\d*(?:\.\w+|\[(?:\w+|"(?:[^"\\]|\\.)*")\])*)`

const integer = new RegExp(
  String.raw`\(typeof ${value} == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)`,
  'g',
)
const number = new RegExp(`typeof ${value} == "number"`, 'g')
/** Matches whole lines, so a text of a document cannot begin the match. */
const bound = new RegExp(String.raw`^if\(${value} (<=|>=|<|>) (\S+) \|\| isNaN\(\1\)\)\{$`, 'gm')
