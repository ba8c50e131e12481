import { noPieces, type Pieces } from '../cache/pieces.js'
import { type Name, raw, typeNamed } from '../code/code.js'
import { documentation, oneLine, titleOf } from '../code/documentation.js'
import { commentText, key, type Paragraph } from '../code/literal.js'
import { compareText } from '../document/cursor.js'
import type { Model, Operation, StatusResult } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import type { SharedForms } from '../schema/form.js'
import { isComponent, type Schema } from '../schema/schema.js'
import { markedText } from '../types/marked-names.js'
import type { PreparedType, PrintedType } from '../types/prepared-type.js'
import { printedTypes } from '../types/printed-types.js'
import type { TypeForm } from '../types/type-form.js'
import { paramsReader, typeRewriter } from '../types/type-forms.js'
import { SourceFile } from './file.js'
import type { Symbols } from './symbols.js'

/**
 * `types.ts`: one exported type for each component schema in each form, and for each operation's params,
 * input and result.
 */
export async function emitTypes(
  model: Model,
  symbols: Symbols,
  forms: SharedForms<TypeForm>,
  pieces: Pieces = noPieces,
  parts: OperationPieces = new OperationPieces(model),
): Promise<string> {
  const declare = declarer(model, symbols)
  const paramsOf = paramsReader(model)
  const marked = markedText(model)
  const factsOf = (operation: Operation) => symbols.textOf(operation) + marked
  const known: DeclaredType[] = []
  const added: { readonly operation: Operation; readonly declarations: readonly Declaration[] }[] = []
  for (const operation of model.operations) {
    const kept = parts.get('types', operation, factsOf(operation))
    if (kept !== undefined) known.push(...(kept as DeclaredType[]))
    else
      added.push({
        operation,
        declarations: operationTypes(operation, symbols, declare, paramsOf(operation)),
      })
  }
  const others = [...componentTypes(model, symbols, forms, declare), ...webhookTypes(model, symbols, declare)]
  const printed = await printedTypes(
    [...others, ...added.flatMap(({ declarations }) => declarations)],
    pieces,
  )
  const declared = (declaration: Declaration): DeclaredType =>
    declaredType(declaration, printed.get(declaration))
  for (const { operation, declarations } of added) {
    const made = declarations.map(declared)
    parts.set(made, 'types', operation, factsOf(operation))
    known.push(...made)
  }
  return typesText(model, symbols, [...others.map(declared), ...known])
}

/** A type as the file has it. */
type DeclaredType = { readonly name: string; readonly text: string; readonly withRequired: boolean }

