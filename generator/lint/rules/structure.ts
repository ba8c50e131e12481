import type { Code } from '../../diagnostics/catalogue.js'
import type { Json, JsonObject } from '../../document/document.js'
import type { Field } from '../../document/field.js'
import { type GrammarNode, referenceOf, shapes } from '../../document/grammar.js'
import { isArray, isObject, own, quoted, typeName } from '../../document/json.js'
import { formatPointer, type Path, segmentsOf } from '../../document/pointer.js'
import { closest } from '../../document/spelling.js'
import { keywordNamed } from '../../document/vocabulary.js'
import { type Misfit, misfit } from './data-type.js'
import { below, type Context, type Related, type Rule } from './rule.js'
import { subject } from './subject.js'

/** Fields of every object: known, present if required, of the right type (OpenAPI 3.1.1 section 4.8). */
export const structure: Rule = (context) => ({
  any(node) {
    const { value } = node
    if (!isObject(value)) {
      if (node.kind === 'schema' && typeof value === 'boolean') return
      const expected = node.kind === 'schema' ? 'an object, true or false' : 'an object'
      context.report(
        describingKinds.has(node.kind) ? 'value-ignored' : 'wrong-type',
        node.path,
        `${capital(subject(node))} must be ${expected}; it is ${typeName(value)}`,
      )
      return
    }
    const isReference = referenceOf(node) !== undefined && node.kind !== 'schema'
    if (isReference) return
    requireFields(context, node, value)
    for (const key of Object.keys(value)) checkField(context, node, key, value[key] ?? null)
  },
})

function requireFields(context: Context, node: GrammarNode, value: JsonObject): void {
  const require = (field: string): void => {
    if (Object.hasOwn(value, field)) return
    const isVersion = node.kind === 'info' && field === 'version' && Object.hasOwn(value, 'title')
    const isForgotten = isVersion || ((node.kind === 'info' || field === 'info') && hasPaths(context))
    const code = isForgotten || details.has(`${node.kind} ${field}`) ? 'missing-detail' : 'missing-field'
    const { assumed, example } = forgotten.get(node.kind === 'info' || field === 'info' ? field : '') ?? {}
    const consequence = code === 'missing-detail' && assumed !== undefined ? `: ${assumed}` : ''
    context.report(code, node.path, `${capital(subject(node))} has no ${field}${consequence}`, {
      remedy: example === undefined ? `Add ${field}.` : `Add ${field}, such as ${example}.`,
      related: removal(context, node, field),
    })
  }
  shapes[node.kind].required?.forEach(require)
  conditionallyRequired(context, node, value).forEach(require)
  if (
    node.kind !== 'document' ||
    ['paths', 'components', 'webhooks'].some((field) => Object.hasOwn(value, field))
  )
    return
  const message = 'The document has neither paths nor components nor webhooks'
  context.report('missing-field', node.path, message, { remedy: 'Add paths.' })
}

/** The place in an overlay that removes a field: a field that was never there has the place of its object. */
function removal({ document }: Context, { path }: GrammarNode, field: string): Related | undefined {
  const fileOf = (at: Path) => document.locate(formatPointer(segmentsOf(at))).file
  const missing = below(path, field)
  const file = fileOf(missing)
  return file === fileOf(path) ? undefined : [{ message: `${file} removes it`, path: missing }]
}

/** What is assumed without a field of the document's info, and how to write it in JSON and YAML alike. */
const forgotten: ReadonlyMap<string, { readonly assumed: string; readonly example: string }> = new Map([
  [
    'info',
    {
      assumed: 'the title is taken to be API, and the version 0.0.0',
      example: '"info": { "title": "Billing", "version": "1.0.0" }',
    },
  ],
  ['title', { assumed: 'it is taken to be API', example: '"title": "Billing"' }],
  ['version', { assumed: 'it is taken to be 0.0.0', example: '"version": "1.0.0"' }],
])

/** Required fields that do not affect the output. */
const details: ReadonlySet<string> = new Set([
  'discriminator propertyName',
  'externalDocs url',
  'license name',
  'oauthFlow scopes',
  'oauth2 flows',
  'response description',
  'securityScheme flows',
  'securityScheme openIdConnectUrl',
  'server url',
  'serverVariable default',
  'tag name',
])

/** Fields that only describe, or that have a usable default. */
const describing: ReadonlySet<string> = new Set([
  ...['allowEmptyValue', 'allowReserved', 'bearerFormat', 'default', 'deprecated', 'description', 'email'],
  ...['explode', 'externalValue', 'identifier', 'operationId', 'operationRef', 'parent', 'summary', 'tags'],
  ...['termsOfService', 'url', 'wrapped', 'attribute', 'namespace', 'prefix', 'enum', 'kind', 'scopes'],
])

/** Whether the document has content: its author only forgot the title or the version. Else it may be another file. */
function hasPaths({ document }: Context): boolean {
  const paths = own(document.root, 'paths')
  return isObject(paths) && Object.keys(paths).length > 0
}

