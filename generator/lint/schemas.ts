import type { Json, JsonObject } from '../load/document.js'
import { isArray, isObject, own, quoted, typeName } from '../load/json.js'
import type { Path } from '../load/pointer.js'
import { below, type Context, type Rule } from './rule.js'

/** Keywords whose values have the right type and are wrong all the same (JSON Schema 2020-12). */
export const schemas: Rule = (context) => ({
  schema({ value, path }) {
    if (!isObject(value)) return
    checkPatterns(context, value, path)
    checkDefault(context, value, path)
    for (const keyword of ['$id', '$dynamicRef', '$dynamicAnchor'] as const) {
      if (!Object.hasOwn(value, keyword)) continue
      context.report('schema-unsupported', below(path, keyword), `The keyword ${keyword} is not supported`)
    }
    const dialect = own(value, '$schema')
    if (typeof dialect === 'string') checkDialect(context, dialect, below(path, '$schema'))
    if (own(value, 'nullable') === true)
      context.report('nullable-ignored', below(path, 'nullable'), 'nullable has no effect here')
  },
  document({ value }) {
    const dialect = isObject(value) ? own(value, 'jsonSchemaDialect') : undefined
    if (typeof dialect === 'string') checkDialect(context, dialect, below(undefined, 'jsonSchemaDialect'))
  },
})

const dialects =
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/.+)#?$/

function checkDialect(context: Context, dialect: string, path: Path): void {
  if (dialects.test(dialect)) return
  const remedy = 'Use https://json-schema.org/draft/2020-12/schema, or leave it out.'
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
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
    context.report('pattern-invalid', path, `${quoted(pattern)} is not a regular expression: ${reason}`)
  }
}

/** A default against the type and the enum beside it; what else a schema asks is checked where it is compiled. */
function checkDefault(context: Context, schema: JsonObject, path: Path): void {
  const value = own(schema, 'default')
  if (value === undefined) return
  const type = own(schema, 'type')
  const types = isArray(type) ? type : type === undefined ? [] : [type]
  if (!types.every((name) => typeof name === 'string')) return // reported where they stand
  if (types.length > 0 && !types.some((name) => isOfType(name, value))) {
    const message = `The default is ${typeName(value)}; its type is ${types.join(' or ')}`
    context.report('default-invalid', below(path, 'default'), message)
    return
  }
  const values = own(schema, 'enum')
  if (isArray(values) && !values.some((allowed) => JSON.stringify(allowed) === JSON.stringify(value))) {
    context.report(
      'default-invalid',
      below(path, 'default'),
      `The default ${quoted(value)} is not in the enum`,
    )
  }
}

function isOfType(type: Json, value: Json): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  // A type that does not exist is reported where it stands.
  return typeof value === type || (type !== 'string' && type !== 'number' && type !== 'boolean')
}
