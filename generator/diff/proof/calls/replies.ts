import { objectOf } from '../../../document/cursor.js'
import type { Document, Json, JsonObject } from '../../../document/document.js'
import { isObject } from '../../../document/json.js'
import { buildModel } from '../../../model/build/build.js'
import type { Model, Operation } from '../../../model/model.js'
import { isSchema, referenceOf } from '../../../schema/schema.js'
import type { Change, Sent } from '../../change/change.js'
import type { Side } from '../../change/side.js'
import type { Pair } from './pair.js'
import { Version } from './version.js'

/**
 * Makes proofs for responses and messages that are no result of an operation, such as errors and webhooks. Each becomes
 * the result of an operation that exists only for its proof, so it gets a generated validator and the runtime's format. If the schema is a component, the versions' own models are enough.
 * For others, models with only these operations are built.
 */
export class Replies {
  readonly #names = new Map<string, string>()
  readonly #wanted: Wanted[] = []
  #built: Versions | undefined
  #isBuilt = false

  /** `versions`: those of the two documents. */
  constructor(
    changes: readonly Change[],
    readonly versions: Versions | undefined,
    readonly old: Side,
    readonly fresh: Side,
  ) {
    for (const { level, evidence } of changes) {
      if (evidence === undefined || (level !== 'breaking' && level !== 'dangerous')) continue
      for (const { sent } of [evidence, ...(evidence.elsewhere ?? []).map((one) => one.evidence)]) {
        if (sent === undefined || this.#names.has(keyOf(sent))) continue
        const name = `answers.a${this.#names.size}`
        this.#names.set(keyOf(sent), name)
        if (this.#ofComponent(sent, name) === undefined) this.#wanted.push({ ...sent, name })
      }
    }
  }

  /** The operations that respond with what is sent. Undefined if nothing can be generated for it. */
  pairOf(sent: Sent): Pair | undefined {
    const name = this.#names.get(keyOf(sent)) ?? ''
    const found = this.#ofComponent(sent, name)
    if (found !== undefined) return found
    if (!this.#isBuilt) this.#built = this.#build()
    this.#isBuilt = true
    const [before, after] = [this.#built?.old.operation(name), this.#built?.new.operation(name)]
    if (this.#built === undefined || before === undefined || after === undefined) return undefined
    return { ...this.#built, before, after }
  }

  #ofComponent({ type, stream, old, new: fresh }: Sent, name: string): Pair | undefined {
    const { versions } = this
    if (versions === undefined || (stream === undefined && !/[/+]json$/.test(type))) return undefined
    const [before, after] = [
      answering(versions.old.model, old, name),
      answering(versions.new.model, fresh, name),
    ]
    return before && after && { ...versions, before, after }
  }

  #build(): Versions | undefined {
    const [old, fresh] = [
      modelOf(this.old.document, this.#wanted, 'old'),
      modelOf(this.fresh.document, this.#wanted, 'new'),
    ]
    return old && fresh && { old: new Version(old), new: new Version(fresh) }
  }
}

export type Versions = Pick<Pair, 'old' | 'new'>

type Wanted = Sent & { readonly name: string }

function keyOf({ type, stream, old, new: fresh }: Sent): string {
  return JSON.stringify([type, stream ?? null, old, fresh])
}

/** An operation with that name whose result is a component. Undefined for other schemas. */
function answering({ operations, schemas }: Model, schema: Json, name: string): Operation | undefined {
  const [any] = operations
  const result = isSchema(schema) ? schema : true
  if (any === undefined || !isObject(result) || Object.keys(result).join() !== '$ref') return undefined
  if (!schemas.has(referenceOf(result) ?? '')) return undefined
  const rest = { method: 'GET', path: '/', parameters: [], status: 200 } as const
  const [namespace = '', member = ''] = name.split('.')
  const named = { name, namespace, member }
  return { ...any, ...named, result, rest, rpc: false, pieces: undefined, datetimes: {} }
}

function modelOf(document: Document, wanted: readonly Wanted[], version: 'old' | 'new'): Model | undefined {
  const paths = wanted.map((one): [string, Json] => [`/${one.name}`, pathOf(one, one[version])])
  const { webhooks: _, ...others } = document.root
  const built = (kept: Json | undefined) => {
    const known = typeof kept === 'object' && kept !== null ? Object.entries(kept) : []
    const root = { ...others, paths: objectOf([...known, ...paths]) }
    return buildModel({ ...document, root }).model
  }
  // Schemas may refer to paths. Usually they do not, and reading all paths again is slow.
  return built(undefined) ?? built(document.root.paths)
}

function pathOf({ name, type, stream }: Wanted, schema: Json): JsonObject {
  const content = objectOf([[stream === undefined ? type : 'application/json', { schema }]])
  return { get: { operationId: name, security: [], responses: { 200: { description: '', content } } } }
}