/** Objects that only describe. */
const describingKinds: ReadonlySet<string> = new Set(['contact', 'externalDocs', 'license'])

/** Fields that are required because of another field's value, or because of the version. */
function conditionallyRequired(context: Context, node: GrammarNode, value: JsonObject): readonly string[] {
  if (node.kind === 'response')
    return String(context.document.root.openapi).startsWith('3.2') ? [] : ['description']
  if (node.kind !== 'securityScheme') return []
  const type = own(value, 'type')
  const fields: Readonly<Record<string, readonly string[]>> = {
    apiKey: ['name', 'in'],
    http: ['scheme'],
    oauth2: ['flows'],
    openIdConnect: ['openIdConnectUrl'],
  }
  return typeof type === 'string' && Object.hasOwn(fields, type) ? (fields[type] ?? []) : []
}

function checkField(context: Context, node: GrammarNode, key: string, value: Json): void {
  const { fields, others } = shapes[node.kind]
  const field = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (field !== undefined) checkValue(context, node, key, field, value)
  else if (node.kind === 'securityRequirement') {
    const wrong = misfit('texts', value)
    if (wrong !== undefined)
      context.report(wrong.code, below(node.path, key), `The scopes of ${key} ${wrong.message}`)
  } else if (!key.startsWith('x-') && !others?.keys.test(key)) {
    const similar = closest(key, Object.keys(fields))
    if (similar !== undefined && !Object.hasOwn(isObject(node.value) ? node.value : {}, similar)) {
      const message = `${capital(subject(node))} has no ${node.kind === 'schema' ? 'keyword' : 'field'} ${key}`
      context.report(misspelt(node, similar), below(node.path, key), message, {
        remedy: `Did you mean ${similar}?`,
      })
    } else if (node.kind !== 'schema') {
      context.report('unknown-field', below(node.path, key), `${capital(subject(node))} has no field ${key}`)
    }
  }
}

/** The code of a misspelt field. Without some fields, callers lose operations or params, or need no credentials. */
function misspelt({ kind }: GrammarNode, meant: string): Code {
  if (kind === 'schema') return 'misspelt-keyword'
  const describes = ['summary', 'description', 'servers'].includes(meant)
  const isPart = kind === 'pathItem' ? !describes : parts.has(`${kind} ${meant}`)
  return isPart ? 'misspelt-part' : 'misspelt-field'
}

const parts: ReadonlySet<string> = new Set([
  ...['document paths', 'document security', 'mediaType schema', 'operation parameters'],
  ...['operation requestBody', 'operation responses', 'operation security', 'response content'],
])

function checkValue(context: Context, node: GrammarNode, key: string, field: Field, value: Json): void {
  const report = (code: 'wrong-type' | 'invalid-value', message: string, remedy?: string) =>
    context.report(code, below(node.path, key), `${key} of ${subject(node)} ${message}`, { remedy })
  if ('one' in field) return
  if ('list' in field) {
    if (!isArray(value)) report('wrong-type', `must be an array; it is ${typeName(value)}`)
    else if (field.filled && value.length === 0)
      report('invalid-value', 'must not be empty', `Add a schema, or remove ${key}.`)
    return
  }
  if ('map' in field) {
    if (!isObject(value)) report('wrong-type', `must be an object; it is ${typeName(value)}`)
    return
  }
  const wrong = misfit(field.data, value, () => context.written(below(node.path, key), value))
  if (wrong !== undefined && isRepaired(context, node, key, value, wrong)) return
  if (wrong !== undefined) report(wrong.code, wrong.message, wrong.remedy)
  else if (field.values !== undefined && typeof value === 'string' && !field.values.includes(value)) {
    const similar = closest(value, field.values)
    const message = `must be one of ${field.values.join(', ')}; it is ${quoted(value)}`
    report('invalid-value', message, similar && `Did you mean ${similar}?`)
  }
}

/** Whether a value of the wrong type can be repaired: it is read as intended, or omitted, with a warning. */
function isRepaired(context: Context, node: GrammarNode, key: string, value: Json, wrong: Misfit): boolean {
  const isSchema = node.kind === 'schema'
  const path = below(node.path, key)
  const message = `${key} of ${subject(node)} ${wrong.message}`
  if (isSchema && typeof value === 'boolean' && keywordNamed(key)?.inclusive !== undefined) {
    context.report('exclusive-flag', path, message)
  } else if (isSchema && key === 'required' && wrong.code === 'invalid-value') {
    context.report('required-repeated', path, message)
  } else if (isSchema ? !structural.has(key) : describing.has(key)) {
    context.report('value-ignored', path, message, { remedy: wrong.remedy })
  } else return false
  return true
}

/** Keywords that define what a schema describes. */
const structural: ReadonlySet<string> = new Set(['$ref', 'type', 'enum'])

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
