import { noPieces, type Pieces } from '../cache/pieces.js'
import { remarkText } from '../code/documentation.js'
import { headerText, inertSource, keyText } from '../code/literal.js'
import { compareText } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import type { Model, Operation } from '../model/model.js'
import { keptForms, type SharedForms, shareForms } from '../schema/form.js'
import { isComponent, referenceOf, type Schema } from '../schema/schema.js'
import { createCompiler } from './compiler.js'
import { rememberedFunctions } from './remembered-functions.js'
import { compileAll } from './standalone.js'
import { writeTexts } from './texts.js'
import { type ValidationForm, validationForms } from './validation-form.js'
import { usesUnevaluated, validationRewriter } from './validation-schema.js'
import { componentFunction, contentFunction, failureFunction, operationFunction } from './validator-names.js'

/**
 * `validators.js`: AJV's standalone code for the params, result, pieces and error bodies of every operation, as
 * one ES module. It compiles nothing when it runs, and imports only `duet-runtime/validation`. Functions are
 * named after what they check.
 */
export function emitValidators(model: Model, pieces: Pieces = noPieces): string {
  const roots = model.operations.flatMap((operation): Root[] => [
    { id: operationFunction('params', operation.name), schema: operation.params, form: 'params' },
    { id: operationFunction('result', operation.name), schema: operation.result, form: 'result' },
    ...(operation.jsonContents ?? []).map(
      ({ type, schema }): Root => ({ id: contentFunction(operation.name, type), schema, form: 'result' }),
    ),
    ...(operation.pieces === undefined
      ? []
      : [
          {
            id: operationFunction('piece', operation.name),
            schema: operation.pieces,
            form: 'result' as const,
          },
        ]),
  ])
  const failures = model.operations.flatMap(({ name, failures }): Root[] =>
    failures.flatMap(({ response, schema }) =>
      schema === undefined ? [] : [{ id: failureFunction(name, response), schema, form: 'result' }],
    ),
  )
  const { written, references, entries } = writtenSchemas(model, [...roots, ...failures], pieces)
  const texts = new Map(Array.from(written, ([id, schema]) => [id, JSON.stringify(schema)]))
  const tracked = reachable(
    references,
    [...written].flatMap(([id, schema]) =>
      texts.get(id)?.includes('"unevaluated') && usesUnevaluated(schema) ? [id] : [],
    ),
  )
  const remembered = rememberedFunctions(written)
  const compilations = [...leavesFirst(references)].map((id) => ({
    id,
    schema: written.get(id) ?? {},
    text: texts.get(id) ?? '',
    references: (references.get(id) ?? []).map((target) => [target, written.get(target) ?? {}] as const),
    unevaluated: tracked.has(id),
    remembered: remembered.has(id),
  }))
  const checks = compileAll(createCompiler(model.int64 !== 'number'), compilations, pieces)
  const results = model.operations.flatMap((operation) => resultOf(operation, entries) ?? [])
  const writers = writeTexts(results, written, pieces)
  const imports = [...new Set([...checks.imports, ...writers.imports])].sort()
  const lines = [
    headerText(model),
    ...(imports.length === 0
      ? []
      : ['import {', ...imports.map((name) => `  ${name},`), `} from ${runtime}`]),
    ...checks.body,
    ...writers.lines,
    'export const validators = {',
    ...model.operations.map((operation) => tableLine(operation, entries, writers.names)),
    '}',
    '',
  ]
  return inertSource(lines.join('\n'))
}

const runtime = "'duet-runtime/validation'"

interface Root {
  readonly id: string
  readonly schema: Schema
  readonly form: ValidationForm
}

interface WrittenSchemas {
  /** The schemas to compile, by the names of their functions. */
  readonly written: ReadonlyMap<string, JsonObject>
  readonly references: ReadonlyMap<string, readonly string[]>
  /** The function of each root: its own, or that of the component that it refers to. */
  readonly entries: ReadonlyMap<string, string>
}

/**
 * The schemas of the roots, and of the components that they lead to. Which forms of a component are the same is
 * decided over all its forms, used or not, so it depends only on the component.
 */
