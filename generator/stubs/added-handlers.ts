import { namespaceConstant, namespaceFile, specifierFrom, specifierOf } from '../code/layout.js'
import { groupBy } from '../document/grouping.js'
import { type Container, findMember, firstOpaque } from './handler-discovery.js'
import type { RecordedOperation } from './handler-files.js'
import { ensureImport } from './imports.js'
import { type Body, bodyAt, memberNamed } from './members.js'
import type { WantedOperation } from './required-operations.js'
import {
  isWaitingForName,
  mentions,
  principalOf,
  readHandlers,
  type ScaffoldRun,
  styleAt,
  type Unclear,
} from './scaffold-run.js'
import { hasBlankLine, hasLineBreak, indentAt, insertion } from './separated-items.js'
import { commentDigest, docComment, docCommentOf, stubCode } from './stub.js'
import { quoted, type Style, styled, styledKey } from './style.js'
import { ts } from './workspace.js'

/** Adds a stub for every operation that has no handler. */
export function addMissing(run: ScaffoldRun): void {
  const wanted = [...run.wanted.operations.values()].filter(({ name }) => !isWaitingForName(run, name))
  const byNamespace = groupBy(wanted, ({ namespace }) => namespace)
  for (const [namespace, operations] of [...byNamespace].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const container = run.folder.containers.get(namespace)
    const unclear = run.folder.unclear.get(namespace)
    if (container !== undefined) for (const operation of operations) addTo(run, container, operation)
    else if (unclear !== undefined) for (const operation of operations) leave(run, operation, unclear)
    else addNamespace(run, namespace, operations)
  }
}

/**
 * Writes the file of a new namespace with stubs for its operations, and adds it to the object of all namespaces.
 *
 * @param like file whose style the new one gets: code moves from there
 */
export function addNamespace(
  run: ScaffoldRun,
  namespace: string,
  operations: readonly WantedOperation[],
  like?: string,
): void {
  const { workspace, findings } = run
  const path = namespaceFile(namespace, [...workspace.paths, ...run.broken.keys(), ...run.blocked])
  const style = styleAt(run, like ?? path)
  const mark = like !== undefined && workspace.isMarked(like) ? '\ufeff' : ''
  const principal = principalOf(run)
  if (principal.module === './principal.js' && !isTaken(run, 'principal.ts'))
    workspace.add('principal.ts', styled(principalText, style))
  const type = run.wanted.interfaces.get(namespace) ?? ''
  const name = namespaceConstant(namespace, new Set([principal.name, type]))
  const imported =
    principal.imported === principal.name ? principal.name : `${principal.imported} as ${principal.name}`
  const end = style.semicolons ? ';' : ''
  const imports = operations.length === 0 ? `import type { ${type} }` : `import { type ${type}, problem }`
  const form = { typing: 'contextual', isClass: false, problem: 'problem' } as const
  const members = operations.map(
    (operation) => `${docComment(operation)}\n${stubCode(operation, form, style)},\n`,
  )
  const text = [
    `${imports} from ${quoted(run.api, style)}${end}`,
    `import type { ${imported} } from ${quoted(principal.module, style)}${end}`,
    '',
    `export const ${name}: ${type}<${principal.name}> = {`,
    `${members.join('').replace(/^(?=.)/gm, '  ')}}${end}`,
    '',
  ].join('\n')
  workspace.add(path, mark + styled(text, style))
  for (const operation of operations) {
    run.operations.set(operation.name, recordOf(operation, path, commentDigest(docComment(operation))))
    findings.added.push({ operation: operation.name, file: path })
  }
  const place = workspace.track(path, workspace.text(path).indexOf(' = {') + 3)
  const container = { place, typing: 'contextual', exact: true } as const
  run.folder = {
    ...run.folder,
    containers: new Map([...run.folder.containers, [namespace, container]]),
  }
  join(run, namespace, path, name)
}

/** Writes `index.ts` with the object of all namespaces, if the folder is new. */
export function makeIndex(run: ScaffoldRun): void {
  const { workspace, wanted, record, folder } = run
  if (folder.root !== undefined || record !== undefined || isTaken(run, 'index.ts')) return
  const isFresh = folder.containers.size === 0 && folder.unclear.size === 0
  if (!isFresh || wanted.operations.size === 0) return
  const style = styleAt(run, 'index.ts')
  const end = style.semicolons ? ';' : ''
  const text = [
    `import type { Handlers } from ${quoted(run.api, style)}${end}`,
    `import type { Principal } from ${quoted('./principal.js', style)}${end}`,
    '',
    'export const handlers: Handlers<Principal> = {',
    `}${end}`,
    '',
  ].join('\n')
  workspace.add('index.ts', styled(text, style))
  run.folder = readHandlers(run)
}

export function recordOf(operation: WantedOperation, file?: string, comment?: string): RecordedOperation {
  return {
    rest: operation.rest,
    types: operation.types,
    signature: operation.signature,
    ...(file !== undefined && { file }),
    ...(comment !== undefined && { comment }),
  }
}

/** Updates the doc comments that are still as duet wrote them. */
export function refreshComments(run: ScaffoldRun): void {
  const { workspace, wanted, operations, folder, findings } = run
  for (const [name, operation] of wanted.operations) {
    const container = folder.containers.get(operation.namespace)
    const found = container && findMember(workspace, container, operation.member)
    if (found?.kind !== 'here') continue
    const { body } = found
    const member = memberNamed(body, operation.member)
    const comment = member && docCommentOf(body, member)
    const known = operations.get(name)?.comment
    const text = docComment(operation)
    const written = comment && body.row.text.slice(comment.start, comment.end)
    const digest = written === undefined ? undefined : commentDigest(written)
    const current = commentDigest(text)
    const isOurs = digest !== undefined && (digest === known || digest === current)
    // For a comment that the team has changed, the record keeps the digest of duet's own text.
    operations.set(name, recordOf(operation, body.path, isOurs ? current : known))
    if (comment === undefined || digest !== known || digest === current) continue
    const indent = indentAt(body.row.text, comment.start)
    const style = styleAt(run, body.path)
    workspace.edit(body.path, [{ ...comment, text: styled(text, style, indent) }])
    findings.changed.push({ operation: name, file: body.path, what: 'its comment is updated' })
  }
}

