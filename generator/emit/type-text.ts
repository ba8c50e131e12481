import type ts from 'typescript'
import { commentText, indented, keyText, lineWidth, type Paragraph, stringText } from './literal.js'
import { originalKey } from './type-spelling.js'
import { typescript } from './typescript.js'

/** What the text of a type needs beside its syntax tree. */
export interface TypeContext {
  /** Name that a component schema's reference is printed as. */
  readonly nameOf: (component: string) => string
  /** Paragraphs of the doc comment of a property. */
  readonly docOf: (property: ts.TypeElement) => readonly Paragraph[]
}

/** Text of the members of an object type, one a line, without the braces; undefined for other types. */
export function memberLines(node: ts.TypeNode, context: TypeContext): string[] | undefined {
  const merged = mergedLiteral(node)
  return merged === undefined
    ? undefined
    : merged.flatMap((member) => memberText(member, context, 2).split('\n'))
}

/**
 * Text of a type from openapi-typescript's syntax tree. Every name and string in it passes through the
 * escaping printer. `indent` is the column that the text begins in; its own lines begin at column 0.
 */
export function typeText(node: ts.TypeNode, context: TypeContext, indent: number): string {
  const literal = mergedLiteral(node)
  if (literal !== undefined) return objectText(literal, context, indent)
  if (typescript.isUnionTypeNode(node)) return listText(node.types, '|', context, indent)
  if (typescript.isIntersectionTypeNode(node)) return listText(node.types, '&', context, indent)
  if (typescript.isArrayTypeNode(node)) return `${operandText(node.elementType, context, indent)}[]`
  if (typescript.isTupleTypeNode(node)) {
    return `[${node.elements.map((element) => typeText(element, context, indent)).join(', ')}]`
  }
  if (typescript.isOptionalTypeNode(node)) return `${operandText(node.type, context, indent)}?`
  if (typescript.isRestTypeNode(node)) return `...${typeText(node.type, context, indent)}`
  if (typescript.isIndexedAccessTypeNode(node)) return context.nameOf(indexText(node))
  if (typescript.isTypeReferenceNode(node) && typescript.isIdentifier(node.typeName)) {
    const parameters = node.typeArguments?.map((argument) => typeText(argument, context, indent)) ?? []
    return parameters.length === 0 ? node.typeName.text : `${node.typeName.text}<${parameters.join(', ')}>`
  }
  if (typescript.isParenthesizedTypeNode(node)) return typeText(node.type, context, indent)
  return literalText(node)
}

function literalText(node: ts.Node): string {
  // openapi-typescript writes a string literal as an identifier that holds its JSON text.
  if (typescript.isIdentifier(node)) return stringText(String(JSON.parse(node.text)))
  if (typescript.isLiteralTypeNode(node)) return literalText(node.literal)
  if (typescript.isStringLiteral(node)) return stringText(node.text)
  if (typescript.isNumericLiteral(node) || typescript.isBigIntLiteral(node)) return node.text
  if (typescript.isPrefixUnaryExpression(node)) return `-${literalText(node.operand)}`
  const keyword = typescript.tokenToString(node.kind)
  if (keyword === undefined)
    throw new Error(`No text for a syntax node of kind ${typescript.SyntaxKind[node.kind]}`)
  return keyword
}

function listText(
  types: readonly ts.TypeNode[],
  operator: '|' | '&',
  context: TypeContext,
  indent: number,
): string {
  const flattened = types.flatMap((type) => flatten(type, operator))
  const texts = [...new Set(flattened.map((type) => operandText(type, context, indent, operator)))]
  if (operator === '&' && texts.length > 1 && texts.includes('unknown'))
    texts.splice(texts.indexOf('unknown'), 1)
  if (operator === '|' && texts.includes('unknown')) return 'unknown'
  const flat = texts.join(` ${operator} `)
  if (texts.length === 1 || operator === '&' || fits(flat, indent)) return flat
  return texts.map((text) => `\n  | ${indented(indented(text))}`).join('')
}