function writtenSchemas(model: Model, roots: readonly Root[], pieces: Pieces): WrittenSchemas {
  const rewrite = validationRewriter(model)
  const standsFor = validationFormsOf(model, pieces)
  const written = new Map<string, JsonObject>()
  const references = new Map<string, string[]>()
  const waiting: { readonly name: string; readonly form: ValidationForm }[] = []
  const idOf = (name: string, form: ValidationForm): string => {
    const standing = standsFor(name, form)
    waiting.push({ name, form: standing })
    return componentFunction(name, standing)
  }
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
  const entries = new Map<string, string>()
  for (const { id, schema, form } of roots) {
    const component = isComponent(schema) ? referenceOf(schema) : undefined
    entries.set(id, component === undefined ? id : idOf(component, form))
    if (component === undefined) write(id, schema, form)
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const id = componentFunction(next.name, next.form)
    if (!written.has(id)) write(id, model.schemas.get(next.name) ?? true, next.form)
  }
  return { written: sorted(written), references: sorted(references), entries }
}

/**
 * The representative form of each component form. Depends only on the component schemas, so it is stored until
 * one of them changes.
 */
function validationFormsOf(model: Model, pieces: Pieces): SharedForms<ValidationForm>['standsFor'] {
  const { schemas } = model
  return keptForms(pieces, ['validation'], schemas, validationForms, () => {
    const every = [...schemas.keys()].flatMap((name) => validationForms.map((form) => ({ name, form })))
    return shareForms(schemas, every, validationRewriter(model), validationForms)
  }).standsFor
}

/** `validators.d.ts` */
export function emitValidatorTypes(model: Model): string {
  return [
    headerText(model),
    "import type { OperationValidators } from 'duet-runtime'",
    '',
    '/** Validators of params and result by operation name. */',
    'export declare const validators: Readonly<Record<string, OperationValidators>>',
    '',
  ].join('\n')
}

/** The function that checks a JSON result. */
function resultOf({ name, rest }: Operation, entries: ReadonlyMap<string, string>): string | undefined {
  return rest.answers === undefined ? entries.get(operationFunction('result', name)) : undefined
}

function tableLine(
  operation: Operation,
  entries: ReadonlyMap<string, string>,
  texts: ReadonlyMap<string, string>,
): string {
  const { name } = operation
  const params = entries.get(operationFunction('params', name))
  const result = entries.get(operationFunction('result', name))
  const piece = entries.get(operationFunction('piece', name))
  const text = texts.get(resultOf(operation, entries) ?? '')
  const written = text === undefined ? '' : `, text: ${text}`
  const contents = (operation.jsonContents ?? []).map(
    ({ type }) => `${keyText(type)}: ${entries.get(contentFunction(name, type))}`,
  )
  const typed = contents.length === 0 ? '' : `, contents: { ${contents.join(', ')} }`
  const more = piece === undefined ? '' : `, piece: ${piece}`
  const failures = operation.failures.flatMap(({ response }) => {
    const entry = entries.get(failureFunction(name, response))
    return entry === undefined ? [] : [`${keyText(response)}: ${entry}`]
  })
  const errors = failures.length === 0 ? '' : `, errors: { ${failures.join(', ')} }`
  return `  ${keyText(name)}: { params: ${params}, result: ${result}${typed}${written}${more}${errors} },${remarkText(operation)}`
}

function sorted<T>(map: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...map].sort((a, b) => compareText(a[0], b[0])))
}

/** The ids that references lead to from `starts`, including those. */
function reachable(
  references: ReadonlyMap<string, readonly string[]>,
  starts: readonly string[],
): ReadonlySet<string> {
  const found = new Set(starts)
  for (const id of found) for (const target of references.get(id) ?? []) found.add(target)
  return found
}

/** AJV treats equal values as the same schema, such as `true` and `true`. */
export function asObject(schema: Schema): JsonObject {
  if (typeof schema === 'object') return schema
  return schema ? {} : { not: {} }
}

/** Ids in an order in which each comes after those that it refers to, except in cycles. */
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
