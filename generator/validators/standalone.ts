import type { ScopeValueSets, ValueScopeName } from 'ajv/dist/compile/codegen/scope.js'
import { noPieces, type Pieces } from '../cache/pieces.js'
import { compareText } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'
import { isRegExp } from '../patterns/pattern.js'
import { patternSource } from '../patterns/pattern-plan.js'
import { takeBigInts } from './bigint-numbers.js'
import { boundErrors } from './bounded-errors.js'
import { type Compiler, formatsByText, zonedFormat } from './compiler.js'
import { usesInheritedNames } from './validation-schema.js'

export interface StandaloneModule {
  /** Names to import from `duet-runtime/validation`, sorted. */
  readonly imports: readonly string[]
  readonly body: readonly string[]
}

/** A schema to compile. Its id is the name of its function. */
export interface Compilation {
  readonly id: string
  readonly schema: JsonObject
  /** The schema as JSON. */
  readonly text: string
  /** The schemas that it refers to, by their ids. */
  readonly references: readonly (readonly [id: string, schema: JsonObject])[]
  /** Whether an outer schema asks which properties or items have been evaluated. */
  readonly unevaluated: boolean
  /** Whether to remember the verdict on each value. */
  readonly remembered: boolean
}

/**
 * AJV's source of all validators: first the shared part, then one function per schema, both sorted by name, so
 * that a new schema only adds lines. Each item of `compilations` comes after those that it refers to, except in
 * cycles. AJV's own `standaloneCode` follows references recursively, and overflows the stack in a chain of a
 * few hundred schemas.
 *
 * @throws Error if a schema cannot be compiled
 */
export function compileAll(
  compiler: Compiler,
  compilations: Iterable<Compilation>,
  pieces: Pieces = noPieces,
): StandaloneModule {
  const shared = new Map<string, string>()
  const functions = new Map<string, string>()
  for (const compilation of compilations) {
    const { constants, text } = keptFunction(compiler, compilation, pieces)
    for (const [name, constant] of constants) shared.set(name, constant)
    functions.set(compilation.id, compilation.remembered ? remembering(compilation.id, text) : text)
  }
  const { imports, body } = importable(sortedValues(shared).join('\n'))
  const texts = sortedValues(functions)
  const called = callable.filter((name) => texts.some((text) => text.includes(`${name}(`)))
  return { imports: [...imports, ...called].sort(), body: [...body, ...texts] }
}

/** Functions that the source calls and AJV's own does not. */
const callable = ['isInteger', 'isNumber', 'merged', 'remembered']

/** Inside, the name refers to the remembering function, so that recursive calls are remembered too. */
function remembering(id: string, text: string): string {
  const start = text.indexOf(`function ${id}(`)
  const end = text.lastIndexOf('\n}') + 2
  const body = text.slice(start, end).replace(`function ${id}(`, 'function(')
  return `${text.slice(0, start)}const ${id} = remembered(${body});${text.slice(end)}`
}

/** A validator's source, and the constants that it shares with others, by name. */
interface CompiledFunction {
  readonly constants: readonly (readonly [name: string, constant: string])[]
  readonly text: string
}

/**
 * A function from an earlier run, if its schema is the same. A function that tracks evaluated parts also
 * depends on the targets of its references, and is always compiled.
 */
function keptFunction(compiler: Compiler, compilation: Compilation, pieces: Pieces): CompiledFunction {
  const { id, text, unevaluated } = compilation
  if (unevaluated) return compiledFunction(compiler, compilation)
  const kept = pieces.get('validator', id, text)
  if (isObject(kept) && isObject(kept.constants) && typeof kept.text === 'string') {
    const constants = Object.entries(kept.constants)
    return { constants: constants.map(([name, constant]) => [name, String(constant)]), text: kept.text }
  }
  const made = compiledFunction(compiler, compilation)
  pieces.set({ constants: Object.fromEntries(made.constants), text: made.text }, 'validator', id, text)
  return made
}

