import { memberOf, namespaceOf } from '../code/layout.js'
import { groupBy } from '../document/grouping.js'
import { isApi } from './api-imports.js'
import { type Container, findMember } from './handler-discovery.js'
import { declarationOf } from './handler-types.js'
import {
  dropImport,
  dropImportsOf,
  fileOf,
  importedName,
  isMemberName,
  isUsed,
  moduleSpecifiers,
  namedDeclarations,
  statementRow,
} from './imports.js'
import { type Body, bodyAt, type Member, memberNamed } from './members.js'
import { park } from './parked-code.js'
import { type ScaffoldRun, styleAt } from './scaffold-run.js'
import { type Removal, removal } from './separated-items.js'
import { isUntouched } from './stub.js'
import { nodesIn, ts } from './workspace.js'

/** An operation to remove from the object of its namespace. */
export interface Removed {
  /** The name that it has there. */
  readonly name: string
  readonly why: string
  /** Digest of the doc comment that duet wrote last. */
  readonly comment?: string | undefined
}

/**
 * Removes an operation from an object: deletes an untouched stub, and parks all other code at the end of its file.
 * Returns whether it parked anything.
 */
export function removeFrom(run: ScaffoldRun, container: Container, { name, why, comment }: Removed): boolean {
  const { workspace, findings } = run
  const found = findMember(workspace, container, memberOf(name))
  const member = found.kind === 'here' ? memberNamed(found.body, memberOf(name)) : undefined
  if (found.kind === 'opaque')
    findings.left.push({
      file: container.place.file,
      reason: `${name} is not in the document: remove it from the spread object or the base class`,
    })
  if (found.kind !== 'here' || member === undefined) return false
  const { body } = found
  const file = body.path
  const { text, splices } = removal(body.row, member.slot)
  if (isUntouched(body, member, { name, member: memberOf(name) }, comment)) {
    workspace.edit(file, splices)
    dropProblem(run, file)
    findings.changed.push({ operation: name, file, what: takenOut })
    return false
  }
  const helper = ownStatement(run, member)
  workspace.edit(file, [...splices, ...(helper?.splices ?? [])])
  append(run, file, name, why, helper === undefined ? [text] : [helper.text, text])
  findings.parked.push({ operation: name, file })
  return true
}

/** Removes the import of `problem` if the stub was the only code that used it. */
function dropProblem(run: ScaffoldRun, file: string): void {
  const source = run.workspace.source(file)
  const generated = namedDeclarations(source).filter(({ module }) => isApi(run)(module))
  for (const one of generated.flatMap(({ specifiers }) => specifiers))
    if (ts.isImportSpecifier(one) && importedName(one) === 'problem' && !isUsed(source, one.name.text))
      dropImport(run.workspace, file, one.name.text)
}

/** Parks the code of a removed namespace. A file with nothing but untouched stubs is deleted. */
export function removeNamespace(run: ScaffoldRun, namespace: string, removed: readonly Removed[]): void {
  const { workspace, findings, folder } = run
  const container = folder.containers.get(namespace)
  if (container === undefined) return
  const { file } = container.place
  const joined = joinedMember(run, namespace)
  if (joined !== undefined && holdsPlace(joined, container)) parkJoined(run, namespace, joined)
  else if (isDisposable(run, container, removed)) {
    if (joined !== undefined)
      workspace.edit(joined.body.path, removal(joined.body.row, joined.member.slot).splices)
    dropImportsOf(workspace, file)
    workspace.remove(file)
    for (const { name } of removed) findings.changed.push({ operation: name, file, what: takenOut })
    return
  } else {
    const doomed = removableStatements(run, container)
    if (doomed === undefined) {
      const reason = `${namespace} is not in the document, and other code depends on its code: move it by hand`
      findings.left.push({ file, reason })
      return
    }
    if (joined !== undefined) parkJoined(run, namespace, joined)
    const row = statementRow(workspace.source(file))
    const taken = doomed.flatMap((index) => row.slots[index] ?? []).map((slot) => removal(row, slot))
    const splices = taken.flatMap((one) => one.splices)
    workspace.edit(file, splices)
    const texts = taken.map(({ text }) => text)
    append(run, file, `${namespace}.*`, `the namespace is not in ${run.wanted.version}`, texts)
  }
  for (const { name } of removed) findings.parked.push({ operation: name, file })
}

const takenOut = 'its untouched stub was removed'

/** The member that a namespace has in the object of all namespaces. */
interface JoinedMember {
  readonly body: Body
  readonly member: Member
}

function joinedMember(
  { workspace, folder: { root } }: ScaffoldRun,
  namespace: string,
): JoinedMember | undefined {
  const body = root && bodyAt(workspace, root.place)
  const member = body && memberNamed(body, namespace)
  return body !== undefined && member !== undefined ? { body, member } : undefined
}

function holdsPlace({ body, member }: JoinedMember, { place }: Container): boolean {
  return body.path === place.file && member.slot.start <= place.at && place.at < member.slot.end
}

function parkJoined(run: ScaffoldRun, namespace: string, { body, member }: JoinedMember): void {
  const { text, splices } = removal(body.row, member.slot)
  run.workspace.edit(body.path, splices)
  append(run, body.path, `${namespace}.*`, `the namespace is not in ${run.wanted.version}`, [text])
}

