import { isRegExp } from '../model/components.js'
import { formatsByText, zonedFormat } from './compiler.js'

export interface StandaloneModule {
  /** Names to import from `@duet/runtime/validation`, sorted. */
  readonly imports: readonly string[]
  readonly body: readonly string[]
  /** Function that each export stands for. */
  readonly functions: ReadonlyMap<string, string>
}

/**
 * Turns AJV's standalone source into lines of an ES module: `require` calls and format definitions become
 * imports, constants that nothing uses go. Only whole lines that AJV writes are touched: a line break
 * within a string is escaped there, so no text of a document can pass for one.
 *
 * @throws Error where a `require` call is left
 */
export function importable(source: string): StandaloneModule {
  const imports = new Set<string>()
  const functions = new Map<string, string>()
  const lines: string[] = []
  for (const line of source.replace(/^"use strict";/, '').split('\n')) {
    const exported = /^export const (\w+) = (\w+);$/.exec(line)
    if (exported?.[1] !== undefined && exported[2] !== undefined) functions.set(exported[1], exported[2])
    else if (line !== '') lines.push(rewritten(line, imports))
  }
  const body = withoutUnused(lines)
  const bare = body.join('\n').replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
  if (/\brequire\s*\(/.test(bare)) throw new Error('AJV has written a require call that is not known here')
  const used = [...imports].filter((name) => new RegExp(`\\b${name}\\b`).test(bare))
  return { imports: used.sort(), body, functions }
}

function rewritten(line: string, imports: Set<string>): string {
  const constant = /^const (\w+) = (.*);$/.exec(line)
  const [, name, value] = constant ?? []
  if (name === undefined || value === undefined) return line
  const from = (imported: string, text = imported): string => {
    imports.add(imported)
    return `const ${name} = ${text};`
  }
  const required = /^require\("ajv\/dist\/runtime\/(ucs2length|equal)"\)\.default$/.exec(value)?.[1]
  if (required !== undefined) return from(required)
  if (value === 'isMultipleOf') return from(value)
  if (value === `fullFormats["${zonedFormat}"]`) return from('zonedDateTime')
  if (/^fullFormats(\.\w+|\["[\w-]+"\])$/.test(value)) return from('fullFormats', value)
  const format = name.startsWith('formats') ? formatsByText.get(value) : undefined
  if (format !== undefined) return from('fullFormats', `fullFormats[${JSON.stringify(format)}]`)
  const pattern = /^new RegExp\(("(?:[^"\\]|\\.)*"), "u"\)$/.exec(value)?.[1]
  if (pattern === undefined || isRegExp(String(JSON.parse(pattern)), 'u')) return line
  // Legal ECMA-262, but not with the u flag: an escape such as \- outside of a class.
  return `const ${name} = new RegExp(${pattern}, "");`
}

/** AJV keeps each schema as a constant; most are never looked at. */
function withoutUnused(lines: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of lines) {
    for (const [name] of line.matchAll(/\bschema\d+\b/g)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return lines.filter((line) => {
    const name = /^const (schema\d+) = /.exec(line)?.[1]
    return name === undefined || (counts.get(name) ?? 0) > 1
  })
}
