import { posix } from 'node:path'
import {
  afterLineBreak,
  hasLineBreak,
  indentAt,
  insertion,
  lineBreakFrom,
  type Row,
  removal,
  rowOf,
} from './separated-items.js'
import { quoted, type Style } from './style.js'
import { nodesIn, type Splice, ts, type Workspace } from './workspace.js'

/** `import {…} from` or `export {…} from`. */
export interface NamedDeclaration {
  readonly node: ts.ImportDeclaration | ts.ExportDeclaration
  readonly module: string
  readonly specifiers: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]
  readonly row: Row
}

/** Every `import {…} from` and `export {…} from` of a file. */
export function namedDeclarations(source: ts.SourceFile): NamedDeclaration[] {
  return source.statements.flatMap((node) => {
    if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return []
    const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
    if (bindings === undefined || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) return []
    if (node.moduleSpecifier === undefined || !ts.isStringLiteral(node.moduleSpecifier)) return []
    const specifiers = [...bindings.elements]
    const items = specifiers.map((specifier) => ({ start: specifier.getStart(source), end: specifier.end }))
    const row = rowOf(source.text, bindings.getStart(source) + 1, bindings.end - 1, ',', items)
    return [{ node, module: node.moduleSpecifier.text, specifiers, row }]
  })
}

/** The string literals that name modules: of imports, exports, `import()`, `import('…')` types and `require`. */
export function moduleSpecifiers(source: ts.SourceFile): ts.StringLiteral[] {
  return nodesIn(source).flatMap((node) => {
    const candidate =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : ts.isCallExpression(node) && isLoading(node)
            ? node.arguments[0]
            : ts.isExternalModuleReference(node)
              ? node.expression
              : ts.isModuleDeclaration(node)
                ? node.name
                : undefined
    return candidate !== undefined && ts.isStringLiteral(candidate) ? [candidate] : []
  })
}

/** Renames modules. `rename` returns the new specifier, or undefined to keep it. */
export function renameModules(
  source: ts.SourceFile,
  rename: (specifier: string) => string | undefined,
): Splice[] {
  return moduleSpecifiers(source).flatMap((node) => {
    const text = rename(node.text)
    if (text === undefined || text === node.text) return []
    return [{ start: node.getStart(source) + 1, end: node.end - 1, text: quoted(text, plain).slice(1, -1) }]
  })
}

/** The file that a specifier names; undefined if it is not in the folder. */
export function fileOf(workspace: Workspace, from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const path = posix.join(posix.dirname(from), specifier)
  const candidates = [
    path.replace(/\.js$/, '.ts'),
    path.replace(/\.mjs$/, '.mts'),
    `${path}.ts`,
    `${path}/index.ts`,
  ]
  return [path, ...candidates].find((candidate) => workspace.has(candidate))
}

/** A name that code needs from another module. */
export interface Needed {
  readonly name: string
  readonly module: string
  readonly type: boolean
  /** The code's own name for it, if that is different. */
  readonly local?: string
}

/** Imports a name unless the file already does. Returns the file's name for it. */
export function ensureImport(workspace: Workspace, path: string, needed: Needed, style: Style): string {
  const source = workspace.source(path)
  const declarations = namedDeclarations(source).filter(({ node }) => ts.isImportDeclaration(node))
  const sameModule = declarations.filter(({ module }) => module === needed.module)
  for (const { node, specifiers } of sameModule) {
    const found = specifiers.find((specifier) => importedName(specifier) === needed.name)
    const fits = found !== undefined && (needed.type || !(isTypeOnly(node) || found.isTypeOnly))
    if (fits && (needed.local ?? found.name.text) === found.name.text) return found.name.text
  }
  const taken = namesIn(source, (node) => !isMemberName(node))
  let local = needed.local ?? needed.name
  for (let number = 1; needed.local === undefined && taken.has(local); number++)
    local = `${needed.name}${number === 1 && !needed.module.startsWith('.') ? 'OfApi' : number + 1}`
  const named = local === needed.name ? local : `${needed.name} as ${local}`
  const host = sameModule.find(({ node }) => needed.type || !isTypeOnly(node))
  if (host === undefined) addImport(workspace, path, { ...needed, named }, style)
  else {
    const text = needed.type && !isTypeOnly(host.node) ? `type ${named}` : named
    workspace.edit(path, appended(host.row, text, style))
  }
  return local
}

/** Removes a name from a file's imports. A whole declaration goes too, unless it has comments. */
export function dropImport(workspace: Workspace, path: string, local: string): void {
  const source = workspace.source(path)
  for (const { node, specifiers, row } of namedDeclarations(source)) {
    if (!ts.isImportDeclaration(node)) continue
    const index = specifiers.findIndex(({ name }) => name.text === local)
    const slot = row.slots[index]
    if (slot === undefined) continue
    const isWhole = specifiers.length === 1 && node.importClause?.name === undefined
    if (!isWhole) workspace.edit(path, removal(row, slot).splices)
    else if (!hasComments(source, node)) dropStatement(workspace, path, node)
    return
  }
}

/** The statements of a file as a row. */
export function statementRow(source: ts.SourceFile): Row {
  const items = source.statements.map((node) => ({ start: node.getStart(source), end: node.end }))
  return rowOf(source.text, 0, source.text.length, '', items)
}

/** Every name that occurs in a file as an identifier. */
export function namesIn(
  source: ts.SourceFile,
  counts: (node: ts.Identifier) => boolean = () => true,
): ReadonlySet<string> {
  const names = nodesIn(source).filter((node) => ts.isIdentifier(node))
  return new Set(names.filter(counts).map(({ text }) => text))
}

