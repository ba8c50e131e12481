import { posix } from 'node:path'
import { importedName } from './interface-type.js'
import { insertion, type Row, removal, rowOf } from './slots.js'
import { quoted, type Style } from './style.js'
import { afterLineBreak, hasLineBreak, indentAt, lineBreakFrom } from './trivia.js'
import { type Splice, ts, type Workspace } from './workspace.js'

/** A declaration that names things of another module: `import {…} from`, `export {…} from`. */
export interface NamedDeclaration {
  readonly node: ts.ImportDeclaration | ts.ExportDeclaration
  readonly module: string
  readonly specifiers: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]
  readonly row: Row
}

/** Every declaration of a file that names things of other modules in braces. */
export function namedDeclarations(source: ts.SourceFile): NamedDeclaration[] {
  return source.statements.flatMap((node) => {
    if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return []
    const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
    if (bindings === undefined || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) return []
    if (node.moduleSpecifier === undefined || !ts.isStringLiteral(node.moduleSpecifier)) return []
    const specifiers = [...bindings.elements]
    const items = specifiers.map((specifier) => ({
      key: importedName(specifier),
      code: { start: specifier.getStart(source), end: specifier.end },
    }))
    const row = rowOf(source.text, bindings.getStart(source) + 1, bindings.end - 1, ',', items)
    return [{ node, module: node.moduleSpecifier.text, specifiers, row }]
  })
}

/** The string literals that name modules: of imports, exports, `import()`, `import('…')` types and `require`. */
export function moduleSpecifiers(source: ts.SourceFile): ts.StringLiteral[] {
  const found: ts.StringLiteral[] = []
  const visit = (node: ts.Node): void => {
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
    if (candidate !== undefined && ts.isStringLiteral(candidate)) found.push(candidate)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** What a module is to be called in place of `specifier`; undefined: as it is. */
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

/** The specifier by which one file of the folder imports another. */
export function specifierOf(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to.replace(/\.ts$/, '.js').replace(/\.mts$/, '.mjs'))
  return path.startsWith('.') ? path : `./${path}`
}

/** A specifier of the folder's top level as a file further down writes it. */
export function specifierFrom(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  // Without a folder to start from, `relative` takes the process's, above which there may be too few.
  const top = '/\0'.repeat(specifier.split('..').length)
  const path = posix.relative(posix.join(top, posix.dirname(file)), posix.join(top, specifier))
  return path.startsWith('.') ? path : `./${path}`
}

/** The file that a specifier names; undefined where it is none of the folder's. */
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

/** Something that a file's code needs to have imported. */
export interface Needed {
  readonly name: string
  readonly module: string
  readonly type: boolean
  /** Name that the code has for it, where that is another one. */
  readonly local?: string
}

/** Imports something unless the file has it. `added`: the file did not have it. */
export function ensureImport(
  workspace: Workspace,
  path: string,
  needed: Needed,
  style: Style,
): { readonly local: string; readonly added: boolean } {
  const source = workspace.source(path)
  const declarations = namedDeclarations(source).filter(({ node }) => ts.isImportDeclaration(node))
  const sameModule = declarations.filter(({ module }) => module === needed.module)
  for (const { node, specifiers } of sameModule) {
    const found = specifiers.find((specifier) => importedName(specifier) === needed.name)
    const fits = found !== undefined && (needed.type || !(isTypeOnly(node) || found.isTypeOnly))
    if (fits && (needed.local ?? found.name.text) === found.name.text)
      return { local: found.name.text, added: false }
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
  return { local, added: true }
}

/** Takes a name out of a file's imports, and the declaration with it where nothing is left in it. */
export function dropImport(workspace: Workspace, path: string, local: string): void {
  const source = workspace.source(path)
  for (const { node, specifiers, row } of namedDeclarations(source)) {
    if (!ts.isImportDeclaration(node)) continue
    const index = specifiers.findIndex(({ name }) => name.text === local)
    const slot = row.slots[index]
    if (slot === undefined) continue
    const isWhole = specifiers.length === 1 && node.importClause?.name === undefined
    if (!isWhole) workspace.edit(path, removal(row, slot).splices)
    else dropStatement(workspace, path, node)
    return
  }
}

/** The statements of a file as a row. */
export function statementRow(source: ts.SourceFile): Row {
  const items = source.statements.map((node, index) => ({
    key: statementKey(node, index),
    code: { start: node.getStart(source), end: node.end },
  }))
  return rowOf(source.text, 0, source.text.length, '', items)
}

/** Every name that occurs in a file as an identifier. */
export function namesIn(
  source: ts.SourceFile,
  counts: (node: ts.Identifier) => boolean = () => true,
): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && counts(node)) names.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

/** Whether a name that a file imports is used by its code, its own exports included. */
export function isUsed(source: ts.SourceFile, local: string): boolean {
  let used = false
  const visit = (node: ts.Node): void => {
    if (used || ts.isImportDeclaration(node)) return
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) return
    if (ts.isIdentifier(node) && node.text === local && !isMemberName(node)) used = true
    ts.forEachChild(node, visit)
  }
  visit(source)
  return used
}

/** Whether an identifier is the name of a member, which means nothing outside its object. */
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

const plain: Style = { eol: '\n', indent: '  ', quote: "'", semicolons: false }

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
  return insertion(row, lead + text + mark + trail, { index: row.slots.length, openEnd: undefined })
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

/** Index of the import that a new one comes after: in order where the folder's own imports are in order, else last. */
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

/** Takes a whole import out, with its line. */
export function dropStatement(workspace: Workspace, path: string, node: ts.Statement): void {
  const source = workspace.source(path)
  const row = statementRow(source)
  const slot = row.slots[source.statements.indexOf(node)]
  if (slot === undefined) return
  let { end } = slot
  if (slot.own === 0) {
    // Nothing stands before it whose line break could go with it.
    end = afterLineBreak(source.text, end)
    const isAlone = !source.statements.some((other) => other !== node && ts.isImportDeclaration(other))
    if (isAlone && lineBreakFrom(source.text, end) === end) end = afterLineBreak(source.text, end)
  }
  workspace.edit(path, [{ start: slot.own, end, text: '' }])
}

function statementKey(node: ts.Statement, index: number): string {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
    return `import ${node.moduleSpecifier.text.replace(/\d[^/]*/g, '0')}`
  if (ts.isVariableStatement(node)) {
    const name = node.declarationList.declarations[0]?.name
    if (name !== undefined && ts.isIdentifier(name)) return name.text
  }
  const name = (node as { name?: ts.Node }).name
  return name !== undefined && ts.isIdentifier(name) ? name.text : `#${index}`
}
