import { specifierFrom, specifierOf } from '../code/layout.js'
import { symbolOf } from './handler-types.js'
import {
  ensureImport,
  exportedNames,
  importedName,
  isMemberName,
  isTypeOnly,
  type Needed,
  namedDeclarations,
  namesIn,
  statementRow,
} from './imports.js'
import type { Member } from './members.js'
import { type ScaffoldRun, styleAt } from './scaffold-run.js'
import { type Splice, ts } from './workspace.js'

/** A name that code uses from the file that it leaves: an import, or a declaration. */
export interface Need extends Needed {
  /** The old file declares it. */
  readonly helper: boolean
  /** The new file's name for it. */
  readonly local: string
  /** Where the code uses it. */
  readonly uses: readonly ts.Identifier[]
}

/** What an operation's code needs in another file, or why it can't move there. */
export function needsOf(
  run: ScaffoldRun,
  from: string,
  to: string,
  member: Member,
  except: readonly ts.Node[],
): readonly Need[] | { readonly reason: string } {
  const { workspace } = run
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
      const [declaration] = symbolOf(node, checker)?.declarations ?? []
      if (declaration !== undefined && !isInside(declaration)) {
        const known = needed.get(node.text)
        const need = known ?? needOf(run, from, to, node.text, declaration)
        if ('reason' in need) reason ??= need.reason
        else if (known !== undefined) known.uses.push(node)
        else needed.set(node.text, { ...need, uses: [node] })
      }
    }
    ts.forEachChild(node, visit)
  }
  for (const node of member.nodes) visit(node)
  if (reason !== undefined) return { reason }
  const specifier = specifierOf(to, to)
  for (const [name, need] of needed)
    if (need.module === specifier && need.name !== name && own.has(need.name))
      return { reason: `it has another ${need.name}` }
  const taken = new Set(namesIn(target))
  return [...needed].map(([name, need]) => {
    const known = need.module === specifier ? need.name : importedAs(target, need)
    const local =
      known === name || (known !== undefined && !own.has(known)) ? known : freeName(name, taken, own)
    taken.add(local)
    return { ...need, local }
  })
}

/** A name that neither the new file nor the code has: the old one, if it is free in the new file. */
function freeName(name: string, taken: ReadonlySet<string>, own: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free) || (free !== name && own.has(free)); number++)
    free = `${name}${number}`
  return free
}

/** Splices that give the code the names of its new file. */
export function renamings(needed: readonly Need[], member: Member): Splice[] {
  return needed.flatMap(({ local, uses }) =>
    uses.flatMap((node): Splice[] => {
      if (node.text === local) return []
      const { parent } = node
      const isShort = ts.isShorthandPropertyAssignment(parent) && !member.nodes.includes(parent)
      return [{ start: node.getStart(), end: node.end, text: isShort ? `${node.text}: ${local}` : local }]
    }),
  )
}

function needOf(
  run: ScaffoldRun,
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
  if (statement.parent !== run.workspace.source(from))
    return { reason: `it uses ${name} of the code around it` }
  // A copy of it in the new file does the same.
  const isCopied = run.workspace.source(to).statements.some((one) => one.getText() === statement.getText())
  const type = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)
  return { name, module: specifierOf(to, isCopied ? to : from), type, helper: !isCopied }
}

/** Imports what moved code needs into its new file. */
export function importNeeds(run: ScaffoldRun, from: string, to: string, needed: readonly Need[]): void {
  const { workspace } = run
  for (const need of needed) {
    const style = styleAt(run, to)
    if (need.helper && exportedNames(workspace.source(from))?.has(need.name) === false) {
      const { eol, semicolons } = styleAt(run, from)
      const { slots } = statementRow(workspace.source(from))
      const end = slots.at(-1)?.end ?? 0
      const kind = need.type ? 'export type' : 'export'
      const text = `${eol}${eol}${kind} { ${need.name} }${semicolons ? ';' : ''} ${markOf(to)}`
      workspace.edit(from, [{ start: end, end, text }])
    }
    if (need.module === specifierOf(to, to)) continue
    if (importedAs(workspace.source(to), need) === need.local) continue
    ensureImport(workspace, to, need, style)
  }
}

/** A comment that says why a helper is exported. */
function markOf(path: string): string {
  return `// by duet, for ${path}`
}

/** A file's name for an import. Undefined if it has none, or only the type of a value. */
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

/** A relative specifier of one file, rewritten for another file. */
function rebased(specifier: string, from: string, to: string): string {
  if (!specifier.startsWith('.')) return specifier
  const depth = (path: string) => path.split('/').slice(0, -1).join('/')
  if (depth(from) === depth(to)) return specifier
  const absolute = new URL(specifier, `file:///${from}`).pathname.slice(1)
  return specifierFrom(to, `./${absolute}`)
}
