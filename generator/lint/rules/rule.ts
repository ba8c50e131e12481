import { noPieces, type Pieces } from '../../cache/pieces.js'
import type { Code } from '../../diagnostics/catalogue.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import type { Document, Json, JsonObject } from '../../document/document.js'
import type { Kind } from '../../document/field.js'
import type { GrammarNode } from '../../document/grammar.js'
import { isObject, own } from '../../document/json.js'
import { formatPointer, type Path, parseFragment, segmentsOf, valueAt } from '../../document/pointer.js'
import { UsingOperations } from '../../document/using-operations.js'
import { writtenText } from '../../document/written.js'

/** A rule is created for each document. It is called for every object of the kinds that it names, then at the end. */
export type Rule = (context: Context) => Visitors

export type Visitors = { readonly [K in Kind | 'any']?: (node: GrammarNode) => void } & {
  readonly end?: () => void
}

/** The services that a rule uses. */
export class Context {
  readonly document: Document
  /** Results of rules in earlier runs. */
  readonly pieces: Pieces
  readonly diagnostics: Diagnostic[] = []
  /** Targets of references: a few thousand references occur a hundred times each. */
  readonly #resolved = new Map<string, JsonObject | undefined>()
  #users: UsingOperations | undefined

  constructor(document: Document, pieces: Pieces = noPieces) {
    this.document = document
    this.pieces = pieces
  }

  /** Reports a finding at a path of the bundled document. */
  report(
    code: Code,
    path: Path,
    message: string,
    more: { remedy?: string | undefined; related?: Related | undefined } = {},
  ): void {
    const pointer = formatPointer(segmentsOf(path))
    const related = more.related?.map((other) => ({
      message: other.message,
      at: this.document.locate(formatPointer(segmentsOf(other.path))),
    }))
    this.diagnostics.push(
      diagnose(code, message, this.document.locate(pointer), {
        pointer,
        ...(more.remedy !== undefined && { remedy: more.remedy }),
        ...(related !== undefined && { related }),
      }),
    )
  }

  /** The operations that use a part, in words: ` (in GET /clients and 3 more operations)`. */
  usedIn(path: Path): string {
    this.#users ??= new UsingOperations(this.document.root)
    const users = this.#users.of(segmentsOf(path))
    return users === undefined ? ' (in no operation)' : ` (in ${users})`
  }

  /** A number or boolean as in the document's file: 1.0 if the value is 1. */
  written(path: Path, value: Json): string {
    return writtenText(this.document, formatPointer(segmentsOf(path)), value)
  }

  /** The object that a value is or refers to. Undefined if the references have no target or are circular. */
  resolve(value: Json | undefined): JsonObject | undefined {
    if (!isObject(value)) return undefined
    const reference = own(value, '$ref')
    if (typeof reference !== 'string') return value
    if (!this.#resolved.has(reference)) this.#resolved.set(reference, this.#follow(value))
    return this.#resolved.get(reference)
  }

  #follow(start: JsonObject): JsonObject | undefined {
    let found: Json | undefined = start
    for (let hops = 0; hops < 100; hops++) {
      if (!isObject(found)) return undefined
      const reference = own(found, '$ref')
      if (typeof reference !== 'string') return found
      const segments = reference.startsWith('#') ? parseFragment(reference.slice(1)) : undefined
      found = segments && valueAt(this.document.root, segments)
    }
    return undefined
  }
}

export type Related = readonly { readonly message: string; readonly path: Path }[]

/** A path, extended by some keys. */
export function below(path: Path, ...keys: readonly string[]): Path {
  return keys.reduce<Path>((parent, key) => ({ parent, key }), path)
}
