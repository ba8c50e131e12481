import { commentText, indented, keyText, lineWidth, type Paragraph, stringText } from '../code/literal.js'
import { originalKey } from './type-spelling.js'
import { keywordText, type Literal, type Member, type TypeNode } from './type-syntax.js'

/** What printing a type needs besides its syntax tree. */
export interface TypeContext {
  /** The printed name for a reference to a component schema. */
  readonly nameOf: (component: string) => string
  /** Paragraphs of the doc comment of a property. */
  readonly docOf: (property: Member) => readonly Paragraph[]
}

/** The members of an object type, one per line, without the braces. Undefined for other types. */
export function memberLines(node: TypeNode, context: TypeContext): string[] | undefined {
  const merged = mergedLiteral(node)
  return merged === undefined
    ? undefined
    : merged.flatMap((member) => memberText(member, context, 2).split('\n'))
}

/**
 * The text of openapi-typescript's syntax tree. The printer escapes every name and string in it. `indent` is
 * the column of its first line; other lines begin at column 0.
 */
export function typeText(node: TypeNode, context: TypeContext, indent: number): string {
  const literal = mergedLiteral(node)
  if (literal !== undefined) return objectText(literal, context, indent)
  switch (node.kind) {
    case 'TypeLiteral':
      return objectText(node.members, context, indent)
    case 'UnionType':
      return listText(node.types, '|', context, indent)
    case 'IntersectionType':
      return listText(node.types, '&', context, indent)
    case 'ArrayType':
      return `${operandText(node.elementType, context, indent)}[]`
    case 'TupleType':
      return `[${node.elements.map((element) => typeText(element, context, indent)).join(', ')}]`
    case 'OptionalType':
      return `${operandText(node.type, context, indent)}?`
    case 'RestType':
      return `...${typeText(node.type, context, indent)}`
    case 'IndexedAccessType':
      return context.nameOf(indexText(node.indexType))
    case 'TypeReference': {
      const parameters = node.typeArguments.map((argument) => typeText(argument, context, indent))
      return parameters.length === 0 ? node.typeName.text : `${node.typeName.text}<${parameters.join(', ')}>`
    }
    case 'LiteralType':
      return literalText(node.literal)
    default:
      return literalText(node)
  }
}

function literalText(node: Literal): string {
  switch (node.kind) {
    // openapi-typescript writes a string literal as an identifier that contains its JSON text.
    case 'Identifier':
      return stringText(String(JSON.parse(node.text)))
    case 'StringLiteral':
      return stringText(node.text)
    case 'NumericLiteral':
    case 'BigIntLiteral':
      return node.text
    case 'PrefixUnaryExpression':
      return `-${literalText(node.operand)}`
    default:
      return keywordText(node)
  }
}

function listText(
  types: readonly TypeNode[],
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

function flatten(type: TypeNode, operator: '|' | '&'): readonly TypeNode[] {
  if (operator === '|' && type.kind === 'UnionType')
    return type.types.flatMap((part) => flatten(part, operator))
  if (operator === '&' && mergedLiteral(type) === undefined && type.kind === 'IntersectionType') {
    return type.types.flatMap((part) => flatten(part, operator))
  }
  return [type]
}

/** A type as an operand: in parentheses if it is a list of the other kind. */
function operandText(type: TypeNode, context: TypeContext, indent: number, operator?: '|' | '&'): string {
  const text = typeText(type, context, indent)
  const list = mergedLiteral(type) === undefined && /^(Union|Intersection)Type$/.test(type.kind)
  if (!list || !/[|&]/.test(text)) return text
  if (operator === '|' && type.kind === 'IntersectionType') return text
  return text.startsWith('\n') ? `(${text}\n)` : `(${text})`
}

function objectText(members: readonly Member[], context: TypeContext, indent: number): string {
  if (members.length === 0) return 'Record<string, unknown>'
  const texts = members.map((member) => memberText(member, context, indent + 2))
  const flat = `{ ${texts.join('; ')} }`
  if (!flat.includes('\n') && fits(flat, indent)) return flat
  return `{\n${texts.map((text) => `  ${indented(text)}`).join('\n')}\n}`
}

/** One member with its doc comment. */
function memberText(member: Member, context: TypeContext, indent: number): string {
  if (member.kind === 'IndexSignature') return `[key: string]: ${typeText(member.type, context, indent)}`
  const comment = commentText(context.docOf(member))
  const name = keyText(originalKey(member.name.text))
  const text = `${name}${member.questionToken ? '?' : ''}: ${typeText(member.type, context, indent)}`
  return comment === '' ? text : `${comment}\n${text}`
}

/** The component that `components["schemas"]["X"]` names. */
function indexText(index: TypeNode): string {
  return index.kind === 'LiteralType' && index.literal.kind === 'StringLiteral' ? index.literal.text : ''
}

/** Members of an object type. Merges those of `{…} & { [key: string]: unknown }`. */
function mergedLiteral(node: TypeNode): readonly Member[] | undefined {
  if (node.kind === 'TypeLiteral') return node.members
  if (node.kind !== 'IntersectionType' || node.types.length !== 2) return undefined
  const [first, second] = node.types
  if (first?.kind !== 'TypeLiteral' || second?.kind !== 'TypeLiteral') return undefined
  const [index] = second.members
  if (second.members.length !== 1 || index?.kind !== 'IndexSignature') return undefined
  if (index.type.kind !== 'UnknownKeyword') return undefined
  return [...first.members, index]
}

function fits(text: string, indent: number): boolean {
  return !text.includes('\n') && text.length + indent <= lineWidth - 20
}
