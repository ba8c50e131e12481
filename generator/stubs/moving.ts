import type { Container } from './discovery.js'
import {
  dropImport,
  dropStatement,
  ensureImport,
  isMemberName,
  isTypeOnly,
  isUsed,
  type Needed,
  namedDeclarations,
  namesIn,
  specifierFrom,
  specifierOf,
  statementRow,
} from './imports.js'
import { importedName } from './interface-type.js'
import { memberOf } from './matching.js'
import { type Body, bodyAt, type Member, memberNamed, renameMember } from './members.js'
import type { Anchor, RecordedOperation } from './record.js'
import { type Scene, styleAt } from './scene.js'
import { exportedNames } from './set-aside.js'
import { anchorOf, indexOfAnchor, insertion, type Row, removal } from './slots.js'
import { quoted } from './style.js'
import { hasLineBreak, punctuationIn } from './trivia.js'
import { type Splice, ts } from './workspace.js'

/** What came of moving an operation's code into the object of another namespace. */
export type Moved = { readonly imports: readonly string[] } | { readonly reason: string }

/**
 * Moves an operation's code, with its comments, into the object of another namespace. What it uses of its old file
 * is imported into the new one. Nothing is changed where that can't be done for certain.
 */
export function moveOperation(
  scene: Scene,
  from: Container,
  to: Container,
  names: { readonly old: string; readonly name: string },
  recorded: RecordedOperation | undefined,
): Moved {
  const { workspace } = scene
  const body = bodyAt(workspace, from.place)
  const member = memberNamed(body, memberOf(names.old))
  if (member === undefined) return { reason: `it was not found in ${body.path}` }
  const target = bodyAt(workspace, to.place)
  if (memberNamed(target, memberOf(names.name)) !== undefined)
    return { reason: `${target.path} already has a member ${memberOf(names.name)}` }
  if (!fits(scene, from, to, body, target, member, names.name))
    return { reason: 'one is a class and the other an object, or they are typed in different ways' }
  const typed = ownTypes(member, from)
  const needs = needsOf(scene, body.path, target.path, member, typed)
  if ('reason' in needs) return needs
  const key = renameMember(body, member, memberOf(names.name), styleAt(scene, body.path))
  const renamed = renamings(needs, member)
  if (renamed.some((inner) => key.some((outer) => overlaps(inner, outer))))
    return { reason: `${target.path} has another ${body.row.text.slice(renamed[0]?.start, renamed[0]?.end)}` }
  const { text, splices } = removal(body.row, member.slot)
  let code = text
  const types = typed.map((node) => ({
    start: node.getStart(),
    end: node.end,
    text: `${to.type}[${quoted(memberOf(names.name), styleAt(scene, target.path))}]`,
  }))
  for (const splice of [...key, ...types, ...renamed].sort((a, b) => b.start - a.start)) {
    const [start, end] = [splice.start - member.slot.own, splice.end - member.slot.own]
    code = code.slice(0, start) + splice.text + code.slice(end)
  }
  const place = placeOf(body, member, from.typing === 'argument' && to.typing !== 'argument')
  const comesBack = member.slot === body.row.slots.at(-1) && member.slot.detached === 0 && !place.last
  if (!comesBack && recorded !== undefined) scene.gone.set(names.old, { ...recorded, after: place })
  workspace.edit(body.path, splices)
  const codeEnd = member.slot.code.end - member.slot.own + code.length - text.length
  put(scene, to, withoutSeparator(code, codeEnd), codeEnd, scene.gone.get(names.name)?.after)
  scene.gone.delete(names.name)
  const imports = bringNeeds(scene, body.path, target.path, needs.needed)
  tidy(scene, body.path, target.path, recorded?.imports ?? [])
  return { imports }
}

/** Where a member stands in its body, and by which space where it begins no line. */
function placeOf(body: Body, { slot }: Member, given: boolean): Anchor {
  const place: Anchor = { ...anchorOf(body.row, slot), ...(given && { given }) }
  const space = leadOf(body.row.text.slice(slot.own, slot.end))
  const isOnLines = hasLineBreak(space) || slot.detached > 0
  if (isOnLines && !given) return place
  const isLast = slot === body.row.slots.at(-1)
  return {
    ...place,
    ...(!isOnLines && { space }),
    ...(isLast && { last: slot.separated ? 'closed' : 'open' }),
  }
}

function leadOf(code: string): string {
  return /^\s*/.exec(code)?.[0] ?? ''
}

/**
 * Whether code has the types of its members from the same source in both places. What an object that a call is given
 * holds has its own types, which do in any object; what has come from there may go back.
 */
function fits(
  scene: Scene,
  from: Container,
  to: Container,
  body: Body,
  target: Body,
  member: Member,
  name: string,
): boolean {
  if (ts.isClassLike(body.node) !== ts.isClassLike(target.node)) return false
  if (from.typing === to.typing) return true
  if (from.typing === 'contextual' && to.typing === 'argument')
    return scene.gone.get(name)?.after.given === true
  const asksForType = member.nodes.some(
    (node) => from.type !== undefined && node.getText().includes(`satisfies ${from.type}`),
  )
  return from.typing === 'argument' && to.typing === 'contextual' && !asksForType
}