function flatten(type: ts.TypeNode, operator: '|' | '&'): readonly ts.TypeNode[] {
  if (typescript.isParenthesizedTypeNode(type)) return flatten(type.type, operator)
  if (operator === '|' && typescript.isUnionTypeNode(type))
    return type.types.flatMap((part) => flatten(part, operator))
  if (operator === '&' && mergedLiteral(type) === undefined && typescript.isIntersectionTypeNode(type)) {
    return type.types.flatMap((part) => flatten(part, operator))
  }
  return [type]
}

/** A type where only an operand can stand: in parentheses where it is a list of the other kind. */
function operandText(type: ts.TypeNode, context: TypeContext, indent: number, operator?: '|' | '&'): string {
  const text = typeText(type, context, indent)
  const bare = typescript.isParenthesizedTypeNode(type) ? type.type : type
  const list =
    mergedLiteral(bare) === undefined &&
    (typescript.isUnionTypeNode(bare) || typescript.isIntersectionTypeNode(bare))
  if (!list || !/[|&]/.test(text)) return text
  if (operator === '|' && typescript.isIntersectionTypeNode(bare)) return text
  return text.startsWith('\n') ? `(${text}\n)` : `(${text})`
}

function objectText(members: readonly ts.TypeElement[], context: TypeContext, indent: number): string {
  if (members.length === 0) return 'Record<string, unknown>'
  const texts = members.map((member) => memberText(member, context, indent + 2))
  const flat = `{ ${texts.join('; ')} }`
  if (!flat.includes('\n') && fits(flat, indent)) return flat
  return `{\n${texts.map((text) => `  ${indented(text)}`).join('\n')}\n}`
}

/** One member with its doc comment. */
function memberText(member: ts.TypeElement, context: TypeContext, indent: number): string {
  if (typescript.isIndexSignatureDeclaration(member))
    return `[key: string]: ${typeText(member.type, context, indent)}`
  if (!typescript.isPropertySignature(member) || member.type === undefined) return ''
  const comment = commentText(context.docOf(member))
  const name = keyText(originalKey(propertyName(member.name)))
  const text = `${name}${member.questionToken ? '?' : ''}: ${typeText(member.type, context, indent)}`
  return comment === '' ? text : `${comment}\n${text}`
}

function propertyName(name: ts.PropertyName): string {
  return typescript.isIdentifier(name) ||
    typescript.isStringLiteral(name) ||
    typescript.isNumericLiteral(name)
    ? name.text
    : ''
}

/** The component that `components["schemas"]["X"]` names. */
function indexText(node: ts.IndexedAccessTypeNode): string {
  return typescript.isLiteralTypeNode(node.indexType) && typescript.isStringLiteral(node.indexType.literal)
    ? node.indexType.literal.text
    : ''
}

/** Members of an object type; those of `{…} & { [key: string]: unknown }` as one. */
function mergedLiteral(node: ts.TypeNode): readonly ts.TypeElement[] | undefined {
  if (typescript.isParenthesizedTypeNode(node)) return mergedLiteral(node.type)
  if (typescript.isTypeLiteralNode(node)) return node.members
  if (!typescript.isIntersectionTypeNode(node)) return undefined
  const [first, second] = node.types
  if (node.types.length !== 2 || first === undefined || second === undefined) return undefined
  if (!typescript.isTypeLiteralNode(first) || !typescript.isTypeLiteralNode(second)) return undefined
  const [index] = second.members
  const onlyIndex =
    second.members.length === 1 && index !== undefined && typescript.isIndexSignatureDeclaration(index)
  if (!onlyIndex || index.type.kind !== typescript.SyntaxKind.UnknownKeyword) return undefined
  return [...first.members, index]
}

function fits(text: string, indent: number): boolean {
  return !text.includes('\n') && text.length + indent <= lineWidth - 20
}
