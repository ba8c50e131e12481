/**
 * SQL that is true where a column has a parameter's text in it, in any case. The columns' own collation ("C") knows
 * the cases of ASCII alone, the database's those of its locale. Upper case does not depend on where in a word a letter
 * stands, as that of a Greek sigma does in lower case: so a part of a name is always found.
 */
export function hasText(column: string, parameter: string): string {
  const folded = (text: string) => `upper(${text} collate "default")`
  return `position(${folded(parameter)} in ${folded(column)}) > 0`
}
