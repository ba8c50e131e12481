import { memberOf, namespaceOf } from '../code/layout.js'
import { addMissing, makeIndex } from './adding.js'
import { checkVersions, followVersion, isApi } from './api-module.js'
import { refreshComments } from './comments.js'
import { differences } from './differences.js'
import { findMember } from './discovery.js'
import { followOperations } from './following.js'
import { checkImports } from './gone-names.js'
import { type Matching, matchOperations } from './matching.js'
import { checkMemberUses } from './member-uses.js'
import { bodyAt } from './members.js'
import { type FolderRecord, type RecordedOperation, recordFile, recordText } from './record.js'
import { byNamespace, type Removed, removeFrom, removeNamespace } from './removing.js'
import { renameNamespaces } from './renaming.js'
import { Findings, type Left, type Report } from './report.js'
import { parkedNames, reviveNamespaces, reviveOperations } from './reviving.js'
import { type HandlerFolder, isSource, readHandlers, type Scene } from './scene.js'
import { exportedNames } from './set-aside.js'
import { reportSignatures } from './signatures.js'
import { checkIndexes, renameIndexes } from './type-indexes.js'
import { renameTypes } from './type-names.js'
import { nextRecord, waitingOperations } from './waiting.js'
import type { Wanted } from './wanted.js'
import { Workspace } from './workspace.js'

/** What scaffolding starts from. */
export interface Before {
  /** Texts of the folder's TypeScript files, by path within it. */
  readonly files: ReadonlyMap<string, string>
  /** TypeScript files that can't be read, with the reason. */
  readonly unreadable: ReadonlyMap<string, string>
  /** Paths at which nothing can be written: links, folders. */
  readonly blocked: ReadonlySet<string>
  readonly record: FolderRecord | undefined
}

/** What scaffolding comes to. */
export interface After {
  /** Files that are new or differ, the record included. */
  readonly write: ReadonlyMap<string, string>
  readonly remove: readonly string[]
  /** How many files stay as they are. */
  readonly unchanged: number
  /** Of every file that would be written or removed, where it differs. */
  readonly differences: readonly Left[]
  readonly report: Report
}

/**
 * Brings a handler folder to a version: adds what lacks, follows what was renamed, parks what is gone, and leaves
 * every other byte as it is. Reads and writes nothing.
 *
 * @param api module that a file of the folder's top level imports the generated package by
 * @param recordBefore text of the record as it is
 */
export function scaffold(before: Before, wanted: Wanted, api: string, recordBefore?: string): After {
  const scene = sceneOf(before, wanted, api)
  if (recordBefore !== undefined && before.record === undefined)
    scene.findings.left.push({
      file: recordFile,
      reason: 'it is no record of duet; it is written anew, as if there had been none',
    })
  const { workspace, record, matching } = scene
  const exported = new Map(workspace.paths.map((path) => [path, exportedNames(workspace.source(path))]))
  followVersion(scene)
  renameNamespaces(scene)
  const names = typeNames(record, wanted, matching)
  renameIndexes(scene)
  for (const path of workspace.paths) renameTypes(workspace, path, names, isApi(scene))
  scene.folder = readHandlers(scene)
  reviveNamespaces(scene)
  makeIndex(scene)
  followOperations(scene)
  reviveOperations(scene)
  addMissing(scene)
  removeOperations(scene)
  refreshComments(scene)
  checkImports(scene, exported)
  followVersion(scene)
  checkVersions(scene)
  checkIndexes(scene)
  checkMemberUses(scene)
  reportSignatures(scene)
  return outcome(scene, before.files, recordBefore)
}

function outcome(scene: Scene, files: Before['files'], recordBefore: string | undefined): After {
  const { workspace, broken, findings, wanted, record } = scene
  const write = new Map([...workspace.files()].filter(([path, content]) => files.get(path) !== content))
  const unchanged = workspace.paths.length - write.size + broken.size
  const text = recordText(nextRecord(scene))
  if (text !== recordBefore) write.set(recordFile, text)
  const remove = [...files.keys()].filter((path) => !workspace.has(path) && !broken.has(path))
  const all = recordBefore === undefined ? files : new Map([...files, [recordFile, recordBefore]])
  const report = findings.toReport(wanted.version, record?.version)
  return { write, remove, unchanged, differences: differences(all, write, remove), report }
}

