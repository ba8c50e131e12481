/**
 * SQL for a case-insensitive search in a column. Compares in upper case: the lower case of a Greek sigma depends on its
 * position in the word, so parts of a name would not match.
 */
export function hasText(column: string, parameter: string): string {
  return `position(in_any_case(${parameter}) in in_any_case(${column})) > 0`
}
