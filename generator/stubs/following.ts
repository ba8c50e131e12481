import { memberOf, namespaceOf } from '../code/layout.js'
import { addNamespace, recordOf } from './adding.js'
import { type Container, findMember } from './discovery.js'
import { memberNamed } from './members.js'
import { moveOperation } from './moving.js'
import { removeFrom } from './removing.js'
import { renameOperation } from './renaming.js'
import { parkedNames } from './reviving.js'
import type { Scene } from './scene.js'

/** Renames and moves the code of operations that go on under another name. */
export function followOperations(scene: Scene): void {
  const { matching, wanted, record, findings } = scene
  for (const [name, was] of inOrder(scene)) {
    const operation = wanted.operations.get(name)
    const recorded = record?.operations.get(was)
    if (operation === undefined) continue
    const home = matching.namespaces.get(namespaceOf(was)) ?? namespaceOf(was)
    const container = scene.folder.containers.get(home)
    const file = container?.place.file
    const note = (what: string, at = file) => findings.changed.push({ operation: was, file: at ?? '', what })
    const take = (path: string, imports: readonly string[] = recorded?.imports ?? []) => {
      const entry = recordOf(operation, path, recorded?.comment)
      scene.operations.set(name, imports.length > 0 ? { ...entry, imports } : entry)
    }
    if (container === undefined) {
      if (recorded !== undefined && name !== was) reportByHand(scene, name, was, home)
    } else if (home === operation.namespace) {
      const found = findMember(scene.workspace, container, memberOf(was))
      if (memberOf(was) === operation.member) {
        if (found.kind !== 'here') continue
        take(found.body.path)
        if (recorded !== undefined && name === was && recorded.rest !== operation.rest)
          note(`is ${operation.rest} now, was ${recorded.rest}`, found.body.path)
      } else if (found.kind === 'here') {
        const done = renameOperation(scene, container, memberOf(was), operation.member)
        if (done.reason === undefined) {
          take(done.file)
          note(`is ${name} now`, done.file)
        } else findings.left.push({ file: done.file, reason: done.reason })
      }
    } else move(scene, name, was, container, take, note)
  }
}

/**
 * What comes back goes last and in reverse: the places of members that left together were noted one after the other, each as
 * it was without those before it.
 */
function inOrder({ matching, gone }: Scene): readonly (readonly [name: string, was: string])[] {
  const kept = [...matching.kept]
  const back = kept.filter(([name, was]) => name !== was && gone.has(name))
  const others = kept.filter((entry) => !back.includes(entry))
  return [...others, ...back.sort(([, a], [, b]) => (a < b ? 1 : -1))]
}

function move(
  scene: Scene,
  name: string,
  was: string,
  container: Container,
  take: (path: string, imports: readonly string[]) => void,
  note: (what: string, file?: string) => void,
): void {
  const { workspace, wanted, findings, record } = scene
  const recorded = record?.operations.get(was)
  const found = findMember(workspace, container, memberOf(was))
  const namespace = namespaceOf(name)
  if (found.kind !== 'here' || memberNamed(found.body, memberOf(was)) === undefined) return
  const from = found.body.path
  const source = container.base?.place === found.container.place ? container.base : found.container
  const isParkedThere = parkedNames(workspace).has(name) && recorded !== undefined
  if (!isParkedThere && !scene.folder.containers.has(namespace) && !scene.folder.unclear.has(namespace))
    addNamespace(scene, namespace, [], from)
  const held = scene.folder.containers.get(namespace)
  // Where a class above implements the interface, that is where its members stand.
  const target = held?.base ?? held
  const moved =
    target === undefined || isParkedThere
      ? { reason: 'there is no place that it can be moved to' }
      : moveOperation(scene, source, target, { old: was, name }, recorded)
  if ('imports' in moved && target !== undefined) {
    take(target.place.file, moved.imports)
    note(`is ${name} now, its code is in ${target.place.file}`, from)
    return
  }
  if (recorded === undefined) return
  const why = `it is ${name} in ${wanted.version}`
  removeFrom(scene, found.container, [{ name: was, recorded, why }])
  const reason = 'reason' in moved ? moved.reason : ''
  if (scene.gone.has(was) && wanted.operations.has(name) && !isParkedThere)
    findings.left.push({
      file: from,
      reason: `${was} is ${name} now and could not be moved (${reason}); its code is parked: move it by hand`,
    })
}

function reportByHand({ folder, findings }: Scene, name: string, was: string, namespace: string): void {
  const place = folder.unclear.get(namespace)
  if (place === undefined) return
  findings.left.push({
    file: place.file,
    reason: `${place.reason}; ${was} is ${name} now: rename it by hand`,
  })
}
