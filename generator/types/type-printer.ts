import type { SchemaObject } from 'openapi-typescript'
import type { Paragraph } from '../code/literal.js'
import type { JsonObject } from '../document/document.js'
import { referenceTo, type Schema } from '../schema/schema.js'
import { type TransformOptions, transformSchemaObject } from './openapi-typescript.js'
import type { PreparedType, PrintedType } from './prepared-type.js'
import { bigintFormat, fileFormat, sentFileFormat } from './type-spelling.js'
import { factory, type Member, type TypeNode } from './type-syntax.js'
import { memberLines, type TypeContext, typeText } from './type-text.js'

/** Prints schemas as types by openapi-typescript. */
export class TypePrinter {
  private readonly docs = new Map<Member, readonly Paragraph[]>()
  private readonly context: TransformOptions['ctx']
  private readonly resolved = new Set<string>()
  private docsOf: PreparedType['docs'] = new Map()

  /** @param prepared schemas by the reference of their type */
  constructor(prepared: ReadonlyMap<string, Schema>) {
    this.context = {
      ...contextDefaults,
      injectFooter: [],
      discriminators: { objects: {}, refsHandled: [] },
      resolve: <T>($ref: string) => {
        this.resolved.add($ref)
        return prepared.get($ref) as T | undefined
      },
      transform: (schema, options) =>
        isEmptyObject(schema)
          ? noProperties
          : (fileType(schema) ?? bigintType(schema) ?? tupleType(schema, options)),
      transformProperty: (property, schema) => {
        const docs = this.docsOf.get(schema)
        if (docs !== undefined) this.docs.set(property, docs)
        return property
      },
    }
  }

  print({ name, prepared, docs }: PreparedType): PrintedType {
    this.docsOf = docs
    this.docs.clear()
    this.resolved.clear()
    this.context.injectFooter.length = 0
    const schema = prepared as unknown as SchemaObject
    const node = transformSchemaObject(schema, { path: referenceTo(name), ctx: this.context, schema })
    const context: TypeContext = {
      nameOf: (component) => component,
      docOf: (property) => this.docs.get(property) ?? [],
    }
    const members = memberLines(node, context)
    return {
      ...(members !== undefined && members.length > 0 && { members }),
      text: typeText(node, context, 0),
      withRequired: this.context.injectFooter.length > 0,
      resolved: [...this.resolved].sort(),
    }
  }
}

/** A tuple with optional last items and possibly further ones. */
function tupleType(schema: object, options: TransformOptions): TypeNode | undefined {
  const { type, prefixItems, minItems, items } = schema as TupleSchema
  if (type !== 'array' || prefixItems === undefined) return undefined
  const elements: TypeNode[] = prefixItems.map((item, index) => {
    const type = transformSchemaObject(item, options)
    return index < minItems ? type : factory.createOptionalTypeNode(type)
  })
  const rest = transformSchemaObject(items, options)
  if (rest.kind !== 'NeverKeyword')
    elements.push(factory.createRestTypeNode(factory.createArrayTypeNode(rest)))
  return factory.createTupleTypeNode(elements)
}

interface TupleSchema {
  readonly type?: unknown
  readonly prefixItems?: readonly SchemaObject[]
  readonly minItems: number
  readonly items: SchemaObject
}

/** Uses globalThis, since a schema may be called Blob. */
function fileType({ format }: { readonly format?: unknown }): TypeNode | undefined {
  if (format === fileFormat) return blob
  return format === sentFileFormat ? factory.createUnionTypeNode([blob, bytes]) : undefined
}

function bigintType({ format }: { readonly format?: unknown }): TypeNode | undefined {
  if (typeof format !== 'string' || !format.startsWith(bigintFormat)) return undefined
  const digits = format.slice(bigintFormat.length).trim()
  if (digits === '') return factory.createKeywordTypeNode('BigIntKeyword')
  const literal = factory.createBigIntLiteral(`${digits.replace('-', '')}n`)
  return factory.createLiteralTypeNode(
    digits.startsWith('-') ? factory.createPrefixUnaryExpression('MinusToken', literal) : literal,
  )
}

const blob = factory.createTypeReferenceNode('globalThis.Blob')
const bytes = factory.createTypeReferenceNode('globalThis.Uint8Array')

const noProperties = factory.createTypeReferenceNode('Record', [
  factory.createKeywordTypeNode('StringKeyword'),
  factory.createKeywordTypeNode('NeverKeyword'),
])

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
  // Only openapi-typescript's own loading reads its configuration. Nothing is loaded here.
  redoc: undefined as never,
  rootTypes: false,
  rootTypesKeepCasing: false,
  rootTypesNoSchemaPrefix: false,
  silent: true,
}
