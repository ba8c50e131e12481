import { _, type Code, type Name, nil } from 'ajv'
import type { ScopeValueSets, UsedScopeValues, ValueScopeName } from 'ajv/dist/compile/codegen/scope.js'
import { isRegExp } from '../model/pattern.js'
import { type Compiler, formatsByText, zonedFormat } from './compiler.js'

export interface StandaloneModule {
  /** Names to import from `@duet/runtime/validation`, sorted. */
  readonly imports: readonly string[]
  readonly body: readonly string[]
}

/** AJV's source of all validators, and the name of each one's function by its schema's id. */
export interface ValidatorSource {
  readonly source: string
  readonly functions: ReadonlyMap<string, string>
}

/**
 * Compiles schemas one after the other. `ids` are all schemas of the compiler, each behind those that it refers
 * to as far as there is no ring. AJV's own `standaloneCode` walks references by recursion, which ends the stack
 * where a few hundred schemas refer to each other in a row.
 *
 * @throws Error where a schema cannot be compiled
 */
export function compileAll(compiler: Compiler, ids: Iterable<string>): ValidatorSource {
  const compiled = new Map([...ids].map((id) => [id, compiledSource(compiler, id)]))
  const used: UsedScopeValues = {}
  const lines = [...compiled.values()].flatMap(({ validateName, validateCode, scopeValues, evaluated }) => [
    compiler.scope.scopeCode(scopeValues, used, functionReference),
    validateCode,
    evaluated === undefined ? nil : _`${validateName}.evaluated = ${evaluated};`,
  ])
  const functions = new Map([...compiled].map(([id, { validateName }]) => [id, String(validateName)]))
  return { source: lines.join('\n'), functions }
}

interface CompiledSource {
  readonly validateName: ValueScopeName
  readonly validateCode: string
  readonly scopeValues: ScopeValueSets
  readonly evaluated?: Code
}

function compiledSource(compiler: Compiler, id: string): CompiledSource {
  try {
    const source = compiler.getSchema(id)?.source
    if (source === undefined) throw new Error('there is no such schema')
    return source
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The schema of ${id} cannot be compiled: ${reason}`, { cause: error })
  }
}

/** Functions are hoisted, so what refers to one needs nothing; a wrapper is an object around one. */
function functionReference(name: ValueScopeName): Code | undefined {
  if (name.prefix === 'validate') return nil
  const target: unknown = name.value?.ref
  if (name.prefix !== 'wrapper' || !isCompiled(target)) return undefined
  return _`const ${name} = {validate: ${target.validateName}};`
}

function isCompiled(target: unknown): target is { readonly validateName: Name } {
  return typeof target === 'object' && target !== null && 'validateName' in target
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
  const lines = source.split('\n').flatMap((line) => (line === '' ? [] : [rewritten(line, imports)]))
  const body = withoutUnused(lines)
  const bare = body.join('\n').replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
  if (/\brequire\s*\(/.test(bare)) throw new Error('AJV has written a require call that is not known here')
  const used = [...imports].filter((name) => new RegExp(`\\b${name}\\b`).test(bare))
  return { imports: used.sort(), body }
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
