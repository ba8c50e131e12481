import { noPieces, type Pieces } from '../cache/pieces.js'
import { digestOf } from '../cache/store.js'
import { childPointer } from '../document/cursor.js'
import type { Json } from '../document/document.js'
import { isObject } from '../document/json.js'
import { parsePointer, valueAt } from '../document/pointer.js'
import type { Model, Operation } from './model.js'

/**
 * Parts of generated files that show one operation, stored between runs. A part is found by everything that it is made
 * from: its operation, the model without other operations, and `facts`, whatever else its maker reads.
 */
export class OperationPieces {
  readonly #model: Model
  readonly #pieces: Pieces
  readonly #digests = new Map<Operation, string>()
  readonly #pointers: ReadonlySet<string>
  #frame: string | undefined

  constructor(model: Model, pieces: Pieces = noPieces) {
    this.#model = model
    this.#pieces = pieces
    this.#pointers = new Set(model.operations.map(({ source }) => source.pointer))
  }

  /** The part from an earlier run, or a new one. */
  of<Part extends Json>(kind: string, operation: Operation, facts: string, make: () => Part): Part {
    const known = this.get(kind, operation, facts)
    if (known !== undefined) return known as Part
    const made = make()
    this.set(made, kind, operation, facts)
    return made
  }

  /** The same for a part that is made from the model without operations. */
  ofFrame<Part extends Json>(kind: string, facts: string, make: () => Part): Part {
    if (this.#pieces === noPieces) return make()
    const known = this.#pieces.get(kind, this.#frameDigest, facts)
    if (known !== undefined) return known as Part
    const made = make()
    this.#pieces.set(made, kind, this.#frameDigest, facts)
    return made
  }

  get(kind: string, operation: Operation, facts: string): Json | undefined {
    if (this.#pieces === noPieces) return undefined
    return this.#pieces.get(kind, this.#frameDigest, this.digestOf(operation), facts)
  }

  set(part: Json, kind: string, operation: Operation, facts: string): void {
    if (this.#pieces !== noPieces)
      this.#pieces.set(part, kind, this.#frameDigest, this.digestOf(operation), facts)
  }

  /** Represents an operation with its path item, without their positions in the file. */
  digestOf(operation: Operation): string {
    const known = this.#digests.get(operation) ?? digestOf(this.#textOf(operation))
    this.#digests.set(operation, known)
    return known
  }

  #textOf(operation: Operation): string {
    const { openapi } = this.#model
    const { pointer } = operation.source
    const names = Object.keys(operation).filter((name) => !derived.has(name)) as (keyof Operation)[]
    const read = names.map((name) => [name, operation[name]])
    const segments = parsePointer(pointer) ?? []
    const item = valueAt(openapi, segments.slice(0, 2))
    const others = Object.entries(isObject(item) ? item : {}).filter(
      ([key]) => !this.#pointers.has(childPointer('#', ...segments.slice(0, 2), key)),
    )
    return pointer + this.#withPaths(JSON.stringify([read, valueAt(openapi, segments), others]))
  }

  /** A text that represents all operations too, if it refers to any. */
  #withPaths(text: string): string {
    return text.includes('#/paths') ? text + JSON.stringify(this.#model.openapi.paths) : text
  }

  get #frameDigest(): string {
    this.#frame ??= digestOf(this.#withPaths(frameText(this.#model)), pointersText(this.#model))
    return this.#frame
  }
}

/** Members that are made from the others and the document on first use, and the position. */
const derived: ReadonlySet<string> = new Set<keyof Operation>([
  'binaries',
  'datetimes',
  'examples',
  'int64',
  'source',
])

/** The model without operations. Other members count, so a new one does too. */
function frameText({
  operations: _operations,
  origins: _origins,
  sources: _sources,
  webhooks,
  openapi: { paths: _paths, ...others },
  ...rest
}: Model): string {
  return JSON.stringify([
    Object.entries(rest).map(([name, value]) => [name, value instanceof Map ? [...value] : value]),
    webhooks.map(({ source: _source, ...webhook }) => webhook),
    others,
  ])
}

/** The pointers of components and messages, without their positions in the file. */
function pointersText({ sources, webhooks }: Model): string {
  const components = Array.from(sources, ([name, { pointer }]) => [name, pointer])
  return JSON.stringify([components, webhooks.map(({ source }) => source.pointer)])
}
