import { omitted } from '../../document/cursor.js'
import type { JsonObject } from '../../document/document.js'
import { isArray, isObject, own, quoted, typeName } from '../../document/json.js'
import type { Path } from '../../document/pointer.js'
import { keywords } from '../../document/vocabulary.js'
import { wasNullable } from '../../load/upgrade.js'
import { foreignAnchors, foreignEscapes, inlineFlags } from '../../patterns/foreign-escape.js'
import { isRegExp } from '../../patterns/pattern.js'
import { fitsFormat } from '../../schema/format.js'
import { refuses } from '../../schema/instance.js'
import { below, type Context, type Rule } from './rule.js'

/** Keywords with values of the right type that are wrong nevertheless (JSON Schema 2020-12). */
export const schemas: Rule = (context) => ({
  schema({ value, path }) {
    if (!isObject(value)) return
    checkPatterns(context, value, path)
    checkDefault(context, value, path)
    for (const { name, outdated } of outdatedKeywords)
      if (Object.hasOwn(value, name))
        context.report('keyword-outdated', below(path, name), `JSON Schema 2020-12 has no ${name}`, {
          remedy: outdated,
        })
    const dialect = own(value, '$schema')
    if (typeof dialect === 'string') checkDialect(context, dialect, below(path, '$schema'))
    if (wasNullable(value))
      context.report('nullable-outdated', below(path, 'nullable'), 'nullable belongs to OpenAPI 3.0')
  },
  document({ value }) {
    const dialect = isObject(value) ? own(value, 'jsonSchemaDialect') : undefined
    if (typeof dialect === 'string') checkDialect(context, dialect, below(undefined, 'jsonSchemaDialect'))
  },
})

const outdatedKeywords = keywords.flatMap(({ name, outdated }) =>
  outdated === undefined ? [] : [{ name, outdated }],
)

const dialects =
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/.+)#?$/

/** Earlier drafts that are common and differ little. */
const earlier = /^https?:\/\/json-schema\.org\/(draft-0[4-7]|draft\/2019-09)\/schema#?$/

function checkDialect(context: Context, dialect: string, path: Path): void {
  if (dialects.test(dialect)) return
  if (earlier.test(dialect)) {
    context.report('schema-dialect', path, `${dialect} is read as JSON Schema 2020-12`)
    return
  }
  const remedy = 'Use https://json-schema.org/draft/2020-12/schema, or remove it.'
  context.report('schema-unsupported', path, `The schema dialect ${dialect} is not supported`, { remedy })
}

function checkPatterns(context: Context, schema: JsonObject, path: Path): void {
  const pattern = own(schema, 'pattern')
  if (typeof pattern === 'string') checkPattern(context, pattern, below(path, 'pattern'))
  const properties = own(schema, 'patternProperties')
  if (!isObject(properties)) return
  for (const key of Object.keys(properties)) checkPattern(context, key, below(path, 'patternProperties', key))
}

function checkPattern(context: Context, pattern: string, path: Path): void {
  const flags = inlineFlags(pattern)
  if (flags.length > 0) {
    const message = `${quoted(pattern)} switches flags with ${flags.join(' and ')}, which some JavaScript engines do not support`
    context.report('pattern-invalid', path, message, {
      remedy: 'Write both cases of each letter, such as [Aa], instead of the flag i.',
    })
    return
  }
  try {
    // Patterns should compile with the u flag, but many documents escape more than it allows.
    new RegExp(pattern, isRegExp(pattern, 'u') ? 'u' : '')
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
    context.report('pattern-invalid', path, `${quoted(pattern)} is not a regular expression: ${reason}`)
    return
  }
  const anchors = foreignAnchors(pattern)
  const escapes = foreignEscapes(pattern)
  if (anchors.length > 0) {
    const reason = `ECMAScript reads ${anchors.join(' and ')} as letters, not as anchors`
    const remedy = 'Write ^ for \\A, and $ for \\z or \\Z.'
    context.report('pattern-invalid', path, `${quoted(pattern)} is of another language: ${reason}`, {
      remedy,
    })
  } else if (escapes.length > 0) {
    const message = `In ${quoted(pattern)} ${escapes.join(' and ')} has no meaning, and is read as the letter`
    context.report('pattern-foreign', path, message)
  }
}

/** Checks a default against its own schema. */
function checkDefault(context: Context, schema: JsonObject, path: Path): void {
  const value = own(schema, 'default')
  if (value === undefined) return
  const isRefused = (part: JsonObject): boolean =>
    refuses(part, value, (reference) => context.resolve({ $ref: reference }))
  if (!isRefused(schema)) return
  const type = own(schema, 'type')
  const types = (isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
  const isOfType = types.length === 0 || !isRefused({ type: types })
  const values = own(schema, 'enum')
  const format = own(schema, 'format')
  // None if several refuse it.
  const keyword = Object.keys(schema).find((name) => !isRefused(omitted(schema, name)))
  const message = !isOfType
    ? `The default is ${typeName(value)}; its type is ${types.join(' or ')}`
    : isArray(values) && isRefused({ enum: values })
      ? `The default ${quoted(value)} is not in the enum`
      : typeof format === 'string' && !fitsFormat(value, format, own(schema, 'x-timezone') === true)
        ? `The default ${quoted(value)} does not match the format ${format}`
        : `The default ${quoted(value)} does not satisfy ${keyword ?? 'its schema'}`
  context.report('default-invalid', below(path, 'default'), message)
}