/** The statement that only one member uses: the function of the same file in `get,` or `get: get`, if not exported. */
function ownStatement({ workspace }: ScaffoldRun, member: Member): Removal | undefined {
  const [node] = member.nodes
  const value =
    node !== undefined && ts.isShorthandPropertyAssignment(node)
      ? node.name
      : node !== undefined && ts.isPropertyAssignment(node)
        ? node.initializer
        : undefined
  if (value === undefined || !ts.isIdentifier(value)) return undefined
  const declaration = declarationOf(value, workspace.checker())
  const source = value.getSourceFile()
  if (declaration === undefined || declaration.getSourceFile() !== source) return undefined
  const index = statementIndex(source, declaration)
  const list = ts.isVariableDeclaration(declaration) ? declaration.parent : undefined
  const isSingle =
    list === undefined || (ts.isVariableDeclarationList(list) && list.declarations.length === 1)
  const statement = source.statements[index]
  if (!isSingle || isExported(statement) || holds(statement, member.slot.code.start)) return undefined
  if (occurrences(source, value.text) > 2) return undefined
  const row = statementRow(source)
  const slot = row.slots[index]
  return slot && removal(row, slot)
}

function isExported(node: ts.Statement | undefined): boolean {
  const modifiers = node !== undefined && ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
}

function occurrences(source: ts.SourceFile, name: string): number {
  return nodesIn(source).filter((node) => ts.isIdentifier(node) && node.text === name).length
}

/** Whether a file has only imports and one object of untouched stubs. */
function isDisposable(run: ScaffoldRun, container: Container, removed: readonly Removed[]): boolean {
  const { workspace } = run
  const { file } = container.place
  const source = workspace.source(file)
  const others = source.statements.filter((node) => !ts.isImportDeclaration(node))
  const { slots } = statementRow(source)
  const last = slots.at(-1)
  const hasComments =
    slots.some((slot) => /\/[/*]/.test(source.text.slice(slot.start, slot.code.start))) ||
    /\S/.test(source.text.slice(last?.code.end ?? 0))
  const body = bodyAt(workspace, container.place)
  const importers = workspace.paths.filter((path) =>
    moduleSpecifiers(workspace.source(path)).some((one) => fileOf(workspace, path, one.text) === file),
  )
  const isImported = importers.some((path) => path !== run.folder.root?.place.file)
  if (isImported || others.length !== 1 || hasComments || !ts.isObjectLiteralExpression(body.node))
    return false
  const tail = source.text.slice(body.row.slots.at(-1)?.end ?? body.row.open, body.row.close)
  if (tail.trim() !== '') return false
  return body.members.every((member) => {
    const one = removed.find(({ name }) => memberOf(name) === member.name)
    if (one === undefined) return false
    const operation = { name: one.name, member: memberOf(one.name) }
    return isUntouched(body, member, operation, one.comment)
  })
}

/** Indexes of the statement with an object and of those that need it; undefined if they hold other handlers too. */
function removableStatements(run: ScaffoldRun, container: Container): readonly number[] | undefined {
  const { workspace, folder } = run
  const { file, at } = container.place
  const source = workspace.source(file)
  const isHere = (one: Container | undefined) =>
    one !== undefined && one !== container && one.place.file === file
  const root = folder.root !== undefined && isHere(folder.root) ? folder.root.place.at : undefined
  const others = [...folder.containers.values()].filter(isHere).map(({ place }) => place.at)
  const first = source.statements.findIndex((node) => holds(node, at))
  if (first === -1) return undefined
  const isRoot = (node: ts.Statement | undefined) => root !== undefined && holds(node, root)
  const indexes = dependents(source, first, isRoot, workspace.checker())
  const isShared = indexes.some((index) => {
    const node = source.statements[index]
    return isRoot(node) || others.some((place) => holds(node, place))
  })
  return isShared ? undefined : indexes
}

/** Indexes of a statement and of all that use what it declares, directly or not. */
function dependents(
  source: ts.SourceFile,
  first: number,
  isRoot: (node: ts.Statement) => boolean,
  checker: ts.TypeChecker,
): number[] {
  const doomed = new Set([first])
  const needs = (node: ts.Node): boolean => {
    if (ts.isIdentifier(node) && !isMemberName(node)) {
      const declaration = declarationOf(node, checker)
      const index = declaration === undefined ? -1 : statementIndex(source, declaration)
      if (doomed.has(index)) return true
    }
    return ts.forEachChild(node, (child) => needs(child) || undefined) === true
  }
  for (let grown = true; grown; ) {
    grown = false
    for (const [index, node] of source.statements.entries()) {
      if (doomed.has(index) || isRoot(node) || ts.isImportDeclaration(node) || !needs(node)) continue
      doomed.add(index)
      grown = true
    }
  }
  return [...doomed].sort((a, b) => a - b)
}

/** Index of the statement that declares something at the top level of a file; -1 for anything else. */
function statementIndex(source: ts.SourceFile, declaration: ts.Declaration): number {
  const statement: ts.Node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  const statements: readonly ts.Node[] = source.statements
  return statements.indexOf(statement)
}

function holds(node: ts.Node | undefined, at: number): boolean {
  return node !== undefined && node.pos <= at && at < node.end
}

function append(run: ScaffoldRun, file: string, name: string, why: string, pieces: readonly string[]): void {
  const { eol } = styleAt(run, file)
  run.workspace.edit(file, [park(run.workspace.text(file), name, why, pieces, eol)])
}

/** Groups operations by the namespace of their object. */
export function byNamespace(removed: readonly Removed[]): ReadonlyMap<string, readonly Removed[]> {
  return groupBy(removed, ({ name }) => namespaceOf(name))
}
