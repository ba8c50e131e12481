import { _, type CodeKeywordDefinition, type KeywordCxt, Name, stringify } from 'ajv'
import { getProperty, or } from 'ajv/dist/compile/codegen/index.js'
import { propertyInData } from 'ajv/dist/vocabularies/code.js'
import type { Json, JsonObject } from '../document/document.js'
import type { Discrimination } from '../schema/discriminator.js'

/** The value of the keyword in a schema for validators. The branches are its `oneOf`. */
export function discriminatorOf({ property, branches, absent, other }: Discrimination): JsonObject {
  return {
    property,
    values: branches.map(({ values }) => values),
    ...(absent !== undefined && { absent }),
    ...(other !== undefined && { other }),
  }
}

interface Written {
  readonly property: string
  readonly values: readonly (readonly Json[])[]
  readonly absent?: number
  readonly other?: number
}

/**
 * Checks only the branch of `oneOf` that the property's value selects, so that only its errors are reported. A
 * value that selects none gives one error, at the property, unless a default branch accepts it. AJV's own
 * keyword requires constants in every branch.
 */
export const discriminator: CodeKeywordDefinition = {
  keyword: 'discriminator',
  before: 'unevaluatedProperties',
  type: 'object',
  schemaType: 'object',
  error: {
    message: ({ params }) => _`${params.message}`,
    params: ({ params }) => _`{discriminator: ${params.property}, allowedValues: ${params.values}}`,
  },
  code(context: KeywordCxt) {
    const { gen, data, it } = context
    const { property, values, absent, other } = context.schema as Written
    const allowed = values.flat()
    const valid = gen.let('valid', true)
    const branch = (index: number): void => {
      const passed = gen.name('valid')
      const subschema = context.subschema({ keyword: 'oneOf', schemaProp: index }, passed)
      context.mergeEvaluated(subschema, Name)
      gen.assign(valid, passed)
    }
    gen.if(
      propertyInData(gen, data, property, it.opts.ownProperties),
      () => {
        const tag = gen.const('tag', _`${data}${getProperty(property)}`)
        gen.if(false)
        for (const [index, own] of values.entries()) {
          gen.elseIf(or(...own.map((value) => _`${tag} === ${stringify(value)}`)))
          branch(index)
        }
        gen.else()
        if (other !== undefined) {
          branch(other)
          gen.endIf()
          return
        }
        const at = gen.const('property', stringify(property))
        const message = `must be one of ${allowed.map((value) => String(value)).join(', ')}`
        const params = { property: at, values: stringify(allowed), message: stringify(message) }
        context.error(false, params, { instancePath: at })
        gen.assign(valid, false)
        gen.endIf()
      },
      absent === undefined ? undefined : () => branch(absent),
    )
    context.ok(valid)
  },
}
