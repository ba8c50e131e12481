/** An exported name of a module. Printing it in another module's file imports it there. */
export type Name = {
  readonly kind: 'symbol'
  readonly name: string
  /** Module that exports it, as it is imported: `./types.js`, `duet-runtime`. */
  readonly from: string
  readonly type: boolean
}

/** Source text that is safe to print, with the symbols in it. Only printers turn a document's text into code. */
export interface Code {
  readonly kind: 'code'
  readonly parts: readonly (string | Name)[]
}

export type Printable = Code | Name | readonly Printable[]

/**
 * Source text from a template. Its values are code or symbols. Plain strings are not accepted, so a
 * document's text must go through `literal`, `key`, `comment` or a name of the names pass.
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

/** Joins code with a separator, which must not come from a document. */
export function join(items: readonly Printable[], separator: string): Code {
  const parts: (string | Name)[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(separator)
    append(parts, item)
  }
  return { kind: 'code', parts }
}

/** Text that a printer made safe, or that an emitter contains. */
export function raw(text: string): Code {
  return { kind: 'code', parts: text === '' ? [] : [text] }
}

/** A symbol for a type only. */
export function typeNamed(from: string, name: string): Name {
  return { kind: 'symbol', name, from, type: true }
}

/** A symbol for a value, and perhaps also for a type. */
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

/** Characters of the code on a line, if no symbol is imported under another name. */
export function widthOf(value: Printable): number {
  const parts: (string | Name)[] = []
  append(parts, value)
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.name.length), 0)
}
