import { type CodeKeywordDefinition, type KeywordCxt, Name } from 'ajv'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'

/**
 * `$ref` to another schema of the same compiler. Its id is the name of its function. AJV's own keyword compiles
 * the target at once, so long chains of references overflow the stack. This one writes a call by name, since
 * all functions of a module exist before any of them runs.
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
