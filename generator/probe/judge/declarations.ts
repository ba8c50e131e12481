import type { OperationValidators, Validator } from 'duet-runtime'
import { responseOf } from 'duet-runtime/catalogue'
import type { DocumentPosition } from '../../diff/change/change.js'
import {
  type Cursor,
  childPointer,
  follow,
  lookup,
  member,
  members,
  objectOf,
} from '../../document/cursor.js'
import type { Document, Json, JsonObject } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { buildModel } from '../../model/build/build.js'
import type { Model, Operation } from '../../model/model.js'
import { LazyValidators } from '../../validators/lazy-validators.js'

/** A response that an operation declares. */
export interface DeclaredResponse {
  /** As the document has it: `200`, `4XX`, `default`. */
  readonly key: string
  readonly at: DocumentPosition
  /** Names of media types, as the document has them. Empty: no body is declared. */
  readonly types: readonly string[]
  /** Names of headers that every such response has. */
  readonly requiredHeaders: readonly string[]
  /** The response as the success of an operation of its own. Undefined if the document has errors there. */
  readonly operation: Operation | undefined
}

/**
 * The responses that a document declares, each read as the success of an operation of its own. That gives every status the
 * validators and header bindings of a result.
 */
export class Declarations {
  readonly #answers: ReadonlyMap<string, Operation>
  readonly #names = new Map<string, string>()
  readonly #validators: LazyValidators | undefined
  readonly #model: Model | undefined
  #whole: { readonly model: Model | undefined; validators?: LazyValidators } | undefined

  constructor(
    readonly document: Document,
    operations: readonly Operation[],
  ) {
    const paths: [string, Json][] = []
    for (const operation of operations)
      for (const { value } of this.#responses(operation)) {
        const name = `answers.a${paths.length}`
        const text = JSON.stringify(value)
        if (!this.#names.has(text)) paths.push([`/${name}`, pathOf(name, value)])
        this.#names.set(text, this.#names.get(text) ?? name)
      }
    this.#model = modelOf(document, paths)
    this.#answers = new Map(this.#model?.operations.map((one) => [one.name, one]))
    this.#validators = this.#model && new LazyValidators(this.#model)
  }

  /** The response that the document declares for a status. */
  of(operation: Operation, status: number): DeclaredResponse | undefined {
    const responses = new Map(this.#responses(operation).map((one) => [one.key.toUpperCase(), one]))
    const key = responseOf((response) => responses.has(response.toUpperCase()), status)
    const found = responses.get(key?.toUpperCase() ?? '')
    if (key === undefined || found === undefined) return undefined
    const target = follow(this.document, found)
    return {
      key: found.key,
      at: this.position(target?.pointer ?? found.pointer),
      types: members(target && member(target, 'content')).map((media) => media.key),
      requiredHeaders: members(target && member(target, 'headers')).flatMap((entry) => {
        const header = follow(this.document, entry)?.value
        return isObject(header) && header.required === true ? [entry.key] : []
      }),
      operation: this.#answers.get(this.#names.get(JSON.stringify(found.value)) ?? ''),
    }
  }

  /** The statuses that an operation declares, as the document has them. */
  statuses(operation: Operation): readonly string[] {
    return this.#responses(operation).map(({ key }) => key)
  }

  /** The media types of an operation's body, as the document has them. */
  bodyTypes({ source }: Operation): readonly string[] {
    const operation = lookup(this.document, source.pointer)
    const body = operation && member(operation, 'requestBody')
    const target = body && follow(this.document, body)
    return members(target && member(target, 'content')).map(({ key }) => key)
  }

  validatorsOf(answer: Operation): OperationValidators | undefined {
    return this.#validators?.of(answer)
  }

  /** The validator of an operation's result, which takes exact integers. Undefined if it cannot be made. */
  exactResultOf({ source }: Operation): Validator | undefined {
    this.#whole ??= { model: buildModel(this.document, {}, undefined, 'bigint').model }
    const { model } = this.#whole
    if (model === undefined) return undefined
    this.#whole.validators ??= new LazyValidators(model)
    const operation = model.operations.find((one) => one.source.pointer === source.pointer)
    return operation && this.#whole.validators.of(operation).result
  }

  /** The validator of the object that the headers of a response make. Undefined if it declares none. */
  headersOf(answer: Operation): Validator | undefined {
    const { headers, name } = answer
    if (headers === undefined) return undefined
    const holder = { ...answer, name: `${name}.headers`, result: headers, jsonContents: undefined }
    return this.#validators?.of(holder).result
  }

  position(pointer: string): DocumentPosition {
    return { pointer, ...this.document.locate(pointer) }
  }

  /** Where the document describes a param: the parameter, else the request body, else the operation. */
  positionOfParam({ source, rest }: Operation, param: string): DocumentPosition {
    const binding = rest.parameters.find((one) => one.param === param)
    const operation = lookup(this.document, source.pointer)
    const holders = [operation, operation && parentOf(this.document, operation)]
    if (binding === undefined) {
      const isBody = operation !== undefined && member(operation, 'requestBody') !== undefined
      return this.position(isBody ? childPointer(source.pointer, 'requestBody') : source.pointer)
    }
    for (const holder of holders)
      for (const entry of members(holder && member(holder, 'parameters'))) {
        const target = follow(this.document, entry)
        if (target === undefined || !isObject(target.value)) continue
        const { name, in: where } = target.value
        if (name === binding.name && where === binding.in) return this.position(target.pointer)
      }
    return this.position(source.pointer)
  }

  #responses({ source }: Operation): (Cursor & { readonly key: string })[] {
    const operation = lookup(this.document, source.pointer)
    return members(operation && member(operation, 'responses')).filter(({ key }) => !key.startsWith('x-'))
  }
}

function parentOf(document: Document, { pointer }: Cursor): Cursor | undefined {
  return lookup(document, pointer.slice(0, pointer.lastIndexOf('/')))
}

function pathOf(name: string, response: Json): JsonObject {
  return { get: { operationId: name, security: [], responses: { 200: response } } }
}

/** A model with only these operations, unless schemas refer to the document's paths. */
function modelOf(document: Document, paths: readonly (readonly [string, Json])[]): Model | undefined {
  const { webhooks: _, ...others } = document.root
  const built = (kept: Json | undefined): Model | undefined => {
    const known = isObject(kept) ? Object.entries(kept) : []
    const root = { ...others, paths: objectOf([...known, ...paths]) }
    // A server of another make has 64 bits, whatever type this project chose for them.
    return buildModel({ ...document, root }, {}, undefined, 'bigint').model
  }
  return built(undefined) ?? built(document.root.paths)
}
