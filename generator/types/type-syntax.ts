/** A type as a tree, with the TypeScript compiler's names for its parts. */
export type TypeNode =
  | { readonly kind: 'ArrayType'; readonly elementType: TypeNode }
  | { readonly kind: 'IndexedAccessType'; readonly indexType: TypeNode }
  | { readonly kind: 'LiteralType'; readonly literal: Literal }
  | { readonly kind: 'OptionalType' | 'RestType'; readonly type: TypeNode }
  | { readonly kind: 'TupleType'; readonly elements: readonly TypeNode[] }
  | { readonly kind: 'TypeLiteral'; readonly members: readonly Member[] }
  | { readonly kind: 'TypeReference'; readonly typeName: Text; readonly typeArguments: readonly TypeNode[] }
  | { readonly kind: 'UnionType' | 'IntersectionType'; readonly types: readonly TypeNode[] }
  | Keyword
  // openapi-typescript writes a string literal as an identifier that contains its JSON text.
  | Text

export type Literal = Keyword | Text | { readonly kind: 'PrefixUnaryExpression'; readonly operand: Text }

/** A name, or the text of a literal. */
interface Text {
  readonly kind: 'Identifier' | 'StringLiteral' | 'NumericLiteral' | 'BigIntLiteral'
  readonly text: string
}

export type Member =
  | {
      readonly kind: 'PropertySignature'
      readonly name: Text
      readonly questionToken: object | undefined
      readonly type: TypeNode
    }
  | { readonly kind: 'IndexSignature'; readonly type: TypeNode }

const keywords = {
  BigIntKeyword: 'bigint',
  BooleanKeyword: 'boolean',
  FalseKeyword: 'false',
  NeverKeyword: 'never',
  NullKeyword: 'null',
  NumberKeyword: 'number',
  StringKeyword: 'string',
  TrueKeyword: 'true',
  UndefinedKeyword: 'undefined',
  UnknownKeyword: 'unknown',
} as const

interface Keyword {
  readonly kind: keyof typeof keywords
}

export function keywordText({ kind }: Keyword): string {
  return keywords[kind]
}

const text =
  (kind: Text['kind']) =>
  (value: string | number): Text => ({ kind, text: String(value) })
const keyword = (kind: Keyword['kind']): Keyword => ({ kind })
const identifier = text('Identifier')

/** Creates such trees, like the compiler's `ts.factory`. */
export const factory = {
  createArrayTypeNode: (elementType: TypeNode): TypeNode => ({ kind: 'ArrayType', elementType }),
  createBigIntLiteral: text('BigIntLiteral'),
  createFalse: () => keyword('FalseKeyword'),
  createIdentifier: identifier,
  createIndexedAccessTypeNode: (_object: TypeNode, indexType: TypeNode): TypeNode => ({
    kind: 'IndexedAccessType',
    indexType,
  }),
  createIndexSignature: (_modifiers: unknown, _parameters: unknown, type: TypeNode): Member => ({
    kind: 'IndexSignature',
    type,
  }),
  createIntersectionTypeNode: (types: readonly TypeNode[]): TypeNode => ({ kind: 'IntersectionType', types }),
  createKeywordTypeNode: keyword,
  createLiteralTypeNode: (literal: Literal): TypeNode => ({ kind: 'LiteralType', literal }),
  createModifier: (kind: string) => ({ kind }),
  createNull: () => keyword('NullKeyword'),
  createNumericLiteral: text('NumericLiteral'),
  createOptionalTypeNode: (type: TypeNode): TypeNode => ({ kind: 'OptionalType', type }),
  createParameterDeclaration: () => ({ kind: 'Parameter' }),
  createPrefixUnaryExpression: (_operator: string, operand: Text): Literal => ({
    kind: 'PrefixUnaryExpression',
    operand,
  }),
  createPropertySignature: (
    _modifiers: unknown,
    name: Text,
    questionToken: object | undefined,
    type: TypeNode,
  ): Member => ({ kind: 'PropertySignature', name, questionToken, type }),
  createRestTypeNode: (type: TypeNode): TypeNode => ({ kind: 'RestType', type }),
  createStringLiteral: text('StringLiteral'),
  createToken: (kind: string) => ({ kind }),
  createTrue: () => keyword('TrueKeyword'),
  createTupleTypeNode: (elements: readonly TypeNode[]): TypeNode => ({ kind: 'TupleType', elements }),
  createTypeLiteralNode: (members: readonly Member[]): TypeNode => ({ kind: 'TypeLiteral', members }),
  createTypeReferenceNode: (name: string | Text, typeArguments: readonly TypeNode[] = []): TypeNode => ({
    kind: 'TypeReference',
    typeName: typeof name === 'string' ? identifier(name) : name,
    typeArguments,
  }),
  createUnionTypeNode: (types: readonly TypeNode[]): TypeNode => ({ kind: 'UnionType', types }),
}

/** Replaces the compiler for openapi-typescript. */
export const compiler = {
  factory,
  SyntaxKind: Object.fromEntries(
    [...Object.keys(keywords), 'MinusToken', 'QuestionToken', 'ReadonlyKeyword'].map((kind) => [kind, kind]),
  ),
  isArrayTypeNode: ({ kind }: TypeNode) => kind === 'ArrayType',
  isTupleTypeNode: ({ kind }: TypeNode) => kind === 'TupleType',
  // `WithRequired` is the only declaration that it parses here.
  ScriptTarget: {},
  createSourceFile: () => ({ statements: [{ name: { escapedText: 'WithRequired' } }] }),
  isTypeAliasDeclaration: () => true,
  // Duet writes doc comments itself.
  addSyntheticLeadingComment: <Node>(node: Node): Node => node,
}
