import { type Code, code, join, type Name, type Printable, typeNamed } from '../code/code.js'
import { operationDocumentation } from '../code/documentation.js'
import { key, literal } from '../code/literal.js'
import { compareText } from '../document/cursor.js'
import { groupBy } from '../document/grouping.js'
import { isObject, own } from '../document/json.js'
import type { Model, Operation } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import { SourceFile } from './file.js'
import { operationsModule } from './operations.js'
import type { Symbols } from './symbols.js'

/** The interface of all handlers of a version. */
export const handlersName: Name = typeNamed('./handlers.js', 'Handlers')

/** `handlers.ts`: what a service implements, one interface per namespace. */
export function emitHandlers(
  model: Model,
  symbols: Symbols,
  pieces: OperationPieces = new OperationPieces(model),
): string {
  const file = new SourceFile('./handlers.js', model)
  const namespaces = byNamespace(model)
  for (const [namespace, operations] of namespaces) {
    file.blank()
    file.doc(`Handlers of the namespace \`${namespace}\`: implement as an object or a class.`)
    file.line`export interface ${symbols.handlers(namespace)}<Principal, State = unknown> {`
    file.indented(() => {
      for (const operation of operations)
        file.part(pieces, operation, symbols.textOf(operation), () => printMethod(file, operation, symbols))
    })
    file.line`}`
  }
  file.blank()
  file.doc('By namespace: the dotted name without its last part (`default` without a dot).')
  file.line`export interface ${handlersName}<Principal, State = unknown> {`
  file.indented(() => {
    for (const namespace of namespaces.keys()) {
      file.line`${key(namespace)}: ${symbols.handlers(namespace)}<Principal, State>`
    }
  })
  file.line`}`
  return file.toString()
}

const context = typeNamed('duet-runtime', 'Context')

function printMethod(file: SourceFile, operation: Operation, symbols: Symbols): void {
  const { input, result, piece } = symbols.operation(operation)
  const open = isPublic(operation)
  const caller = open ? code`Principal | undefined` : code`Principal`
  file.doc(...operationDocumentation(operation, open ? ['Public: the principal may be missing.'] : []))
  file.signature(
    methodName(operation.member),
    [
      code`params: ${input}`,
      code`context: ${context}<${caller}, State, ${operationsModule.errorsOf}<${literal(operation.name)}>, ${statuses(operation)}>`,
    ],
    code`: ${answer(operation, result, piece)}`,
  )
}

/** The operations of each namespace, both sorted by name. */
function byNamespace(model: Model): ReadonlyMap<string, readonly Operation[]> {
  const groups = groupBy(model.operations, ({ namespace }) => namespace)
  return new Map([...groups].sort(([a], [b]) => compareText(a, b)))
}

/** The statuses that a handler may choose from. */
function statuses({ rest: { status, statuses = [status] } }: Operation): Printable {
  return join(
    statuses.map((each) => literal(each)),
    ' | ',
  )
}

/** Handlers may return bytes directly, and anything that is not JSON in pieces. */
function answer(
  { rest: { answers = [] }, result: schema }: Operation,
  result: Name,
  piece: Name | undefined,
): Printable {
  // Returning nothing counts as null.
  if (isObject(schema) && own(schema, 'type') === 'null')
    return code`Promise<${result} | void> | ${result} | void`
  const plain = code`Promise<${result}> | ${result}`
  const kinds = new Set(answers.map(({ kind }) => kind))
  const untyped = typeNamed('duet-runtime', 'Pieces')
  const pieces = piece === undefined ? untyped : code`${untyped}<${piece}>`
  const binary = typeNamed('duet-runtime', 'Binary')
  const also = [
    ...(kinds.has('binary') ? [binary] : []),
    ...(['text', 'binary', 'events', 'lines'].some((kind) => kinds.has(kind as 'text')) ? [pieces] : []),
  ]
  if (also.length === 0) return plain
  const union = join([result, ...also], ' | ')
  return code`Promise<${union}> | ${union}`
}

/** No alternative asks for a credential, or one of them asks for none. */
function isPublic(operation: Operation): boolean {
  return (
    operation.security.length === 0 ||
    operation.security.some((requirement) => Object.keys(requirement).length === 0)
  )
}

/** In an interface, `new(...)` without quotes is a construct signature. */
function methodName(member: string): Code {
  return member === 'new' ? literal(member) : key(member)
}
