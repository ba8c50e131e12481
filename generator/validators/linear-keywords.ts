import { _, type CodeKeywordDefinition, type KeywordCxt, type Name, str } from 'ajv'
import ajvContains from 'ajv/dist/vocabularies/applicator/contains.js'
import { usePattern } from 'ajv/dist/vocabularies/code.js'
import ajvPattern from 'ajv/dist/vocabularies/validation/pattern.js'
import ajvUniqueItems from 'ajv/dist/vocabularies/validation/uniqueItems.js'
import { patternPlan } from '../patterns/pattern-plan.js'
import { defaultExport } from './interop.js'

/** `multipleOf` with exact decimals: 0.3 is a multiple of 0.1, which division of doubles denies. */
const multipleOf: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
  code(context: KeywordCxt) {
    const { data, schemaCode } = context
    context.fail(_`!${imported(context, 'isMultipleOf')}(${data}, ${schemaCode})`)
  },
}

/** AJV compares all pairs of items. */
const uniqueItems: CodeKeywordDefinition = {
  ...defaultExport(ajvUniqueItems),
  keyword: 'uniqueItems',
  code(context: KeywordCxt) {
    const { gen, data, schema } = context
    if (schema !== true) return
    const found = gen.const('duplicate', _`${imported(context, 'duplicate')}(${data})`)
    context.setParams({ i: _`${found}.i`, j: _`${found}.j` })
    context.fail(_`${found} !== undefined`)
  },
}

/** AJV keeps the errors of every item before the first match. */
const contains: CodeKeywordDefinition = {
  ...defaultExport(ajvContains),
  keyword: 'contains',
  code(context: KeywordCxt) {
    const { gen } = context
    const { forRange } = gen
    // The first loop belongs to this keyword. Loops inside belong to others.
    gen.forRange = (name, from, to, body) => {
      gen.forRange = forRange
      return gen.forRange(name, from, to, (item) => {
        body(item)
        context.reset()
      })
    }
    defaultExport(ajvContains).code(context)
    gen.forRange = forRange
  },
}

/** Does not search texts that `maxLength` refuses. */
const pattern: CodeKeywordDefinition = {
  ...defaultExport(ajvPattern),
  keyword: 'pattern',
  error: {
    message({ data, params: { expression }, schema, schemaCode }) {
      const refused = str`must match pattern "${schemaCode}"`
      if (patternPlan(schema).givesUp !== true) return refused
      return _`${expression}.decides(${data}) ? ${refused} : ${tooManySteps({ schemaCode })}`
    },
    params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
  },
  code(context: KeywordCxt) {
    const { data, schema, parentSchema } = context
    const expression = usePattern(context, schema)
    context.setParams({ expression: _`${expression}` })
    const { maxLength } = parentSchema
    const isBounded = typeof maxLength === 'number' && patternPlan(schema).data !== undefined
    // A code point has at most two code units.
    const isTried = isBounded ? _`${data}.length <= ${2 * maxLength} && ` : _``
    context.fail(_`${isTried}!${expression}.test(${data})`)
  },
}

const tooManySteps = ({ schemaCode }: Pick<KeywordCxt, 'schemaCode'>) =>
  str`must take fewer steps to compare with pattern "${schemaCode}"`

/** A pattern whose search must end in a bounded number of steps. */
const decided: CodeKeywordDefinition = {
  keyword: '$decided',
  type: 'string',
  schemaType: 'string',
  error: {
    message: tooManySteps,
    params: ({ schemaCode }) => _`{pattern: ${schemaCode}}`,
  },
  code(context: KeywordCxt) {
    context.fail(_`!${usePattern(context, context.schema)}.decides(${context.data})`)
  },
}

/** Keywords that replace AJV's own, which need more than linear time or are inexact. */
export const linearKeywords: readonly (CodeKeywordDefinition & { readonly keyword: string })[] = [
  contains,
  decided,
  multipleOf,
  pattern,
  uniqueItems,
].map((definition) => ({ ...definition, keyword: String(definition.keyword) }))

/** A function of `duet-runtime/validation`. */
function imported({ gen }: KeywordCxt, name: 'duplicate' | 'isMultipleOf'): Name {
  const code = name === 'duplicate' ? _`duplicate` : _`isMultipleOf`
  return gen.scopeValue('func', { ref: placeholders[name], code })
}

/** This code is only written, never run, but each function needs its own value. */
const placeholders = { duplicate: () => undefined, isMultipleOf: () => true }
