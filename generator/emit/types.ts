import { noPieces, type Pieces } from '../cache/pieces.js'
import { type Name, raw, typeNamed } from '../code/code.js'
import { documentation, oneLine, titleOf } from '../code/documentation.js'
import type { Paragraph } from '../code/literal.js'
import { key } from '../code/literal.js'
import { compareText } from '../document/cursor.js'
import type { Model } from '../model/model.js'
import type { SharedForms } from '../schema/form.js'
import { isComponent, type Schema } from '../schema/schema.js'
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
): Promise<string> {
  const declarations = declarationsOf(model, symbols, forms)
  return typesText(model, symbols, declarations, await printedTypes(declarations, pieces))
}

function typesText(
  model: Model,
  symbols: Symbols,
  declarations: Declaration[],
  printed: ReadonlyMap<Declaration, PrintedType>,
): string {
  const file = new SourceFile('./types.js', model)
  for (const declaration of declarations.sort((a, b) => compareText(a.symbol.name, b.symbol.name))) {
    file.blank()
    file.doc(...declaration.doc)
    const { symbol, alias } = declaration
    if (alias !== undefined) {
      file.line`export type ${symbol} = ${alias}`
      continue
    }
    const { members, text } = printed.get(declaration) ?? { text: 'unknown' }
    if (members === undefined) file.line`export type ${symbol} = ${raw(text)}`
    else {
      file.line`export interface ${symbol} {`
      file.indented(() => {
        for (const line of members) file.line`${raw(line)}`
      })
      file.line`}`
    }
  }
  printWebhooks(file, model, symbols)
  if ([...printed.values()].some(({ withRequired }) => withRequired)) {
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

function declarationsOf(model: Model, symbols: Symbols, forms: SharedForms<TypeForm>): Declaration[] {
  const rewrite = typeRewriter(model)
  const refer = (name: string, form: TypeForm): string => symbols.component(name, form).name
  const partsOf = paramsReader(model)
  const declare = (
    symbol: Name,
    schema: Schema | readonly Schema[],
    form: TypeForm,
    doc: readonly Paragraph[],
  ): Declaration => {
    const docs = new Map<object, readonly Paragraph[]>()
    const parts = [schema].flat() as readonly Schema[]
    const [only = true, ...others] = parts.map((part) =>
      rewrite(part, form, refer, (made, source) => docs.set(made, documentation(source))),
    )
    const prepared = others.length === 0 ? only : { allOf: [only, ...others] }
    return { name: symbol.name, symbol, doc, prepared, json: JSON.stringify(prepared), docs }
  }
  const firstForms = new Map([...forms.variants].reverse().map(({ name, form }) => [name, form]))
  const components = forms.variants.map(({ name, form }) => {
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
  const operations = model.operations.flatMap((operation) => {
    const { params, input, result, piece, headers, failure } = symbols.operation(operation)
    const bodies = operation.failures.flatMap(({ schema }) =>
      schema === undefined || isComponent(schema) ? [] : [schema],
    )
    const at = operation.source.pointer
    const sent = declare(
      params,
      partsOf(operation),
      'send',
      oneLine(`Params of ${titleOf(operation)}, as sent.`, at),
    )
    const received = declare(
      input,
      partsOf(operation),
      'input',
      oneLine(`Params of ${titleOf(operation)}, as a handler receives them.`, at),
    )
    const same = sent.json === received.json
    return [
      sent,
      same ? { ...received, alias: params } : received,
      declare(result, operation.result, 'result', oneLine(`Result of ${titleOf(operation)}.`, at)),
      ...(piece === undefined || operation.pieces === undefined
        ? []
        : [
            declare(
              piece,
              operation.pieces,
              'result',
              oneLine(`A piece of the stream of ${titleOf(operation)}.`, at),
            ),
          ]),
      ...(headers === undefined || operation.headers === undefined
        ? []
        : [
            declare(
              headers,
              operation.headers,
              'result',
              oneLine(`Response headers of ${titleOf(operation)}.`, at),
            ),
          ]),
      ...(failure === undefined
        ? []
        : [
            declare(
              failure,
              bodies.length === 1 ? (bodies[0] ?? true) : { anyOf: bodies },
              'result',
              oneLine(`Body of errors of ${operation.name}.`, at),
            ),
          ]),
    ]
  })
  const webhooks = model.webhooks.map((webhook) =>
    declare(
      symbols.webhook(webhook),
      webhook.payload,
      'result',
      oneLine(`Body of the ${webhook.kind} ${webhook.name}.`, webhook.source.pointer),
    ),
  )
  return [...components, ...operations, ...webhooks]
}

const secondForm: Readonly<Partial<Record<TypeForm, string>>> = {
  result: 'In responses.',
  input: 'As a handler receives it, with defaults.',
  send: 'As it is sent: properties with a default are optional, read-only ones absent.',
}