/** Adds a namespace to the object of all namespaces. */
function join(run: ScaffoldRun, namespace: string, path: string, name: string): void {
  const { workspace, findings, folder } = run
  const { root } = folder
  if (root === undefined) {
    const file = isTaken(run, 'index.ts') ? 'index.ts' : path
    const add = [`${styledKey(namespace, styleAt(run, path))}: ${name} of ${specifierOf('index.ts', path)}`]
    findings.left.push({
      file,
      reason: 'no object of the type Handlers was found for the namespace',
      add,
    })
    return
  }
  if (memberNamed(bodyAt(workspace, root.place), namespace) !== undefined) return
  const { file } = root.place
  const style = styleAt(run, file)
  const needed = { name, module: specifierOf(file, path), type: false }
  const local = ensureImport(workspace, file, needed, style)
  const body = bodyAt(workspace, root.place)
  const key = styledKey(namespace, style)
  const keys = body.members.map((member) => member.name ?? '')
  const inOrder = keys.every((one, index) => index === 0 || (keys[index - 1] ?? '') <= one)
  const index = inOrder
    ? keys.filter((one) => one < namespace).length
    : (firstOpaque(workspace, body) ?? keys.length)
  insertMember(run, body, key === local ? local : `${key}: ${local}`, index, style)
}

function addTo(run: ScaffoldRun, container: Container, operation: WantedOperation): void {
  const { workspace, record, findings } = run
  const { name, member } = operation
  const found = findMember(workspace, container, member)
  if (found.kind === 'here') return
  const isKnown = record?.operations.has(run.matching.kept.get(name) ?? name) === true
  if (found.kind === 'opaque' && (isKnown || record === undefined)) {
    run.operations.set(name, recordOf(operation))
    if (!isKnown)
      findings.left.push({
        file: container.place.file,
        reason: 'a spread object or the base class may have these operations',
        add: [name],
      })
    return
  }
  const target = container.base ?? container
  const { file } = target.place
  const style = styleAt(run, file)
  const needed = { name: 'problem', module: specifierFrom(file, run.api), type: false }
  const local = ensureImport(workspace, file, needed, style)
  const body = bodyAt(workspace, target.place)
  const form = { ...target, isClass: ts.isClassLike(body.node), problem: local }
  const text = `${docComment(operation)}\n${stubCode(operation, form, style)}`
  insertMember(run, body, text, firstOpaque(workspace, body) ?? body.row.slots.length, style)
  run.operations.set(name, recordOf(operation, file, commentDigest(docComment(operation))))
  findings.added.push({ operation: name, file })
}

/** Inserts code as a member behind the first `index` ones, spaced and indented as they are. */
export function insertMember(
  { workspace }: Pick<ScaffoldRun, 'workspace'>,
  body: Body,
  code: string,
  index: number,
  style: Style,
): void {
  const { row, node } = body
  const { slots } = row
  const first = slots[0]
  const isInline = first !== undefined && !hasLineBreak(row.text.slice(row.open, first.code.start))
  const outer = indentAt(row.text, row.open)
  const indent = first === undefined || isInline ? outer + style.indent : indentAt(row.text, first.code.start)
  const gaps = slots
    .slice(1)
    .map((slot) => row.text.slice(slot.start, slot.own === slot.start ? slot.code.start : slot.own))
  const isSpaced =
    gaps.length === 0
      ? ts.isClassLike(node) && first !== undefined
      : gaps.every((gap) => hasBlankLine(firstSpace(gap)))
  const isLast = index === slots.length
  const separator = row.separator !== '' && (!isLast || (slots.at(-1)?.separated ?? true)) ? ',' : ''
  const single = !code.includes('\n') && isInline
  const lead = single ? ' ' : style.eol + (isSpaced ? style.eol : '') + indent
  const isClosed = slots.length === 0 && !hasLineBreak(row.text.slice(row.open, row.close))
  const tail = isClosed ? style.eol + outer : ''
  const text = lead + styled(code, style, indent) + separator + tail
  workspace.edit(body.path, insertion(row, text, index))
}

/** Space at the beginning of a text, before any comment. */
export function firstSpace(text: string): string {
  return /^\s*/.exec(text)?.[0] ?? ''
}

function leave(run: ScaffoldRun, operation: WantedOperation, { file, reason, outside }: Unclear): void {
  if (outside) {
    run.operations.set(operation.name, recordOf(operation))
    run.findings.left.push({ file, reason, outside })
    return
  }
  const known = run.record?.operations.get(run.matching.kept.get(operation.name) ?? operation.name)
  const isOpaque = run.broken.has(file) && !run.brokenTexts.has(file)
  if (mentions(run, file, operation.member) || (isOpaque && known !== undefined))
    run.operations.set(operation.name, { ...known, ...recordOf(operation) })
  else run.findings.left.push({ file, reason, add: [operation.name] })
}

function isTaken(run: ScaffoldRun, path: string): boolean {
  return run.workspace.has(path) || run.broken.has(path) || run.blocked.has(path)
}

const principalText = `/** The caller: \`authenticate\` returns it, and handlers receive it as \`context.principal\`. Edit it freely: duet wrote it only once. */
export interface Principal {
  readonly id: string
}
`
