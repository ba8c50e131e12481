import {
  declarationOf,
  type Implementation,
  implementationOf,
  returnedBy,
  unwrapped,
} from './implementation.js'
import { allHandlers, type Typing, typingOf } from './interface-type.js'
import { type Body, bodyAt, braceOf, memberNamed, nameOf } from './members.js'
import { type Outside, outsideOf } from './outside.js'
import { type Place, ts, type Workspace } from './workspace.js'

/** An object or a class that implements the handlers of a namespace, or joins those of all. */
export interface Container {
  readonly place: Place
  /**
   * Where the types of a new member's params come from: `contextual`, from the type of the object; `class`, from
   * nowhere by themselves, `type` is what the class implements; `argument`, the same of an object that a call is
   * given; `none`, from nowhere.
   */
  readonly typing: 'contextual' | 'class' | 'argument' | 'none'
  readonly type?: string
  /** A member that the interface lacks would be an error. */
  readonly exact: boolean
  /** Class above this one that implements the interface itself, and has to have every member. */
  readonly base?: Container
}

/** What a folder's files implement. */
export interface Discovery {
  /** Objects of all namespaces. */
  readonly roots: readonly Container[]
  /** By namespace, whatever names its interface. */
  readonly containers: ReadonlyMap<string, readonly Container[]>
}

/** What an object of all namespaces says of one of them. */
export type Joined =
  | { readonly kind: 'container'; readonly container: Container }
  | { readonly kind: 'elsewhere'; readonly outside?: Outside }

/** Finds everything in a folder that implements handlers. `namespaces`: namespace of each interface's name. */
export function discover(
  workspace: Workspace,
  paths: readonly string[],
  namespaces: ReadonlyMap<string, string>,
): Discovery {
  const checker = workspace.checker()
  const roots = new Map<Place, Container>()
  const containers = new Map<string, Map<Place, Container>>()
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

/** What an object of all namespaces holds for each of them. `opaque`: it may hold more than its text shows. */
export function joinedBy(
  workspace: Workspace,
  root: Container,
): { readonly namespaces: ReadonlyMap<string, Joined>; readonly opaque: boolean } {
  const checker = workspace.checker()
  const body = bodyAt(workspace, root.place)
  const namespaces = new Map<string, Joined>()
  let opaque = false
  for (const { name, nodes } of body.members) {
    const [node] = nodes
    if (name === undefined || node === undefined) opaque = true
    else {
      const found = valueIn(node, checker)
      const sort = found?.own && root.typing === 'contextual' ? 'contextual' : 'none'
      namespaces.set(
        name,
        found === undefined
          ? elsewhere(workspace, node)
          : { kind: 'container', container: containerOf(workspace, found, sort) },
      )
    }
  }
  return { namespaces, opaque }
}

/** What is said of a namespace whose object was not found. */
function elsewhere(workspace: Workspace, node: ts.Node): Joined {
  const value = ts.isPropertyAssignment(node)
    ? node.initializer
    : ts.isShorthandPropertyAssignment(node)
      ? node.name
      : undefined
  const outside = outsideOf(workspace, value)
  return { kind: 'elsewhere', ...(outside !== undefined && { outside }) }
}

/** Where a member is written; `opaque`: perhaps in something that can't be looked into. */
export type Whereabouts =
  | { readonly kind: 'here'; readonly container: Container; readonly body: Body }
  | { readonly kind: 'opaque' | 'missing' }

/** Looks for a member in an object or class and in what it spreads or extends. */
export function findMember(workspace: Workspace, container: Container, name: string, depth = 0): Whereabouts {
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

/** Whether what an object spreads or a class extends includes another one. */
export function isBuiltOn(workspace: Workspace, container: Container, other: Container, depth = 0): boolean {
  return sourcesOf(bodyAt(workspace, container.place)).some((expression) => {
    const found = depth > 5 ? undefined : sourceOf(expression, workspace.checker())
    if (found === undefined) return false
    const inner = containerOf(workspace, found, 'none')
    return inner.place === other.place || isBuiltOn(workspace, inner, other, depth + 1)
  })
}

/** Index of the first spread whose members can't be told: what stands before it gives way to them. */
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
    // What another file calls a type may be called otherwise here.
    return typing?.node.getSourceFile() !== source
      ? { place, typing: 'none', exact }
      : { place, typing: 'argument', type: typing.node.getText(source), exact }
  return { place, typing: own && !isClass ? sort : 'none', exact }
}

/** Whether a call is given an object, whose type the object's members then do not have from what it is assigned to. */
function isArgument(node: ts.Node): boolean {
  const { parent } = node
  return ts.isParenthesizedExpression(parent) ? isArgument(parent) : ts.isCallExpression(parent)
}

const rank = { contextual: 3, argument: 2, class: 1, none: 0 } as const

/** One entry for each object, the one that knows most of its type. */
function keep(group: Map<Place, Container>, container: Container): void {
  const known = group.get(container.place)
  if (known === undefined || rank[known.typing] < rank[container.typing])
    group.set(container.place, container)
}

function groupOf(containers: Map<string, Map<Place, Container>>, namespace: string): Map<Place, Container> {
  const group = containers.get(namespace) ?? new Map<Place, Container>()
  containers.set(namespace, group)
  return group
}
