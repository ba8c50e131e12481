import type { OperationValidators, Validator } from 'duet-runtime'
import * as validation from 'duet-runtime/validation'
import { inertSource } from '../code/literal.js'
import type { JsonObject } from '../document/document.js'
import type { Model, Operation } from '../model/model.js'
import { GuardedExpression } from '../patterns/guarded-expression.js'
import type { Schema } from '../schema/schema.js'
import { createCompiler } from './compiler.js'
import { compileAll } from './standalone.js'
import type { ValidationForm } from './validation-form.js'
import { isEvaluationTracked, validationRewriter } from './validation-schema.js'
import { componentFunction, contentFunction, failureFunction, operationFunction } from './validator-names.js'
import { asObject } from './validators.js'

/**
 * The functions of `validators.js`, written and loaded on their first call: a few calls of a document with
 * thousands of schemas need few of them.
 */
export class LazyValidators {
  readonly #compiler
  readonly #rewrite
  readonly #functions = new Map<string, Validator>()
  readonly #written = new Map<string, Written>()

  constructor(readonly model: Model) {
    this.#compiler = createCompiler(model.int64 !== 'number')
    this.#rewrite = validationRewriter(model)
  }

  /** The validators throw an Error when called if their schema cannot be compiled. */
  of({ name, params, result, jsonContents, pieces, failures }: Operation): OperationValidators {
    const contents = jsonContents?.map(({ type, schema }) => {
      const id = contentFunction(name, type)
      return [type, this.#function({ id, schema, form: 'result' })] as const
    })
    const bodies = failures.flatMap(({ response, schema }) =>
      schema === undefined
        ? []
        : [
            [
              response,
              this.#function({ id: failureFunction(name, response), schema, form: 'result' }),
            ] as const,
          ],
    )
    return {
      params: this.#function({ id: operationFunction('params', name), schema: params, form: 'params' }),
      result: this.#function({ id: operationFunction('result', name), schema: result, form: 'result' }),
      ...(contents !== undefined && { contents: Object.fromEntries(contents) }),
      ...(bodies.length > 0 && { errors: Object.fromEntries(bodies) }),
      ...(pieces !== undefined && {
        piece: this.#function({ id: operationFunction('piece', name), schema: pieces, form: 'result' }),
      }),
    }
  }

  #function(source: Source): Validator {
    const known = this.#functions.get(source.id)
    if (known !== undefined) return known
    let compiled: Compiled | undefined
    const validator: Compiled = Object.assign((data: unknown, context?: unknown): boolean => {
      compiled ??= this.#compile(source)
      const isValid = compiled(data, context)
      validator.errors = compiled.errors ?? null
      validator.evaluated = compiled.evaluated
      return isValid
    })
    this.#functions.set(source.id, validator)
    return validator
  }

  #compile(source: Source): Compiled {
    const { schema, references } = this.#write(source)
    const others = references.filter(({ id }) => id !== source.id)
    const compilation = {
      id: source.id,
      schema,
      text: '',
      references: others.map((target) => [target.id, this.#write(target).schema] as const),
      unevaluated: isEvaluationTracked(this.model),
      // Only the complete set of functions shows which of them need it.
      remembered: true,
    }
    const { imports, body } = compileAll(this.#compiler, [compilation])
    const library = new Map<string, unknown>(Object.entries(validation))
    const scope = new Map<string, unknown>([
      ['RegExp', GuardedExpression],
      ...imports.map((name) => [name, library.get(name)] as const),
      ...others.map((target) => [target.id, this.#function(target)] as const),
    ])
    const text = inertSource(['"use strict"', ...body, `return ${source.id}`].join('\n'))
    const make = new Function(...scope.keys(), text)
    return make(...scope.values())
  }

  #write({ id, schema, form }: Source): Written {
    const known = this.#written.get(id)
    if (known !== undefined) return known
    const references = new Map<string, Source>()
    const refer = (name: string, target: ValidationForm): string => {
      const id = componentFunction(name, target)
      references.set(id, { id, schema: this.model.schemas.get(name) ?? true, form: target })
      return id
    }
    const rewritten = asObject(this.#rewrite(schema, form, refer))
    const written = { schema: rewritten, references: [...references.values()] }
    this.#written.set(id, written)
    return written
  }
}

interface Source {
  readonly id: string
  readonly schema: Schema
  readonly form: ValidationForm
}

interface Written {
  readonly schema: JsonObject
  readonly references: readonly Source[]
}

interface Compiled extends Validator {
  (data: unknown, context?: unknown): boolean
  evaluated?: unknown
}
