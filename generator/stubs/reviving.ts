import { memberOf } from '../code/layout.js'
import { recordOf } from './adding.js'
import { statementRow } from './imports.js'
import { bodyAt, memberNamed, renameMember } from './members.js'
import { parkedIn } from './parking.js'
import type { Anchor } from './record.js'
import { readHandlers, type Scene, styleAt } from './scene.js'
import { indexOfAnchor, insertion, type Row } from './slots.js'
import { type Place, ts, type Workspace } from './workspace.js'

/** Puts the code of namespaces back that the document has again. */
export function reviveNamespaces(scene: Scene): void {
  const { workspace, wanted } = scene
  let revived = false
  for (const namespace of wanted.interfaces.keys()) {
    const isOwn = (name: string) =>
      name.startsWith(`${namespace}.*`) && /^\d*$/.test(name.slice(namespace.length + 2))
    for (const path of workspace.paths) {
      const names = parkedIn(workspace.text(path)).flatMap(({ name }) => (isOwn(name) ? [name] : []))
      for (const name of names.sort()) {
        const isJoined = name === `${namespace}.*`
        const place = isJoined ? scene.folder.root?.place : undefined
        if (isJoined && place?.file !== path) continue
        unpark(scene, path, name, place)
        revived = true
      }
    }
  }
  if (revived) scene.folder = readHandlers(scene)
}

/** Puts the code of operations back that the document has again, under their own name or another one. */
export function reviveOperations(scene: Scene): void {
  const { workspace, wanted, folder, gone, findings } = scene
  for (let progress = true; progress; ) {
    progress = false
    for (const [name, operation] of wanted.operations) {
      const container = folder.containers.get(operation.namespace)
      if (container === undefined || scene.operations.has(name)) continue
      const parkedName = gone.has(name) ? name : sameRest(scene, operation.rest)
      const known = gone.get(parkedName ?? name)
      const present = memberNamed(bodyAt(workspace, container.place), memberOf(parkedName ?? name))
      const block = parkedName ?? name
      const path = workspace.paths.find((one) =>
        parkedIn(workspace.text(one)).some((code) => code.name === block),
      )
      if (present !== undefined || path === undefined || path !== container.place.file) {
        if (present !== undefined && known !== undefined) {
          const { file } = container.place
          scene.operations.set(name, recordOf(operation, file, known.comment))
          findings.changed.push({ operation: name, file, what: 'its code was put back' })
        }
        continue
      }
      const anchor = known?.after ?? {}
      const isReady = indexOfAnchor(bodyAt(workspace, container.place).row, anchor) !== undefined
      if (!isReady && others(scene, name)) continue
      unpark(scene, path, block, container.place)
      if (parkedIn(workspace.text(path)).some((code) => code.name === `${block}()`))
        unpark(scene, path, `${block}()`, undefined)
      if (memberOf(block) !== operation.member)
        rename(scene, container.place, memberOf(block), operation.member)
      const recorded = recordOf(operation, path, known?.comment)
      scene.operations.set(
        name,
        known?.imports === undefined ? recorded : { ...recorded, imports: known.imports },
      )
      gone.delete(block)
      gone.delete(`${block}()`)
      findings.changed.push({ operation: name, file: path, what: 'its code was put back' })
      progress = true
    }
  }
}

/** A name under which code of the same method and path is parked, in the same namespace. */
function sameRest({ gone, wanted }: Scene, rest: string): string | undefined {
  for (const [name, operation] of gone)
    if (operation.rest === rest && rest !== '' && !wanted.operations.has(name)) return name
  return undefined
}

/** Whether other code that is still to come back may be what an anchor names. */
function others({ wanted, gone, operations }: Scene, name: string): boolean {
  const waiting = [...wanted.operations.keys()].filter(
    (one) => one !== name && gone.has(one) && !operations.has(one),
  )
  const after = gone.get(name)?.after.after
  return waiting.some((one) => memberOf(one) === after)
}

function rename(scene: Scene, place: Place, from: string, to: string): void {
  const body = bodyAt(scene.workspace, place)
  const member = memberNamed(body, from)
  if (member === undefined) return
  scene.workspace.edit(body.path, renameMember(body, member, to, styleAt(scene, body.path)))
}

/** Takes a block out of a file and puts its code where it stood. Without a place it is a statement. */
function unpark(scene: Scene, path: string, name: string, place: Place | undefined): void {
  const { workspace, gone } = scene
  const block = parkedIn(workspace.text(path)).find((code) => code.name === name)
  if (block === undefined) return
  workspace.edit(path, [block.splice])
  const row = place === undefined ? statementRow(workspace.source(path)) : bodyAt(workspace, place).row
  const anchor = anchorFor(gone.get(name)?.after)
  const index = indexOfAnchor(row, anchor) ?? row.slots.length
  const isClass = place !== undefined && ts.isClassLike(bodyAt(workspace, place).node)
  const openEnd = place === undefined || isClass ? undefined : openEndOf(block.code)
  const comments = anchor.comments ?? 0
  workspace.edit(path, insertion(row, spaced(row, block.code, index), { index, comments, openEnd }))
  if (place === undefined || name.endsWith('*')) gone.delete(name)
}

function anchorFor(anchor: Anchor | undefined): Anchor {
  return anchor ?? { after: '\u0000nowhere' }
}

/** The code as it is; a statement at the front of a file needs a line break where another one follows. */
function spaced(row: Row, code: string, index: number): string {
  const next = row.slots[index]
  const touches = row.open === 0 && index === 0 && next !== undefined && !/^[\r\n]/.test(row.text)
  return touches && !/[\r\n]$/.test(code) ? `${code}\n` : code
}

/** Where the separator of an object's member belongs in its code; undefined where it has one. */
function openEndOf(code: string): number | undefined {
  const head = '({'
  const source = ts.createSourceFile('member.ts', `${head}${code}\n})`, ts.ScriptTarget.Latest, true)
  const [statement] = source.statements
  const outer =
    statement !== undefined && ts.isExpressionStatement(statement) ? statement.expression : undefined
  const object = outer !== undefined && ts.isParenthesizedExpression(outer) ? outer.expression : undefined
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined
  const last = object.properties.at(-1)
  return last === undefined || object.properties.hasTrailingComma ? undefined : last.end - head.length
}

/** Names of every block in the folder. */
export function parkedNames(workspace: Workspace): ReadonlySet<string> {
  return new Set(workspace.paths.flatMap((path) => parkedIn(workspace.text(path)).map(({ name }) => name)))
}
