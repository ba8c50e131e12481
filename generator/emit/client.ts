import { code, type Printable, raw, typeNamed, valueNamed } from '../code/code.js'
import { operationDocumentation } from '../code/documentation.js'
import { key, literal } from '../code/literal.js'
import { compareText } from '../document/cursor.js'
import { streaming } from '../model/content/streams.js'
import type { Model, Operation } from '../model/model.js'
import { ownMembers } from '../model/naming/client-members.js'
import { authType, credentialHelpers, printAuth } from './client-auth.js'
import { anyTransport, protocols, sides } from './client-sides.js'
import { SourceFile } from './file.js'
import { operationsModule } from './operations.js'
import type { Symbols } from './symbols.js'

/**
 * `client.ts`: one client interface over the transport of any protocol.
 *
 * @param isOwn whether the service is generated from this document too, so that it may know a version header
 */
export function emitClient(model: Model, symbols: Symbols, isOwn: boolean): string {
  const file = new SourceFile('./client.js', model)
  const root = namespaceTree(model)
  file.blank()
  file.line`export {`
  file.indented(() => {
    for (const name of reexports(model)) file.line`${raw(name)},`
  })
  file.line`} from 'duet-runtime/client'`
  printAuth(file, model)
  printOptions(file)
  for (const node of namespacesBelow(root)) printInterface(file, node, symbols)
  file.blank()
  file.doc(
    'Whether a caught error is an ApiError, if given with this `code`, and from a call of this `operation`.',
  )
  const check = code`${runtime('ErrorCheck')}<${operationsModule.types}, ${operationsModule.errorMembers}>`
  file.line`export const ${isApiError}: ${check} = ${valueNamed('duet-runtime/client', 'errorCheckOf')}()`
  file.blank()
  file.doc(`${model.title} ${model.version}.`)
  file.line`export interface ${client} extends ${runtime('ClientCalls')}<${operationsModule.types}, ${authType}> {`
  file.indented(() => printMembers(file, root, symbols))
  file.line`}`
  for (const { more } of sides) {
    if (more === undefined) continue
    file.blank()
    file.doc(more.doc)
    file.line`export type ${more.client} = ${client} & ${more.calls}<${operationsModule.types}, ${authType}>`
  }
  printFactory(file, isOwn ? model.version : undefined)
  return file.toString()
}

interface NamespaceNode {
  readonly namespace: string
  readonly operations: Operation[]
  readonly children: Map<string, NamespaceNode>
}

const client = typeNamed('./client.js', 'Client')
const isApiError = valueNamed('./client.js', 'isApiError')
const runtime = (name: string) => typeNamed('duet-runtime/client', name)

const callOptions = typeNamed('./client.js', 'CallOptions')
const clientOptions = typeNamed('./client.js', 'ClientOptions')

function reexports(model: Model): string[] {
  const names = ['ApiError', ...credentialHelpers(model), ...protocols, 'TransportError', ...readersOf(model)]
  return names.sort((a, b) => compareText(a.toLowerCase(), b.toLowerCase()))
}

/** Imports that read the document's kinds of streams. */
function readersOf({ operations }: Model): string[] {
  const kinds = new Set(operations.flatMap(({ rest: { answers = [] } }) => answers.map(({ kind }) => kind)))
  return [
    ...(kinds.has('events') ? ['readEvents'] : []),
    ...(kinds.has('lines') ? ['readValues'] : []),
    ...(kinds.has('events') ? ['type ServerSentEvent'] : []),
  ]
}

function namespaceTree(model: Model): NamespaceNode {
  const root: NamespaceNode = { namespace: 'default', operations: [], children: new Map() }
  for (const operation of model.operations) {
    let node = root
    const parts = operation.name.split('.').slice(0, -1)
    for (const [index, part] of parts.entries()) {
      const next = node.children.get(part) ?? {
        namespace: parts.slice(0, index + 1).join('.'),
        operations: [],
        children: new Map(),
      }
      node.children.set(part, next)
      node = next
    }
    node.operations.push(operation)
  }
  return root
}

/** Each namespace has an interface, even without operations: it may get one later. */
function namespacesBelow(node: NamespaceNode): NamespaceNode[] {
  return [...node.children.values()]
    .flatMap((child) => [child, ...namespacesBelow(child)])
    .sort((a, b) => compareText(a.namespace, b.namespace))
}

function printInterface(file: SourceFile, node: NamespaceNode, symbols: Symbols): void {
  file.blank()
  file.doc(`Calls of the namespace \`${node.namespace}\`.`)
  file.line`export interface ${symbols.client(node.namespace)} {`
  file.indented(() => printMembers(file, node, symbols))
  file.line`}`
}

const methods = { never: 'ClientMethod', sometimes: 'StreamableMethod', always: 'StreamMethod' }

function printMembers(file: SourceFile, node: NamespaceNode, symbols: Symbols): void {
  const atRoot = node.namespace === 'default'
  const nameOf = (name: string): Printable => key(atRoot && ownMembers.has(name) ? `${name}_` : name)
  for (const [name, child] of [...node.children].sort(([a], [b]) => compareText(a, b))) {
    file.line`readonly ${nameOf(name)}: ${symbols.client(child.namespace)}`
  }
  for (const operation of node.operations) {
    const method = runtime(methods[streaming(operation)])
    file.doc(...operationDocumentation(operation))
    file.line`readonly ${nameOf(operation.member)}: ${method}<${operationsModule.types}[${literal(operation.name)}], ${authType}>`
  }
}

function printOptions(file: SourceFile): void {
  file.blank()
  file.doc('How a client reaches its service, and the defaults of its calls.')
  file.line`export type ${clientOptions}<Transport extends ${anyTransport}> = ${runtime('ClientOptions')}<Transport, ${authType}>`
  file.blank()
  file.doc('Options of one call. They override those of the client.')
  file.line`export type ${callOptions} = ${runtime('CallOptions')}<${authType}>`
}

function printFactory(file: SourceFile, version: string | undefined): void {
  const options = clientOptions
  const [first, ...others] = protocols.map((protocol) => `${protocol}(url)`)
  const alternatives = others.map((created) => ` or \`${created}\``).join('')
  // The compiler takes the first signature that fits.
  const ordered = [...sides].sort((a, b) => Number(b.more !== undefined) - Number(a.more !== undefined))
  const createClientOf = valueNamed('duet-runtime/client', 'createClientOf')
  const { operations, errors, securitySchemes } = operationsModule
  file.blank()
  file.doc(`A client of the service: \`createClient({ transport: ${first} })\`${alternatives}.`)
  for (const { transport, more } of ordered)
    file.line`export function createClient(options: ${options}<${transport}>): ${more?.client ?? client}`
  file.line`export function createClient(options: ${options}<${anyTransport}>): ${client}`
  file.line`export function createClient(options: ${options}<${anyTransport}>): ${client} {`
  file.indented(() => {
    const chosen = version === undefined ? code`` : code`version: ${literal(version)}, `
    const contract = code`{ ${chosen}${operations}, ${errors}, ${securitySchemes} }`
    file.line`return ${createClientOf}<${client}>(${contract}, options)`
  })
  file.line`}`
}
