import { ts } from './workspace.js'

/** What a type says of a value: that it implements the handlers of one namespace, or of all. */
export interface Typing {
  /** A handler interface's name; {@link allHandlers} for the interface of all namespaces. */
  readonly interface: string
  /** Namespace that an indexed access asks for: `Handlers<P>['clients']`. */
  readonly namespace?: string
  /** Nothing beside the interface's members may stand in an object of this type. */
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

/** The name under which an identifier's module exports it. */
export function importedName(specifier: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (specifier.propertyName ?? specifier.name).text
}

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
