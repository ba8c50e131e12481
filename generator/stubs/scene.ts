import { type Container, discover, isBuiltOn, type Joined, joinedBy } from './discovery.js'
import { isUsed, namedDeclarations, namesIn, specifierOf } from './imports.js'
import { allHandlers, importedName } from './interface-type.js'
import type { Matching } from './matching.js'
import type { FolderRecord, GoneOperation, RecordedOperation } from './record.js'
import type { Findings } from './report.js'
import { exportedNames } from './set-aside.js'
import { defaultStyle, type Style, styleOf } from './style.js'
import type { Wanted } from './wanted.js'
import { ts, type Workspace } from './workspace.js'

/** Everything that the steps of one scaffolding share. */
export interface Scene {
  readonly workspace: Workspace
  readonly wanted: Wanted
  /** Absent: nothing tells what the folder was scaffolded for. */
  readonly record: FolderRecord | undefined
  /** Module that a file of the top level imports the generated package by. */
  readonly api: string
  readonly matching: Matching
  readonly findings: Findings
  /** Files that can't be read or parsed, with the reason; nothing in them is changed. */
  readonly broken: ReadonlyMap<string, string>
  /** Texts of those that can be read. */
  readonly brokenTexts: ReadonlyMap<string, string>
  /** Paths at which nothing can be written: links and folders. */
  readonly blocked: ReadonlySet<string>
  folder: HandlerFolder
  /** Recorded names of operations whose code stands in a broken file. */
  readonly waiting: ReadonlySet<string>
  /** What is known of each operation of the new version so far. */
  readonly operations: Map<string, RecordedOperation>
  readonly gone: Map<string, GoneOperation>
  /** New name by old name of what code still asks for by its old one. */
  readonly former: Map<string, string>
}

/** What the folder implements, one object for each namespace. */
export interface HandlerFolder {
  readonly root: Container | undefined
  readonly containers: ReadonlyMap<string, Container>
  /** Namespaces that are implemented in a way that can't be followed: where, and why not. */
  readonly unclear: ReadonlyMap<string, Unclear>
}

export interface Unclear {
  readonly file: string
  readonly reason: string
  /** It comes from outside the folder, where duet does not look. */
  readonly outside?: true
}

export function styleAt(scene: Pick<Scene, 'workspace' | 'folder'>, path: string): Style {
  const { root, containers } = scene.folder
  const model = root ?? [...containers.values()][0]
  const fallback =
    model === undefined || !scene.workspace.has(model.place.file)
      ? defaultStyle
      : styleOf(scene.workspace.source(model.place.file))
  return scene.workspace.has(path) ? styleOf(scene.workspace.source(path), fallback) : fallback
}

/** Whether a path is one whose code is looked at: no test, no declarations. */
export function isSource(path: string): boolean {
  return !/\.(?:test|spec)\.m?ts$|\.d\.m?ts$/.test(path)
}

/** Looks at the folder as it is now. */
export function readHandlers(scene: Omit<Scene, 'folder' | 'waiting'>): HandlerFolder {
  const { workspace, wanted, record } = scene
  const interfaces = new Map([...wanted.interfaces].map(([namespace, name]) => [name, namespace]))
  for (const [namespace, name] of record?.interfaces ?? [])
    if (!interfaces.has(name) && !wanted.interfaces.has(namespace)) interfaces.set(name, namespace)
  const paths = workspace.paths.filter(isSource)
  const found = discover(workspace, paths, interfaces)
  const root = onlyOne(found.roots, 'index.ts')
  const joined = root === undefined ? undefined : joinedBy(workspace, root)
  const containers = new Map<string, Container>()
  const unclear = new Map<string, Unclear>()
  for (const [name, namespace] of interfaces) {
    const candidates = found.containers.get(namespace) ?? []
    const chosen = choose(
      workspace,
      candidates,
      joined?.namespaces.get(namespace),
      recordedFile(record, namespace),
    )
    if (chosen !== undefined) containers.set(namespace, chosen)
    else {
      const problem = obstacle(scene, namespace, name, candidates, joined?.namespaces.get(namespace), root)
      if (problem !== undefined) unclear.set(namespace, problem)
    }
  }
  return { root, containers, unclear }
}

