import { noPieces, type Pieces } from '../cache/pieces.js'
import { picked } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import type { Model, Operation } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import { Descendants } from '../schema/descendants.js'
import { formReferences, keptForms, type SharedForms, shareForms } from '../schema/form.js'
import { referenceTo, type Schema } from '../schema/schema.js'
import { markedNames, markedText } from './marked-names.js'
import type { OwnForm, TypeForm } from './type-form.js'
import { TypePreparation } from './type-schema.js'

/** If two forms are equal, the earlier one gives its name to both. */
const ownForms: readonly OwnForm[] = ['result', 'send', 'input']
export const typeForms: readonly TypeForm[] = [
  ...ownForms,
  ...ownForms.map((form) => `family-${form}` as const),
]

/**
 * The forms of component schemas that are declared: the result form of each, so that a type with the plain
 * name always means the same, and other forms that operations use.
 *
 * @param pieces parts of earlier runs
 * @param parts those of operations
 */
export function typeFormsOf(
  model: Model,
  pieces: Pieces = noPieces,
  parts: OperationPieces = new OperationPieces(model),
): SharedForms<TypeForm> {
  const { schemas } = model
  markedNames(model, parts)
  const marked = markedText(model)
  const rewrite = typeRewriter(model)
  const partsOf = paramsReader(model)
  const called = model.operations.flatMap((operation) =>
    parts.of('type references', operation, marked, () =>
      partsOf(operation).flatMap((schema) => [
        ...formReferences(rewrite, schema, 'input'),
        ...formReferences(rewrite, schema, 'send'),
      ]),
    ),
  )
  const declared = [...schemas.keys()].filter((name) => !isUpload(model, name))
  const roots = new Map(called.map((reference) => [JSON.stringify(reference), reference]))
  const key = ['types', marked, JSON.stringify(declared), JSON.stringify([...roots.keys()].sort())]
  return keptForms(pieces, key, schemas, typeForms, () => {
    const components = declared.flatMap((name) =>
      formReferences(rewrite, { $ref: referenceTo(name) }, 'result'),
    )
    return shareForms(schemas, [...components, ...roots.values()], rewrite, typeForms)
  })
}

/**
 * The schema of an operation's params. If the body is a base, also that of its family, which then describes
 * the other members.
 */
export function paramsReader(model: Model): (operation: Operation) => readonly Schema[] {
  const families = descendantsOf(model)
  return ({ bodyBase, params, rest }) => {
    const family = bodyBase === undefined ? undefined : families.familyOf(bodyBase)
    const others = new Set(rest.parameters.map(({ param }) => param))
    if (family === undefined || families.declares(family, others)) return [params]
    return [
      picked(params, (keyword) => keyword !== 'additionalProperties'),
      { $ref: referenceTo(family.base) },
    ]
  }
}

function descendantsOf(model: Model): Descendants {
  return new Descendants(model.schemas, (name) => isUpload(model, name))
}

/** Whether a component is a copy for multipart bodies, which is only ever sent. */
function isUpload({ sources }: Model, name: string): boolean {
  const pointer = sources.get(name)?.pointer
  const original = name.replace(/Upload\d*$/, '')
  return pointer !== undefined && original !== name && sources.get(original)?.pointer === pointer
}

/**
 * Rewrites a schema into the part of JSON Schema that openapi-typescript turns into the right type: one kind
 * of composition per level, enums without types, no booleans, `required` for the form. {@link spelledKey}
 * spells property names that its path handling cannot process.
 */
export function typeRewriter(
  model: Model,
): (
  schema: Schema,
  form: TypeForm,
  refer: (name: string, form: TypeForm) => string,
  described?: (prepared: object, source: JsonObject) => void,
) => Schema {
  const families = descendantsOf(model)
  const isPlain = (name: string): boolean => !markedNames(model).has(name)
  return (schema, form, refer, described) => {
    const own = ownForms.find((name) => form === name || form === `family-${name}`) ?? 'result'
    const preparation = new TypePreparation(model, families, own, refer, described, isPlain)
    const family = form === own ? undefined : families.familyAt(schema)
    if (family !== undefined) return preparation.family(family)
    return preparation.prepare(schema, { inBranch: false, known: new Set(), root: schema })
  }
}
