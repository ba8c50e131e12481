import { isSource, memberOf, namespaceOf } from '../code/layout.js'
import { isApi } from './api-imports.js'
import { allHandlers, typingOf } from './handler-types.js'
import { importedName, isMemberName, namedDeclarations, namesIn } from './imports.js'
import type { ScaffoldRun } from './scaffold-run.js'
import { quoted } from './style.js'
import { nodesIn, type Splice, ts, type Workspace } from './workspace.js'

/** Follows generated types whose names changed, wherever a file imports them from the generated package. */
export function renameTypes(run: ScaffoldRun): void {
  const names = typeNames(run)
  for (const path of run.workspace.paths) renameTypesIn(run.workspace, path, names, isApi(run))
}

/** New name by old name, of the types of every operation and namespace that still exists. */
function typeNames({ record, wanted, matching }: ScaffoldRun): Map<string, string> {
  const names = new Map<string, string>()
  for (const [name, was] of matching.kept) {
    const before = record?.operations.get(was)?.types ?? []
    for (const [index, type] of (wanted.operations.get(name)?.types ?? []).entries()) {
      const old = before[index]
      if (old !== undefined && old !== type) names.set(old, type)
    }
  }
  for (const [namespace, old] of record?.interfaces ?? []) {
    const now = wanted.interfaces.get(matching.namespaces.get(namespace) ?? namespace)
    if (now !== undefined && now !== old) names.set(old, now)
  }
  return names
}

function renameTypesIn(
  workspace: Workspace,
  path: string,
  names: ReadonlyMap<string, string>,
  isGenerated: (module: string) => boolean,
): void {
  const source = workspace.source(path)
  const present = namesIn(source)
  const splices: Splice[] = []
  const everywhere = new Map<string, string>()
  for (const { node, module, specifiers } of namedDeclarations(source)) {
    if (!isGenerated(module)) continue
    for (const specifier of specifiers) {
      const old = importedName(specifier)
      const name = names.get(old)
      if (name === undefined || name === old) continue
      const { propertyName, name: local } = specifier
      const certain = ts.isImportDeclaration(node) && !present.has(name) && !isDeclared(source, old)
      if (propertyName !== undefined) {
        const end = name === local.text ? local.end : propertyName.end
        splices.push({ start: propertyName.getStart(source), end, text: name })
      } else if (certain) everywhere.set(old, name)
      else splices.push({ start: local.getStart(source), end: local.getStart(source), text: `${name} as ` })
    }
  }
  const spaces = namespaceImports(source, isGenerated)
  for (const node of nodesIn(source).filter(ts.isIdentifier)) {
    const name = isMemberName(node) ? undefined : everywhere.get(node.text)
    const text = name ?? (isQualified(node, spaces, isGenerated) ? names.get(node.text) : undefined)
    if (text !== undefined) splices.push({ start: node.getStart(source), end: node.end, text })
  }
  workspace.edit(path, splices)
}

/**
 * Follows renamed operations and namespaces in types such as `Handlers<…>['clients']['get']` and
 * `ClientsHandlers<…>['get']`. An operation in another namespace is followed only if the type names the namespace.
 */
export function renameIndexes(run: ScaffoldRun): void {
  const { workspace, matching, record } = run
  const names = new Map([...matching.kept].map(([name, was]) => [was, name]))
  const interfaces = namesOf(record?.interfaces)
  for (const path of workspace.paths) {
    const splices: Splice[] = []
    for (const { node, namespace, whole } of indexesOf(run, path, interfaces)) {
      const source = node.getSourceFile()
      const [only, ...others] = literalsOf(node.indexType)
      for (const literal of literalsOf(node.indexType)) {
        if (namespace === undefined) {
          splices.push(...spliceOf(literal, matching.namespaces.get(literal.text), source))
          continue
        }
        const name = names.get(nameIn(namespace, literal.text))
        if (name === undefined) continue
        const renamed = matching.namespaces.get(namespace) ?? namespace
        const isElsewhere = namespaceOf(name) !== renamed
        if (isElsewhere && (whole === undefined || others.length > 0 || literal !== only)) continue
        splices.push(...spliceOf(literal, memberOf(name), source))
        if (isElsewhere && whole !== undefined) splices.push(...spliceOf(whole, namespaceOf(name), source))
      }
    }
    workspace.edit(path, splices)
  }
}

/** Reports types that name a member that an interface does not have. */
export function checkIndexes(run: ScaffoldRun): void {
  const { workspace, wanted, findings } = run
  const interfaces = namesOf(wanted.interfaces)
  for (const path of workspace.paths.filter(isSource)) {
    for (const { node, namespace, exact } of indexesOf(run, path, interfaces)) {
      if (!exact || namespace === undefined || !wanted.interfaces.has(namespace)) continue
      const lacking = literalsOf(node.indexType)
        .map(({ text }) => nameIn(namespace, text))
        .filter((name) => !wanted.operations.has(name))
      if (lacking.length === 0) continue
      const code = node.getText()
      const reason = `it uses the type ${code}, but ${wanted.version} has no ${lacking.join(', ')}`
      findings.left.push({ file: path, reason })
    }
  }
}