/** Whether code uses a name that its file imports. An `export { name }` counts. */
export function isUsed(source: ts.SourceFile, local: string): boolean {
  const code = source.statements.filter(
    (node) =>
      !ts.isImportDeclaration(node) && !(ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined),
  )
  return code
    .flatMap(nodesIn)
    .some((node) => ts.isIdentifier(node) && node.text === local && !isMemberName(node))
}

/** Whether an identifier is the name of a member, not a reference. */
export function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  if (ts.isQualifiedName(parent)) return parent.right === node
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isAccessor(parent)) &&
    parent.name === node
  )
}

export function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  return ts.isImportDeclaration(node) ? node.importClause?.isTypeOnly === true : node.isTypeOnly
}

/** Removes a whole import with its line. */
function dropStatement(workspace: Workspace, path: string, node: ts.Statement): void {
  const source = workspace.source(path)
  const row = statementRow(source)
  const slot = row.slots[source.statements.indexOf(node)]
  if (slot === undefined) return
  let { end } = slot
  if (slot.own === 0) {
    // At the top of a file there is no line break before it: the one behind it goes.
    end = afterLineBreak(source.text, end)
    const isAlone = !source.statements.some((other) => other !== node && ts.isImportDeclaration(other))
    if (isAlone && lineBreakFrom(source.text, end) === end) end = afterLineBreak(source.text, end)
  }
  workspace.edit(path, [{ start: slot.own, end, text: '' }])
}

/** The name under which an identifier's module exports it. */
export function importedName(specifier: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (specifier.propertyName ?? specifier.name).text
}

/** Names that a file exports; undefined if it has `export * from`. */
export function exportedNames(source: ts.SourceFile): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  for (const node of source.statements) {
    if (ts.isExportAssignment(node)) names.add('default')
    if (ts.isExportDeclaration(node)) {
      if (node.exportClause === undefined) return undefined
      if (ts.isNamedExports(node.exportClause))
        for (const { name } of node.exportClause.elements) names.add(name.text)
      else names.add(node.exportClause.name.text)
    }
    const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue
    if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) names.add('default')
    for (const name of declaredNames(node)) names.add(name)
  }
  return names
}

/** Removes every import of a file that will be deleted. */
export function dropImportsOf(workspace: Workspace, gone: string): void {
  for (const path of workspace.paths) {
    for (;;) {
      const source = workspace.source(path)
      const found = source.statements.find((node) => {
        if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return false
        const [specifier] = moduleSpecifiers(source).filter(({ parent }) => parent === node)
        return specifier !== undefined && fileOf(workspace, path, specifier.text) === gone
      })
      if (found === undefined) break
      dropStatement(workspace, path, found)
    }
  }
}

const plain: Style = { eol: '\n', indent: '  ', quote: "'", semicolons: false }

function hasComments(source: ts.SourceFile, node: ts.Statement): boolean {
  const slot = statementRow(source).slots[source.statements.indexOf(node)]
  return (
    slot !== undefined &&
    /\S/.test(source.text.slice(slot.own, slot.code.start) + source.text.slice(slot.code.end, slot.end))
  )
}

function isLoading(node: ts.CallExpression): boolean {
  return (
    node.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(node.expression) && node.expression.text === 'require')
  )
}

/** Splices that put a name at the end of a list in braces. */
function appended(row: Row, text: string, style: Style): Splice[] {
  const last = row.slots.at(-1)
  const onLines = hasLineBreak(row.text.slice(row.open, row.close))
  const lead = onLines && last !== undefined ? style.eol + indentAt(row.text, last.code.start) : ' '
  const trail = last === undefined && row.open === row.close ? ' ' : ''
  const mark = last?.separated ? ',' : ''
  return insertion(row, lead + text + mark + trail, row.slots.length)
}

function addImport(
  workspace: Workspace,
  path: string,
  { named, module, type }: Needed & { readonly named: string },
  style: Style,
): void {
  const end = style.semicolons ? ';' : ''
  const line = `import ${type ? 'type ' : ''}{ ${named} } from ${quoted(module, style)}${end}`
  const source = workspace.source(path)
  const row = statementRow(source)
  const last = row.slots[importBefore(source, module)]
  if (last !== undefined) {
    workspace.edit(path, [{ start: last.end, end: last.end, text: style.eol + line }])
    return
  }
  const first = row.slots[0]
  const shebang = /^#!.*/.exec(source.text)?.[0].length ?? 0
  const at = Math.max(first?.own ?? 0, shebang)
  const text = at === 0 ? `${line}${style.eol}${style.eol}` : `${style.eol}${style.eol}${line}`
  workspace.edit(path, [{ start: at, end: at, text }])
}

/** Index of the import before a new one: sorted if the file's relative imports are sorted, else the last. */
function importBefore(source: ts.SourceFile, module: string): number {
  const imports = source.statements.flatMap((node, index) =>
    ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)
      ? [{ index, module: node.moduleSpecifier.text }]
      : [],
  )
  const last = imports.at(-1)?.index ?? -1
  const own = imports.filter((one) => one.module.startsWith('.'))
  const inOrder = own.every((one, index) => index === 0 || (own[index - 1]?.module ?? '') <= one.module)
  if (!module.startsWith('.') || !inOrder) return last
  const before = own.filter((one) => one.module < module).at(-1)
  const first = own[0]
  if (before !== undefined) return before.index
  return first !== undefined &&
    first.index > 0 &&
    ts.isImportDeclaration(source.statements[first.index - 1] ?? source)
    ? first.index - 1
    : last
}

/** Names that a statement declares in its file. */
function declaredNames(node: ts.Statement): string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  const { name } = node as { name?: ts.Node }
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : []
}
