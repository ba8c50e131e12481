/**
 * AJV's source of a function, so changed that a bigint counts as a number. Text of a document is touched nowhere: there a
 * quotation mark has a backslash before it, and what stands for a value is a name of AJV's.
 */
export function takeBigInts(source: string): string {
  return source.replace(integer, 'isInteger($1)').replace(number, 'isNumber($1)').replace(bound, 'if($1 $2 $3 || Number.isNaN($1)){')
}

const integer = /\(?typeof (data\d*) == "number"\)? && \(!\(\1 % 1\) && !isNaN\(\1\)\)/g
const number = /typeof (data\d*) == "number"/g
const bound = /^if\((data\d*) (<=|>=|<|>) (\S+) \|\| isNaN\(\1\)\)\{$/gm
