import {
  dropStatement,
  fileOf,
  isUsed,
  moduleSpecifiers,
  type NamedDeclaration,
  namedDeclarations,
  statementRow,
} from './imports.js'
import { importedName } from './interface-type.js'
import { commentsIn } from './trivia.js'
import { type Splice, ts, type Workspace } from './workspace.js'

/** Says of an imported or re-exported name whether its module has it; undefined where that can't be told. */
export type Exports = (path: string, module: string, name: string, reexport: boolean) => boolean | undefined

const head = '/* parked by duet: '

/**
 * Turns imported and re-exported names that are gone into comments in their place, where no code uses them.
 * Returns the names that code does use.
 */
export function setAside(workspace: Workspace, path: string, has: Exports): string[] {
  const source = workspace.source(path)
  const used: string[] = []
  const splices: Splice[] = []
  for (const declaration of namedDeclarations(source)) {
    const { node, module, specifiers, row } = declaration
    const reexport = ts.isExportDeclaration(node)
    const gone = specifiers.filter((one) => has(path, module, importedName(one), reexport) === false)
    const free = gone.filter(({ name }) => reexport || !isUsed(source, name.text))
    used.push(...gone.filter((one) => !free.includes(one)).map(({ name }) => name.text))
    const whole = source.text.slice(node.getStart(source), node.end)
    if (free.length === 0) continue
    if (free.length === specifiers.length && !hasDefault(declaration) && !whole.includes('*/')) {
      splices.push({ start: node.getStart(source), end: node.end, text: `${head}${whole} */` })
      continue
    }
    for (const specifier of free) {
      const slot = row.slots[specifiers.indexOf(specifier)]
      if (slot === undefined) continue
      const mark = slot.separated ? source.text.indexOf(',', slot.code.end) + 1 : slot.code.end
      const text = source.text.slice(slot.code.start, mark)
      if (!text.includes('*/')) splices.push({ start: slot.code.start, end: mark, text: `${head}${text} */` })
    }
  }
  workspace.edit(path, splices)
  return used
}

/** Turns names that are back into what they were before {@link setAside}. */
export function bringBack(workspace: Workspace, path: string, has: Exports): void {
  const source = workspace.source(path)
  const splices: Splice[] = []
  const take = (start: number, end: number, module: string | undefined) => {
    for (const comment of commentsIn(source.text, start, end)) {
      const text = source.text.slice(comment.start, comment.end)
      if (!text.startsWith(head)) continue
      const inner = text.slice(head.length, -' */'.length)
      const from = module ?? /\bfrom\s*(['"])(.*?)\1/.exec(inner)?.[2]
      const list = module === undefined ? (/\{([\s\S]*)\}/.exec(inner)?.[1] ?? '') : inner
      const names = list.split(',').map(
        (part) =>
          part
            .replace(/^\s*type\s/, '')
            .trim()
            .split(/\s+as\s+/)[0] ?? '',
      )
      const isBack = names.some((name) => name !== '' && has(path, from ?? '', name, false) === true)
      if (from !== undefined && isBack) splices.push({ start: comment.start, end: comment.end, text: inner })
    }
  }
  for (const { module, row } of namedDeclarations(source)) {
    let from = row.open
    for (const slot of row.slots) {
      take(from, slot.code.start, module)
      from = slot.code.end
    }
    take(from, row.close, module)
  }
  const { slots } = statementRow(source)
  let from = 0
  for (const slot of slots) {
    take(from, slot.code.start, undefined)
    from = slot.code.end
  }
  take(from, source.text.length, undefined)
  workspace.edit(path, splices)
}

/** Names that a file exports; undefined where it passes on everything of another module. */
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

/** Names that a statement declares in its file. */
function declaredNames(node: ts.Statement): string[] {
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  const { name } = node as { name?: ts.Node }
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : []
}

/** Takes whole imports of a file that is going out of all others. */
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

function hasDefault({ node }: NamedDeclaration): boolean {
  return ts.isImportDeclaration(node) && node.importClause?.name !== undefined
}
