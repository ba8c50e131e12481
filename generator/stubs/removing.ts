import { memberOf, namespaceOf } from '../code/layout.js'
import { type Container, findMember } from './discovery.js'
import { declarationOf } from './implementation.js'
import { dropImport, fileOf, isMemberName, isUsed, moduleSpecifiers, statementRow } from './imports.js'
import { type Body, bodyAt, type Member, memberNamed } from './members.js'
import { isParkable, park } from './parking.js'
import type { Anchor, RecordedOperation } from './record.js'
import { type Scene, styleAt } from './scene.js'
import { dropImportsOf } from './set-aside.js'
import { anchorOf, type Row, removal, type Slot } from './slots.js'
import { isUntouched } from './stub.js'
import { ts } from './workspace.js'

/** An operation that is taken out of the object of its namespace. */
export interface Removed {
  /** The name that it has there. */
  readonly name: string
  readonly recorded: RecordedOperation
  /** Why, where it is not that the document no longer has it. */
  readonly why?: string
}

/**
 * Takes operations that the document no longer has out of one object. Stubs that nobody touched go; all other
 * code is parked at the end of its file.
 */
export function removeFrom(scene: Scene, container: Container, removed: readonly Removed[]): void {
  const places = new Map<string, Anchor>()
  for (const { name } of removed) {
    const found = findMember(scene.workspace, container, memberOf(name))
    if (found.kind !== 'here') continue
    const member = memberNamed(found.body, memberOf(name))
    if (member !== undefined) places.set(name, anchorOf(found.body.row, member.slot))
  }
  const doomed = new Set(removed.map(({ name }) => memberOf(name)))
  const atEnd = trailing(bodyAt(scene.workspace, container.place), doomed)
  for (const one of removed) removeOne(scene, container, one, places.get(one.name) ?? {}, atEnd)
}

function removeOne(
  scene: Scene,
  container: Container,
  { name, recorded, why = `${recorded.rest} is not in ${scene.wanted.version}` }: Removed,
  place: Anchor,
  atEnd: ReadonlySet<string>,
): void {
  const { workspace, findings, gone } = scene
  const found = findMember(workspace, container, memberOf(name))
  if (found.kind !== 'here') {
    if (found.kind === 'opaque')
      findings.left.push({
        file: container.place.file,
        reason: `${name} is gone from the document; take it out of what is spread into the object or extended`,
      })
    return
  }
  const { body } = found
  const member = memberNamed(body, memberOf(name))
  if (member === undefined) return
  const file = body.path
  const { text, splices } = removal(body.row, member.slot)
  if (isUntouched(body, member, { name, member: memberOf(name) }, recorded.comment)) {
    workspace.edit(file, splices)
    for (const local of recorded.imports ?? [])
      if (!isUsed(workspace.source(file), local)) dropImport(workspace, file, local)
    if (!atEnd.has(memberOf(name))) gone.set(name, { ...recorded, after: place })
    findings.changed.push({ operation: name, file, what: takenOut })
    return
  }
  const helper = ownStatement(body, member, workspace.checker())
  if (!isParkable(text)) {
    findings.left.push({
      file,
      reason: `${name} is gone from the document; its code holds duet's own marks: move it by hand`,
    })
    return
  }
  const helperKey = `${name}()`
  if (helper !== undefined) {
    const { slot, row } = helper
    gone.set(helperKey, { ...recorded, after: anchorOf(row, slot) })
    parkSlot(scene, file, row, slot, helperKey, why, splices)
  } else workspace.edit(file, splices)
  appendBlock(scene, file, name, why, text)
  gone.set(name, { ...recorded, after: place })
  findings.parked.push({ operation: name, file })
}

/**
 * Parks everything that implements a namespace that is gone, or takes its file away where that holds nothing but
 * untouched stubs.
 */
