/** An exported name of a module. Printing it in another module's file imports it there. */
export interface Name {
  readonly kind: 'symbol'
  readonly name: string
  /** Module that exports it, as it is imported: `./types.js`, `duet-runtime`. */
  readonly from: string
  readonly type: boolean
}

/** Source text that is safe to print, with the symbols in it. Text of a document becomes one only by a printer. */
export interface Code {
  readonly kind: 'code'
  readonly parts: readonly (string | Name)[]
}

export type Printable = Code | Name | readonly Printable[]

/**
 * Source text from a template. What stands in it is code or a symbol: a plain string does not fit, so
 * text of a document has to go through `literal`, `key`, `comment` or a name of the names pass.
 */
export function code(strings: TemplateStringsArray, ...values: readonly Printable[]): Code {
  const parts: (string | Name)[] = []
  for (const [index, string] of strings.raw.entries()) {
    if (string !== '') parts.push(string)
    const value = values[index]
    if (value !== undefined) append(parts, value)
  }
  return { kind: 'code', parts }
}

/** Joins code by a separator that an emitter wrote. */
export function join(items: readonly Printable[], separator: string): Code {
  const parts: (string | Name)[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(separator)
    append(parts, item)
  }
  return { kind: 'code', parts }
}

/** Text that a printer made safe, or that an emitter wrote itself. */
export function raw(text: string): Code {
  return { kind: 'code', parts: text === '' ? [] : [text] }
}

/** A symbol that stands for a type alone. */
export function typeNamed(from: string, name: string): Name {
  return { kind: 'symbol', name, from, type: true }
}

/** A symbol that stands for a value (and perhaps for a type as well). */
export function valueNamed(from: string, name: string): Name {
  return { kind: 'symbol', name, from, type: false }
}

function append(parts: (string | Name)[], value: Printable): void {
  if (isList(value)) for (const item of value) append(parts, item)
  else if (value.kind === 'symbol') parts.push(value)
  else parts.push(...value.parts)
}

function isList(value: Printable): value is readonly Printable[] {
  return Array.isArray(value)
}

/** Characters that code takes on a line, as long as no symbol is imported under another name. */
export function widthOf(value: Printable): number {
  const parts: (string | Name)[] = []
  append(parts, value)
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.name.length), 0)
}