/** Types of a class's members that ask what the class implements for them: they change with the class. */
function ownTypes({ nodes }: Member, { type }: Container): ts.TypeNode[] {
  return nodes.flatMap((node) => {
    const own = ts.isPropertyDeclaration(node) ? node.type : undefined
    if (own === undefined || !ts.isIndexedAccessTypeNode(own)) return []
    return own.objectType.getText() === type ? [own] : []
  })
}

/** Puts a member where it once stood in an object, else behind the others. */
function put(scene: Scene, to: Container, code: string, codeEnd: number, place: Anchor | undefined): void {
  const { workspace } = scene
  const { path, row } = bodyAt(workspace, to.place)
  const { eol } = styleAt(scene, path)
  const index = (place === undefined ? undefined : indexOfAnchor(row, place)) ?? row.slots.length
  const isOpen =
    place?.last === 'open' || (place?.last === undefined && row.slots.at(-1)?.separated === false)
  const wantsMark = row.separator !== '' && (index < row.slots.length || !isOpen)
  const whole = wantsMark ? code.slice(0, codeEnd) + row.separator + code.slice(codeEnd) : code
  const own = leadOf(code)
  const lead = place?.space ?? (hasLineBreak(own) || place !== undefined ? own : leadIn(row, eol, own))
  const isClosed = row.slots.length === 0 && !hasLineBreak(row.text.slice(row.open, row.close))
  const text = lead + whole.slice(own.length) + (isClosed && place?.space === undefined ? eol : '')
  const comments = place?.comments ?? 0
  workspace.edit(path, insertion(row, text, { index, comments, openEnd: undefined }))
}

/** The space before a member that began no line: what stands before the last one here, or a line of its own. */
function leadIn({ text, slots }: Row, eol: string, own: string): string {
  const last = slots.at(-1)
  return last === undefined ? eol + own : leadOf(text.slice(last.start, last.code.start))
}

function withoutSeparator(code: string, codeEnd: number): string {
  const mark = punctuationIn(code, codeEnd, code.length, ',')
  return mark === undefined ? code : code.slice(0, mark) + code.slice(mark + 1)
}

/** What code needs of the file that it leaves: imports, and things declared there. */
interface Needs {
  readonly needed: readonly Need[]
}

interface Need extends Needed {
  /** The file itself declares it. */
  readonly helper: boolean
  /** The name that the new file has for it. */
  readonly local: string
  /** Where the code names it. */
  readonly uses: readonly ts.Identifier[]
}

function needsOf(
  scene: Scene,
  from: string,
  to: string,
  member: Member,
  except: readonly ts.Node[],
): Needs | { readonly reason: string } {
  const { workspace } = scene
  const checker = workspace.checker()
  const source = workspace.source(from)
  const target = workspace.source(to)
  const needed = new Map<string, Omit<Need, 'local'> & { readonly uses: ts.Identifier[] }>()
  let reason: string | undefined
  const isInside = (node: ts.Node) =>
    node.getSourceFile() === source &&
    member.slot.code.start <= node.pos + 1 &&
    node.end <= member.slot.code.end
  const visit = (node: ts.Node): void => {
    if (except.includes(node)) return
    if (node.kind === ts.SyntaxKind.ThisKeyword || node.kind === ts.SyntaxKind.SuperKeyword)
      reason ??= 'it uses this'
    if (ts.isIdentifier(node) && !isMemberName(node)) {
      const { parent } = node
      const symbol =
        ts.isShorthandPropertyAssignment(parent) && parent.name === node
          ? checker.getShorthandAssignmentValueSymbol(parent)
          : checker.getSymbolAtLocation(node)
      const [declaration] = symbol?.declarations ?? []
      if (declaration !== undefined && !isInside(declaration)) {
        const known = needed.get(node.text)
        const need = known ?? needOf(scene, from, to, node.text, declaration)
        if ('reason' in need) reason ??= need.reason
        else if (known !== undefined) known.uses.push(node)
        else needed.set(node.text, { ...need, uses: [node] })
      }
    }
    ts.forEachChild(node, visit)
  }
  for (const node of member.nodes) visit(node)
  if (reason !== undefined) return { reason }
  const taken = new Set(namesIn(target))
  const named = [...needed].map(([name, need]) => {
    const local = localOf(target, need, name, specifierOf(to, to), new Set([...taken, ...namesIn(source)]))
    taken.add(local)
    return { ...need, local }
  })
  return { needed: named }
}

/** The name that a file has for something: the one it has already, else the same, else one that is free. */
function localOf(
  target: ts.SourceFile,
  need: Omit<Need, 'local'>,
  name: string,
  own: string,
  taken: ReadonlySet<string>,
): string {
  if (need.module === own) return need.name
  const known = importedAs(target, need)
  if (known !== undefined) return known
  if (!namesIn(target).has(name)) return name
  let number = 2
  while (taken.has(`${name}${number}`)) number += 1
  return `${name}${number}`
}

