import { isSource, memberOf, namespaceOf } from '../code/layout.js'
import type { Model } from '../model/model.js'
import { addMissing, makeIndex, refreshComments } from './added-handlers.js'
import { checkImports, checkVersions, followVersion } from './api-imports.js'
import { findMember } from './handler-discovery.js'
import {
  type FolderRecord,
  type HandlerFiles,
  type RecordedOperation,
  recordFile,
  recordText,
} from './handler-files.js'
import { exportedNames } from './imports.js'
import { checkMemberUses } from './member-uses.js'
import { bodyAt } from './members.js'
import { matchOperations } from './operation-matching.js'
import { reportParked } from './parked-code.js'
import { byNamespace, type Removed, removeFrom, removeNamespace } from './removed-handlers.js'
import { followOperations, renameNamespaces, reportSignatures } from './renamed-operations.js'
import { differences, Findings, type Left, type Report } from './report.js'
import { type Wanted, wantedOf } from './required-operations.js'
import { readHandlers, type ScaffoldRun } from './scaffold-run.js'
import { checkIndexes, renameIndexes, renameTypes } from './type-references.js'
import { Workspace } from './workspace.js'

/** What scaffolding starts from: the folder as it is. */
export type Before = Omit<HandlerFiles, 'recordBlocked'>

/** What scaffolding would write and report. */
export interface After {
  /** Files that are new or differ, the record included. */
  readonly write: ReadonlyMap<string, string>
  readonly remove: readonly string[]
  /** How many files stay as they are. */
  readonly unchanged: number
  /** For every file that would be written or removed, its first difference. */
  readonly differences: readonly Left[]
  readonly report: Report
  /** Whether a handler file does not parse. */
  readonly isBroken: boolean
}

/**
 * Brings a handler folder to a version: adds stubs for new operations, follows renamed ones, parks the code of removed
 * ones, and leaves every other byte as it is. Reads and writes nothing.
 *
 * @param api module by which a file of the folder's top level imports the generated package
 */
export function scaffold(before: Before, model: Model, api: string): After {
  const run = sceneOf(before, wantedOf(model), api)
  if (before.recordText !== undefined && before.record === undefined)
    run.findings.left.push({
      file: recordFile,
      reason: 'it is not a record of duet, and is replaced',
    })
  const { workspace } = run
  const exported = new Map(workspace.paths.map((path) => [path, exportedNames(workspace.source(path))]))
  followVersion(run)
  renameNamespaces(run)
  renameIndexes(run)
  renameTypes(run)
  run.folder = readHandlers(run)
  makeIndex(run)
  followOperations(run)
  addMissing(run)
  removeOperations(run)
  refreshComments(run)
  checkImports(run, exported)
  followVersion(run)
  checkVersions(run)
  checkIndexes(run)
  checkMemberUses(run)
  reportSignatures(run)
  reportParked(run)
  return outcome(run, before)
}

function outcome(run: ScaffoldRun, { files, recordText: recordBefore }: Before): After {
  const { workspace, broken, findings, wanted, record } = run
  const write = new Map([...workspace.files()].filter(([path, content]) => files.get(path) !== content))
  const unchanged = workspace.paths.length - write.size + broken.size
  const text = recordText(nextRecord(run))
  if (text !== recordBefore) write.set(recordFile, text)
  const remove = [...files.keys()].filter((path) => !workspace.has(path) && !broken.has(path))
  const all = recordBefore === undefined ? files : new Map([...files, [recordFile, recordBefore]])
  const report = findings.toReport(wanted.version, record?.version)
  const isBroken = run.brokenTexts.size > 0
  return { write, remove, unchanged, differences: differences(all, write, remove), report, isBroken }
}

function sceneOf(before: Before, wanted: Wanted, api: string): ScaffoldRun {
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
  const base = {
    ...{ workspace, wanted, api, findings, broken, brokenTexts },
    ...{ matching: matchOperations(before.record, wanted), record: before.record, blocked: before.blocked },
    operations: new Map<string, RecordedOperation>(),
    former: new Map<string, string>(),
  }
  const folder = readHandlers(base)
  return { ...base, folder, waiting: waitingOperations({ ...base, folder }) }
}

