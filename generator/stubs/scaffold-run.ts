import { isSource, specifierOf } from '../code/layout.js'
import {
  type Container,
  discover,
  isBuiltOn,
  type NamespaceEntry,
  namespaceEntriesOf,
} from './handler-discovery.js'
import type { FolderRecord, RecordedOperation } from './handler-files.js'
import { allHandlers } from './handler-types.js'
import { exportedNames, importedName, isUsed, namedDeclarations } from './imports.js'
import type { Matching } from './operation-matching.js'
import type { Findings } from './report.js'
import type { Wanted } from './required-operations.js'
import { defaultStyle, type Style, styleOf } from './style.js'
import { nodesIn, ts, type Workspace } from './workspace.js'

/** The state that the steps of scaffolding share. */
export interface ScaffoldRun {
  readonly workspace: Workspace
  readonly wanted: Wanted
  /** Undefined if the folder has none. */
  readonly record: FolderRecord | undefined
  /** Module by which a file of the folder's top level imports the generated package. */
  readonly api: string
  readonly matching: Matching
  readonly findings: Findings
  /** Files that can't be read or parsed, with the reason; nothing in them is changed. */
  readonly broken: ReadonlyMap<string, string>
  /** Texts of the files that do not parse. */
  readonly brokenTexts: ReadonlyMap<string, string>
  /** Paths at which nothing can be written: links and folders. */
  readonly blocked: ReadonlySet<string>
  folder: HandlerFolder
  /** Recorded names of operations whose code is in a broken file. */
  readonly waiting: ReadonlySet<string>
  /** The record of each operation of the new version, as far as the steps have made it. */
  readonly operations: Map<string, RecordedOperation>
  /** The new name of each operation and namespace that code still calls by its old one. */
  readonly former: Map<string, string>
}

/** What the folder implements, one object for each namespace. */
export interface HandlerFolder {
  readonly root: Container | undefined
  readonly containers: ReadonlyMap<string, Container>
  /** Namespaces whose handlers duet can't find or read: the file, and the reason. */
  readonly unclear: ReadonlyMap<string, Unclear>
}

export interface Unclear {
  readonly file: string
  readonly reason: string
  /** The code is outside the folder, where duet does not look. */
  readonly outside?: true
}

export function styleAt(run: Pick<ScaffoldRun, 'workspace' | 'folder'>, path: string): Style {
  const { root, containers } = run.folder
  const model = root ?? [...containers.values()][0]
  const fallback =
    model === undefined || !run.workspace.has(model.place.file)
      ? defaultStyle
      : styleOf(run.workspace.source(model.place.file))
  return run.workspace.has(path) ? styleOf(run.workspace.source(path), fallback) : fallback
}

/** Finds the handlers in the folder as it is now. */
export function readHandlers(run: Omit<ScaffoldRun, 'folder' | 'waiting'>): HandlerFolder {
  const { workspace, wanted, record } = run
  const interfaces = new Map([...wanted.interfaces].map(([namespace, name]) => [name, namespace]))
  for (const [namespace, name] of record?.interfaces ?? [])
    if (!interfaces.has(name) && !wanted.interfaces.has(namespace)) interfaces.set(name, namespace)
  const paths = workspace.paths.filter(isSource)
  const found = discover(workspace, paths, interfaces)
  const root = onlyOne(found.roots, 'index.ts')
  const joined = root === undefined ? undefined : namespaceEntriesOf(workspace, root)
  const containers = new Map<string, Container>()
  const unclear = new Map<string, Unclear>()
  for (const [name, namespace] of interfaces) {
    const candidates = found.containers.get(namespace) ?? []
    const chosen = choose(workspace, candidates, joined?.get(namespace), recordedFile(record, namespace))
    if (chosen !== undefined) containers.set(namespace, chosen)
    else {
      const problem = obstacle(run, namespace, name, candidates, joined?.get(namespace), root)
      if (problem !== undefined) unclear.set(namespace, problem)
    }
  }
  return { root, containers, unclear }
}

/** Whether a file that duet can't follow mentions a name. */
export function mentions(run: ScaffoldRun, path: string, name: string): boolean {
  const text = run.brokenTexts.get(path)
  if (text !== undefined) return new RegExp(`\\b${name}\\b`).test(text)
  if (!run.workspace.has(path)) return false
  return nodesIn(run.workspace.source(path)).some(
    (node) => (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) && node.text === name,
  )
}

/** The type of the caller that the folder's code uses, and its module. */
export interface PrincipalImport {
  readonly name: string
  /** Its name in the module. */
  readonly imported: string
  /** As a file of the top level imports it. */
  readonly module: string
}

export function principalOf(run: ScaffoldRun): PrincipalImport {
  const own = { name: 'Principal', imported: 'Principal', module: './principal.js' }
  const { root, containers } = run.folder
  for (const container of [...(root === undefined ? [] : [root]), ...containers.values()]) {
    const { file } = container.place
    if (file.includes('/')) continue
    const source = run.workspace.source(file)
    const interfaces = new Set([allHandlers, ...run.wanted.interfaces.values()])
    const [name] = nodesIn(source).flatMap((node) => {
      if (!ts.isTypeReferenceNode(node) || !interfaces.has(node.typeName.getText(source))) return []
      const [argument] = node.typeArguments ?? []
      const type = argument && ts.isTypeReferenceNode(argument) ? argument.typeName : undefined
      return type !== undefined && ts.isIdentifier(type) ? [type.text] : []
    })
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

/** Whether an operation was renamed while its code is in a broken file. */
export function isWaitingForName({ matching, waiting }: ScaffoldRun, name: string): boolean {
  const was = matching.kept.get(name)
  return was !== undefined && was !== name && waiting.has(was)
}

function choose(
  workspace: Workspace,
  candidates: readonly Container[],
  joined: NamespaceEntry | undefined,
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

/** Why the object of a namespace was not found, although something implements it. */
function obstacle(
  { workspace, broken, brokenTexts, record }: Omit<ScaffoldRun, 'folder' | 'waiting'>,
  namespace: string,
  name: string,
  candidates: readonly Container[],
  joined: NamespaceEntry | undefined,
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
    const reason = `${namespace} is ${module}, which is outside the folder: duet does not read it`
    return { file, reason, outside: true }
  }
  const path = workspace.paths.find((one) => isSource(one) && isUsed(workspace.source(one), name))
  if (path !== undefined)
    return { file: path, reason: `duet does not know the form of the implementation of ${name}` }
  if (joined === undefined || root === undefined) return undefined
  return { file: root.place.file, reason: `duet finds no object for ${namespace}` }
}
