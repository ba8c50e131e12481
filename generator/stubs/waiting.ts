import { memberOf, namespaceOf } from '../code/layout.js'
import { findMember } from './discovery.js'
import type { FolderRecord, RecordedOperation } from './record.js'
import { isSource, type Scene } from './scene.js'

/**
 * Names that the record has for operations whose code stands in a file that can't be read or parsed. Nothing can be
 * followed or parked there, so the record keeps what it knows of them until the file is mended.
 */
export function waitingOperations(scene: Omit<Scene, 'waiting'>): ReadonlySet<string> {
  const { record, broken, folder, workspace } = scene
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

/** Whether an operation of the new version goes on under another name in code that waits. */
export function isWaitingForName({ matching, waiting }: Scene, name: string): boolean {
  const was = matching.kept.get(name)
  return was !== undefined && was !== name && waiting.has(was)
}

/** The record of a folder after scaffolding. */
export function nextRecord(scene: Scene): FolderRecord {
  const { wanted, api, gone, record, matching, waiting, broken } = scene
  const interfaces = new Map(wanted.interfaces)
  const operations = new Map<string, RecordedOperation>()
  for (const [name, operation] of scene.operations)
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
  const known = new Map([...gone].filter(([name]) => !scene.operations.has(name)))
  return { version: wanted.version, api, interfaces, operations, behind, gone: known, former: scene.former }
}
