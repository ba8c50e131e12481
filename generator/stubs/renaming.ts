import { isNamespaceFile, namespaceConstant, namespaceFile } from '../code/layout.js'
import { type Container, findMember } from './discovery.js'
import { declarationOf } from './implementation.js'
import { fileOf, namesIn, renameModules, specifierOf } from './imports.js'
import { bodyAt, memberNamed, nameOf, renameMember } from './members.js'
import { type Scene, styleAt } from './scene.js'
import { type Splice, ts } from './workspace.js'

/** Gives namespaces that go on under another name that name: its key, its constant and its file. */
export function renameNamespaces(scene: Scene): void {
  const { workspace, matching, folder, findings } = scene
  for (const [from, to] of matching.namespaces) {
    const container = folder.containers.get(from)
    if (container === undefined) continue
    const before = container.place.file
    renameConstant(scene, container, namespaceConstant(from, new Set()), namespaceConstant(to, new Set()))
    const { root } = folder
    const body = root && bodyAt(workspace, root.place)
    const member = body && memberNamed(body, from)
    if (body !== undefined && member !== undefined)
      workspace.edit(body.path, renameMember(body, member, to, styleAt(scene, body.path)))
    if (isNamespaceFile(before, from))
      renameFile(scene, before, namespaceFile(to, [...workspace.paths, ...scene.blocked]))
    const what = `the namespace is ${to} now${container.place.file === before ? '' : `, its file was ${before}`}`
    findings.changed.push({ operation: `${from}.*`, file: container.place.file, what })
  }
}

/** Gives an operation's member another name. Returns what is in the way, if anything is. */
export function renameOperation(
  scene: Scene,
  container: Container,
  from: string,
  to: string,
): { readonly file: string; readonly reason?: string } {
  const { workspace } = scene
  const found = findMember(workspace, container, from)
  if (found.kind !== 'here') return { file: container.place.file, reason: `its member ${from} was not found` }
  const { body } = found
  const file = body.path
  if (memberNamed(body, to) !== undefined)
    return { file, reason: `${from} is named ${to} now, and the object already has a member ${to}` }
  const member = memberNamed(body, from)
  if (member === undefined) return { file }
  workspace.edit(file, renameMember(body, member, to, styleAt(scene, file)))
  return { file }
}

/** A file under another name, and every import of it in the folder. */
function renameFile(scene: Scene, from: string, to: string): void {
  const { workspace } = scene
  for (const path of workspace.paths) {
    const splices = renameModules(workspace.source(path), (specifier) => {
      if (fileOf(workspace, path, specifier) !== from) return undefined
      const named = specifierOf(path, to)
      return /\.m?js$/.test(specifier)
        ? named
        : named.replace(/\.m?js$/, specifier.endsWith('.ts') ? '.ts' : '')
    })
    workspace.edit(path, splices)
  }
  workspace.rename(from, to)
}

/** The constant that holds a namespace's object, where it has the name that duet gives it. */
function renameConstant(scene: Scene, container: Container, from: string, to: string): void {
  const { workspace } = scene
  const { file } = container.place
  const checker = workspace.checker()
  const declaration = workspace
    .source(file)
    .statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(({ name }) => ts.isIdentifier(name) && name.text === from)
  if (from === to || declaration === undefined) return
  const edits = new Map<string, Splice[]>()
  for (const path of workspace.paths) {
    const source = workspace.source(path)
    const splices: Splice[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && node.text === from)
        splices.push(...renamed(node, declaration, to, checker))
      ts.forEachChild(node, visit)
    }
    visit(source)
    if (splices.length > 0 && namesIn(source).has(to)) return
    edits.set(path, splices)
  }
  for (const [path, splices] of edits) workspace.edit(path, splices)
}

function renamed(
  node: ts.Identifier,
  declaration: ts.Declaration,
  to: string,
  checker: ts.TypeChecker,
): Splice[] {
  const { parent } = node
  const source = node.getSourceFile()
  const start = node.getStart(source)
  if (declarationOf(node, checker) !== declaration) return []
  if (ts.isShorthandPropertyAssignment(parent)) return [{ start: node.end, end: node.end, text: `: ${to}` }]
  if (ts.isPropertyAssignment(parent) && parent.name === node) return []
  if ((ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) && parent.propertyName !== undefined) {
    // Of `a as b` only the name that the module gives changes.
    return parent.propertyName === node ? [{ start, end: node.end, text: to }] : []
  }
  if (ts.isPropertyAccessExpression(parent) && nameOf(parent) === node.text && parent.name === node) return []
  return [{ start, end: node.end, text: to }]
}