export function removeNamespace(scene: Scene, namespace: string, removed: readonly Removed[]): void {
  const { findings, folder } = scene
  const container = folder.containers.get(namespace)
  if (container === undefined) return
  const { file } = container.place
  const joined = joinedMember(scene, namespace)
  if (joined !== undefined && holdsPlace(joined, container)) parkJoined(scene, namespace, joined)
  else if (isDisposable(scene, container, removed)) {
    if (joined !== undefined) dropJoined(scene, namespace, joined)
    discard(scene, file)
    for (const { name } of removed) findings.changed.push({ operation: name, file, what: takenOut })
    return
  } else {
    const doomed = doomedStatements(scene, container)
    if (doomed === undefined) {
      const reason = `${namespace} is gone from the document; its code is bound up with other code: move it by hand`
      findings.left.push({ file, reason })
      return
    }
    if (joined !== undefined) parkJoined(scene, namespace, joined)
    parkStatements(scene, file, doomed, namespace)
  }
  for (const { name, recorded } of removed) {
    scene.gone.set(name, { ...recorded, after: {} })
    findings.parked.push({ operation: name, file })
  }
}

const takenOut = 'its stub, which nobody had touched, was taken out'

/** A namespace's member of the object of all namespaces. */
interface JoinedMember {
  readonly body: Body
  readonly member: Member
}

function joinedMember({ workspace, folder: { root } }: Scene, namespace: string): JoinedMember | undefined {
  const body = root && bodyAt(workspace, root.place)
  const member = body && memberNamed(body, namespace)
  return body !== undefined && member !== undefined ? { body, member } : undefined
}

function holdsPlace({ body, member }: JoinedMember, { place }: Container): boolean {
  return body.path === place.file && member.slot.start <= place.at && place.at < member.slot.end
}

function parkJoined(scene: Scene, namespace: string, { body, member }: JoinedMember): void {
  const { text, splices } = removal(body.row, member.slot)
  scene.gone.set(`${namespace}.*`, { rest: '', types: [], after: anchorOf(body.row, member.slot) })
  scene.workspace.edit(body.path, splices)
  appendBlock(scene, body.path, `${namespace}.*`, `the namespace is not in ${scene.wanted.version}`, text)
}

function dropJoined(scene: Scene, namespace: string, { body, member }: JoinedMember): void {
  // Where the namespaces stand in order it comes back to its place by itself.
  const names = body.members.map(({ name }) => name ?? '')
  const inOrder = names.every((name, index) => index === 0 || (names[index - 1] ?? '') <= name)
  if (!inOrder && member.slot !== body.row.slots.at(-1))
    scene.gone.set(`${namespace}.*`, { rest: '', types: [], after: anchorOf(body.row, member.slot) })
  scene.workspace.edit(body.path, removal(body.row, member.slot).splices)
}

/** The members at the end of a body that go, so that what comes back can simply be appended. */
function trailing({ members }: Body, doomed: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { name } of [...members].reverse()) {
    if (name === undefined || !doomed.has(name)) break
    names.add(name)
  }
  return names
}

/**
 * The statement that a member names and that nothing else needs: `get,` and `get: get` for a function of the same
 * file that is not exported.
 */
function ownStatement(
  { path, row }: Body,
  member: Member,
  checker: ts.TypeChecker,
): { readonly row: Row; readonly slot: Slot } | undefined {
  const [node] = member.nodes
  const value =
    node !== undefined && ts.isShorthandPropertyAssignment(node)
      ? node.name
      : node !== undefined && ts.isPropertyAssignment(node)
        ? node.initializer
        : undefined
  if (value === undefined || !ts.isIdentifier(value)) return undefined
  const declaration = declarationOf(value, checker)
  const source = value.getSourceFile()
  if (declaration === undefined || declaration.getSourceFile() !== source || path === '') return undefined
  const index = statementIndex(source, declaration)
  const list = ts.isVariableDeclaration(declaration) ? declaration.parent : undefined
  const isSingle =
    list === undefined || (ts.isVariableDeclarationList(list) && list.declarations.length === 1)
  if (index === -1 || !isSingle || isExported(source.statements[index])) return undefined
  if (occurrences(source, value.text) > 2 || row.text === '') return undefined
  const whole = statementRow(source)
  const slot = whole.slots[index]
  return slot && { row: whole, slot }
}

function isExported(node: ts.Statement | undefined): boolean {
  const modifiers = node !== undefined && ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
}

