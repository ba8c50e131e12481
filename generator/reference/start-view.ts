import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { toolMode } from '../mcp/tool-mode.js'
import { filledUrl } from '../model/build/servers.js'
import type { Model, Operation } from '../model/model.js'
import { schemeText } from '../model/scheme-text.js'
import { toolCall } from '../samples/tool-call.js'
import type { Example } from './example.js'
import { type Fields, noteOf } from './fields/fields.js'
import { inlineHtml, linkHtml, markdownHtml } from './html/markdown.js'
import { errorView } from './operation-view.js'
import { inShell } from './samples/in-shell.js'
import { samplesOf } from './samples/samples.js'
import { variablesOf } from './samples/variables.js'
import { titleOf } from './titles.js'
import { memberOf, textOf, writtenOf } from './written.js'

/** An address of the document's servers. */
export interface Server {
  readonly url: string
  readonly description: string
  /** The URL with the variables that take any value: `https://{tenant}.api.example`. Absent: none. */
  readonly template?: string
  /** The defaults of these variables. */
  readonly variables?: Readonly<Record<string, string>>
}

/** What the document says of the whole service: everything of `info`, servers, external documentation. */
export function aboutView({ openapi, description }: Model): object {
  const info = memberOf(openapi, 'info')
  const [license, contact] = [memberOf(info, 'license'), memberOf(info, 'contact')]
  const docs = memberOf(openapi, 'externalDocs')
  const summary = textOf(info, 'summary')
  const mail = textOf(contact, 'email')
  const links = [
    link('Terms of service', textOf(info, 'termsOfService')),
    link(`Licence: ${textOf(license, 'name') ?? ''}`, licenseUrl(license)),
    link(`Contact: ${textOf(contact, 'name') ?? ''}`.replace(/: $/, ''), textOf(contact, 'url')),
    link(mail ?? '', mail && `mailto:${mail}`),
    docsLink(docs),
  ]
  return {
    summary: summary === undefined ? '' : inlineHtml(summary),
    description: description === undefined ? '' : markdownHtml(description),
    links: links.filter(({ text, isKnown }) => isKnown && text !== '' && text !== 'Licence: '),
  }
}

/**
 * The servers of the document, with the defaults of their variables.
 *
 * @param most URLs of one server, with the other values that its variables may have
 */
export function serversOf({ openapi }: Model, most = 1): Server[] {
  const servers = own(openapi, 'servers')
  return (isArray(servers) ? servers : []).flatMap((server) => {
    const url = isObject(server) ? textOf(server, 'url') : undefined
    if (!isObject(server) || url === undefined) return []
    const description = textOf(server, 'description') ?? ''
    return choicesOf(own(server, 'variables'), most).map((variables) => ({
      url: trimmed(filledUrl(url, variables)),
      description,
      ...openVariables(url, memberOf(server, 'variables'), variables),
    }))
  })
}

/** The variables without an `enum`, unless one is the whole URL, which a reader can type instead. */
function openVariables(
  url: string,
  stated: JsonObject,
  variables: JsonObject | undefined,
): Pick<Server, 'template' | 'variables'> {
  const open = Object.keys(stated).filter(
    (name) =>
      url.includes(`{${name}}`) && url !== `{${name}}` && !isArray(own(memberOf(stated, name), 'enum')),
  )
  if (open.length === 0) return {}
  const kept = open.map((name): [string, JsonObject] => [name, { default: `{${name}}` }])
  const defaults = open.map((name): [string, string] => [
    name,
    textOf(memberOf(stated, name), 'default') ?? '',
  ])
  return {
    template: trimmed(filledUrl(url, { ...variables, ...objectOf(kept) })),
    variables: Object.fromEntries(defaults),
  }
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '') || '/'
}

/** The variables with each combination of their values as defaults (OpenAPI 3.1, Server Variable Object). */
function choicesOf(variables: Json | undefined, most: number): (JsonObject | undefined)[] {
  if (!isObject(variables)) return [undefined]
  let choices = [variables]
  for (const [name, variable] of Object.entries(variables)) {
    const stated = isObject(variable) ? own(variable, 'enum') : undefined
    const values = [textOf(memberOf(variables, name), 'default'), ...(isArray(stated) ? stated : [])]
    const texts = new Set(values.filter((value) => typeof value === 'string'))
    if (texts.size === 0) continue
    choices = choices
      .flatMap((choice) => [...texts].map((text) => ({ ...choice, [name]: { default: text } })))
      .slice(0, most)
  }
  return choices
}

/** The same for the page: descriptions are Markdown (OpenAPI 3.1, Server Object). */
export function serversView(model: Model): object[] {
  return serversOf(model).map((server) => ({ ...server, description: inlineHtml(server.description) }))
}

