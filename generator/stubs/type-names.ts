import { isMemberName, namedDeclarations, namesIn } from './imports.js'
import { importedName } from './interface-type.js'
import { type Splice, ts, type Workspace } from './workspace.js'

/**
 * Follows generated types whose names changed, wherever a file imports them from the generated package.
 *
 * @param names new name by old name
 * @param isApi whether a module is the generated package
 */
export function renameTypes(
  workspace: Workspace,
  path: string,
  names: ReadonlyMap<string, string>,
  isApi: (module: string) => boolean,
): void {
  const source = workspace.source(path)
  const present = namesIn(source)
  const splices: Splice[] = []
  const everywhere = new Map<string, string>()
  for (const { node, module, specifiers } of namedDeclarations(source)) {
    if (!isApi(module)) continue
    for (const specifier of specifiers) {
      const old = importedName(specifier)
      const name = names.get(old)
      if (name === undefined || name === old) continue
      const { propertyName, name: local } = specifier
      const certain = ts.isImportDeclaration(node) && !present.has(name) && !isDeclared(source, old)
      if (propertyName !== undefined) {
        const end = name === local.text ? local.end : propertyName.end
        splices.push({ start: propertyName.getStart(source), end, text: name })
      } else if (certain) everywhere.set(old, name)
      else splices.push({ start: local.getStart(source), end: local.getStart(source), text: `${name} as ` })
    }
  }
  const spaces = namespaceImports(source, isApi)
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const name =
        everywhere.get(node.text) !== undefined && !isMemberName(node) ? everywhere.get(node.text) : undefined
      const qualified = isQualified(node, spaces, isApi) ? names.get(node.text) : undefined
      const text = name ?? qualified
      if (text !== undefined) splices.push({ start: node.getStart(source), end: node.end, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  workspace.edit(path, splices)
}

/** Whether a file declares a name itself, at any depth. */
function isDeclared(source: ts.SourceFile, name: string): boolean {
  let found = false
  const visit = (node: ts.Node): void => {
    const declared = (node as { name?: ts.Node }).name
    const isDeclaration =
      ts.isTypeParameterDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isClassLike(node) ||
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isEnumDeclaration(node)
    if (isDeclaration && declared !== undefined && ts.isIdentifier(declared) && declared.text === name)
      found = true
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function namespaceImports(source: ts.SourceFile, isApi: (module: string) => boolean): ReadonlySet<string> {
  const names = new Set<string>()
  for (const node of source.statements) {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) continue
    const bindings = node.importClause?.namedBindings
    if (bindings !== undefined && ts.isNamespaceImport(bindings) && isApi(node.moduleSpecifier.text))
      names.add(bindings.name.text)
  }
  return names
}

/** `api.ClientsGetInput` and `import('@billing/api/1.0.0').ClientsGetInput`. */
function isQualified(
  node: ts.Identifier,
  spaces: ReadonlySet<string>,
  isApi: (module: string) => boolean,
): boolean {
  const { parent } = node
  if (ts.isQualifiedName(parent))
    return parent.right === node && ts.isIdentifier(parent.left) && spaces.has(parent.left.text)
  if (ts.isPropertyAccessExpression(parent))
    return parent.name === node && ts.isIdentifier(parent.expression) && spaces.has(parent.expression.text)
  if (!ts.isImportTypeNode(parent) || parent.qualifier !== node) return false
  const module = ts.isLiteralTypeNode(parent.argument) ? parent.argument.literal : undefined
  return module !== undefined && ts.isStringLiteral(module) && isApi(module.text)
}
