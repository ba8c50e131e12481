/**
 * SQL that is true where a column has a parameter's text in it, in any case. Upper case does not depend on where in a
 * word a letter stands, as that of a Greek sigma does in lower case: so a part of a name is always found.
 */
export function hasText(column: string, parameter: string): string {
  return `position(in_any_case(${parameter}) in in_any_case(${column})) > 0`
}