/** Whether a file declares a name itself, at any depth. */
function isDeclared(source: ts.SourceFile, name: string): boolean {
  return nodesIn(source).some((node) => {
    const declared = (node as { name?: ts.Node }).name
    const isDeclaration =
      ts.isTypeParameterDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isClassLike(node) ||
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isEnumDeclaration(node)
    return isDeclaration && declared !== undefined && ts.isIdentifier(declared) && declared.text === name
  })
}

function namespaceImports(
  source: ts.SourceFile,
  isGenerated: (module: string) => boolean,
): ReadonlySet<string> {
  const names = new Set<string>()
  for (const node of source.statements) {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) continue
    const bindings = node.importClause?.namedBindings
    if (bindings !== undefined && ts.isNamespaceImport(bindings) && isGenerated(node.moduleSpecifier.text))
      names.add(bindings.name.text)
  }
  return names
}

/** `api.ClientsGetInput` and `import('@billing/api/1.0.0').ClientsGetInput`. */
function isQualified(
  node: ts.Identifier,
  spaces: ReadonlySet<string>,
  isGenerated: (module: string) => boolean,
): boolean {
  const { parent } = node
  if (ts.isQualifiedName(parent))
    return parent.right === node && ts.isIdentifier(parent.left) && spaces.has(parent.left.text)
  if (ts.isPropertyAccessExpression(parent))
    return parent.name === node && ts.isIdentifier(parent.expression) && spaces.has(parent.expression.text)
  if (!ts.isImportTypeNode(parent) || parent.qualifier !== node) return false
  const module = ts.isLiteralTypeNode(parent.argument) ? parent.argument.literal : undefined
  return module !== undefined && ts.isStringLiteral(module) && isGenerated(module.text)
}

/** An indexed access to an interface of handlers. */
interface Index {
  readonly node: ts.IndexedAccessTypeNode
  /** Namespace whose member it names. Undefined: it names a namespace. */
  readonly namespace: string | undefined
  /** The literal with the namespace, if the type has one: `'clients'` in `Handlers<…>['clients']['get']`. */
  readonly whole: ts.StringLiteralLike | undefined
  readonly exact: boolean
}

function indexesOf(
  { workspace }: ScaffoldRun,
  path: string,
  interfaces: ReadonlyMap<string, string>,
): Index[] {
  const known = (name: string) => name === allHandlers || interfaces.has(name)
  return nodesIn(workspace.source(path)).flatMap((node) => {
    const typing = ts.isIndexedAccessTypeNode(node)
      ? typingOf(node.objectType, known, workspace.checker())
      : undefined
    if (!ts.isIndexedAccessTypeNode(node) || typing === undefined) return []
    const namespace = typing.namespace ?? interfaces.get(typing.interface)
    const isWritten = typing.namespace !== undefined && typing.node === withoutParentheses(node.objectType)
    const [whole] =
      isWritten && ts.isIndexedAccessTypeNode(typing.node) ? literalsOf(typing.node.indexType) : []
    return [{ node, namespace, whole, exact: typing.exact }]
  })
}

/** The names of an index: `'get'`, `'get' | 'list'`. */
function literalsOf(index: ts.TypeNode): ts.StringLiteralLike[] {
  const bare = withoutParentheses(index)
  if (ts.isUnionTypeNode(bare)) return bare.types.flatMap(literalsOf)
  return ts.isLiteralTypeNode(bare) && ts.isStringLiteralLike(bare.literal) ? [bare.literal] : []
}

function withoutParentheses(type: ts.TypeNode): ts.TypeNode {
  return ts.isParenthesizedTypeNode(type) ? withoutParentheses(type.type) : type
}

function spliceOf(literal: ts.StringLiteralLike, name: string | undefined, source: ts.SourceFile): Splice[] {
  if (name === undefined || name === literal.text) return []
  const start = literal.getStart(source)
  const mark = source.text[start] === '"' ? '"' : "'"
  const text = quoted(name, { ...plain, quote: mark })
  return [{ start, end: literal.end, text }]
}

const plain = { eol: '\n', indent: '  ', semicolons: false } as const

function nameIn(namespace: string, member: string): string {
  return namespace === 'default' ? member : `${namespace}.${member}`
}

function namesOf(interfaces: ReadonlyMap<string, string> | undefined): Map<string, string> {
  return new Map([...(interfaces ?? [])].map(([namespace, name]) => [name, namespace]))
}
