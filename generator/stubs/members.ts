import { keyText } from '../code/literal.js'
import type { BodyNode } from './handler-types.js'
import { type Row, rowOf, type Slot } from './separated-items.js'
import { quoted, type Style } from './style.js'
import { type Splice, type TrackedPosition, ts, type Workspace } from './workspace.js'

/** The members of an object or a class. */
export interface Body {
  readonly path: string
  readonly node: BodyNode
  readonly row: Row
  /** One for each slot of the row. */
  readonly members: readonly Member[]
}

export interface Member {
  /** Absent: a spread, something static or private, a computed name. */
  readonly name?: string
  readonly slot: Slot
  /** More than one where a method is overloaded. */
  readonly nodes: readonly ts.Node[]
}

/** Reads the object or class that opens at a place. */
export function bodyAt(workspace: Workspace, place: TrackedPosition): Body {
  const source = workspace.source(place.file)
  const node = nodeAt(source, place.at)
  if (node === undefined) throw new Error(`No object begins in ${place.file} at ${place.at}`)
  const items = itemsOf(node, source)
  const separator = ts.isObjectLiteralExpression(node) ? ',' : ''
  const spans = items.map(({ code }) => code)
  const row = rowOf(source.text, place.at + 1, node.end - 1, separator, spans)
  const members = items.flatMap(({ name, nodes }, index) => {
    const slot = row.slots[index]
    return slot === undefined ? [] : [{ slot, nodes, ...(name !== undefined && { name }) }]
  })
  return { path: place.file, node, row, members }
}

/** Position of the brace that opens an object or a class. */
export function braceOf(node: BodyNode, source: ts.SourceFile): number {
  if (ts.isObjectLiteralExpression(node)) return node.getStart(source)
  return source.text.lastIndexOf('{', node.members.pos)
}

/** The member with a name, if the body itself has it. */
export function memberNamed(body: Body, name: string): Member | undefined {
  return body.members.find((member) => member.name === name)
}

/** Renames a member: only its key changes. */
export function renameMember(body: Body, member: Member, name: string, style: Style): Splice[] {
  return member.nodes.flatMap((node) => {
    const source = node.getSourceFile()
    if (ts.isShorthandPropertyAssignment(node)) {
      const start = node.getStart(source)
      return [{ start, end: start, text: `${keyText(name)}: ` }]
    }
    const key = (node as ts.NamedDeclaration).name
    if (key === undefined) return []
    if (
      ts.isPropertyAssignment(node) &&
      source.text.slice(key.getStart(source), node.end) === `${key.getText(source)}: ${name}`
    )
      return [{ start: key.getStart(source), end: node.end, text: name }]
    const inner = ts.isComputedPropertyName(key) ? key.expression : key
    const isText = ts.isStringLiteralLike(inner) && !(inner === key && isSpecial(body, name))
    const target = isText ? inner : key
    const span = { start: target.getStart(source), end: target.end }
    if (!isText) return [{ ...span, text: memberKey(body.node, name) }]
    const mark = source.text[span.start]
    const text = mark === '`' ? `\`${name}\`` : quoted(name, { ...style, quote: mark === '"' ? '"' : "'" })
    return [{ ...span, text }]
  })
}

/** A member's key. In a class, a member named `constructor` has to be computed. */
export function memberKey(node: BodyNode, name: string): string {
  return !ts.isObjectLiteralExpression(node) && name === 'constructor' ? "['constructor']" : keyText(name)
}

/** The name of a property, method or accessor; undefined if it is computed. */
export function nameOf(node: ts.Node): string | undefined {
  const key = (node as ts.NamedDeclaration).name
  if (key === undefined) return undefined
  if (ts.isIdentifier(key) || ts.isStringLiteralLike(key)) return key.text
  return ts.isComputedPropertyName(key) && ts.isStringLiteralLike(key.expression)
    ? key.expression.text
    : undefined
}

function isSpecial(body: Body, name: string): boolean {
  return name === '__proto__' || (name === 'constructor' && !ts.isObjectLiteralExpression(body.node))
}

interface Item {
  readonly name?: string
  readonly nodes: ts.Node[]
  code: { start: number; end: number }
}

function itemsOf(node: BodyNode, source: ts.SourceFile): Item[] {
  const items: Item[] = []
  const nodes: readonly ts.Node[] = ts.isObjectLiteralExpression(node) ? node.properties : node.members
  for (const member of nodes) {
    const last = items.at(-1)
    const name = isReachable(member) ? nameOf(member) : undefined
    const joins = ts.isSemicolonClassElement(member) || (name !== undefined && name === last?.name)
    if (joins && last !== undefined && !ts.isObjectLiteralExpression(node)) {
      last.code = { start: last.code.start, end: member.end }
      if (!ts.isSemicolonClassElement(member)) last.nodes.push(member)
      continue
    }
    const code = { start: member.getStart(source), end: member.end }
    items.push({ nodes: [member], code, ...(name !== undefined && { name }) })
  }
  return items
}

/** Whether code outside the class can use a member of its instances. */
function isReachable(node: ts.Node): boolean {
  if (ts.isConstructorDeclaration(node) || ts.isIndexSignatureDeclaration(node)) return false
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []
  return !modifiers.some(
    ({ kind }) =>
      kind === ts.SyntaxKind.StaticKeyword ||
      kind === ts.SyntaxKind.PrivateKeyword ||
      kind === ts.SyntaxKind.ProtectedKeyword,
  )
}

function nodeAt(source: ts.SourceFile, brace: number): BodyNode | undefined {
  let found: BodyNode | undefined
  const visit = (node: ts.Node): void => {
    if (found !== undefined || node.end <= brace || node.pos > brace) return
    if ((ts.isObjectLiteralExpression(node) || ts.isClassLike(node)) && braceOf(node, source) === brace)
      found = node
    else ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
