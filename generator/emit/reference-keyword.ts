import type { CodeKeywordDefinition, KeywordCxt } from 'ajv'
import { callRef, getValidate } from 'ajv/dist/vocabularies/core/ref.js'

/**
 * `$ref` to another schema of the same compiler, by its id. AJV's own compiles the target on the spot, and so
 * descends into the stack as far as references lead; this one leaves a target that is not compiled yet for its
 * turn, by the indirection that AJV has for recursion.
 */
export const reference: CodeKeywordDefinition = {
  keyword: '$ref',
  schemaType: 'string',
  code(context: KeywordCxt) {
    const target = context.it.self.schemas[context.schema]
    if (target === undefined) throw new Error(`No schema has the id ${context.schema}`)
    callRef(context, getValidate(context, target), target, target.$async)
  },
}