function compiledFunction(compiler: Compiler, compilation: Compilation): CompiledFunction {
  const { validateCode, scopeValues, evaluated } = compiledSource(compiler, compilation)
  const constants: [string, string][] = []
  const lines: string[] = []
  for (const name of valuesOf(scopeValues)) {
    const constant = `const ${name} = ${name.value?.code};`
    if (name.prefix === 'schema') lines.push(constant)
    else constants.push([String(name), constant])
  }
  const source = boundErrors(String(validateCode))
  lines.push(compiler.takesBigInts ? takeBigInts(source) : source)
  if (evaluated !== undefined) lines.push(`${compilation.id}.evaluated = ${evaluated};`)
  const { imports, body } = importable(withOwnNames(lines.join('\n')))
  if (imports.length > 0)
    throw new Error(`The function ${compilation.id} imports ${imports.join(', ')} itself`)
  return { constants, text: body.join('\n') }
}

/** The values of a schema are JSON in AJV's source, where a key `__proto__` would set the prototype. */
function withOwnNames(source: string): string {
  if (!source.includes('"__proto__":')) return source
  return source.replace(/"(?:[^"\\\n]|\\.)*":?/g, (token) =>
    token === '"__proto__":' ? '["__proto__"]:' : token,
  )
}

type CompiledSource = NonNullable<NonNullable<ReturnType<Compiler['getSchema']>>['source']>

function compiledSource(compiler: Compiler, compilation: Compilation): CompiledSource {
  const { id, schema, references, unevaluated } = compilation
  for (const [name, value] of [[id, schema] as const, ...references])
    if (compiler.schemas[name] === undefined) compiler.addSchema(value, name)
  compiler.scope.enter(id)
  // If a schema uses a name that all objects inherit, only own properties of a value count.
  Object.assign(compiler.opts, { ownProperties: usesInheritedNames(schema), unevaluated })
  try {
    const source = compiler.getSchema(id)?.source
    if (source === undefined) throw new Error('there is no such schema')
    return source
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The schema of ${id} cannot be compiled: ${reason}`, { cause: error })
  }
}

function valuesOf(values: ScopeValueSets): ValueScopeName[] {
  return Object.values(values).flatMap((names) => [...(names ?? [])])
}

function sortedValues(map: ReadonlyMap<string, string>): string[] {
  return [...map].sort((a, b) => compareText(a[0], b[0])).map(([, text]) => text)
}

/**
 * Turns AJV's standalone source into lines of an ES module: `require` calls and format definitions become
 * imports, and unused constants are removed. Changes only whole lines of AJV: a line break in a string is
 * escaped, so no text of a document can look like one.
 *
 * @throws Error if a `require` call is left
 */
function importable(source: string): StandaloneModule {
  const imports = new Set<string>()
  const lines = source.split('\n').flatMap((line) => (line === '' ? [] : [rewritten(line, imports)]))
  const body = withoutUnused(lines)
  const bare = body.join('\n').replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
  if (/\brequire\s*\(/.test(bare)) throw new Error('AJV wrote an unknown require call')
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
  if (value === 'isMultipleOf' || value === 'duplicate') return from(value)
  if (value === `fullFormats["${zonedFormat}"]`) return from('zonedDateTime')
  if (/^fullFormats(\.\w+|\["[\w-]+"\])$/.test(value)) return from('fullFormats', value)
  const format = name.startsWith('format_') ? formatsByText.get(value) : undefined
  if (format !== undefined) return from('fullFormats', `fullFormats[${JSON.stringify(format)}]`)
  const pattern = /^new RegExp\(("(?:[^"\\]|\\.)*"), "u"\)$/.exec(value)?.[1]
  if (pattern === undefined) return line
  const source = String(JSON.parse(pattern))
  const check = patternSource(source)
  if (check !== undefined) return from('textCheck', check)
  if (isRegExp(source, 'u')) return line
  // Valid ECMA-262, but not with the flag u, such as the escape \- outside of a class.
  return `const ${name} = new RegExp(${pattern}, "");`
}

/** AJV keeps every schema as a constant, although most are unused. */
function withoutUnused(lines: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of lines) {
    for (const [name] of line.matchAll(/\bschema_\w+/g)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return lines.filter((line) => {
    const name = /^const (schema_\w+) = /.exec(line)?.[1]
    return name === undefined || (counts.get(name) ?? 0) > 1
  })
}
