import type { ClientProtocol } from 'duet-runtime'
import { nativeInt64 } from 'duet-runtime/json'
import { stringText, valueText } from '../../code/literal.js'
import { variableOf } from '../../diff/proof/calls/credentials.js'
import type { JsonObject } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { streaming } from '../../model/content/streams.js'
import { credentialHelper } from '../../model/credential-kinds.js'
import { ownMembers } from '../../model/naming/client-members.js'
import { rpcBelow } from '../../model/rpc-target.js'
import { credentials } from '../../samples/credentials.js'
import { variablesOfScheme } from './variables.js'
import type { SampledModel, SampledOperation, WireCall } from './wire-call.js'

/** A call with the platform's `fetch`, as a Node module. */
export function fetchCall(call: WireCall): string {
  const { method, target, key, headers, secrets, isBasic, body, answersJson } = call
  const fields = [
    ...authorizationFields(isBasic, secrets),
    ...headers.map(([name, value]) => `${property(name)}: ${stringText(value)},`),
  ]
  const content =
    body === undefined
      ? []
      : 'json' in body
        ? [`body: JSON.stringify(${indented(valueText(body.json, width), 2)}),`]
        : [`body: ${stringText(body.text)},`]
  const options = [
    ...(method === 'GET' ? [] : [`method: ${stringText(method)},`]),
    ...(fields.length === 0 ? [] : ['headers: {', ...fields.map((line) => `  ${line}`), '},']),
    ...content,
  ]
  const sent = `fetch(BASE_URL${target === '' ? '' : ` + ${stringText(target)}`}${key === undefined ? '' : ` + encodeURIComponent(${key})`}`
  return [
    environment(variablesOf(isBasic, secrets, key)),
    '',
    options.length === 0 ? `const response = await ${sent})` : `const response = await ${sent}, {`,
    ...(options.length === 0 ? [] : [...options.map((line) => `  ${line}`), '})']),
    `console.log(response.status, await response.${answersJson ? 'json' : 'text'}())`,
  ].join('\n')
}

/** A call with the generated client, as a Node module. */
export function clientCall(
  protocol: ClientProtocol,
  model: SampledModel,
  operation: SampledOperation,
  params: JsonObject,
  module: string,
): string {
  const schemes = [...credentials(model, operation, variableOf).shown].map(([name, { scheme, value }]) => {
    const helper = credentialHelper(scheme) ?? 'bearer'
    return { name, helper, variables: variablesOfScheme(scheme, value) }
  })
  const helpers = new Set(schemes.map(({ helper }) => helper))
  const auth = schemes.map(
    ({ name, helper, variables }) => `${property(name)}: ${helper}(${variables.join(', ')})`,
  )
  const bases: { readonly [each in ClientProtocol]: string } = {
    rest: '',
    jsonrpc: rpcBelow(model).replace(/^\/$/, ''),
  }
  const base = bases[protocol]
  const address = base === '' ? 'BASE_URL' : `BASE_URL + ${stringText(base)}`
  const { int64 } = operation
  const native = int64 === undefined ? params : nativeInt64(params, int64.as, int64.params)
  const given = Object.keys(params).length === 0 ? '' : valueText(native, width)
  return [
    `import { ${[...helpers, 'createClient', protocol].sort().join(', ')} } from ${stringText(module)}`,
    '',
    environment(schemes.flatMap(({ variables }) => variables)),
    'const client = createClient({',
    `  transport: ${protocol}(${address}),`,
    ...(auth.length === 0 ? [] : [`  auth: { ${auth.join(', ')} },`]),
    '})',
    ...(streaming(operation) === 'always'
      ? [`for await (const piece of ${clientMethod(operation.name)}(${given})) console.log(piece)`]
      : [`const result = await ${clientMethod(operation.name)}(${given})`, 'console.log(result)']),
  ].join('\n')
}

/** A call of a tool with the official client of MCP, as a Node module. */
export function toolCallSample({ target, key, secrets, isBasic, body }: WireCall): string {
  const message = body !== undefined && 'json' in body && isObject(body.json) ? body.json : {}
  const fields = authorizationFields(isBasic, secrets)
  const address = `new URL(BASE_URL + ${stringText(target)}${key === undefined ? '' : ` + encodeURIComponent(${key})`})`
  return [
    "import { Client } from '@modelcontextprotocol/sdk/client/index.js'",
    "import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'",
    '',
    environment(variablesOf(isBasic, secrets, key)),
    "const client = new Client({ name: 'my-agent', version: '1.0.0' })",
    'await client.connect(',
    ...(fields.length === 0
      ? [`  new StreamableHTTPClientTransport(${address}),`]
      : [
          `  new StreamableHTTPClientTransport(${address}, {`,
          '    requestInit: {',
          '      headers: {',
          ...fields.map((line) => `        ${line}`),
          '      },',
          '    },',
          '  }),',
        ]),
    ')',
    `const result = await client.callTool(${valueText(message.params ?? {}, width)})`,
    'console.log(result.structuredContent ?? result.content)',
    'await client.close()',
  ].join('\n')
}

function authorizationFields(isBasic: boolean, secrets: WireCall['secrets']): string[] {
  return [
    ...(isBasic ? [basicInUtf8] : []),
    ...secrets.map(({ header, value }) => `${property(header)}: ${secretText(value)},`),
  ]
}

/** `btoa` refuses characters beyond Latin-1. */
const basicInUtf8 =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what the sample fills in
  "Authorization: 'Basic ' + Buffer.from(`${API_USER}:${API_PASSWORD}`).toString('base64'),"

function variablesOf(isBasic: boolean, secrets: WireCall['secrets'], key: string | undefined): string[] {
  return [
    ...(isBasic ? ['API_USER', 'API_PASSWORD'] : []),
    ...secrets.flatMap(({ value }) =>
      value.flatMap((part) => (typeof part === 'string' ? [] : part.variable)),
    ),
    ...(key === undefined ? [] : [key]),
  ]
}

/** A text with variables. */
function secretText(parts: WireCall['secrets'][number]['value']): string {
  const [only, ...others] = parts
  if (typeof only === 'object' && others.length === 0) return only.variable
  const texts = parts.map((part) =>
    typeof part === 'string' ? part.replaceAll(/[`\\$]/g, '\\$&') : `\${${part.variable}}`,
  )
  return `\`${texts.join('')}\``
}

/** The method of a client that calls an operation: `client.orders.cancel`. */
export function clientMethod(name: string): string {
  const [first = '', ...others] = name.split('.')
  const own = ownMembers.has(first) ? `${first}_` : first
  return `client${[own, ...others].map(accessor).join('')}`
}

const width = 72

function accessor(part: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${stringText(part)}]`
}

function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringText(name)
}

/** Reads the base URL and secrets from environment variables. A missing one is empty. */
function environment(secrets: readonly string[]): string {
  const names = [...new Set(['BASE_URL', ...secrets])]
  return `const { ${names.map((name) => `${name} = ''`).join(', ')} } = process.env`
}

function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`)
}
