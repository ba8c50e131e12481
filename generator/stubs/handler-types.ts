import { posix } from 'node:path'
import { fileOf, importedName } from './imports.js'
import { ts, type Workspace } from './workspace.js'

/** A type that makes a value the handlers of one namespace, or of all. */
export interface Typing {
  /** A handler interface's name; {@link allHandlers} for the interface of all namespaces. */
  readonly interface: string
  /** `clients` in `Handlers<P>['clients']`. */
  readonly namespace?: string
  /** An object of this type can't have other members. */
  readonly exact: boolean
  readonly node: ts.TypeNode | ts.ExpressionWithTypeArguments
}

export const allHandlers = 'Handlers'

/** Finds the handler interface that a type names, through aliases, `Readonly<…>`, `Promise<…>` and `A & B`. */
export function typingOf(
  type: ts.TypeNode | ts.ExpressionWithTypeArguments | undefined,
  known: (name: string) => boolean,
  checker: ts.TypeChecker,
  depth = 0,
): Typing | undefined {
  if (type === undefined || depth > 8) return undefined
  const inner = (next: ts.TypeNode | undefined) => typingOf(next, known, checker, depth + 1)
  if (ts.isParenthesizedTypeNode(type)) return inner(type.type)
  if (ts.isIntersectionTypeNode(type)) {
    const found = type.types.flatMap((part) => inner(part) ?? [])
    const [only] = found
    return only !== undefined && found.length === 1 ? { ...only, exact: false } : undefined
  }
  if (ts.isIndexedAccessTypeNode(type)) {
    const whole = inner(type.objectType)
    const index = ts.isLiteralTypeNode(type.indexType) ? type.indexType.literal : undefined
    if (whole?.interface !== allHandlers || index === undefined || !ts.isStringLiteralLike(index))
      return undefined
    return { ...whole, namespace: index.text, node: type }
  }
  const name = typeNameOf(type)
  if (name === undefined) return undefined
  const argument = 'typeArguments' in type ? type.typeArguments?.[0] : undefined
  if (transparent.has(name.text)) return inner(argument)
  const original = originalName(name, checker)
  if (original.alias !== undefined) return inner(original.alias)
  return known(original.name) ? { interface: original.name, exact: true, node: type } : undefined
}

/** The object or class that an expression evaluates to. `own`: the expression itself is that object or class. */
export interface Implementation {
  readonly node: BodyNode
  readonly own: boolean
}

/**
 * The object literal or class of a value: written there, in a constant, made by `new` or by a factory with one
 * `return`, or passed to a call as its only object literal. Undefined if that is not known.
 */
export function implementationOf(
  expression: ts.Expression | undefined,
  checker: ts.TypeChecker,
  depth = 0,
): Implementation | undefined {
  if (expression === undefined || depth > 8) return undefined
  const bare = unwrapped(expression)
  if (ts.isObjectLiteralExpression(bare)) return { node: bare, own: true }
  if (ts.isClassExpression(bare)) return { node: bare, own: true }
  const elsewhere = (found: Implementation | undefined): Implementation | undefined =>
    found && { ...found, own: false }
  if (ts.isIdentifier(bare)) {
    const declaration = declarationOf(bare, checker)
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined
    return elsewhere(implementationOf(declaration.initializer, checker, depth + 1))
  }
  if (ts.isNewExpression(bare) && ts.isIdentifier(bare.expression)) {
    const declaration = declarationOf(bare.expression, checker)
    return declaration !== undefined && ts.isClassLike(declaration)
      ? { node: declaration, own: false }
      : undefined
  }
  if (!ts.isCallExpression(bare)) return undefined
  const called = ts.isIdentifier(bare.expression) ? declarationOf(bare.expression, checker) : undefined
  const made = called === undefined ? undefined : returnedBy(functionOf(called), checker, depth + 1)
  if (made !== undefined) return elsewhere(made)
  const objects = bare.arguments.map(unwrapped).filter(ts.isObjectLiteralExpression)
  const [only] = objects
  return only !== undefined && objects.length === 1 ? { node: only, own: false } : undefined
}

/** What a function returns, if it has one `return`. */
export function returnedBy(
  maker: ts.SignatureDeclaration | undefined,
  checker: ts.TypeChecker,
  depth = 0,
): Implementation | undefined {
  if (maker === undefined || !('body' in maker) || maker.body === undefined) return undefined
  const body = maker.body as ts.Block | ts.Expression
  if (!ts.isBlock(body)) return implementationOf(body, checker, depth)
  const found: ts.ReturnStatement[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node)) found.push(node)
    else if (!ts.isFunctionLike(node) && !ts.isClassLike(node)) ts.forEachChild(node, visit)
  }
  ts.forEachChild(body, visit)
  const [only] = found
  return found.length === 1 ? implementationOf(only?.expression, checker, depth) : undefined
}

/** Where an identifier is declared, in whichever of the folder's files. */
export function declarationOf(
  identifier: ts.Identifier,
  checker: ts.TypeChecker,
): ts.Declaration | undefined {
  const symbol = symbolOf(identifier, checker)
  const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
  return (isAlias ? checker.getAliasedSymbol(symbol) : symbol)?.declarations?.[0]
}

