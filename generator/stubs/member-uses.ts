import { memberOf, namespaceOf } from '../code/layout.js'
import { type Container, findMember } from './handler-discovery.js'
import {
  allHandlers,
  type BodyNode,
  declarationOf,
  implementationOf,
  type Typing,
  typingOf,
  unwrapped,
} from './handler-types.js'
import { bodyAt } from './members.js'
import { parkedBlocks } from './parked-code.js'
import type { ScaffoldRun } from './scaffold-run.js'
import { nodesIn, ts } from './workspace.js'

/**
 * Reports code that uses old names of members and namespaces: `clients.get`, `const { get } = clients`,
 * `keyof ClientsHandlers<…>` next to `'get'`. Only a person knows what such code is for, so it stays as it is. The
 * record keeps the old names of what was renamed, so that every run reports them until the code is mended.
 */
export function checkMemberUses(run: ScaffoldRun): void {
  for (const [from, to] of renamings(run)) {
    const isUsed = from.endsWith('.*')
      ? reportNamespace(run, from.slice(0, -2), to.slice(0, -2))
      : reportMember(run, from, to)
    // Mending the code must not change the record, or `--check` would fail: the next version drops the name.
    if (isUsed || isRemembered(run, from)) run.former.set(from, to)
  }
  const removed = [...run.matching.removed, ...parkedBlocks(run.workspace).map(({ name }) => name)]
  for (const name of new Set(removed)) {
    if (name.endsWith('.*')) reportNamespace(run, name.slice(0, -2), undefined)
    else if (!/[*(]/.test(name)) reportMember(run, name, undefined)
  }
}

/** Old and new names of operations, and of namespaces as `clients.*`. */
function renamings({ matching, record }: ScaffoldRun): Map<string, string> {
  const now = new Map([...matching.kept].map(([name, was]) => [was, name]))
  for (const [from, to] of matching.namespaces) now.set(`${from}.*`, `${to}.*`)
  const before = [...(record?.former ?? [])].map(([from, to]): [string, string] => [from, now.get(to) ?? to])
  return new Map([...before, ...[...now].filter(([from, to]) => from !== to)])
}

function isRemembered({ record, wanted }: ScaffoldRun, name: string): boolean {
  return record?.version === wanted.version && record.former.has(name)
}

/** Reports code that uses a member that was renamed or removed. Returns whether there is any. */
function reportMember(run: ScaffoldRun, name: string, now: string | undefined): boolean {
  const { workspace, wanted, folder, matching } = run
  const namespace = matching.namespaces.get(namespaceOf(name)) ?? namespaceOf(name)
  const container = folder.containers.get(namespace)
  const from = memberOf(name)
  const stays = wanted.operations.has(namespace === 'default' ? from : `${namespace}.${from}`)
  if (container === undefined || stays) return false
  const there = memberOf(now ?? name)
  if (now !== undefined && (there === from || namespaceOf(now) !== namespace)) return false
  if ((findMember(workspace, container, there).kind === 'here') === (now === undefined)) return false
  const owner = new Owner(run, container, namespace, wanted.interfaces.get(namespace))
  return report(run, owner, from, now === undefined ? undefined : there)
}

function reportNamespace(run: ScaffoldRun, from: string, to: string | undefined): boolean {
  const { folder, wanted } = run
  if (folder.root === undefined || wanted.interfaces.has(from)) return false
  return report(run, new Owner(run, folder.root, undefined, allHandlers), from, to)
}

function report(
  { workspace, findings, wanted }: ScaffoldRun,
  owner: Owner,
  from: string,
  to?: string,
): boolean {
  let isUsed = false
  for (const file of workspace.paths) {
    const source = workspace.source(file)
    const groups = new Map<string, Set<number>>()
    for (const node of nodesIn(source)) {
      const use = owner.useOf(node, from)
      if (use === undefined) continue
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
      groups.set(use, (groups.get(use) ?? new Set()).add(line))
    }
    for (const [use, lines] of groups) {
      isUsed = true
      const whole = use.endsWith(`.${from}`)
      const removed = `${whole ? `${use} is` : `${use} names ${from}, which is`} not in ${wanted.version}`
      const renamed = whole
        ? `${use} is now ${use.slice(0, -from.length)}${to}`
        : `${use} names ${from}, which is now ${to}`
      const what = to === undefined ? removed : renamed
      findings.left.push({ file, reason: `${what} (line ${[...lines].join(', ')}): change it by hand` })
    }
  }
  return isUsed
}

/** The object or class that had the member, and every expression that refers to it. */
class Owner {
  readonly #checker: ts.TypeChecker
  readonly #node: BodyNode

  constructor(
    readonly run: ScaffoldRun,
    container: Container,
    /** Undefined for the object of all namespaces. */
    readonly namespace: string | undefined,
    readonly type: string | undefined,
  ) {
    this.#checker = run.workspace.checker()
    this.#node = bodyAt(run.workspace, container.place).node
  }

  /** The code to name in messages; undefined if a node does not use the member. */
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

  /** The type that makes a string a member's name, if the statement around it has one. */
  #keyType(text: ts.Node): string | undefined {
    if (ts.isLiteralTypeNode(text.parent) && ts.isIndexedAccessTypeNode(text.parent.parent)) return undefined
    let around = text
    while (!ts.isStatement(around) && around.parent !== undefined) {
      if (around === this.#node) return undefined
      around = around.parent
    }
    const found = nodesIn(around).find((node) => {
      const isKey = ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword
      const asked = isKey ? [node.type] : ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : []
      return asked.some((type) => this.#isTyped(type)) && this.#interfaceOf(node) === undefined
    })
    return found?.getText()
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
    const { root } = this.run.folder
    if (root === undefined) return false
    return new Owner(this.run, root, undefined, allHandlers).#isOwner(expression)
  }

  /** Whether `this` is the owner, or a class that extends it. */
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