function sceneOf(before: Before, wanted: Wanted, api: string): Scene {
  const workspace = new Workspace(before.files)
  const broken = new Map(before.unreadable)
  const brokenTexts = new Map<string, string>()
  const errors = workspace.paths.flatMap((path) => {
    const error = workspace.syntaxError(path)
    return error === undefined ? [] : [{ path, error }]
  })
  for (const { path, error } of errors) {
    broken.set(path, `it does not parse (${error})`)
    brokenTexts.set(path, workspace.text(path))
    workspace.remove(path)
  }
  const findings = new Findings()
  for (const [file, reason] of broken) if (isSource(file)) findings.left.push({ file, reason })
  const matching = matchOperations(before.record, wanted)
  const record = before.record && withNewImports(before.record, typeNames(before.record, wanted, matching))
  const base = {
    ...{ workspace, wanted, record, api, findings, broken, brokenTexts, matching },
    blocked: before.blocked,
    operations: new Map<string, RecordedOperation>(),
    gone: new Map(before.record?.gone ?? []),
    former: new Map<string, string>(),
  }
  const folder: HandlerFolder = readHandlers(base)
  const scene: Scene = { ...base, folder, waiting: waitingOperations({ ...base, folder }) }
  translateAnchors(scene)
  return scene
}

/** Places that name a member which has another name now. */
function translateAnchors({ gone, matching }: Scene): void {
  for (const [name, operation] of gone) {
    const { after } = operation.after
    if (after === undefined) continue
    const namespace = name.endsWith('.*') ? undefined : namespaceOf(name)
    for (const [to, from] of matching.kept) {
      if (namespaceOf(from) === namespace && memberOf(from) === after)
        gone.set(name, { ...operation, after: { ...operation.after, after: memberOf(to) } })
    }
    const renamed = name.endsWith('.*') ? matching.namespaces.get(after) : undefined
    if (renamed !== undefined) gone.set(name, { ...operation, after: { ...operation.after, after: renamed } })
  }
}

/** A record whose operations' imports have the names that types have now. */
function withNewImports(record: FolderRecord, names: ReadonlyMap<string, string>): FolderRecord {
  const operations = [...record.operations].map(([name, operation]): [string, RecordedOperation] => {
    const { imports } = operation
    if (imports === undefined) return [name, operation]
    return [name, { ...operation, imports: imports.map((local) => names.get(local) ?? local) }]
  })
  return { ...record, operations: new Map(operations) }
}

/** New name by old name of the types of every operation and namespace that goes on. */
function typeNames(
  record: FolderRecord | undefined,
  wanted: Wanted,
  matching: Matching,
): Map<string, string> {
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

/** Takes out what the document no longer has. */
function removeOperations(scene: Scene): void {
  const { matching, record, folder, wanted, findings } = scene
  const removed = matching.removed.flatMap((was): Removed[] => {
    const recorded = record?.operations.get(was)
    if (recorded === undefined) return []
    const namespace = matching.namespaces.get(namespaceOf(was)) ?? namespaceOf(was)
    return [{ name: namespace === 'default' ? memberOf(was) : `${namespace}.${memberOf(was)}`, recorded }]
  })
  const groups = byNamespace([...removed, ...revivedButGone(scene), ...surplus(scene)])
  const vanished = [...folder.containers.keys()].filter((namespace) => !wanted.interfaces.has(namespace))
  for (const namespace of new Set([...groups.keys(), ...vanished])) {
    const group = groups.get(namespace) ?? []
    const container = scene.folder.containers.get(namespace)
    const unclear = scene.folder.unclear.get(namespace)
    if (container === undefined) {
      if (unclear !== undefined && group.length > 0)
        findings.left.push({
          file: unclear.file,
          reason: `${unclear.reason}; ${group.map(({ name }) => name).join(', ')} is gone from the document: take it out by hand`,
        })
    } else if (wanted.interfaces.has(namespace)) removeFrom(scene, container, group)
    else removeNamespace(scene, namespace, group)
  }
  scene.folder = readHandlers(scene)
}

/** Without a record: members that an object of its interface's type can't have. */
function surplus({ workspace, record, wanted, folder }: Scene): Removed[] {
  if (record !== undefined) return []
  return [...folder.containers].flatMap(([namespace, container]) => {
    if (!container.exact || !wanted.interfaces.has(namespace)) return []
    const prefix = namespace === 'default' ? '' : `${namespace}.`
    return bodyAt(workspace, container.place).members.flatMap(({ name }) => {
      if (name === undefined || wanted.operations.has(prefix + name)) return []
      return [
        { name: prefix + name, recorded: { rest: '', types: [] }, why: `it is not in ${wanted.version}` },
      ]
    })
  })
}

/** Operations that came back with the code of their namespace although the document does not have them. */
function revivedButGone(scene: Scene): Removed[] {
  const parked = parkedNames(scene.workspace)
  return [...scene.gone].flatMap(([name, recorded]) => {
    const container = scene.folder.containers.get(namespaceOf(name))
    if (name.includes('*') || name.endsWith('()') || container === undefined || parked.has(name)) return []
    if (scene.wanted.operations.has(name)) return []
    return findMember(scene.workspace, container, memberOf(name)).kind === 'here' ? [{ name, recorded }] : []
  })
}