function occurrences(source: ts.SourceFile, name: string): number {
  let count = 0
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) count += 1
    ts.forEachChild(node, visit)
  }
  visit(source)
  return count
}

/** Whether a file holds imports and one object of untouched stubs and nothing else. */
function isDisposable(scene: Scene, container: Container, removed: readonly Removed[]): boolean {
  const { workspace } = scene
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
  const isImported = importers.some((path) => path !== scene.folder.root?.place.file)
  if (isImported || others.length !== 1 || hasComments || !ts.isObjectLiteralExpression(body.node))
    return false
  const tail = source.text.slice(body.row.slots.at(-1)?.end ?? body.row.open, body.row.close)
  if (tail.trim() !== '') return false
  return body.members.every((member) => {
    const one = removed.find(({ name }) => memberOf(name) === member.name)
    if (one === undefined) return false
    const operation = { name: one.name, member: memberOf(one.name) }
    return isUntouched(body, member, operation, one.recorded.comment)
  })
}

/** Indexes of the statements that hold an object or need what such a statement declares; undefined where others are in them. */
function doomedStatements(scene: Scene, container: Container): number[] | undefined {
  const { workspace, folder } = scene
  const { file, at } = container.place
  const source = workspace.source(file)
  const isHere = (one: Container | undefined) =>
    one !== undefined && one !== container && one.place.file === file
  const root = folder.root !== undefined && isHere(folder.root) ? folder.root.place.at : undefined
  const others = [...folder.containers.values()].filter(isHere).map(({ place }) => place.at)
  const first = source.statements.findIndex((node) => node.pos <= at && at < node.end)
  const isRoot = (node: ts.Statement | undefined) => root !== undefined && holds(node, root)
  const doomed = dependents(source, first, isRoot, workspace.checker())
  const row = statementRow(source)
  const texts = doomed.map((index) => row.text.slice(row.slots[index]?.own, row.slots[index]?.end))
  const isShared = doomed.some((index) => {
    const node = source.statements[index]
    return isRoot(node) || others.some((place) => holds(node, place))
  })
  return first === -1 || isShared || !texts.every(isParkable) ? undefined : doomed
}

function parkStatements(scene: Scene, file: string, doomed: readonly number[], namespace: string): void {
  const { workspace } = scene
  const before = statementRow(workspace.source(file))
  for (const [position, index] of doomed.entries()) {
    const row = statementRow(workspace.source(file))
    const slot = row.slots[index - position]
    const was = before.slots[index]
    if (slot === undefined || was === undefined) continue
    const name = `${namespace}.*${position + 1}`
    parkSlot(scene, file, row, slot, name, `the namespace is not in ${scene.wanted.version}`, [])
    scene.gone.set(name, { rest: '', types: [], file, after: anchorOf(before, was) })
  }
}

/** A statement and all that name what it declares, in order. */
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

/** Takes a file away, with its import in the file that joins the namespaces. */
function discard({ workspace }: Scene, file: string): void {
  dropImportsOf(workspace, file)
  workspace.remove(file)
}

function holds(node: ts.Node | undefined, at: number): boolean {
  return node !== undefined && node.pos <= at && at < node.end
}

function parkSlot(
  scene: Scene,
  file: string,
  row: Row,
  slot: Slot,
  name: string,
  why: string,
  also: readonly { start: number; end: number; text: string }[],
): void {
  const { text, splices } = removal(row, slot)
  scene.workspace.edit(file, [...splices, ...also])
  appendBlock(scene, file, name, why, text)
}

function appendBlock(scene: Scene, file: string, name: string, why: string, code: string): void {
  const reason = `- ${why}; duet puts it back if it returns`
  const { eol } = styleAt(scene, file)
  scene.workspace.edit(file, [park(scene.workspace.text(file), name, reason, code, eol)])
}

/** The operations that are taken out, by the namespace that they stand in. */
export function byNamespace(removed: readonly Removed[]): ReadonlyMap<string, readonly Removed[]> {
  const groups = new Map<string, Removed[]>()
  for (const one of removed) {
    const namespace = namespaceOf(one.name)
    groups.set(namespace, [...(groups.get(namespace) ?? []), one])
  }
  return groups
}
