import type { Int64Positions, PositionNode } from 'duet-runtime'
import type { PatternData } from 'duet-runtime/validation'
import { code, join, type Name, type Printable, raw, typeNamed, valueNamed, widthOf } from '../code/code.js'
import { operationDocumentation } from '../code/documentation.js'
import { key, lineWidth, literal } from '../code/literal.js'
import { streamsOf } from '../model/content/streams.js'
import type { Model, Operation } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import { patternPlan } from '../patterns/pattern-plan.js'
import { toolBinding } from '../samples/tool-call.js'
import { isComponent, referenceOf } from '../schema/schema.js'
import { SourceFile } from './file.js'
import type { Symbols } from './symbols.js'

/** Names that `operations.ts` exports besides one constant per operation. */
export const operationsModule = {
  types: typeNamed('./operations.js', 'OperationTypes'),
  name: typeNamed('./operations.js', 'OperationName'),
  operations: valueNamed('./operations.js', 'operations'),
  errors: valueNamed('./operations.js', 'errors'),
  errorCode: typeNamed('./operations.js', 'ErrorCode'),
  errorBody: typeNamed('./operations.js', 'ErrorBody'),
  errorMembers: typeNamed('./operations.js', 'ErrorMembers'),
  errorsOf: typeNamed('./operations.js', 'ErrorsOf'),
  securitySchemes: valueNamed('./operations.js', 'securitySchemes'),
  schemeName: typeNamed('./operations.js', 'SchemeName'),
}

/** `operations.ts`: the table behind both protocols, the clients and the in-process call. */
export function emitOperations(
  model: Model,
  symbols: Symbols,
  pieces: OperationPieces = new OperationPieces(model),
): string {
  const file = new SourceFile('./operations.js', model)
  const {
    types,
    name,
    operations,
    errors,
    errorCode,
    errorBody,
    errorMembers,
    errorsOf,
    securitySchemes,
    schemeName,
  } = operationsModule
  file.blank()
  file.doc(
    'Params (as sent), input (as a handler sees them), result, status and error codes of each operation.',
  )
  file.line`export interface ${types} {`
  file.indented(() => {
    for (const operation of model.operations)
      file.part(pieces, operation, symbols.textOf(operation), () => printTypes(file, operation, symbols))
  })
  file.line`}`
  file.blank()
  file.line`export type ${name} = keyof ${types}`
  for (const operation of model.operations) {
    file.part(pieces, operation, symbols.textOf(operation), () => {
      file.blank()
      file.doc(...operationDocumentation(operation))
      file.line`export const ${symbols.operation(operation).constant}: ${runtimeOperation} = ${tableEntry(operation)}`
    })
  }
  file.blank()
  file.doc('Every operation by name.')
  printRecord(
    file,
    code`export const ${operations}: Readonly<Record<${name}, ${runtimeOperation}>> =`,
    model.operations.map(
      (operation) => code`${key(operation.name)}: ${symbols.operation(operation).constant}`,
    ),
  )
  file.blank()
  file.doc('The error catalogue: how each protocol shows each problem code.')
  file.line`export const ${errors} = ${literal(Object.fromEntries(model.errors))} as const`
  file.blank()
  file.line`export type ${errorCode} = keyof typeof ${errors}`
  file.blank()
  file.doc('The extension members of problems, by code.')
  if (model.errorMembers.size === 0) file.line`export interface ${errorMembers} {}`
  else file.line`export interface ${errorMembers} {`
  file.indented(() => {
    for (const [error, component] of model.errorMembers)
      file.line`${key(error)}: ${symbols.component(component, 'result')}`
  })
  if (model.errorMembers.size > 0) file.line`}`
  file.blank()
  file.doc('The problem codes of an operation, with their extension members.')
  file.line`export type ${errorsOf}<Name extends ${name}> = {`
  file.indented(() => {
    file.line`readonly [Code in ${types}[Name]['errors']]: Code extends keyof ${errorMembers} ? ${errorMembers}[Code] : Record<never, never>`
  })
  file.line`}`
  file.blank()
  const bodies = [...new Set(model.operations.flatMap((operation) => errorBodies(operation, symbols)))]
  file.doc('The error bodies that the document declares instead of problems.')
  if (bodies.length === 0) file.line`export type ${errorBody} = unknown`
  else file.line`export type ${errorBody} =${bodies.map((body) => code`${raw('\n  | ')}${body}`)}`
  file.blank()
  file.doc('Where a request carries its credentials, by security scheme.')
  file.line`export const ${securitySchemes} = ${literal(Object.fromEntries(model.securitySchemes))} as const`
  file.blank()
  file.line`export type ${schemeName} = keyof typeof ${securitySchemes}`
  return file.toString()
}

/** `head { … }` with one entry per line. A remark becomes a comment at the end of the line. */
export function printRecord(
  file: SourceFile,
  head: Printable,
  entries: readonly Printable[],
  remarks: readonly Printable[] = [],
): void {
  if (entries.length === 0) {
    file.line`${head} {}`
    return
  }
  file.line`${head} {`
  file.indented(() => {
    for (const [index, entry] of entries.entries()) file.line`${entry},${remarks[index] ?? []}`
  })
  file.line`}`
}