function choose(
  workspace: Workspace,
  candidates: readonly Container[],
  joined: Joined | undefined,
  recorded: string | undefined,
): Container | undefined {
  if (joined?.kind === 'container') {
    const { container } = joined
    const same = candidates.find(({ place }) => place === container.place)
    if (same !== undefined) return same
    const base = candidates.find((one) => one.typing === 'class' && isBuiltOn(workspace, container, one))
    return base === undefined ? container : { ...container, base }
  }
  return onlyOne(candidates, recorded)
}

function onlyOne(containers: readonly Container[], preferred: string | undefined): Container | undefined {
  if (containers.length === 1) return containers[0]
  const there = containers.filter(({ place }) => place.file === preferred)
  return there.length === 1 ? there[0] : undefined
}

function recordedFile(record: FolderRecord | undefined, namespace: string): string | undefined {
  for (const [name, { file }] of record?.operations ?? []) {
    const own = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : 'default'
    if (own === namespace && file !== undefined) return file
  }
  return undefined
}

/** Why a namespace has no object of its own although something implements it. */
function obstacle(
  { workspace, broken, brokenTexts, record }: Omit<Scene, 'folder' | 'waiting'>,
  namespace: string,
  name: string,
  candidates: readonly Container[],
  joined: Joined | undefined,
  root: Container | undefined,
): Unclear | undefined {
  const [first] = candidates
  if (first !== undefined) {
    const places = candidates.map(({ place }) => place.file).join(', ')
    return { file: first.place.file, reason: `several objects implement ${name} (${places})` }
  }
  const word = new RegExp(`\\b${name}\\b`)
  for (const [path, reason] of broken) {
    const names = word.test(brokenTexts.get(path) ?? '')
    if (names || recordedFile(record, namespace) === path) return { file: path, reason }
  }
  if (joined?.kind === 'elsewhere' && joined.outside !== undefined) {
    const { file, module } = joined.outside
    const reason = `${namespace} is ${module}, which lies outside the folder: duet does not look there`
    return { file, reason, outside: true }
  }
  const path = workspace.paths.find((one) => isSource(one) && isUsed(workspace.source(one), name))
  if (path !== undefined)
    return { file: path, reason: `the shape of what implements ${name} is not known to duet` }
  if (joined === undefined || root === undefined) return undefined
  return { file: root.place.file, reason: `what it has for ${namespace} is not an object that duet can find` }
}

/** Whether code that can't be followed has something of that name. */
export function mentions(scene: Scene, path: string, name: string): boolean {
  const text = scene.brokenTexts.get(path)
  if (text !== undefined) return new RegExp(`\\b${name}\\b`).test(text)
  if (!scene.workspace.has(path)) return false
  const source = scene.workspace.source(path)
  let found = namesIn(source).has(name)
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && node.text === name) found = true
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The type of the caller, as the folder's own code writes it, and where that comes from. */
export interface PrincipalImport {
  readonly name: string
  /** Its name in the module. */
  readonly imported: string
  /** As a file of the top level imports it. */
  readonly module: string
}

export function principalOf(scene: Scene): PrincipalImport {
  const own = { name: 'Principal', imported: 'Principal', module: './principal.js' }
  const { root, containers } = scene.folder
  for (const container of [...(root === undefined ? [] : [root]), ...containers.values()]) {
    const { file } = container.place
    if (file.includes('/')) continue
    const source = scene.workspace.source(file)
    const interfaces = new Set([allHandlers, ...scene.wanted.interfaces.values()])
    let name: string | undefined
    const visit = (node: ts.Node): void => {
      if (ts.isTypeReferenceNode(node) && interfaces.has(node.typeName.getText(source))) {
        const [argument] = node.typeArguments ?? []
        if (argument !== undefined && ts.isTypeReferenceNode(argument) && ts.isIdentifier(argument.typeName))
          name ??= argument.typeName.text
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    if (name === undefined) continue
    for (const { node, module, specifiers } of namedDeclarations(source)) {
      const found = specifiers.find((one) => ts.isImportDeclaration(node) && one.name.text === name)
      if (found !== undefined) return { name, imported: importedName(found), module }
    }
    if (exportedNames(source)?.has(name))
      return { name, imported: name, module: specifierOf('index.ts', file) }
  }
  return own
}
