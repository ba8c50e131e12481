import { memberOf, namespaceOf } from '../code/layout.js'
import { allHandlers, typingOf } from './interface-type.js'
import { isSource, type Scene } from './scene.js'
import { quoted } from './style.js'
import { type Splice, ts } from './workspace.js'

/**
 * Follows what changed its name in types such as `Handlers<…>['clients']['get']` and `ClientsHandlers<…>['get']`. An
 * operation that went to another namespace is followed where the type names that namespace too.
 */
export function renameIndexes(scene: Scene): void {
  const { workspace, matching, record } = scene
  const names = new Map([...matching.kept].map(([name, was]) => [was, name]))
  const interfaces = namesOf(record?.interfaces)
  for (const path of workspace.paths) {
    const splices: Splice[] = []
    for (const { node, namespace, whole } of indexesOf(scene, path, interfaces)) {
      const source = node.getSourceFile()
      const [only, ...others] = literalsOf(node.indexType)
      for (const literal of literalsOf(node.indexType)) {
        if (namespace === undefined) {
          splices.push(...spliceOf(literal, matching.namespaces.get(literal.text), source))
          continue
        }
        const name = names.get(nameIn(namespace, literal.text))
        if (name === undefined) continue
        const home = matching.namespaces.get(namespace) ?? namespace
        const isElsewhere = namespaceOf(name) !== home
        if (isElsewhere && (whole === undefined || others.length > 0 || literal !== only)) continue
        splices.push(...spliceOf(literal, memberOf(name), source))
        if (isElsewhere && whole !== undefined) splices.push(...spliceOf(whole, namespaceOf(name), source))
      }
    }
    workspace.edit(path, splices)
  }
}

/** Says which types ask an interface for a member that it does not have. */
export function checkIndexes(scene: Scene): void {
  const { workspace, wanted, findings } = scene
  const interfaces = namesOf(wanted.interfaces)
  for (const path of workspace.paths.filter(isSource)) {
    for (const { node, namespace, exact } of indexesOf(scene, path, interfaces)) {
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

/** A type that asks an interface of handlers for something by its name. */
interface Index {
  readonly node: ts.IndexedAccessTypeNode
  /** Namespace whose member it asks for; absent: it asks for a namespace. */
  readonly namespace: string | undefined
  /** The name of the namespace, where the type before the index asks for it itself. */
  readonly whole: ts.StringLiteralLike | undefined
  readonly exact: boolean
}

function indexesOf({ workspace }: Scene, path: string, interfaces: ReadonlyMap<string, string>): Index[] {
  const known = (name: string) => name === allHandlers || interfaces.has(name)
  const found: Index[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIndexedAccessTypeNode(node)) {
      const typing = typingOf(node.objectType, known, workspace.checker())
      if (typing !== undefined) {
        const namespace = typing.namespace ?? interfaces.get(typing.interface)
        const isWritten =
          typing.namespace !== undefined && typing.node === withoutParentheses(node.objectType)
        const [whole] =
          isWritten && ts.isIndexedAccessTypeNode(typing.node) ? literalsOf(typing.node.indexType) : []
        found.push({ node, namespace, whole, exact: typing.exact })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(workspace.source(path))
  return found
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
