import { stringText, valueText } from '../emit/literal.js'
import type { JsonObject } from '../load/document.js'
import type { Model, Operation } from '../model/model.js'
import { streaming } from '../model/streams.js'
import type { WireCall } from './samples.js'
import { variablesOf } from './variables.js'

/** A call with the platform's `fetch`, as a module of Node. */
export function fetchCall({ method, target, key, headers, secrets, body, answersJson }: WireCall): string {
  const fields = [
    ...secrets.map(
      ({ header, prefix, variable }) =>
        `${property(header)}: ${prefix === '' ? variable : `\`${prefix}\${${variable}}\``},`,
    ),
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
  const call = `fetch(BASE_URL + ${stringText(target)}${key === undefined ? '' : ` + ${key}`}`
  return [
    environment([...secrets.map(({ variable }) => variable), ...(key === undefined ? [] : [key])]),
    '',
    options.length === 0 ? `const answer = await ${call})` : `const answer = await ${call}, {`,
    ...(options.length === 0 ? [] : [...options.map((line) => `  ${line}`), '})']),
    `console.log(answer.status, await answer.${answersJson ? 'json' : 'text'}())`,
  ].join('\n')
}

/** A call with the generated client, as a module of Node. */
export function clientCall(
  protocol: 'rest' | 'jsonrpc',
  model: Model,
  operation: Operation,
  params: JsonObject,
  module: string,
): string {
  const scheme = credentialName(model, operation)
  const imports = [scheme, 'createClient', protocol].filter((name) => name !== undefined)
  const [variable = 'TOKEN'] = variablesOf(model, operation)
  const base = `${model.basePath}${protocol === 'rest' || model.rpcPath === '/' ? '' : model.rpcPath}`
  const address = base === '' ? 'BASE_URL' : `BASE_URL + ${stringText(base)}`
  const path = operation.name.split('.').map(accessor).join('')
  const given = Object.keys(params).length === 0 ? '' : valueText(params, width)
  return [
    `import { ${imports.join(', ')} } from ${stringText(module)}`,
    '',
    environment(scheme === undefined ? [] : [variable]),
    'const client = createClient({',
    `  transport: ${protocol}(${address}),`,
    ...(scheme === undefined ? [] : [`  auth: ${scheme}(${variable}),`]),
    '})',
    ...(streaming(operation) === 'always'
      ? [`for await (const piece of client${path}(${given})) console.log(piece)`]
      : [`const result = await client${path}(${given})`, 'console.log(result)']),
  ].join('\n')
}

/** What the generated client makes credentials with, where it has something for the operation's first scheme. */
function credentialName(model: Model, { security }: Operation): 'apiKey' | 'bearer' | undefined {
  if (security.some((each) => Object.keys(each).length === 0)) return undefined
  const [name] = Object.keys(security[0] ?? {})
  const scheme = name === undefined ? undefined : model.securitySchemes.get(name)
  if (scheme === undefined || scheme.type === 'mutualTLS') return undefined
  return scheme.type === 'apiKey' ? 'apiKey' : 'bearer'
}

const width = 72

function accessor(part: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${stringText(part)}]`
}

function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringText(name)
}

/** Takes the service's address and secrets from variables of the environment; one that is not set is empty. */
function environment(secrets: readonly string[]): string {
  const names = [...new Set(['BASE_URL', ...secrets])]
  return `const { ${names.map((name) => `${name} = ''`).join(', ')} } = process.env`
}

function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`)
}
