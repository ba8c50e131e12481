import type { Json, JsonObject } from '../document/document.js'
import { groupBy } from '../document/grouping.js'
import { isArray, isObject } from '../document/json.js'
import { isRegExp } from '../patterns/pattern.js'
import { patternSource } from '../patterns/pattern-plan.js'
import { choicesOf, formatCheck, type TextSchema, textSchemaOf } from './text-schema.js'
import { textFunction, textPattern } from './validator-names.js'

/** Functions that write a value as JSON while they check it. */
export interface TextSource {
  readonly functions: readonly string[]
  /** Regular expressions, by name. */
  readonly patterns: readonly (readonly [name: string, constant: string])[]
  /** Names to import from `duet-runtime/validation`. */
  readonly imports: readonly string[]
  /** Ids of the schemas whose functions it needs. */
  readonly references: readonly string[]
  /** False: values are first checked, then written. */
  readonly isWritten: boolean
}

/**
 * The function that writes values of a schema as JSON while it checks them. `id` is the function that only
 * checks. It returns undefined for a value that is invalid or that it cannot write. Schemas that are too
 * complex for it leave both to the checking function.
 */
export function textSource(id: string, schema: Json): TextSource {
  return new TextWriter(id).write(schema) ?? checkedFirst(id)
}

function checkedFirst(id: string): TextSource {
  const body = `return ${id}(v) ? anyText(v) : undefined;`
  const functions = [functionText(textFunction(id), [body])]
  return { functions, patterns: [], imports: ['anyText'], references: [], isWritten: false }
}

function functionText(name: string, lines: readonly string[]): string {
  return [`function ${name}(v){`, ...lines, '}'].join('\n')
}

/** Thrown for a schema that cannot be written while it is checked. */
class NotWritten extends Error {}

class TextWriter {
  readonly #functions: string[] = []
  readonly #patterns = new Map<string, string>()
  readonly #imports = new Set<string>()
  readonly #references = new Set<string>()
  #parts = 0
  #depth = 0

  constructor(readonly id: string) {}

  write(schema: Json): TextSource | undefined {
    try {
      this.#function(textFunction(this.id), known(schema))
    } catch (error) {
      if (error instanceof NotWritten) return undefined
      throw error
    }
    return {
      functions: this.#functions,
      patterns: [...this.#patterns],
      imports: [...this.#imports],
      references: [...this.#references],
      isWritten: true,
    }
  }

  #function(name: string, schema: TextSchema): void {
    const depth = this.#depth
    this.#depth = 0
    const lines =
      schema.kind === 'values' && isOnly(schema.types, 'object')
        ? this.#object(schema.schema)
        : ['let t = "";', ...this.#value(schema, 'v'), 'return t;']
    this.#depth = depth
    this.#functions.push(functionText(name, lines))
  }

  /** Code that appends the text of `v`, an expression without side effects, to `t`, or returns. */
  #value(schema: TextSchema, v: string): string[] {
    if (schema.kind === 'any') return this.#called(this.#imported('anyText'), v)
    if (schema.kind === 'reference') {
      this.#references.add(schema.id)
      return this.#called(textFunction(schema.id), v)
    }
    if (schema.kind === 'nullable') {
      const nothing = schema.isNullWritten ? 't += "null";' : 'return;'
      return [`if(${v} === null){`, nothing, '}', 'else {', ...this.#value(schema.other, v), '}']
    }
    const { types, schema: keywords } = schema
    const branches: string[] = []
    const branch = (test: string, lines: readonly string[]) =>
      branches.push(`if(${test}){`, ...lines, '}', 'else ')
    if (types.has('null')) branch(this.#only(`${v} === null`, keywords, v), ['t += "null";'])
    if (types.has('boolean')) branch(`typeof ${v} === "boolean"`, [`t += ${v};`])
    if (types.has('string')) {
      const text = this.#imported('quoted')
      branch(this.#only(`typeof ${v} === "string"`, keywords, v, this.#textTests(keywords, v)), [
        `t += ${text}(${v});`,
      ])
    }
    if (types.has('number') || types.has('integer')) {
      const isNumber = types.has('number') ? `Number.isFinite(${v})` : `Number.isInteger(${v})`
      branch(this.#only(isNumber, keywords, v, this.#numberTests(keywords, v)), [`t += ${v};`])
    }
    if (types.has('array')) branch(this.#isArray(keywords, v), this.#items(keywords, v))
    if (types.has('object')) branch(`typeof ${v} === "object"`, this.#part(keywords, v))
    return [branches.join('\n'), 'return;']
  }

  #called(name: string, v: string): string[] {
    return [`const r = ${name}(${v});`, 'if(r === undefined) return;', 't += r;']
  }

  #only(test: string, keywords: JsonObject, v: string, more: readonly string[] = []): string {
    const choices = choicesOf(keywords)
    const tests = [test, ...more]
    if (choices !== undefined) {
      const equal = choices.map((choice) => `${v} === ${JSON.stringify(choice)}`)
      tests.push(equal.length === 0 ? 'false' : `(${equal.join(' || ')})`)
    }
    return tests.join(' && ')
  }

  #textTests(keywords: JsonObject, v: string): string[] {
    const { minLength, maxLength, pattern, format } = keywords
    const tests: string[] = []
    const length = () => `${this.#imported('ucs2length')}(${v})`
    if (typeof minLength === 'number') tests.push(`${length()} >= ${minLength}`)
    if (typeof maxLength === 'number') tests.push(`${length()} <= ${maxLength}`)
    if (typeof pattern === 'string') tests.push(`${this.#pattern(pattern)}.test(${v})`)
    if (typeof format === 'string') tests.push(...this.#format(format, v, 'string'))
    return tests
  }

  #numberTests(keywords: JsonObject, v: string): string[] {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = keywords
    const tests: string[] = []
    if (typeof minimum === 'number') tests.push(`${v} >= ${minimum}`)
    if (typeof maximum === 'number') tests.push(`${v} <= ${maximum}`)
    if (typeof exclusiveMinimum === 'number') tests.push(`${v} > ${exclusiveMinimum}`)
    if (typeof exclusiveMaximum === 'number') tests.push(`${v} < ${exclusiveMaximum}`)
    if (typeof multipleOf === 'number') tests.push(`${this.#imported('isMultipleOf')}(${v}, ${multipleOf})`)
    if (typeof format === 'string') tests.push(...this.#format(format, v, 'number'))
    return tests
  }

  #format(format: string, v: string, type: string): string[] {
    const test = formatCheck(format, v, new Set([type]))
    if (test === undefined) throw new NotWritten()
    if (test.startsWith('fullFormats')) this.#imported('fullFormats')
    if (test.startsWith('zonedDateTime')) this.#imported('zonedDateTime')
    return test === '' ? [] : [test]
  }

  #pattern(source: string): string {
    const name = textPattern(source)
    const flags = isRegExp(source, 'u') ? 'u' : ''
    const check = patternSource(source)
    if (check !== undefined) this.#imported('textCheck')
    const made = check ?? `new RegExp(${JSON.stringify(source)}, "${flags}")`
    this.#patterns.set(name, `const ${name} = ${made};`)
    return name
  }

  #isArray({ minItems, maxItems }: JsonObject, v: string): string {
    const tests = [`${this.#imported('isPlainArray')}(${v})`]
    if (typeof minItems === 'number') tests.push(`${v}.length >= ${minItems}`)
    if (typeof maxItems === 'number') tests.push(`${v}.length <= ${maxItems}`)
    return tests.join(' && ')
  }

  #items({ items }: JsonObject, v: string): string[] {
    const depth = ++this.#depth
    const [i, item] = [`i${depth}`, `e${depth}`]
    const lines = this.#value(known(items), item)
    this.#depth--
    return [
      't += "[";',
      `for(let ${i} = 0; ${i} < ${v}.length; ${i}++){`,
      `const ${item} = ${v}[${i}];`,
      `if(${i} > 0) t += ",";`,
      ...lines,
      '}',
      't += "]";',
    ]
  }

