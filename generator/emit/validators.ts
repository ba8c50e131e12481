import type { JsonObject } from '../load/document.js'
import type { Model, Operation, Schema } from '../model/model.js'
import { referenceOf } from '../model/schema.js'
import { createCompiler } from './compiler.js'
import { type SharedForms, shareForms } from './form.js'
import { headerText, keyText } from './literal.js'
import { compileAll, importable } from './standalone.js'
import {
  usesInheritedNames,
  usesUnevaluated,
  type ValidationForm,
  validationForms,
  validationRewriter,
} from './validation-schema.js'

/**
 * `validators.js`: AJV's standalone code for the params and result of every operation, as one ES module
 * that compiles nothing when it runs and imports only `@duet/runtime/validation`.
 */
export function emitValidators(model: Model): string {
  const rewrite = validationRewriter(model)
  const roots = model.operations.flatMap((operation) => [
    {
      id: `o.${escaped(operation.name)}.params`,
      schema: operation.params as Schema,
      form: 'params' as const,
    },
    { id: `o.${escaped(operation.name)}.result`, schema: operation.result, form: 'result' as const },
  ])
  const forms = shareForms(model.schemas, roots, rewrite, validationForms)
  const idOf = (name: string, form: ValidationForm): string => componentId(forms, name, form)
  const written = new Map<string, JsonObject>()
  const references = new Map<string, string[]>()
  const write = (id: string, schema: Schema, form: ValidationForm): void => {
    const targets: string[] = []
    const refer = (name: string, form: ValidationForm): string => {
      const target = idOf(name, form)
      targets.push(target)
      return target
    }
    written.set(id, asObject(rewrite(schema, form, refer)))
    references.set(id, targets)
  }
  for (const { name, form } of forms.variants) write(idOf(name, form), model.schemas.get(name) ?? true, form)
  const entries = new Map<string, string>()
  for (const { id, schema, form } of roots) {
    const component = onlyReference(schema) ? referenceOf(schema) : undefined
    entries.set(id, component === undefined ? id : idOf(component, form))
    if (component === undefined) write(id, schema, form)
  }
  const compiler = createCompiler({
    ownProperties: usesInheritedNames(written.values()),
    unevaluated: usesUnevaluated(written.values()),
  })
  for (const [id, schema] of written) compiler.addSchema(schema, id)
  const { source, functions } = compileAll(compiler, leavesFirst(references))
  const { imports, body } = importable(source)
  const functionOf = (id: string): string => functions.get(entries.get(id) ?? '') ?? ''
  const table = model.operations.map((operation) => tableLine(operation, functionOf))
  return [
    headerText(model),
    ...(imports.length === 0 ? [] : [`import { ${imports.join(', ')} } from '@duet/runtime/validation'`]),
    ...body,
    'export const validators = {',
    ...table,
    '}',
    '',
  ].join('\n')
}

/** `validators.d.ts` */
export function emitValidatorTypes(model: Model): string {
  return [
    headerText(model),
    "import type { OperationValidators } from '@duet/runtime'",
    '',
    '/** Validators of params and result by operation name. */',
    'export declare const validators: Readonly<Record<string, OperationValidators>>',
    '',
  ].join('\n')
}

function tableLine({ name }: Operation, functionOf: (id: string) => string): string {
  const params = functionOf(`o.${escaped(name)}.params`)
  const result = functionOf(`o.${escaped(name)}.result`)
  return `  ${keyText(name)}: { params: ${params}, result: ${result} },`
}

function componentId(forms: SharedForms<ValidationForm>, name: string, form: ValidationForm): string {
  return `c.${escaped(name)}.${forms.standsFor(name, form)}`
}

/** A name in characters that stay themselves in a URI reference. */
function escaped(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, (character) => `~${character.charCodeAt(0).toString(16)}~`)
}

function onlyReference(schema: Schema): schema is JsonObject {
  return typeof schema === 'object' && Object.keys(schema).length === 1 && Object.hasOwn(schema, '$ref')
}

/** AJV takes schemas for the same where they are the same value, as two times `true` are. */
function asObject(schema: Schema): JsonObject {
  if (typeof schema === 'object') return schema
  return schema ? {} : { not: {} }
}

/** Ids in an order in which each stands behind those it refers to, as far as there is no ring. */
function leavesFirst(references: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const order = new Set<string>()
  const entered = new Set<string>()
  const stack = [...references.keys()].reverse()
  for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
    const targets = entered.has(id) ? [] : (references.get(id) ?? []).filter((target) => !entered.has(target))
    entered.add(id)
    if (targets.length > 0) stack.push(...targets.reverse())
    else {
      stack.pop()
      order.add(id)
    }
  }
  return order
}
