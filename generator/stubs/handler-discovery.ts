import {
  allHandlers,
  declarationOf,
  type Implementation,
  implementationOf,
  type Outside,
  outsideOf,
  returnedBy,
  type Typing,
  typingOf,
  unwrapped,
} from './handler-types.js'
import { type Body, bodyAt, braceOf, memberNamed, nameOf } from './members.js'
import { type TrackedPosition, ts, type Workspace } from './workspace.js'

/** An object or a class that implements the handlers of one namespace, or the object of all namespaces. */
export interface Container {
  readonly place: TrackedPosition
  /**
   * How a new member gets the types of its params. `contextual`: from the type of the object. `class`: it has to name
   * them with `type`, which the class implements. `argument`: the same, in an object that is passed to a call.
   * `none`: there is no type to name.
   */
  readonly typing: 'contextual' | 'class' | 'argument' | 'none'
  readonly type?: string
  /** The compiler refuses members that the interface does not have. */
  readonly exact: boolean
  /** The base class that implements the interface, and so needs every member. */
  readonly base?: Container
}

/** What a folder's files implement. */
export interface Discovery {
  /** Objects of all namespaces. */
  readonly roots: readonly Container[]
  /** By namespace: everything that is typed as its interface. */
  readonly containers: ReadonlyMap<string, readonly Container[]>
}

/** The entry of one namespace in the object of all namespaces. */
export type NamespaceEntry =
  | { readonly kind: 'container'; readonly container: Container }
  | { readonly kind: 'elsewhere'; readonly outside?: Outside }

/** Finds everything in a folder that implements handlers. `namespaces`: namespace of each interface's name. */
export function discover(
  workspace: Workspace,
  paths: readonly string[],
  namespaces: ReadonlyMap<string, string>,
): Discovery {
  const checker = workspace.checker()
  const roots = new Map<TrackedPosition, Container>()
  const containers = new Map<string, Map<TrackedPosition, Container>>()
  const known = (name: string) => name === allHandlers || namespaces.has(name)
  const add = (typing: Typing | undefined, found: Implementation | undefined, sort: Container['typing']) => {
    if (typing === undefined || found === undefined) return
    const isRoot = typing.interface === allHandlers && typing.namespace === undefined
    const namespace = typing.namespace ?? namespaces.get(typing.interface)
    const group = isRoot ? roots : namespace === undefined ? undefined : groupOf(containers, namespace)
    if (group !== undefined) keep(group, containerOf(workspace, found, sort, typing))
  }
  const visit = (node: ts.Node): void => {
    const typed = (type: ts.TypeNode | undefined) => typingOf(type, known, checker)
    if ((ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) && node.type !== undefined)
      add(typed(node.type), implementationOf(node.initializer, checker), 'contextual')
    else if (ts.isSatisfiesExpression(node))
      add(typed(node.type), implementationOf(node.expression, checker), 'contextual')
    else if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) {
      const typing = typed(node.type)
      add(typing && { ...typing, exact: false }, implementationOf(node.expression, checker), 'contextual')
    } else if (ts.isFunctionLike(node) && node.type !== undefined)
      add(typed(node.type), returnedBy(node, checker), 'contextual')
    else if (ts.isClassLike(node)) {
      const implemented = (node.heritageClauses ?? []).filter(
        ({ token }) => token === ts.SyntaxKind.ImplementsKeyword,
      )
      for (const type of implemented.flatMap(({ types }) => types))
        add(typingOf(type, known, checker), { node, own: true }, 'class')
    }
    ts.forEachChild(node, visit)
  }
  for (const path of paths) visit(workspace.source(path))
  return {
    roots: [...roots.values()],
    containers: new Map([...containers].map(([namespace, group]) => [namespace, [...group.values()]])),
  }
}

/** The entries of the object of all namespaces. */
export function namespaceEntriesOf(
  workspace: Workspace,
  root: Container,
): ReadonlyMap<string, NamespaceEntry> {
  const checker = workspace.checker()
  const namespaces = new Map<string, NamespaceEntry>()
  for (const { name, nodes } of bodyAt(workspace, root.place).members) {
    const [node] = nodes
    if (name === undefined || node === undefined) continue
    const found = valueIn(node, checker)
    const sort = found?.own && root.typing === 'contextual' ? 'contextual' : 'none'
    const joined: NamespaceEntry =
      found === undefined
        ? elsewhere(workspace, node)
        : { kind: 'container', container: containerOf(workspace, found, sort) }
    namespaces.set(name, joined)
  }
  return namespaces
}

/** A namespace whose object was not found. */
function elsewhere(workspace: Workspace, node: ts.Node): NamespaceEntry {
  const value = ts.isPropertyAssignment(node)
    ? node.initializer
    : ts.isShorthandPropertyAssignment(node)
      ? node.name
      : undefined
  const outside = outsideOf(workspace, value)
  return { kind: 'elsewhere', ...(outside !== undefined && { outside }) }
}

