import { posix } from 'node:path'
import { unwrapped } from './implementation.js'
import { fileOf } from './imports.js'
import { ts, type Workspace } from './workspace.js'

/** Code of a folder that comes from somewhere else: the file that says so, and the module that it names. */
export interface Outside {
  readonly file: string
  readonly module: string
}

/**
 * Where a value leaves the folder: the import or export of a module that lies outside it, behind whatever constants
 * and files of the folder pass it on. Undefined where it does not.
 */
export function outsideOf(
  workspace: Workspace,
  expression: ts.Expression | undefined,
  depth = 0,
): Outside | undefined {
  const name = expression && nameIn(expression)
  if (name === undefined || depth > 8) return undefined
  const checker = workspace.checker()
  const { parent } = name
  let symbol =
    ts.isShorthandPropertyAssignment(parent) && parent.name === name
      ? checker.getShorthandAssignmentValueSymbol(parent)
      : checker.getSymbolAtLocation(name)
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

/** The module that an import or export names. */
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