  /** A nested object gets its own function. */
  #part(keywords: JsonObject, v: string): string[] {
    const name = textFunction(this.id, ++this.#parts)
    this.#function(name, { kind: 'values', types: new Set(['object']), schema: keywords })
    return this.#called(name, v)
  }

  #object({ properties, required, additionalProperties: others }: JsonObject): string[] {
    const isClosed = others === false
    const declared = new Map(isObject(properties) ? Object.entries(properties) : [])
    const needed = new Set(isArray(required) ? required.map(String) : [])
    for (const name of needed) if (!declared.has(name) && !isClosed) declared.set(name, others ?? true)
    const cases = [...declared].map(([name, schema]) => ({
      name,
      lines: this.#member(name, schema, isClosed, needed.has(name)),
    }))
    return [
      `if(!${this.#imported('isPlainObject')}(v)) return;`,
      'let t = "";',
      'let n = 0;',
      'for(const k in v){',
      'const m = v[k];',
      ...(isClosed ? [] : ['if(m === undefined) continue;']),
      ...switchLines(cases),
      ...(isClosed ? ['return;'] : this.#other(others ?? true)),
      '}',
      `return n !== ${needed.size} ? undefined : t === "" ? "{}" : t + "}";`,
    ]
  }

  #member(name: string, schema: Json, isClosed: boolean, isNeeded: boolean): string[] {
    const key = `${JSON.stringify(name)}:`
    return [
      ...(isClosed ? ['if(m === undefined) continue;'] : []),
      `t += t === "" ? ${JSON.stringify(`{${key}`)} : ${JSON.stringify(`,${key}`)};`,
      ...this.#value(known(schema), 'm'),
      ...(isNeeded ? ['n++;'] : []),
      'continue;',
    ]
  }

  /** A member that the schema does not name. */
  #other(schema: Json): string[] {
    return [
      `t += (t === "" ? "{" : ",") + ${this.#imported('quoted')}(k) + ":";`,
      ...this.#value(known(schema), 'm'),
    ]
  }

  #imported(name: string): string {
    this.#imports.add(name)
    return name
  }
}

/** The schema in its simple form. Throws NotWritten if it has none. */
function known(schema: Json | undefined): TextSchema {
  const found = textSchemaOf(schema)
  if (found === undefined) throw new NotWritten()
  return found
}

function isOnly(types: ReadonlySet<string>, type: string): boolean {
  return types.size === 1 && types.has(type)
}

interface Case {
  readonly name: string
  readonly lines: readonly string[]
}

/** Compares the length of many names first, which is one jump, and then few names. */
function switchLines(cases: readonly Case[]): string[] {
  if (cases.length === 0) return []
  if (cases.length <= FEW) return oneSwitch(cases)
  const lengths = [...groupBy(cases, ({ name }) => name.length)].sort(([a], [b]) => a - b)
  return [
    'switch(k.length){',
    ...lengths.flatMap(([length, some]) => [`case ${length}:`, ...oneSwitch(some), 'break;']),
    '}',
  ]
}

function oneSwitch(cases: readonly Case[]): string[] {
  return [
    'switch(k){',
    ...cases.flatMap(({ name, lines }) => [`case ${JSON.stringify(name)}: {`, ...lines, '}']),
    '}',
  ]
}

const FEW = 8
