import {
  isNamespaceFile,
  memberOf,
  namespaceConstant,
  namespaceFile,
  namespaceOf,
  specifierOf,
} from '../code/layout.js'
import { addNamespace, recordOf } from './added-handlers.js'
import { type Container, findMember } from './handler-discovery.js'
import { declarationOf } from './handler-types.js'
import { fileOf, namesIn, renameModules } from './imports.js'
import { type Body, bodyAt, memberNamed, nameOf, renameMember } from './members.js'
import { moveOperation } from './moved-operations.js'
import { removeFrom } from './removed-handlers.js'
import { type ScaffoldRun, styleAt } from './scaffold-run.js'
import { nodesIn, type Splice, ts } from './workspace.js'

/** Renames and moves the code of operations that go on under another name. */
export function followOperations(run: ScaffoldRun): void {
  const { matching, wanted, record, findings } = run
  for (const [name, was] of matching.kept) {
    const operation = wanted.operations.get(name)
    const recorded = record?.operations.get(was)
    if (operation === undefined) continue
    const oldNamespace = matching.namespaces.get(namespaceOf(was)) ?? namespaceOf(was)
    const container = run.folder.containers.get(oldNamespace)
    const file = container?.place.file
    const note = (what: string, at = file) => findings.changed.push({ operation: was, file: at ?? '', what })
    const take = (path: string) => run.operations.set(name, recordOf(operation, path, recorded?.comment))
    if (container === undefined) {
      if (recorded !== undefined && name !== was) reportByHand(run, name, was, oldNamespace)
    } else if (oldNamespace === operation.namespace) {
      const found = findMember(run.workspace, container, memberOf(was))
      if (memberOf(was) === operation.member) {
        if (found.kind !== 'here') continue
        take(found.body.path)
        if (recorded !== undefined && name === was && recorded.rest !== operation.rest)
          note(`is now ${operation.rest}, was ${recorded.rest}`, found.body.path)
      } else if (found.kind === 'here') {
        const { path } = found.body
        const reason = renameOperation(run, found.body, memberOf(was), operation.member)
        if (reason === undefined) {
          take(path)
          note(`is now ${name}`, path)
        } else findings.left.push({ file: path, reason })
      }
    } else move(run, name, was, container, take, note)
  }
}

/** Renames namespaces: the key, the constant and the file. */
export function renameNamespaces(run: ScaffoldRun): void {
  const { workspace, matching, folder, findings } = run
  for (const [from, to] of matching.namespaces) {
    const container = folder.containers.get(from)
    if (container === undefined) continue
    const before = container.place.file
    renameConstant(run, container, namespaceConstant(from, new Set()), namespaceConstant(to, new Set()))
    const { root } = folder
    const body = root && bodyAt(workspace, root.place)
    const member = body && memberNamed(body, from)
    if (body !== undefined && member !== undefined)
      workspace.edit(body.path, renameMember(body, member, to, styleAt(run, body.path)))
    if (isNamespaceFile(before, from))
      renameFile(run, before, namespaceFile(to, [...workspace.paths, ...run.blocked]))
    const what = `the namespace is now ${to}${container.place.file === before ? '' : `, its file was ${before}`}`
    findings.changed.push({ operation: `${from}.*`, file: container.place.file, what })
  }
}

/** Renames an operation's member. Returns the reason if that is not possible. */
function renameOperation(run: ScaffoldRun, body: Body, from: string, to: string): string | undefined {
  const member = memberNamed(body, from)
  if (memberNamed(body, to) !== undefined)
    return `${from} is now ${to}, and the object already has that member`
  if (member !== undefined)
    run.workspace.edit(body.path, renameMember(body, member, to, styleAt(run, body.path)))
  return undefined
}

/** Reports the operations whose params or result have changed since the last run. */
export function reportSignatures({
  findings,
  folder,
  matching,
  operations,
  record,
  waiting,
}: ScaffoldRun): void {
  for (const [name, { file, signature: now }] of operations) {
    const was = matching.kept.get(name) ?? name
    const recorded = record?.operations.get(was)
    if (recorded?.signature === undefined || now === undefined || waiting.has(was)) continue
    const other = ['other params', 'another result'].filter(
      (_, index) => recorded.signature?.[index] !== now[index],
    )
    if (other.length === 0) continue
    const place = file ?? folder.unclear.get(namespaceOf(name))?.file ?? ''
    findings.changed.push({
      operation: name,
      file: place,
      what: `has ${other.join(' and ')} now`,
    })
  }
}

function move(
  run: ScaffoldRun,
  name: string,
  was: string,
  container: Container,
  take: (path: string) => void,
  note: (what: string, file?: string) => void,
): void {
  const { workspace, wanted, findings, record } = run
  const recorded = record?.operations.get(was)
  const found = findMember(workspace, container, memberOf(was))
  const namespace = namespaceOf(name)
  if (found.kind !== 'here' || memberNamed(found.body, memberOf(was)) === undefined) return
  const from = found.body.path
  const source = container.base?.place === found.container.place ? container.base : found.container
  if (!run.folder.containers.has(namespace) && !run.folder.unclear.has(namespace))
    addNamespace(run, namespace, [], from)
  const held = run.folder.containers.get(namespace)
  // If a base class implements the interface, its members are there.
  const target = held?.base ?? held
  const moved =
    target === undefined
      ? { reason: 'there is no place to move it to' }
      : moveOperation(run, source, target, was, name)
  if (moved.reason === undefined && target !== undefined) {
    take(target.place.file)
    note(`is now ${name}, its code is in ${target.place.file}`, from)
    return
  }
  if (recorded === undefined) return
  const why = `it is ${name} in ${wanted.version}`
  if (removeFrom(run, found.container, { name: was, why, comment: recorded.comment }))
    findings.left.push({
      file: from,
      reason: `${was} is now ${name} and could not be moved (${moved.reason}); its code is parked: move it by hand`,
    })
}

function reportByHand({ folder, findings }: ScaffoldRun, name: string, was: string, namespace: string): void {
  const place = folder.unclear.get(namespace)
  if (place === undefined) return
  findings.left.push({
    file: place.file,
    reason: `${place.reason}; ${was} is now ${name}: rename it by hand`,
  })
}

/** Renames a file, and follows it in every import of the folder. */
function renameFile(run: ScaffoldRun, from: string, to: string): void {
  const { workspace } = run
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

/** Renames the constant that holds a namespace's object, if it has the name that duet gave it. */
function renameConstant(run: ScaffoldRun, container: Container, from: string, to: string): void {
  const { workspace } = run
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
    const splices = nodesIn(source).flatMap((node) =>
      ts.isIdentifier(node) && node.text === from ? renamed(node, declaration, to, checker) : [],
    )
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
    // In `a as b` only `a` changes.
    return parent.propertyName === node ? [{ start, end: node.end, text: to }] : []
  }
  if (ts.isPropertyAccessExpression(parent) && nameOf(parent) === node.text && parent.name === node) return []
  return [{ start, end: node.end, text: to }]
}
