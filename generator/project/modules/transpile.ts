import { createRequire } from 'node:module'
import { basename } from 'node:path'
import type ts from 'typescript'

/** Module specifiers that a source imports or re-exports, including dynamic imports of a literal. */
export function specifiersIn(text: string): string[] {
  return compiler()
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
}

/**
 * The JavaScript of a TypeScript module, without a type check.
 *
 * @param renamed the replacement of each specifier
 * @throws Error for a syntax error, with its position
 */
export function transpile(
  text: string,
  file: string,
  renamed: ReadonlyMap<string, string> = new Map(),
): string {
  const ts = compiler()
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, removeComments: true },
    transformers: { after: [(context) => (source) => renameImports(source, context, renamed)] },
  })
  const [first] = diagnostics
  if (first === undefined) return outputText
  const place = first.file?.getLineAndCharacterOfPosition(first.start ?? 0)
  const message = ts.flattenDiagnosticMessageText(first.messageText, ' ')
  throw new Error(
    `${basename(file)}${place === undefined ? '' : `:${place.line + 1}:${place.character + 1}`} ${message}`,
  )
}

/** Loaded on demand: loading takes longer than all the rest of a run that does not need it. */
function compiler(): typeof ts {
  return createRequire(import.meta.url)('typescript')
}

function renameImports(
  source: ts.SourceFile,
  context: ts.TransformationContext,
  renamed: ReadonlyMap<string, string>,
): ts.SourceFile {
  if (renamed.size === 0) return source
  const { factory } = context
  const ts = compiler()
  const target = (specifier: ts.Node | undefined): ts.StringLiteral | undefined => {
    const name =
      specifier !== undefined && ts.isStringLiteral(specifier) ? renamed.get(specifier.text) : undefined
    return name === undefined ? undefined : factory.createStringLiteral(name)
  }
  const visit = (node: ts.Node): ts.Node => {
    if (ts.isImportDeclaration(node)) {
      const { modifiers, importClause, moduleSpecifier, attributes } = node
      const specifier = target(moduleSpecifier) ?? moduleSpecifier
      return factory.updateImportDeclaration(node, modifiers, importClause, specifier, attributes)
    }
    if (ts.isExportDeclaration(node)) {
      const { modifiers, isTypeOnly, exportClause, moduleSpecifier, attributes } = node
      const specifier = target(moduleSpecifier) ?? moduleSpecifier
      return factory.updateExportDeclaration(node, modifiers, isTypeOnly, exportClause, specifier, attributes)
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [first, ...others] = node.arguments
      const specifier = target(first)
      if (specifier !== undefined) {
        return factory.updateCallExpression(node, node.expression, undefined, [specifier, ...others])
      }
    }
    return ts.visitEachChild(node, visit, context)
  }
  return ts.visitEachChild(source, visit, context)
}
