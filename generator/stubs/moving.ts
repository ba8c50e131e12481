import { memberOf } from '../code/layout.js'
import type { Container } from './discovery.js'
import { type Body, bodyAt, type Member, memberNamed, renameMember } from './members.js'
import { bringNeeds, needsOf, renamings, tidy } from './needs.js'
import type { Anchor, RecordedOperation } from './record.js'
import { type Scene, styleAt } from './scene.js'
import { anchorOf, indexOfAnchor, insertion, type Row, removal } from './slots.js'
import { quoted } from './style.js'
import { hasLineBreak, punctuationIn } from './trivia.js'
import { type Splice, ts } from './workspace.js'

/** What came of moving an operation's code into the object of another namespace. */
export type Moved = { readonly imports: readonly string[] } | { readonly reason: string }

/**
 * Moves an operation's code, with its comments, into the object of another namespace. What it uses of its old file
 * is imported into the new one. Nothing is changed where that can't be done for certain.
 */
export function moveOperation(
  scene: Scene,
  from: Container,
  to: Container,
  names: { readonly old: string; readonly name: string },
  recorded: RecordedOperation | undefined,
): Moved {
  const { workspace } = scene
  const body = bodyAt(workspace, from.place)
  const member = memberNamed(body, memberOf(names.old))
  if (member === undefined) return { reason: `it was not found in ${body.path}` }
  const target = bodyAt(workspace, to.place)
  if (memberNamed(target, memberOf(names.name)) !== undefined)
    return { reason: `${target.path} already has a member ${memberOf(names.name)}` }
  if (!fits(scene, from, to, body, target, member, names.name))
    return { reason: 'one is a class and the other an object, or they are typed in different ways' }
  const typed = ownTypes(member, from)
  const needs = needsOf(scene, body.path, target.path, member, typed)
  if ('reason' in needs) return needs
  const key = renameMember(body, member, memberOf(names.name), styleAt(scene, body.path))
  const renamed = renamings(needs, member)
  if (renamed.some((inner) => key.some((outer) => overlaps(inner, outer))))
    return { reason: `${target.path} has another ${body.row.text.slice(renamed[0]?.start, renamed[0]?.end)}` }
  const { text, splices } = removal(body.row, member.slot)
  let code = text
  const types = typed.map((node) => ({
    start: node.getStart(),
    end: node.end,
    text: `${to.type}[${quoted(memberOf(names.name), styleAt(scene, target.path))}]`,
  }))
  for (const splice of [...key, ...types, ...renamed].sort((a, b) => b.start - a.start)) {
    const [start, end] = [splice.start - member.slot.own, splice.end - member.slot.own]
    code = code.slice(0, start) + splice.text + code.slice(end)
  }
  const place = placeOf(body, member, from.typing === 'argument' && to.typing !== 'argument')
  const comesBack = member.slot === body.row.slots.at(-1) && member.slot.detached === 0 && !place.last
  if (!comesBack && recorded !== undefined) scene.gone.set(names.old, { ...recorded, after: place })
  workspace.edit(body.path, splices)
  const codeEnd = member.slot.code.end - member.slot.own + code.length - text.length
  put(scene, to, withoutSeparator(code, codeEnd), codeEnd, scene.gone.get(names.name)?.after)
  scene.gone.delete(names.name)
  const imports = bringNeeds(scene, body.path, target.path, needs.needed)
  tidy(scene, body.path, target.path, recorded?.imports ?? [])
  return { imports }
}

/** Where a member stands in its body, and by which space where it begins no line. */
function placeOf(body: Body, { slot }: Member, given: boolean): Anchor {
  const place: Anchor = { ...anchorOf(body.row, slot), ...(given && { given }) }
  const space = leadOf(body.row.text.slice(slot.own, slot.end))
  const isOnLines = hasLineBreak(space) || slot.detached > 0
  if (isOnLines && !given) return place
  const isLast = slot === body.row.slots.at(-1)
  return {
    ...place,
    ...(!isOnLines && { space }),
    ...(isLast && { last: slot.separated ? 'closed' : 'open' }),
  }
}

function leadOf(code: string): string {
  return /^\s*/.exec(code)?.[0] ?? ''
}

/**
 * Whether code has the types of its members from the same source in both places. What an object that a call is given
 * holds has its own types, which do in any object; what has come from there may go back.
 */
function fits(
  scene: Scene,
  from: Container,
  to: Container,
  body: Body,
  target: Body,
  member: Member,
  name: string,
): boolean {
  if (ts.isClassLike(body.node) !== ts.isClassLike(target.node)) return false
  if (from.typing === to.typing) return true
  if (from.typing === 'contextual' && to.typing === 'argument')
    return scene.gone.get(name)?.after.given === true
  const asksForType = member.nodes.some(
    (node) => from.type !== undefined && node.getText().includes(`satisfies ${from.type}`),
  )
  return from.typing === 'argument' && to.typing === 'contextual' && !asksForType
}

/** Types of a class's members that ask what the class implements for them: they change with the class. */
function ownTypes({ nodes }: Member, { type }: Container): ts.TypeNode[] {
  return nodes.flatMap((node) => {
    const own = ts.isPropertyDeclaration(node) ? node.type : undefined
    if (own === undefined || !ts.isIndexedAccessTypeNode(own)) return []
    return own.objectType.getText() === type ? [own] : []
  })
}

/** Puts a member where it once stood in an object, else behind the others. */
function put(scene: Scene, to: Container, code: string, codeEnd: number, place: Anchor | undefined): void {
  const { workspace } = scene
  const { path, row } = bodyAt(workspace, to.place)
  const { eol } = styleAt(scene, path)
  const index = (place === undefined ? undefined : indexOfAnchor(row, place)) ?? row.slots.length
  const isOpen =
    place?.last === 'open' || (place?.last === undefined && row.slots.at(-1)?.separated === false)
  const wantsMark = row.separator !== '' && (index < row.slots.length || !isOpen)
  const whole = wantsMark ? code.slice(0, codeEnd) + row.separator + code.slice(codeEnd) : code
  const own = leadOf(code)
  const lead = place?.space ?? (hasLineBreak(own) || place !== undefined ? own : leadIn(row, eol, own))
  const isClosed = row.slots.length === 0 && !hasLineBreak(row.text.slice(row.open, row.close))
  const text = lead + whole.slice(own.length) + (isClosed && place?.space === undefined ? eol : '')
  const comments = place?.comments ?? 0
  workspace.edit(path, insertion(row, text, { index, comments, openEnd: undefined }))
}

/** The space before a member that began no line: what stands before the last one here, or a line of its own. */
function leadIn({ text, slots }: Row, eol: string, own: string): string {
  const last = slots.at(-1)
  return last === undefined ? eol + own : leadOf(text.slice(last.start, last.code.start))
}

function withoutSeparator(code: string, codeEnd: number): string {
  const mark = punctuationIn(code, codeEnd, code.length, ',')
  return mark === undefined ? code : code.slice(0, mark) + code.slice(mark + 1)
}

function overlaps(a: Splice, b: Splice): boolean {
  return a.start < b.end && b.start < a.end
}
