import { type Code, code, join, type Name, type Printable, raw, widthOf } from '../code/code.js'
import { commentText, headerText, lineWidth, type Paragraph } from '../code/literal.js'
import type { Model, Operation } from '../model/model.js'
import type { OperationPieces } from '../model/operation-pieces.js'

/**
 * Writes a TypeScript module. Emitters print lines of code. Printing a symbol of another module imports it,
 * under another name if this module has its own symbol of that name.
 */
export class SourceFile {
  private readonly lines: Line[] = []
  private depth = 0

  /** @param module how other generated files import it: `./types.js` */
  constructor(
    private readonly module: string,
    private readonly model: Model,
  ) {}

  /** One line, or several if the code contains line breaks. */
  line(strings: TemplateStringsArray, ...values: readonly Printable[]): void {
    this.lines.push({ depth: this.depth, content: code(strings, ...values) })
  }

  /** `head(a, b)tail`, with one parameter per line if it does not fit on one. */
  signature(head: Printable, parameters: readonly Printable[], tail: Printable): void {
    const flat = code`${head}(${join(parameters, ', ')})${tail}`
    if (widthOf(flat) + 2 * this.depth <= lineWidth) this.line`${flat}`
    else {
      this.line`${head}(`
      this.indented(() => {
        for (const parameter of parameters) this.line`${parameter},`
      })
      this.line`)${tail}`
    }
  }

  blank(): void {
    this.lines.push({ depth: 0, content: raw('') })
  }

  /** A JSDoc comment from all paragraphs that have text. */
  doc(...paragraphs: readonly Paragraph[]): void {
    const text = commentText(paragraphs)
    if (text !== '') this.lines.push({ depth: this.depth, content: raw(text) })
  }

  /** Indents everything that `body` prints by one level. */
  indented(body: () => void): void {
    this.depth += 1
    body()
    this.depth -= 1
  }

  /**
   * What `body` prints for an operation, from an earlier run if it is still the same.
   *
   * @param facts what it depends on besides the operation
   */
  part(pieces: OperationPieces, operation: Operation, facts: string, body: () => void): void {
    const kept = pieces.of(`${this.module} ${this.depth}`, operation, facts, () => {
      const start = this.lines.length
      body()
      return this.lines.splice(start).map(({ depth, content }) => ({ depth, parts: joined(content) }))
    })
    for (const { depth, parts } of kept) this.lines.push({ depth, content: { kind: 'code', parts } })
  }

  toString(): string {
    const names = this.importNames()
    const written = [headerText(this.model), ...importLines(names)]
    if (this.lines[0]?.content.parts.length !== 0) written.push('')
    for (const { depth, content } of this.lines) {
      let text = ''
      for (const part of content.parts) text += typeof part === 'string' ? part : localName(names, part)
      const margin = '  '.repeat(depth)
      const lines = text.includes('\n') ? text.replace(/\n(?!\n|$)/g, `\n${margin}`) : text
      written.push(text === '' ? '' : margin + lines)
    }
    return `${written.join('\n').replace(/\n+$/, '')}\n`
  }

  private importNames(): ImportNames {
    const taken = new Set<string>()
    const others: Name[] = []
    for (const { content } of this.lines) {
      for (const part of content.parts) {
        if (typeof part === 'string') continue
        if (part.from === this.module) taken.add(part.name)
        else others.push(part)
      }
    }
    const names = new Map<string, Map<string, ImportedName>>()
    for (const symbol of others) {
      const known = names.get(symbol.from) ?? new Map<string, ImportedName>()
      if (known.has(symbol.name)) continue
      names.set(symbol.from, known)
      let local = symbol.name
      while (taken.has(local)) local = `${local}_`
      taken.add(local)
      known.set(symbol.name, { symbol, local })
    }
    return names
  }
}

interface Line {
  readonly depth: number
  readonly content: Code
}

/** The parts of code, with neighbouring texts joined. */
function joined({ parts }: Code): (string | Name)[] {
  const found: (string | Name)[] = []
  for (const part of parts) {
    const last = found.at(-1)
    if (typeof part === 'string' && typeof last === 'string') found[found.length - 1] = last + part
    else found.push(part)
  }
  return found
}

type ImportedName = { readonly symbol: Name; readonly local: string }

/** By module and name: a large document prints half a million names. */
type ImportNames = ReadonlyMap<string, ReadonlyMap<string, ImportedName>>

function localName(names: ImportNames, { from, name }: Name): string {
  return names.get(from)?.get(name)?.local ?? name
}

function importLines(modules: ImportNames): string[] {
  const rank = (module: string): string => `${module.startsWith('.') ? 1 : 0}${module}`
  return [...modules]
    .sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
    .map(([module, names]) => {
      const entries = [...names.values()]
      const types = entries.every(({ symbol }) => symbol.type)
      const items = entries
        .sort((a, b) => compareNames(a.symbol.name, b.symbol.name))
        .map(({ symbol, local }) => {
          const renamed = local === symbol.name ? local : `${symbol.name} as ${local}`
          return symbol.type && !types ? `type ${renamed}` : renamed
        })
      const head = types ? 'import type' : 'import'
      const flat = `${head} { ${items.join(', ')} } from '${module}'`
      // Imports from other generated files grow with the document, so each name gets its own line.
      return flat.length <= lineWidth && !module.startsWith('.')
        ? flat
        : `${head} {\n  ${items.join(',\n  ')},\n} from '${module}'`
    })
}

/** Biome's order of names: ignoring case, then by code unit. */
function compareNames(a: string, b: string): number {
  const x = a.toLowerCase()
  const y = b.toLowerCase()
  if (x !== y) return x < y ? -1 : 1
  return a < b ? -1 : 1
}
