import { memberOf } from '../code/layout.js'
import { firstSpace } from './added-handlers.js'
import type { Container } from './handler-discovery.js'
import { bodyAt, type Member, memberNamed, renameMember } from './members.js'
import { importNeeds, needsOf, renamings } from './needed-names.js'
import { type ScaffoldRun, styleAt } from './scaffold-run.js'
import { hasLineBreak, insertion, punctuationIn, type Row, removal } from './separated-items.js'
import { quoted } from './style.js'
import { type Splice, ts } from './workspace.js'

/**
 * Moves an operation's code, with its comments, to the object of another namespace, and imports what it uses there. If
 * that might break it, nothing changes, and the reason is returned.
 */
export function moveOperation(
  run: ScaffoldRun,
  from: Container,
  to: Container,
  was: string,
  name: string,
): { readonly reason?: string } {
  const { workspace } = run
  const body = bodyAt(workspace, from.place)
  const member = memberNamed(body, memberOf(was))
  if (member === undefined) return { reason: `it was not found in ${body.path}` }
  const target = bodyAt(workspace, to.place)
  if (memberNamed(target, memberOf(name)) !== undefined)
    return { reason: `${target.path} already has a member ${memberOf(name)}` }
  if (ts.isClassLike(body.node) !== ts.isClassLike(target.node) || !fits(from, to, member))
    return { reason: 'one is a class and the other an object, or they are typed in different ways' }
  const typed = ownTypes(member, from)
  const needs = needsOf(run, body.path, target.path, member, typed)
  if ('reason' in needs) return needs
  const key = renameMember(body, member, memberOf(name), styleAt(run, body.path))
  const renamed = renamings(needs, member)
  if (renamed.some((inner) => key.some((outer) => overlaps(inner, outer))))
    return { reason: `${target.path} has another ${body.row.text.slice(renamed[0]?.start, renamed[0]?.end)}` }
  const { text, splices } = removal(body.row, member.slot)
  let code = text
  const types = typed.map((node) => ({
    start: node.getStart(),
    end: node.end,
    text: `${to.type}[${quoted(memberOf(name), styleAt(run, target.path))}]`,
  }))
  for (const splice of [...key, ...types, ...renamed].sort((a, b) => b.start - a.start)) {
    const [start, end] = [splice.start - member.slot.own, splice.end - member.slot.own]
    code = code.slice(0, start) + splice.text + code.slice(end)
  }
  workspace.edit(body.path, splices)
  const codeEnd = member.slot.code.end - member.slot.own + code.length - text.length
  put(run, to, withoutSeparator(code, codeEnd), codeEnd)
  importNeeds(run, body.path, target.path, needs)
  return {}
}

/**
 * Whether a member has the types of its params in both objects. In an object that is passed to a call, a member brings
 * its own types. They fit any object unless they name the old interface.
 */
function fits(from: Container, to: Container, { nodes }: Member): boolean {
  if (from.typing === to.typing) return true
  const namesType = nodes.some(
    (node) => from.type !== undefined && node.getText().includes(`satisfies ${from.type}`),
  )
  return from.typing === 'argument' && to.typing === 'contextual' && !namesType
}

/** Types of a class's members that name the interface of the class: they change with the class. */
function ownTypes({ nodes }: Member, { type }: Container): ts.TypeNode[] {
  return nodes.flatMap((node) => {
    const own = ts.isPropertyDeclaration(node) ? node.type : undefined
    if (own === undefined || !ts.isIndexedAccessTypeNode(own)) return []
    return own.objectType.getText() === type ? [own] : []
  })
}

/** Puts a member behind the others of an object or a class. */
function put(run: ScaffoldRun, to: Container, code: string, codeEnd: number): void {
  const { workspace } = run
  const { path, row } = bodyAt(workspace, to.place)
  const { eol } = styleAt(run, path)
  const wantsMark = row.separator !== '' && row.slots.at(-1)?.separated !== false
  const whole = wantsMark ? code.slice(0, codeEnd) + row.separator + code.slice(codeEnd) : code
  const own = firstSpace(code)
  const lead = hasLineBreak(own) ? own : leadIn(row, eol, own)
  const isClosed = row.slots.length === 0 && !hasLineBreak(row.text.slice(row.open, row.close))
  const text = lead + whole.slice(own.length) + (isClosed ? eol : '')
  workspace.edit(path, insertion(row, text, row.slots.length))
}

/** The space before a member that shared its line: the same as before the last member, or a line break. */
function leadIn({ text, slots }: Row, eol: string, own: string): string {
  const last = slots.at(-1)
  return last === undefined ? eol + own : firstSpace(text.slice(last.start, last.code.start))
}

function withoutSeparator(code: string, codeEnd: number): string {
  const mark = punctuationIn(code, codeEnd, code.length, ',')
  return mark === undefined ? code : code.slice(0, mark) + code.slice(mark + 1)
}

function overlaps(a: Splice, b: Splice): boolean {
  return a.start < b.end && b.start < a.end
}