/**
 * Recorded names of operations in files that can't be read or parsed. Their code can't be renamed or parked now, so the
 * record keeps their entries until the file is mended.
 */
function waitingOperations(run: Omit<ScaffoldRun, 'waiting'>): ReadonlySet<string> {
  const { record, broken, folder, workspace } = run
  const waiting = new Set<string>()
  for (const [name, { file }] of record?.operations ?? []) {
    const container = folder.containers.get(namespaceOf(name))
    const place = file ?? folder.unclear.get(namespaceOf(name))?.file
    if (place === undefined || !broken.has(place)) continue
    const isHidden =
      container === undefined || findMember(workspace, container, memberOf(name)).kind === 'opaque'
    if (isHidden) waiting.add(name)
  }
  return waiting
}

/** The record of a folder after scaffolding. */
function nextRecord(run: ScaffoldRun): FolderRecord {
  const { wanted, api, record, matching, waiting, broken } = run
  const interfaces = new Map(wanted.interfaces)
  const operations = new Map<string, RecordedOperation>()
  for (const [name, operation] of run.operations)
    if (!waiting.has(matching.kept.get(name) ?? '')) operations.set(name, operation)
  for (const [name, operation] of record?.operations ?? []) {
    if (!waiting.has(name)) continue
    operations.set(name, operation)
    const old = record?.interfaces.get(namespaceOf(name))
    if (old !== undefined) interfaces.set(namespaceOf(name), old)
  }
  const behind = new Map<string, string>()
  for (const file of broken.keys()) {
    const old = record?.behind.get(file) ?? record?.api
    if (isSource(file) && old !== undefined && old !== api) behind.set(file, old)
  }
  return { version: wanted.version, api, interfaces, operations, behind, former: run.former }
}

/** Removes the operations that the document no longer has. */
function removeOperations(run: ScaffoldRun): void {
  const { matching, record, folder, wanted, findings } = run
  const removed = matching.removed.flatMap((was): Removed[] => {
    const recorded = record?.operations.get(was)
    if (recorded === undefined) return []
    const namespace = matching.namespaces.get(namespaceOf(was)) ?? namespaceOf(was)
    const name = namespace === 'default' ? memberOf(was) : `${namespace}.${memberOf(was)}`
    return [{ name, why: `${recorded.rest} is not in ${wanted.version}`, comment: recorded.comment }]
  })
  const groups = byNamespace([...removed, ...surplus(run)])
  const vanished = [...folder.containers.keys()].filter((namespace) => !wanted.interfaces.has(namespace))
  for (const namespace of new Set([...groups.keys(), ...vanished])) {
    const group = groups.get(namespace) ?? []
    const container = run.folder.containers.get(namespace)
    const unclear = run.folder.unclear.get(namespace)
    if (container === undefined) {
      if (unclear !== undefined && group.length > 0)
        findings.left.push({
          file: unclear.file,
          reason: `${unclear.reason}; ${group.map(({ name }) => name).join(', ')} is not in the document: remove it by hand`,
        })
    } else if (wanted.interfaces.has(namespace)) {
      for (const one of group) removeFrom(run, container, one)
    } else removeNamespace(run, namespace, group)
  }
  run.folder = readHandlers(run)
}

/** Without a record: members that the interface does not have. */
function surplus({ workspace, record, wanted, folder }: ScaffoldRun): Removed[] {
  if (record !== undefined) return []
  return [...folder.containers].flatMap(([namespace, container]) => {
    if (!container.exact || !wanted.interfaces.has(namespace)) return []
    const prefix = namespace === 'default' ? '' : `${namespace}.`
    return bodyAt(workspace, container.place).members.flatMap(({ name }) => {
      if (name === undefined || wanted.operations.has(prefix + name)) return []
      return [{ name: prefix + name, why: `it is not in ${wanted.version}` }]
    })
  })
}