function declaredType({ symbol: { name }, doc, alias }: Declaration, printed?: PrintedType): DeclaredType {
  const comment = commentText(doc)
  const head = comment === '' ? '' : `${comment}\n`
  if (alias !== undefined)
    return { name, text: `${head}export type ${name} = ${alias.name}`, withRequired: false }
  const { members, text, withRequired } = printed ?? { text: 'unknown', withRequired: false }
  const body =
    members === undefined
      ? `export type ${name} = ${text}`
      : [`export interface ${name} {`, ...members.map(indented), '}'].join('\n')
  return { name, text: head + body, withRequired }
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line.replace(/\n(?!\n|$)/g, '\n  ')}`
}

function typesText(model: Model, symbols: Symbols, types: DeclaredType[]): string {
  const file = new SourceFile('./types.js', model)
  for (const { text } of types.sort((a, b) => compareText(a.name, b.name))) {
    file.blank()
    file.line`${raw(text)}`
  }
  printWebhooks(file, model, symbols)
  if (types.some(({ withRequired }) => withRequired)) {
    file.blank()
    // Uses no global: a schema may be called PropertyKey. Only over keyof T does -? remove undefined.
    file.line`type WithRequired<T, K> = T & { [P in keyof T as P extends K ? P : never]-?: T[P] }`
  }
  return file.toString()
}

/** The bodies of webhooks and callbacks by name. */
function printWebhooks(file: SourceFile, model: Model, symbols: Symbols): void {
  for (const [kind, name, doc] of webhookMaps) {
    const sent = model.webhooks.filter((webhook) => webhook.kind === kind)
    if (sent.length === 0) continue
    file.blank()
    file.doc(doc)
    file.line`export interface ${name} {`
    file.indented(() => {
      for (const webhook of sent) {
        file.doc(webhook.summary, webhook.description, webhook.source.pointer)
        file.line`${key(webhook.name)}: ${symbols.webhook(webhook)}`
      }
    })
    file.line`}`
  }
}

const webhookMaps = [
  ['webhook', typeNamed('./types.js', 'Webhooks'), 'Bodies that the service sends to webhooks, by name.'],
  [
    'callback',
    typeNamed('./types.js', 'Callbacks'),
    'Bodies that the service sends to callbacks, by operation and name.',
  ],
] as const

interface Declaration extends PreparedType {
  readonly symbol: Name
  readonly doc: readonly Paragraph[]
  /** Set if the type equals another. */
  readonly alias?: Name
}

type Declare = (
  symbol: Name,
  schema: Schema | readonly Schema[],
  form: TypeForm,
  doc: readonly Paragraph[],
) => Declaration

function declarer(model: Model, symbols: Symbols): Declare {
  const rewrite = typeRewriter(model)
  const refer = (name: string, form: TypeForm): string => symbols.component(name, form).name
  return (symbol, schema, form, doc) => {
    const docs = new Map<object, readonly Paragraph[]>()
    const parts = [schema].flat() as readonly Schema[]
    const [only = true, ...others] = parts.map((part) =>
      rewrite(part, form, refer, (made, source) => docs.set(made, documentation(source))),
    )
    const prepared = others.length === 0 ? only : { allOf: [only, ...others] }
    return { name: symbol.name, symbol, doc, prepared, json: JSON.stringify(prepared), docs }
  }
}

function componentTypes(
  model: Model,
  symbols: Symbols,
  forms: SharedForms<TypeForm>,
  declare: Declare,
): Declaration[] {
  const firstForms = new Map([...forms.variants].reverse().map(({ name, form }) => [name, form]))
  return forms.variants.map(({ name, form }) => {
    const schema = model.schemas.get(name) ?? true
    const pointer = model.sources.get(name)?.pointer
    const second = firstForms.get(name) !== form
    return declare(symbols.component(name, form), schema, form, [
      ...documentation(schema),
      form.startsWith('family-')
        ? 'The schema itself or one that extends it by allOf, depending on the discriminator.'
        : undefined,
      second ? secondForm[form] : undefined,
      pointer,
    ])
  })
}

function operationTypes(
  operation: Operation,
  symbols: Symbols,
  declare: Declare,
  schemas: readonly Schema[],
): Declaration[] {
  const { params, input, result, piece, headers, byStatus, failure } = symbols.operation(operation)
  const bodies = operation.failures.flatMap(({ schema }) =>
    schema === undefined || isComponent(schema) ? [] : [schema],
  )
  const at = operation.source.pointer
  const title = titleOf(operation)
  const sent = declare(params, schemas, 'send', oneLine(`Params of ${title}, as sent.`, at))
  const received = declare(
    input,
    schemas,
    'input',
    oneLine(`Params of ${title}, as a handler receives them.`, at),
  )
  const same = sent.json === received.json
  const found = [
    sent,
    same ? { ...received, alias: params } : received,
    declare(result, operation.result, 'result', oneLine(`Result of ${title}.`, at)),
  ]
  if (piece !== undefined && operation.pieces !== undefined)
    found.push(declare(piece, operation.pieces, 'result', oneLine(`A piece of the stream of ${title}.`, at)))
  if (headers !== undefined && operation.headers !== undefined)
    found.push(declare(headers, operation.headers, 'result', oneLine(`Response headers of ${title}.`, at)))
  if (byStatus !== undefined && operation.byStatus !== undefined)
    found.push(
      declare(
        byStatus,
        statusesSchema(operation.byStatus),
        'result',
        oneLine(`Success of ${title}, by status.`, at),
      ),
    )
  if (failure !== undefined) {
    const body = bodies.length === 1 ? (bodies[0] ?? true) : { anyOf: bodies }
    found.push(declare(failure, body, 'result', oneLine(`Body of errors of ${operation.name}.`, at)))
  }
  return found
}

function statusesSchema(byStatus: readonly StatusResult[]): Schema {
  const anyOf = byStatus.map(({ statuses, result, headers }) => {
    const properties = { status: { enum: statuses }, result, ...(headers !== undefined && { headers }) }
    return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  })
  return { anyOf }
}

function webhookTypes(model: Model, symbols: Symbols, declare: Declare): Declaration[] {
  return model.webhooks.map((webhook) =>
    declare(
      symbols.webhook(webhook),
      webhook.payload,
      'result',
      oneLine(`Body of the ${webhook.kind} ${webhook.name}.`, webhook.source.pointer),
    ),
  )
}

const secondForm: Readonly<Partial<Record<TypeForm, string>>> = {
  result: 'In responses.',
  input: 'As a handler receives it, with defaults.',
  send: 'As it is sent: properties with a default are optional, read-only ones absent.',
}
