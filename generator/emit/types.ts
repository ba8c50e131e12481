import {
  type GlobalContext,
  NEVER,
  type SchemaObject,
  STRING,
  transformSchemaObject,
  tsRecord,
} from 'openapi-typescript'
import ts from 'typescript'
import type { JsonObject } from '../load/document.js'
import { compareText } from '../model/cursor.js'
import type { Model, Schema } from '../model/model.js'
import { referenceTo } from '../model/schema.js'
import { type Name, raw, typeNamed } from './code.js'
import { documentation, oneLine } from './documentation.js'
import { SourceFile } from './file.js'
import type { SharedForms } from './form.js'
import type { Paragraph } from './literal.js'
import { key } from './literal.js'
import type { Symbols } from './symbols.js'
import { fileFormat, sentFileFormat, type TypeForm, typeRewriter } from './type-schema.js'
import { memberLines, type TypeContext, typeText } from './type-text.js'

/** `types.ts`: one exported type for each component schema in each form, and for each operation's params, input and result. */
export function emitTypes(model: Model, symbols: Symbols, forms: SharedForms<TypeForm>): string {
  const declarations = declarationsOf(model, symbols, forms)
  const printer = new TypePrinter(declarations)
  const file = new SourceFile('./types.js', model)
  for (const declaration of declarations.sort((a, b) => compareText(a.symbol.name, b.symbol.name))) {
    file.blank()
    file.doc(...declaration.doc)
    const { symbol, alias } = declaration
    if (alias !== undefined) {
      file.line`export type ${symbol} = ${alias}`
      continue
    }
    const { members, text } = printer.print(declaration)
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
  if (printer.usesWithRequired) {
    file.blank()
    file.line`type WithRequired<T, K extends PropertyKey> = T & { [P in K & keyof T]-?: T[P] }`
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
  ['webhook', typeNamed('./types.js', 'Webhooks'), 'What the service sends to webhooks, by their name.'],
  [
    'callback',
    typeNamed('./types.js', 'Callbacks'),
    'What the service sends to callbacks, by operation and name.',
  ],
] as const

interface Declaration {
  readonly symbol: Name
  readonly doc: readonly Paragraph[]
  readonly prepared: Schema
  /** The schema that each prepared one was made from, for the doc comments of properties. */
  readonly sources: ReadonlyMap<object, JsonObject>
  /** Set where the type is the same as another. */
  readonly alias?: Name
}

function declarationsOf(model: Model, symbols: Symbols, forms: SharedForms<TypeForm>): Declaration[] {
  const rewrite = typeRewriter(model)
  const refer = (name: string, form: TypeForm): string => symbols.component(name, form).name
  const declare = (symbol: Name, schema: Schema, form: TypeForm, doc: readonly Paragraph[]): Declaration => {
    const sources = new Map<object, JsonObject>()
    const prepared = rewrite(schema, form, refer, (made, source) => sources.set(made, source))
    return { symbol, doc, prepared, sources }
  }
  const components = forms.variants.map(({ name, form }) => {
    const schema = model.schemas.get(name) ?? true
    const pointer = model.sources.get(name)?.pointer
    const second = forms.variants.find((variant) => variant.name === name)?.form !== form
    return declare(symbols.component(name, form), schema, form, [
      ...documentation(schema),
      second ? secondForm[form] : undefined,
      pointer,
    ])
  })
  const operations = model.operations.flatMap((operation) => {
    const { params, input, result } = symbols.operation(operation)
    const at = operation.source.pointer
    const sent = declare(
      params,
      operation.params,
      'send',
      oneLine(`Params of ${operation.name}, as sent.`, at),
    )
    const received = declare(
      input,
      operation.params,
      'input',
      oneLine(`Params of ${operation.name}, as a handler gets them.`, at),
    )
    const same = JSON.stringify(sent.prepared) === JSON.stringify(received.prepared)
    return [
      sent,
      same ? { ...received, alias: params } : received,
      declare(result, operation.result, 'result', oneLine(`Result of ${operation.name}.`, at)),
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

class TypePrinter {
  private readonly docs = new Map<ts.Node, readonly Paragraph[]>()
  private readonly context: GlobalContext
  private sources: ReadonlyMap<object, JsonObject> = new Map()

  constructor(declarations: readonly Declaration[]) {
    const prepared = new Map(
      declarations.map((declaration) => [referenceTo(declaration.symbol.name), declaration.prepared]),
    )
    this.context = {
      ...contextDefaults,
      injectFooter: [],
      discriminators: { objects: {}, refsHandled: [] },
      resolve: <T>($ref: string) => prepared.get($ref) as T | undefined,
      transform: (schema) => (isEmptyObject(schema) ? noProperties : fileType(schema)),
      transformProperty: (property, schema) => {
        const source = this.sources.get(schema)
        if (source !== undefined) this.docs.set(property, documentation(source))
        return property
      },
    }
  }

  get usesWithRequired(): boolean {
    return this.context.injectFooter.length > 0
  }

  print(declaration: Declaration): { members: string[] | undefined; text: string } {
    this.sources = declaration.sources
    const prepared = declaration.prepared as unknown as SchemaObject
    const path = referenceTo(declaration.symbol.name)
    const node = transformSchemaObject(prepared, {
      path,
      ctx: this.context,
      schema: prepared,
    })
    const context: TypeContext = {
      nameOf: (name) => name,
      docOf: (property) => this.docs.get(property) ?? [],
    }
    const members = memberLines(node, context)
    return { members: members?.length === 0 ? undefined : members, text: typeText(node, context, 0) }
  }
}

const secondForm: Readonly<Record<TypeForm, string>> = {
  result: 'As it is answered.',
  input: 'As a handler gets it, defaults filled in.',
  send: 'As it is sent: what has a default may be left out, nothing is read-only.',
}

/** Named through globalThis, since a schema may be called Blob. */
function fileType({ format }: { readonly format?: unknown }): ts.TypeNode | undefined {
  if (format === fileFormat) return blob
  return format === sentFileFormat ? ts.factory.createUnionTypeNode([blob, bytes]) : undefined
}

const blob = ts.factory.createTypeReferenceNode('globalThis.Blob')
const bytes = ts.factory.createTypeReferenceNode('globalThis.Uint8Array')

const noProperties = tsRecord(STRING, NEVER)

function isEmptyObject(schema: object): boolean {
  const { type, properties, additionalProperties } = schema as JsonObject
  return type === 'object' && properties === undefined && additionalProperties === false
}

const contextDefaults = {
  additionalProperties: false,
  alphabetize: false,
  arrayLength: false,
  conditionalEnums: false,
  dedupeEnums: false,
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
  enum: false,
  enumValues: false,
  excludeDeprecated: false,
  exportType: false,
  generatePathParams: false,
  immutable: false,
  makePathsEnum: false,
  pathParamsAsTypes: false,
  postTransform: undefined,
  propertiesRequiredByDefault: false,
  readWriteMarkers: false,
  // Only openapi-typescript's own loading reads its configuration; nothing is loaded here.
  redoc: undefined as never,
  rootTypes: false,
  rootTypesKeepCasing: false,
  rootTypesNoSchemaPrefix: false,
  silent: true,
}
