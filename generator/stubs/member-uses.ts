import { type Container, findMember } from './discovery.js'
import { declarationOf, implementationOf, unwrapped } from './implementation.js'
import { allHandlers, type Typing, typingOf } from './interface-type.js'
import { memberOf, namespaceOf } from './matching.js'
import { type BodyNode, bodyAt } from './members.js'
import type { Scene } from './scene.js'
import { ts } from './workspace.js'

/**
 * Says which code still asks for members, and for namespaces, by the names that they had before: `clients.get`,
 * `const { get } = clients`, `keyof ClientsHandlers<…>` beside `'get'`. It is left as it is, since what it is for
 * only a person knows.
 */
export function checkMemberUses(scene: Scene): void {
  const { matching, workspace, folder, wanted } = scene
  for (const [name, was] of matching.kept) {
    const namespace = namespaceOf(name)
    const [from, to] = [memberOf(was), memberOf(name)]
    const home = matching.namespaces.get(namespaceOf(was)) ?? namespaceOf(was)
    const container = folder.containers.get(namespace)
    if (from === to || home !== namespace || container === undefined) continue
    if (findMember(workspace, container, to).kind === 'here')
      report(scene, new Owner(scene, container, namespace, wanted.interfaces.get(namespace)), from, to)
  }
  for (const [from, to] of matching.namespaces)
    if (folder.root !== undefined)
      report(scene, new Owner(scene, folder.root, undefined, allHandlers), from, to)
}

function report({ workspace, findings }: Scene, owner: Owner, from: string, to: string): void {
  for (const file of workspace.paths) {
    const source = workspace.source(file)
    const groups = new Map<string, Set<number>>()
    const visit = (node: ts.Node): void => {
      const use = owner.useOf(node, from)
      if (use !== undefined) {
        const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
        groups.set(use, (groups.get(use) ?? new Set()).add(line))
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    for (const [use, lines] of groups) {
      const whole = use.endsWith(`.${from}`)
      const what = whole
        ? `${use} is ${use.slice(0, -from.length)}${to} now`
        : `${use} names ${from}, which is ${to} now`
      findings.left.push({ file, reason: `${what} (line ${[...lines].join(', ')}): change it by hand` })
    }
  }
}

/** The object or class that a name was a member of, with everything that stands for it. */
class Owner {
  readonly #checker: ts.TypeChecker
  readonly #node: BodyNode

  constructor(
    readonly scene: Scene,
    container: Container,
    /** Absent: it is the object of all namespaces. */
    readonly namespace: string | undefined,
    readonly type: string | undefined,
  ) {
    this.#checker = scene.workspace.checker()
    this.#node = bodyAt(scene.workspace, container.place).node
  }

  /** How code that asks for the member is called in messages; undefined where a node does not ask for it. */
  useOf(node: ts.Node, member: string): string | undefined {
    if (ts.isPropertyAccessExpression(node) && node.name.text === member)
      return this.#isOwner(node.expression) ? `${node.expression.getText()}.${member}` : undefined
    if (ts.isElementAccessExpression(node) && isText(node.argumentExpression, member))
      return this.#isOwner(node.expression) ? node.getText() : undefined
    if (ts.isObjectBindingPattern(node)) {
      const names = node.elements.map((one) => one.propertyName ?? one.name)
      if (!names.some((name) => isNamed(name, member))) return undefined
      const { parent } = node
      const value = ts.isVariableDeclaration(parent) ? parent.initializer : undefined
      const isOwner = ts.isBindingElement(parent)
        ? false
        : this.#isTyped(parent.type) || (value !== undefined && this.#isOwner(value))
      return isOwner ? node.getText() : undefined
    }
    if (ts.isStringLiteralLike(node) && node.text === member) return this.#keyType(node)
    return undefined
  }

  /** The type by which a text is one of the interface's names, if the statement around it has such a type. */
  #keyType(text: ts.Node): string | undefined {
    if (ts.isLiteralTypeNode(text.parent) && ts.isIndexedAccessTypeNode(text.parent.parent)) return undefined
    let found: string | undefined
    const visit = (node: ts.Node): void => {
      const isKey = ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword
      const asked = isKey ? [node.type] : ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : []
      if (asked.some((type) => this.#isTyped(type)) && this.#interfaceOf(node) === undefined)
        found ??= node.getText()
      ts.forEachChild(node, visit)
    }
    let around = text
    while (!ts.isStatement(around) && around.parent !== undefined) {
      if (around === this.#node) return undefined
      around = around.parent
    }
    visit(around)
    return found
  }

  #isOwner(expression: ts.Expression, depth = 0): boolean {
    const bare = unwrapped(expression)
    if (depth > 8) return false
    if (bare.kind === ts.SyntaxKind.ThisKeyword || bare.kind === ts.SyntaxKind.SuperKeyword)
      return this.#isAround(bare)
    if (ts.isPropertyAccessExpression(bare) && this.namespace !== undefined)
      if (bare.name.text === this.namespace && this.#isRoot(bare.expression)) return true
    if (ts.isIdentifier(bare)) {
      const declaration = declarationOf(bare, this.#checker)
      if (declaration !== undefined && 'type' in declaration)
        if (this.#isTyped(declaration.type as ts.TypeNode | undefined)) return true
    }
    return implementationOf(bare, this.#checker)?.node === this.#node
  }

  #isRoot(expression: ts.Expression): boolean {
    const { root } = this.scene.folder
    if (root === undefined) return false
    return new Owner(this.scene, root, undefined, allHandlers).#isOwner(expression)
  }

  /** Whether `this` is the owner, or what extends it. */
  #isAround(node: ts.Node): boolean {
    for (let around = node.parent; around !== undefined; around = around.parent) {
      if (around === this.#node) return true
      if (ts.isClassLike(around)) return this.#extends(around)
      if (ts.isFunctionDeclaration(around) || ts.isFunctionExpression(around)) return false
    }
    return false
  }

  #extends(node: ts.ClassLikeDeclaration, depth = 0): boolean {
    if (node === this.#node) return true
    const clause = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    const base = clause?.types[0]?.expression
    if (base === undefined || !ts.isIdentifier(base) || depth > 8) return false
    const declaration = declarationOf(base, this.#checker)
    return declaration !== undefined && ts.isClassLike(declaration) && this.#extends(declaration, depth + 1)
  }

  #isTyped(type: ts.TypeNode | undefined): boolean {
    const typing = type && this.#interfaceOf(type)
    if (typing === undefined) return false
    if (typing.interface === allHandlers) return typing.namespace === this.namespace
    return typing.interface === this.type
  }

  #interfaceOf(node: ts.Node): Typing | undefined {
    if (!ts.isTypeNode(node)) return undefined
    return typingOf(node, (name) => name === allHandlers || name === this.type, this.#checker)
  }
}

function isNamed(name: ts.PropertyName | ts.BindingName, member: string): boolean {
  if (ts.isIdentifier(name)) return name.text === member
  return isText(ts.isComputedPropertyName(name) ? name.expression : name, member)
}

function isText(node: ts.Node, text: string): boolean {
  return ts.isStringLiteralLike(node) && node.text === text
}
