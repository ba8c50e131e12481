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
import type { Member } from './members.js'
import { type Scene, styleAt } from './scene.js'
import { exportedNames } from './set-aside.js'
import { type Splice, ts } from './workspace.js'

/** What code needs of the file that it leaves: imports, and things declared there. */
export interface Needs {
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

/** What an operation's code needs in another file, or why it cannot go there. */
export function needsOf(
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
  /** Names that the code itself has. */
  const own = new Set<string>()
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
      own.add(node.text)
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
  const home = specifierOf(to, to)
  for (const [name, need] of needed)
    if (need.module === home && need.name !== name && own.has(need.name))
      return { reason: `it has another ${need.name}` }
  const taken = new Set(namesIn(target))
  const named = [...needed].map(([name, need]) => {
    const known = need.module === home ? need.name : importedAs(target, need)
    const local =
      known === name || (known !== undefined && !own.has(known)) ? known : freeName(name, taken, own)
    taken.add(local)
    return { ...need, local }
  })
  return { needed: named }
}

/** A name that the new file does not have yet: the same one if it can be, else one that the code does not have either. */
function freeName(name: string, taken: ReadonlySet<string>, own: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free) || (free !== name && own.has(free)); number++)
    free = `${name}${number}`
  return free
}

/** Gives the code the names that its new file has. */
export function renamings({ needed }: Needs, member: Member): Splice[] {
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

/** Imports into a file what code that has come there needs. Returns the names that it had to add. */
export function bringNeeds(scene: Scene, from: string, to: string, needed: Needs['needed']): string[] {
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
    if (importedAs(workspace.source(to), need) === need.local) continue
    if (ensureImport(workspace, to, need, style).added) added.push(need.local)
  }
  return added
}

/** Takes out what an earlier move had to add, where nothing needs it any more. */
export function tidy(scene: Scene, from: string, to: string, added: readonly string[]): void {
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
