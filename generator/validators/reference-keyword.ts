import { type CodeKeywordDefinition, type KeywordCxt, Name } from 'ajv'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'

/**
 * `$ref` to another schema of the same compiler, by its id, which is the name of its function. AJV's own
 * compiles the target on the spot, and so descends into the stack as far as references lead; this one calls
 * the function by its name, since those of a module are there before any runs.
 */
export const reference: CodeKeywordDefinition = {
  keyword: '$ref',
  schemaType: 'string',
  code(context: KeywordCxt) {
    const target = context.it.self.schemas[context.schema]
    if (target === undefined) throw new Error(`No schema has the id ${context.schema}`)
    callRef(context, new Name(context.schema), target, target.$async)
  },
}