/** Where a member is written. `opaque`: it may be in something that duet can't read. */
export type MemberLocation =
  | { readonly kind: 'here'; readonly container: Container; readonly body: Body }
  | { readonly kind: 'opaque' | 'missing' }

/** Looks for a member in an object or class and in what it spreads or extends. */
export function findMember(
  workspace: Workspace,
  container: Container,
  name: string,
  depth = 0,
): MemberLocation {
  const body = bodyAt(workspace, container.place)
  if (memberNamed(body, name) !== undefined) return { kind: 'here', container, body }
  let opaque = false
  for (const expression of sourcesOf(body)) {
    const found = depth > 5 ? undefined : sourceOf(expression, workspace.checker())
    const inner = found && findMember(workspace, containerOf(workspace, found, 'none'), name, depth + 1)
    if (inner?.kind === 'here') return inner
    if (inner?.kind !== 'missing') opaque = true
  }
  return { kind: opaque ? 'opaque' : 'missing' }
}

/** Whether an object spreads another one, or a class extends it, at any depth. */
export function isBuiltOn(workspace: Workspace, container: Container, other: Container, depth = 0): boolean {
  return sourcesOf(bodyAt(workspace, container.place)).some((expression) => {
    const found = depth > 5 ? undefined : sourceOf(expression, workspace.checker())
    if (found === undefined) return false
    const inner = containerOf(workspace, found, 'none')
    return inner.place === other.place || isBuiltOn(workspace, inner, other, depth + 1)
  })
}

/** Index of the first spread with unknown members. They win over members before it, so stubs go there. */
export function firstOpaque(workspace: Workspace, body: Body): number | undefined {
  const index = body.members.findIndex(({ nodes: [node] }) => {
    if (node === undefined || !ts.isSpreadAssignment(node)) return false
    return implementationOf(node.expression, workspace.checker()) === undefined
  })
  return index === -1 ? undefined : index
}

function sourcesOf({ node }: Body): ts.Expression[] {
  if (ts.isObjectLiteralExpression(node))
    return node.properties.filter(ts.isSpreadAssignment).map(({ expression }) => expression)
  return (node.heritageClauses ?? [])
    .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    .flatMap(({ types }) => types.map(({ expression }) => expression))
}

/** A spread object, or the class that an `extends` names. */
function sourceOf(expression: ts.Expression, checker: ts.TypeChecker): Implementation | undefined {
  const bare = unwrapped(expression)
  const declaration = ts.isIdentifier(bare) ? declarationOf(bare, checker) : undefined
  if (declaration !== undefined && ts.isClassLike(declaration)) return { node: declaration, own: false }
  return implementationOf(expression, checker)
}

/** What a property of an object of all namespaces comes from. */
function valueIn(node: ts.Node, checker: ts.TypeChecker): Implementation | undefined {
  if (ts.isPropertyAssignment(node)) return implementationOf(node.initializer, checker)
  if (!ts.isShorthandPropertyAssignment(node) || nameOf(node) === undefined) return undefined
  return implementationOf(node.name, checker)
}

function containerOf(
  workspace: Workspace,
  { node, own }: Implementation,
  sort: Container['typing'],
  typing?: Typing,
): Container {
  const source = node.getSourceFile()
  const isClass = ts.isClassLike(node)
  const place = workspace.track(workspace.pathOf(node), braceOf(node, source))
  const exact = typing?.exact === true && own && !isClass
  if (sort === 'class' && isClass && typing !== undefined)
    return { place, typing: 'class', type: typing.node.getText(source), exact: false }
  if (sort === 'contextual' && own && !isClass && isArgument(node))
    // This file may not have the other file's name for the type.
    return typing?.node.getSourceFile() !== source
      ? { place, typing: 'none', exact }
      : { place, typing: 'argument', type: typing.node.getText(source), exact }
  return { place, typing: own && !isClass ? sort : 'none', exact }
}

/** Whether an object is passed to a call: then the type of the variable does not reach its members. */
function isArgument(node: ts.Node): boolean {
  const { parent } = node
  return ts.isParenthesizedExpression(parent) ? isArgument(parent) : ts.isCallExpression(parent)
}

const rank = { contextual: 3, argument: 2, class: 1, none: 0 } as const

/** Keeps one entry for each object: the one with the best known type. */
function keep(group: Map<TrackedPosition, Container>, container: Container): void {
  const known = group.get(container.place)
  if (known === undefined || rank[known.typing] < rank[container.typing])
    group.set(container.place, container)
}

function groupOf(
  containers: Map<string, Map<TrackedPosition, Container>>,
  namespace: string,
): Map<TrackedPosition, Container> {
  const group = containers.get(namespace) ?? new Map<TrackedPosition, Container>()
  containers.set(namespace, group)
  return group
}