// From the client's entry point, which has no Node types: operations.ts is part of browser programs too.
const runtimeOperation: Name = typeNamed('duet-runtime/client', 'Operation')

function printTypes(file: SourceFile, operation: Operation, symbols: Symbols): void {
  const { params, input, result, headers, byStatus } = symbols.operation(operation)
  file.line`${key(operation.name)}: {`
  file.indented(() => {
    file.line`params: ${params}`
    file.line`input: ${input}`
    file.line`result: ${result}`
    const piece = pieceType(operation, symbols)
    if (piece !== undefined) file.line`piece: ${piece}`
    file.line`status: ${statusType(operation)}`
    if (headers !== undefined) file.line`headers: ${headers}`
    if (byStatus !== undefined) file.line`byStatus: ${byStatus}`
    const errors = operation.errors.map((error) => literal(error))
    const union = join(errors, ' | ')
    if (widthOf(union) < lineWidth - 12) file.line`errors: ${union}`
    else file.line`errors:${errors.map((error) => code`${raw('\n  | ')}${error}`)}`
    const bodies = errorBodies(operation, symbols)
    if (bodies.length > 0) file.line`body: ${join(bodies, ' | ')}`
  })
  file.line`}`
}

/** The type of a stream's pieces on the client. Undefined for an operation without streams. */
function pieceType(operation: Operation, symbols: Symbols): Printable | undefined {
  const streams = streamsOf(operation)
  if (streams.length === 0) return undefined
  const isBare = streams.every(({ bare }) => bare === true)
  const unknown = isBare ? typeNamed('duet-runtime/client', 'ServerSentEvent') : raw('unknown')
  return symbols.operation(operation).piece ?? unknown
}

/** JSON-RPC does not report which of several statuses it was. */
function statusType({ rest: { status, statuses } }: Operation): Printable {
  if (statuses === undefined) return literal(status)
  return code`${join(
    statuses.map((each) => literal(each)),
    ' | ',
  )} | undefined`
}

/** The types of the error bodies, each once. */
function errorBodies(operation: Operation, symbols: Symbols): Name[] {
  const { failure } = symbols.operation(operation)
  const components = new Set(
    operation.failures.flatMap(({ schema }) => (isComponent(schema) ? (referenceOf(schema) ?? []) : [])),
  )
  const named = [...components].map((name) => symbols.component(name, 'result'))
  return failure === undefined ? named : [...named, failure]
}

/** The information about error bodies that both sides need: their media type and their component. */
function failuresOf({ failures }: Operation): Record<string, object | false> {
  return Object.fromEntries(
    failures.map(({ response, type, schema }) => {
      if (schema === undefined) return [response, false]
      const name = isComponent(schema) ? referenceOf(schema) : undefined
      const isUsual = type === 'application/json'
      return [response, { ...(!isUsual && { type }), ...(name !== undefined && { schema: name }) }]
    }),
  )
}

function tableEntry(operation: Operation): Printable {
  const { name, rest, rpc, security, errors, failures, idempotent, idempotencyKey } = operation
  const { deprecation, datetimes, binaries, int64, int64Numbers, tool } = operation
  return literal(
    {
      name,
      source: operation.source.pointer,
      rest,
      rpc,
      security,
      errors,
      ...(failures.length > 0 && { failures: failuresOf(operation) }),
      idempotent,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(deprecation !== undefined && { deprecation }),
      datetimes: checkedGraphs(datetimes),
      ...(binaries !== undefined && { binaries: withChecks(binaries) }),
      ...(int64 !== undefined && { int64: int64Entry(int64) }),
      ...(int64Numbers !== undefined && { int64Numbers: checkedGraphs(int64Numbers) }),
      ...(tool !== undefined && { tool: toolBinding(tool) }),
    },
    tableWidth,
  )
}

function int64Entry({ as, failures, ...parts }: Int64Positions): object {
  return { as, ...checkedGraphs(parts), ...(failures !== undefined && { failures: checkedGraphs(failures) }) }
}

function checkedGraphs(graphs: object): Record<string, readonly PositionNode[]> {
  return Object.fromEntries(
    Object.entries(graphs).map(([name, graph]: [string, readonly PositionNode[]]) => [
      name,
      withChecks(graph),
    ]),
  )
}

/** A graph of positions, with how to run its patterns. */
function withChecks(graph: readonly PositionNode[]): readonly PositionNode[] {
  return graph.map((node) => {
    const checks = Object.keys(node.patterns ?? {}).flatMap((pattern): [string, PatternData][] => {
      const { data } = patternPlan(pattern)
      return data === undefined ? [] : [[pattern, data]]
    })
    return checks.length === 0 ? node : { ...node, checks: Object.fromEntries(checks) }
  })
}

/** Wider than other lines, to keep each parameter on one line. */
const tableWidth = 160
