import type { Kind } from '../../document/field.js'
import type { GrammarNode } from '../../document/grammar.js'
import { isObject, own } from '../../document/json.js'

/** What messages of lint call each kind of object. */
const nouns: Readonly<Record<Kind, string>> = {
  document: 'the document',
  info: 'info',
  contact: 'contact',
  license: 'license',
  server: 'a server',
  serverVariable: 'server variable',
  components: 'components',
  paths: 'paths',
  pathItem: 'path',
  operation: 'operation',
  externalDocs: 'externalDocs',
  parameter: 'parameter',
  requestBody: 'the request body',
  mediaType: 'media type',
  encoding: 'encoding',
  responses: 'responses',
  response: 'response',
  callback: 'callback',
  example: 'example',
  link: 'link',
  header: 'header',
  tag: 'tag',
  schema: 'schema',
  discriminator: 'discriminator',
  xml: 'xml',
  securityScheme: 'security scheme',
  oauthFlows: 'flows',
  oauthFlow: 'flow',
  securityRequirement: 'a security requirement',
}

/** The name of a node in a message: `operation GET /clients/{id}`, `parameter limit`, `schema Client`. */
export function subject(node: GrammarNode): string {
  if (node.kind === 'operation') return `operation ${operationName(node)}`
  const name = nameOf(node)
  return name === undefined || /^(the|a) /.test(nouns[node.kind])
    ? nouns[node.kind]
    : `${nouns[node.kind]} ${name}`
}

/** `GET /clients/{id}`. */
export function operationName(node: GrammarNode): string {
  return `${(node.path?.key ?? '').toUpperCase()} ${node.parent?.path?.key ?? ''}`
}

function nameOf(node: GrammarNode): string | undefined {
  const single = [
    'info',
    'contact',
    'license',
    'components',
    'paths',
    'externalDocs',
    'responses',
    'discriminator',
    'xml',
    'oauthFlows',
  ]
  if (single.includes(node.kind)) return undefined
  const name = isObject(node.value) ? own(node.value, 'name') : undefined
  if ((node.kind === 'parameter' || node.kind === 'tag') && typeof name === 'string') return name
  const key = node.path?.key
  return node.field !== undefined && node.path?.parent?.key === node.field && /^\d+$/.test(key ?? '')
    ? `${node.field}[${key}]`
    : key
}
