import type { Code } from '../../diagnostics/catalogue.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { compareText } from '../../document/cursor.js'
import { pathNames } from './path-names.js'
import { type NameSource, namePattern, reserved, titleOf } from './source.js'

/** The names that `x-rpc-method` gives. Reports names that are invalid or clash. */
export function statedNames(
  stated: readonly NameSource[],
  diagnostics: Diagnostic[],
): ReadonlyMap<NameSource, string> {
  const names = new Map(stated.map((source) => [source, statedName(source, diagnostics)]))
  reportClashes(stated, names, diagnostics)
  return names
}

function statedName(source: NameSource, diagnostics: Diagnostic[]): string {
  const name = source.method ?? ''
  const first = name.split('.')[0] ?? ''
  if (namePattern.test(name) && !reserved.has(first)) return name
  const message = namePattern.test(name)
    ? `The method name ${JSON.stringify(name)} begins with ${JSON.stringify(first)}, which is reserved`
    : `${JSON.stringify(name)} is not a method name`
  const remedy = 'Write dotted words of letters, digits and _ that do not begin with a digit.'
  diagnostics.push(diagnose('rpc-method-invalid', message, source.at(), { remedy }))
  return pathNames(source).preferred[0] ?? ''
}

function reportClashes(
  stated: readonly NameSource[],
  names: ReadonlyMap<NameSource, string>,
  diagnostics: Diagnostic[],
): void {
  const first = new Map<string, NameSource>()
  const ordered = [...stated].sort((a, b) => compareText(a.path, b.path) || compareText(a.verb, b.verb))
  for (const source of ordered) {
    const name = names.get(source) ?? ''
    const other = first.get(name)
    if (other === undefined) first.set(name, source)
    else
      diagnostics.push(clash('rpc-method-duplicate', `Two operations have the name ${name}`, source, other))
  }
  for (const [name, source] of first) {
    const parts = name.split('.')
    for (let count = 1; count < parts.length; count++) {
      const prefix = parts.slice(0, count).join('.')
      const other = first.get(prefix)
      if (other === undefined) continue
      diagnostics.push(
        clash('rpc-method-prefix', `The name ${name} continues the name ${prefix}`, source, other),
      )
    }
  }
}

function clash(code: Code, message: string, source: NameSource, other: NameSource): Diagnostic {
  const related = [{ message: titleOf(other), at: other.at() }]
  return diagnose(code, message, source.at(), { remedy: 'Change x-rpc-method of one of the two.', related })
}