/** Gives the code the names that its new file has. */
function renamings({ needed }: Needs, member: Member): Splice[] {
  return needed.flatMap(({ local, uses }) =>
    uses.flatMap((node): Splice[] => {
      if (node.text === local) return []
      const { parent } = node
      const isInner = !member.nodes.includes(parent)
      const isShort = isInner && ts.isShorthandPropertyAssignment(parent)
      // What another move has written out.
      const isWrittenOut = isInner && ts.isPropertyAssignment(parent) && parent.name.getText() === local
      const { end } = node
      const start = isWrittenOut ? parent.getStart() : node.getStart()
      return [{ start, end, text: isShort ? `${node.text}: ${local}` : local }]
    }),
  )
}

function overlaps(a: Splice, b: Splice): boolean {
  return a.start < b.end && b.start < a.end
}

function needOf(
  scene: Scene,
  from: string,
  to: string,
  name: string,
  declaration: ts.Declaration,
): Omit<Need, 'local' | 'uses'> | { readonly reason: string } {
  if (ts.isImportSpecifier(declaration)) {
    const clause = declaration.parent.parent
    const whole = clause.parent
    if (!ts.isImportDeclaration(whole) || !ts.isStringLiteral(whole.moduleSpecifier))
      return { reason: `it uses ${name}` }
    const module = rebased(whole.moduleSpecifier.text, from, to)
    const type = isTypeOnly(whole) || declaration.isTypeOnly
    return { name: importedName(declaration), module, type, helper: false }
  }
  if (ts.isImportClause(declaration) || ts.isNamespaceImport(declaration))
    return { reason: `it uses ${name}, which is not imported in braces` }
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  if (statement.parent !== scene.workspace.source(from))
    return { reason: `it uses ${name} of the code around it` }
  // A copy does the same.
  const isCopied = scene.workspace.source(to).statements.some((one) => one.getText() === statement.getText())
  const type = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)
  return { name, module: specifierOf(to, isCopied ? to : from), type, helper: !isCopied }
}

function bringNeeds(scene: Scene, from: string, to: string, needed: Needs['needed']): string[] {
  const { workspace } = scene
  const added: string[] = []
  for (const need of needed) {
    const style = styleAt(scene, to)
    if (need.helper && exportedNames(workspace.source(from))?.has(need.name) === false) {
      const { eol, semicolons } = styleAt(scene, from)
      const { slots } = statementRow(workspace.source(from))
      const end = slots.at(-1)?.end ?? 0
      const kind = need.type ? 'export type' : 'export'
      const text = `${eol}${eol}${kind} { ${need.name} }${semicolons ? ';' : ''} ${markOf(to)}`
      workspace.edit(from, [{ start: end, end, text }])
    }
    if (need.module === specifierOf(to, to)) continue
    if (importedAs(workspace.source(to), need) !== undefined) continue
    if (ensureImport(workspace, to, need, style).added) added.push(need.local)
  }
  return added
}

/** Takes out what an earlier move had to add, where nothing needs it any more. */
function tidy(scene: Scene, from: string, to: string, added: readonly string[]): void {
  const { workspace } = scene
  const imported = () =>
    namedDeclarations(workspace.source(from)).flatMap(({ module, specifiers }) =>
      module === specifierOf(from, to) ? specifiers : [],
    )
  const names = imported().flatMap((one) => (added.includes(one.name.text) ? [importedName(one)] : []))
  for (const name of added) if (!isUsed(workspace.source(from), name)) dropImport(workspace, from, name)
  for (const name of names) {
    const source = workspace.source(to)
    const statement = source.statements.find(
      (node) =>
        ts.isExportDeclaration(node) &&
        node.moduleSpecifier === undefined &&
        isExportOf(node.getText(source), name) &&
        source.text.startsWith(` ${markOf(from)}`, node.end),
    )
    const stillImported = imported().some((one) => importedName(one) === name)
    if (statement !== undefined && !stillImported) dropStatement(workspace, to, statement)
  }
}

function isExportOf(text: string, name: string): boolean {
  const bare = text.replace(/;$/, '')
  return bare === `export { ${name} }` || bare === `export type { ${name} }`
}

/** Says in a helper's file why it is exported. */
function markOf(path: string): string {
  return `// by duet, for ${path}`
}

/** The name by which a file imports something. Undefined if it does not, or only its type where the value is needed. */
function importedAs(source: ts.SourceFile, need: Needed): string | undefined {
  for (const { node, module, specifiers } of namedDeclarations(source)) {
    if (module !== need.module || !ts.isImportDeclaration(node)) continue
    const found = specifiers.find(
      (one) => importedName(one) === need.name && (need.type || !(isTypeOnly(node) || one.isTypeOnly)),
    )
    if (found !== undefined) return found.name.text
  }
  return undefined
}

/** A relative specifier of one file as another file writes it. */
function rebased(specifier: string, from: string, to: string): string {
  if (!specifier.startsWith('.')) return specifier
  const depth = (path: string) => path.split('/').slice(0, -1).join('/')
  if (depth(from) === depth(to)) return specifier
  const absolute = new URL(specifier, `file:///${from}`).pathname.slice(1)
  return specifierFrom(to, `./${absolute}`)
}