/** What an identifier names in its own file; of `{ get }` the value, not the key. */
export function symbolOf(identifier: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const { parent } = identifier
  return ts.isShorthandPropertyAssignment(parent) && parent.name === identifier
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : checker.getSymbolAtLocation(identifier)
}

/** An expression without parentheses, assertions and `await` around it. */
export function unwrapped(expression: ts.Expression): ts.Expression {
  let bare = expression
  while (
    ts.isParenthesizedExpression(bare) ||
    ts.isAsExpression(bare) ||
    ts.isSatisfiesExpression(bare) ||
    ts.isTypeAssertionExpression(bare) ||
    ts.isNonNullExpression(bare) ||
    ts.isAwaitExpression(bare)
  )
    bare = bare.expression
  if (ts.isCallExpression(bare) && bare.expression.getText() === 'Object.freeze') {
    const [frozen] = bare.arguments
    if (frozen !== undefined) return unwrapped(frozen)
  }
  return bare
}

/** Code from outside the folder: the file that imports it, and the module. */
export interface Outside {
  readonly file: string
  readonly module: string
}

/** The module outside the folder that a value comes from, if any, through constants and files of the folder. */
export function outsideOf(
  workspace: Workspace,
  expression: ts.Expression | undefined,
  depth = 0,
): Outside | undefined {
  const name = expression && nameIn(expression)
  if (name === undefined || depth > 8) return undefined
  const checker = workspace.checker()
  let symbol = symbolOf(name, checker)
  for (let step = 0; symbol !== undefined && step < 20; step++) {
    const [declaration] = symbol.declarations ?? []
    if (declaration === undefined) return undefined
    if (ts.isVariableDeclaration(declaration)) return outsideOf(workspace, declaration.initializer, depth + 1)
    const module = moduleOf(declaration)
    const file = workspace.pathOf(declaration)
    if (module !== undefined && isOutside(workspace, file, module)) return { file, module }
    if (!(symbol.flags & ts.SymbolFlags.Alias)) return undefined
    const next = checker.getImmediateAliasedSymbol(symbol)
    if (next === symbol) return undefined
    symbol = next
  }
  return undefined
}

/** An object literal or a class that holds handlers. */
export type BodyNode = ts.ObjectLiteralExpression | ts.ClassLikeDeclaration

const transparent = new Set(['Readonly', 'Required', 'Promise', 'NoInfer'])

function typeNameOf(type: ts.Node): ts.Identifier | undefined {
  if (ts.isTypeReferenceNode(type))
    return ts.isIdentifier(type.typeName) ? type.typeName : type.typeName.right
  if (ts.isImportTypeNode(type)) {
    const { qualifier } = type
    return qualifier === undefined ? undefined : ts.isIdentifier(qualifier) ? qualifier : qualifier.right
  }
  if (!ts.isExpressionWithTypeArguments(type)) return undefined
  if (ts.isIdentifier(type.expression)) return type.expression
  return ts.isPropertyAccessExpression(type.expression) && ts.isIdentifier(type.expression.name)
    ? type.expression.name
    : undefined
}

function originalName(
  identifier: ts.Identifier,
  checker: ts.TypeChecker,
): { readonly name: string; readonly alias?: ts.TypeNode } {
  let name = identifier.text
  let symbol = checker.getSymbolAtLocation(identifier)
  for (let step = 0; symbol !== undefined && step < 20; step++) {
    const [declaration] = symbol.declarations ?? []
    if (declaration === undefined) break
    if (ts.isTypeAliasDeclaration(declaration)) return { name, alias: declaration.type }
    if (!ts.isImportSpecifier(declaration) && !ts.isExportSpecifier(declaration)) break
    name = importedName(declaration)
    const next = checker.getImmediateAliasedSymbol(symbol)
    if (next === symbol) break
    symbol = next
  }
  return { name }
}

function functionOf(declaration: ts.Declaration): ts.SignatureDeclaration | undefined {
  if (ts.isFunctionDeclaration(declaration)) return declaration
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return undefined
  const value = unwrapped(declaration.initializer)
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value) ? value : undefined
}

/** The name that a value begins with: `a` of `a`, `a.b`, `a(…)` and `new a(…)`. */
function nameIn(expression: ts.Expression): ts.Identifier | undefined {
  const bare = unwrapped(expression)
  if (ts.isIdentifier(bare)) return bare
  const inner =
    ts.isPropertyAccessExpression(bare) || ts.isCallExpression(bare) || ts.isNewExpression(bare)
      ? bare.expression
      : undefined
  return inner && nameIn(inner)
}

/** The module of the import or export around a declaration. */
function moduleOf(declaration: ts.Declaration): string | undefined {
  const statement = ts.findAncestor(
    declaration,
    (node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node),
  ) as ts.ImportDeclaration | ts.ExportDeclaration | undefined
  const specifier = statement?.moduleSpecifier
  return specifier !== undefined && ts.isStringLiteral(specifier) ? specifier.text : undefined
}

function isOutside(workspace: Workspace, file: string, module: string): boolean {
  if (fileOf(workspace, file, module) !== undefined) return false
  return !module.startsWith('.') || posix.join(posix.dirname(file), module).startsWith('..')
}