/** How a newcomer begins: the client's package, the credentials, a first call over each protocol. */
export async function beginView(
  model: Model,
  exampleOf: (operation: Operation) => Promise<Example>,
  module: string,
  address: (operation: Operation) => string,
): Promise<object> {
  const operation = firstOperation(model)
  const begin = { package: packageOf(module), module }
  if (operation === undefined) return { ...begin, call: undefined }
  const { params, request } = await exampleOf(operation)
  const asTool = params && toolCall(operation, params, toolMode(model))
  const [curl] = params === undefined ? [] : samplesOf(model, operation, params, request, asTool, module)
  const base = baseUrlOf(model)
  const pasted = (text: string | undefined): string => text?.replace('"$BASE_URL', () => `"${base}`) ?? ''
  const calls = [
    { over: 'rest', name: 'REST', text: pasted(curl?.rest) },
    { over: 'jsonrpc', name: 'JSON-RPC', text: pasted(curl?.jsonrpc) },
    { over: 'mcp', name: 'MCP', text: pasted(curl?.mcp) },
  ]
  const variables = variablesOf(model, operation)
  return {
    ...begin,
    call: {
      title: titleOf(operation),
      href: address(operation),
      base,
      exports: variables.map((name) => `export ${name}='…'`).join('\n'),
      calls: calls.filter(({ text }) => text !== ''),
    },
  }
}

/** The security schemes, with what the document says of getting and sending them. */
export function schemesView({ openapi, securitySchemes }: Model): object[] {
  const schemes = memberOf(memberOf(openapi, 'components'), 'securitySchemes')
  return Array.from(securitySchemes, ([name, scheme]) => {
    const written = memberOf(schemes, name)
    const description = textOf(written, 'description')
    return {
      name,
      text: schemeText(scheme),
      description: description === undefined ? '' : markdownHtml(description),
      flows: Object.entries(memberOf(written, 'flows')).flatMap(([flow, settings]) =>
        isObject(settings) ? [flowView(flow, settings)] : [],
      ),
      note: noteOf(written),
    }
  })
}

/** The error catalogue, and the limits among it. */
export function errorsView(model: Model, fields: Fields): object[] {
  return [...model.errors]
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code]) => {
      const written = memberOf(memberOf(model.openapi, 'x-errors'), code)
      return { ...errorView(model, code, fields), note: noteOf(written) }
    })
}

const flowNames: Readonly<Record<string, string>> = {
  authorizationCode: 'Authorization code',
  clientCredentials: 'Client credentials',
  implicit: 'Implicit',
  password: 'Password',
  deviceAuthorization: 'Device authorization',
}

function flowView(flow: string, settings: JsonObject): object {
  const scopes = Object.entries(memberOf(settings, 'scopes')).map(([name, text]) => ({
    name,
    text: String(text),
  }))
  return { name: flowNames[flow] ?? flow, scopes }
}

/** A read that needs nothing, else one that needs little. */
function firstOperation(model: Model): Operation | undefined {
  const burden = ({ rest, rpc, deprecation, params }: Operation): number =>
    (rest.method === 'GET' ? 0 : 100) +
    (deprecation === undefined ? 0 : 50) +
    (rpc === false ? 20 : 0) +
    10 * (isArray(params.required) ? params.required.length : 0)
  const [first] = model.operations
    .filter(({ routed }) => routed)
    .map((operation) => ({ operation, burden: burden(operation) }))
    .sort((a, b) => a.burden - b.burden)
  return first?.operation
}

/** The first server that has a host. */
function baseUrlOf(model: Model): string {
  const absolute = serversOf(model).find(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url))
  return inShell(absolute?.url ?? `http://127.0.0.1:8080${model.basePath}`)
}

/** The package of a module: `@billing/api` of `@billing/api/1.1.0/client`. Empty for a file. */
function packageOf(module: string): string {
  return /^(@[^/]+\/)?[^./@][^/]*/.exec(module)?.[0] ?? ''
}

function licenseUrl(license: JsonObject): string | undefined {
  const id = textOf(license, 'identifier')
  return textOf(license, 'url') ?? (id && /^[\w.-]+$/.test(id) ? `https://spdx.org/licenses/${id}.html` : '')
}

/** Its text is Markdown (OpenAPI 3.1, External Documentation Object). */
function docsLink(docs: JsonObject): Link {
  const text = textOf(docs, 'description') ?? 'More documentation'
  return { ...link(text, textOf(docs, 'url')), html: linkHtml(text) }
}

interface Link {
  readonly text: string
  /** Empty if the text is plain. */
  readonly html: string
  readonly href: string
  readonly isKnown: boolean
}

/** A link to the web or to mail. Without a URL it is a text. */
function link(text: string, url: string | undefined): Link {
  const href = url !== undefined && /^(https?:\/\/|mailto:)/i.test(url) ? url : ''
  return { text, html: '', href, isKnown: url !== undefined }
}

/** Whether the document says where its content comes from (`x-provenance`, `x-assumed`). */
export function hasProvenance(model: Model): boolean {
  return model.operations.some((operation) => noteOf(writtenOf(model, operation)) !== undefined)
}
