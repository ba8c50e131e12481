import type { BodyNode } from './members.js'
import { ts } from './workspace.js'

/** Follows an expression to the object or class that it gives; `own` where it is written right there. */
export interface Implementation {
  readonly node: BodyNode
  readonly own: boolean
}

/**
 * The object literal or class that a value comes from: written there, held in a constant, made by `new`, by a
 * factory with one `return`, or by a call that is given one object literal. Undefined where that can't be told.
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

/** What a function gives back, where it has one `return`. */
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
  const { parent } = identifier
  let symbol =
    ts.isShorthandPropertyAssignment(parent) && parent.name === identifier
      ? checker.getShorthandAssignmentValueSymbol(parent)
      : checker.getSymbolAtLocation(identifier)
  if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
  return symbol?.declarations?.[0]
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

function functionOf(declaration: ts.Declaration): ts.SignatureDeclaration | undefined {
  if (ts.isFunctionDeclaration(declaration)) return declaration
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return undefined
  const value = unwrapped(declaration.initializer)
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value) ? value : undefined
}
