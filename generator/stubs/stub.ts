import { digest } from '../code/layout.js'
import { commentText, inPattern } from '../code/literal.js'
import type { Container } from './handler-discovery.js'
import { type Body, type Member, memberKey } from './members.js'
import type { WantedOperation } from './required-operations.js'
import { commentsIn } from './separated-items.js'
import { quoted, type Style, styledKey } from './style.js'

/** How a stub is written in its file. */
export interface StubForm {
  readonly typing: Container['typing']
  /** What the class implements. */
  readonly type?: string | undefined
  readonly isClass: boolean
  /** Name that the file has for `problem`. */
  readonly problem: string
}

/** A member that answers `not_implemented`: two-space code, without comment and separator. */
export function stubCode(
  { name, member }: { readonly name: string; readonly member: string },
  form: StubForm,
  style: Style,
): string {
  const end = style.semicolons ? ';' : ''
  const detail = quoted(`${name} is not implemented yet.`, style)
  const body = `{\n  throw ${form.problem}(${quoted('not_implemented', style)}, ${detail})${end}\n}`
  if (form.typing === 'contextual') return `async ${styledKey(member, style)}(params, context) ${body}`
  if (form.typing === 'none') {
    const key = form.isClass && member === 'constructor' ? "['constructor']" : styledKey(member, style)
    return `async ${key}()${form.isClass ? ': Promise<never>' : ''} ${body}`
  }
  if (form.typing === 'argument')
    return `${styledKey(member, style)}: (async (params, context) => ${body}) satisfies ${form.type}[${quoted(member, style)}]`
  // A line that begins with a bracket would continue the member before it.
  const computed = member === '__proto__' || member === 'constructor'
  const key = computed ? `public [${quoted(member, style)}]` : styledKey(member, style)
  return `${key}: ${form.type}[${quoted(member, style)}] = async (params, context) => ${body}${end}`
}

/** An operation's doc comment: summary, then its address over both protocols. */
export function docComment({ summary, rest, rpc }: WantedOperation): string {
  return commentText([summary, `${rest}, ${rpc === false ? 'not over JSON-RPC' : `JSON-RPC ${rpc}`}`])
}

/** Digest of a comment without its indentation and line endings. */
export function commentDigest(comment: string): string {
  const lines = comment.split(/\r\n|[\n\r]/).map((line) => line.trim())
  return digest(lines.join('\n'))
}

/** The doc comment right before a member. */
export function docCommentOf({ row }: Body, { slot }: Member) {
  const last = commentsIn(row.text, slot.own, slot.code.start).at(-1)
  return last !== undefined && row.text.startsWith('/**', last.start) ? last : undefined
}

/** Whether a member is still duet's stub, in any formatting, with duet's comment and nothing else. */
export function isUntouched(
  body: Body,
  member: Member,
  operation: { readonly name: string; readonly member: string },
  comment: string | undefined,
): boolean {
  const { text } = body.row
  const { slot } = member
  const [only, ...others] = commentsIn(text, slot.own, slot.code.start)
  if (only === undefined || others.length > 0 || comment === undefined) return false
  if (commentDigest(text.slice(only.start, only.end)) !== comment) return false
  if (commentsIn(text, slot.code.end, slot.end).length > 0) return false
  const [code = ''] = compact(text.slice(slot.code.start, slot.code.end)).split(')satisfies')
  const key = compact(memberKey(body.node, operation.member))
  const detail = `'not_implemented','${compact(operation.name)}isnotimplementedyet.'`
  const bodyCode = new RegExp(`\\{throw[A-Za-z_$][\\w$]*\\(${inPattern(detail)},?\\)\\}$`)
  if (!bodyCode.test(code)) return false
  const head = code.replace(bodyCode, '')
  return (
    [`async${key}(params,context)`, `async${key}()`, `async${key}():Promise<never>`].includes(head) ||
    (head.startsWith(`${key}:`) && head.endsWith(`['${operation.member}']=async(params,context)=>`)) ||
    head === `${key}:(async(params,context)=>` ||
    head.startsWith(`public['${operation.member}']:`)
  )
}

function compact(code: string): string {
  return code.replace(/[\s;]+/g, '').replaceAll('"', "'")
}
