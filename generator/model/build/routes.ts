import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { type Cursor, elements, follow, member, text } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { groupBy } from '../../document/grouping.js'
import { isObject, own } from '../../document/json.js'

/** A parsed key of `paths`. */
export interface Address {
  readonly key: string
  /** The template alone. */
  readonly path: string
  /** Fixed query parameters: the part of the key after a question mark, or after `#` if that is a name and value. */
  readonly query: Readonly<Record<string, string>> | undefined
  /** The part of the key after `#`, if it fixes no parameter. */
  readonly fragment: string | undefined
}

/** Parses the key of a path for one of its operations. */
export function addressOf(document: Document, key: string, pathItem: Cursor, operation: Cursor): Address {
  const hash = key.indexOf('#')
  const [target, fragment] = hash === -1 ? [key, undefined] : [key.slice(0, hash), key.slice(hash + 1)]
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? undefined : Object.fromEntries(new URLSearchParams(target.slice(mark + 1)))
  const named = fragment?.includes('=') ? [...new URLSearchParams(fragment)] : []
  const declared = new Set([pathItem, operation].flatMap((owner) => queryNames(document, owner)))
  const isFixed = named.length > 0 && named.every(([name]) => declared.has(name))
  return isFixed
    ? { key, path, query: { ...query, ...Object.fromEntries(named) }, fragment: undefined }
    : { key, path, query, fragment }
}

function queryNames(document: Document, owner: Cursor): string[] {
  return elements(member(owner, 'parameters')).flatMap((listed) => {
    const parameter = follow(document, listed)
    return text(parameter?.value, 'in') === 'query' ? (text(parameter?.value, 'name') ?? []) : []
  })
}

/** An operation of a document with its address. */
export interface Routed extends Address {
  readonly verb: string
  readonly operation: Cursor
}

/**
 * The operations that no REST request reaches, because another one matches all of their requests first. The
 * router tries the most specific template first, segment by segment from the left. Equal ones come in
 * document order, one with a fragment last.
 */
export function unreachedOf<Found extends Routed>(
  found: readonly Found[],
  document: Document,
  diagnostics: Diagnostic[],
): ReadonlySet<Found> {
  const unreached = new Set<Found>()
  const report = (
    code: 'path-ambiguous' | 'path-fragment',
    at: Found,
    message: string,
    other?: Found,
  ): void => {
    const { pointer } = at.operation
    const related = other && [{ message: titleOf(other), at: document.locate(other.operation.pointer) }]
    diagnostics.push(
      diagnose(code, message, document.locate(pointer), {
        pointer,
        ...(related !== undefined && { related }),
      }),
    )
  }
  const paths = own(document.root, 'paths')
  const order = new Map(Object.keys(isObject(paths) ? paths : {}).map((key, index) => [key, index]))
  const inOrder = [...found].sort((a, b) => (order.get(a.key) ?? 0) - (order.get(b.key) ?? 0))
  for (const group of groupBy(inOrder, sameRequests).values()) {
    const plain = group.filter(({ fragment }) => fragment === undefined)
    const [first = group.length === 1 ? group[0] : undefined] = plain
    for (const one of group) {
      if (one === first) continue
      unreached.add(one)
      const title = titleOf(one)
      if (one.fragment === undefined && first !== undefined)
        report(
          'path-ambiguous',
          one,
          `${title} matches the same requests as ${titleOf(first)}, which comes first`,
          first,
        )
      else
        report(
          'path-fragment',
          one,
          `${title} is not served over REST: its requests look like those of other operations`,
          first,
        )
    }
  }
  const reached = inOrder.filter((one) => !unreached.has(one))
  for (const group of groupBy(reached, ({ verb, path }) => `${verb} ${path.split('/').length}`).values()) {
    const templates = group.flatMap((one) =>
      one.path.includes('{') ? [{ one, segments: one.path.split('/') }] : [],
    )
    for (const [index, { one, segments }] of templates.entries())
      for (const { one: other, segments: others } of templates.slice(index + 1)) {
        const shared = precedenceOf(segments, others)
        if (shared?.isCrossing !== true) continue
        const [winner, loser] = shared.isFirst ? [one, other] : [other, one]
        const message = `${titleOf(loser)} and ${titleOf(winner)} match some of the same requests, which ${titleOf(winner)} answers`
        report('path-ambiguous', loser, message, winner)
      }
  }
  return unreached
}

function titleOf({ verb, path, query, fragment }: Routed): string {
  const fixed = query === undefined ? '' : `?${new URLSearchParams(query)}`
  return `${verb.toUpperCase()} ${path}${fixed}${fragment === undefined ? '' : `#${fragment}`}`
}

function sameRequests({ verb, path, query }: Routed): string {
  const shape = path.replaceAll(/\{[^}]*\}/g, '{}')
  return JSON.stringify([verb.toUpperCase(), shape, Object.entries(query ?? {}).sort()])
}

/** Which of two path templates takes the requests that both match. */
export interface Precedence {
  /** Whether the first one does. Undefined if no segment of either is more specific. */
  readonly isFirst: boolean | undefined
  /** Whether each template has a segment that is more specific than the other's. */
  readonly isCrossing: boolean
}

/** Undefined if no request matches both templates. Takes their segments. */
export function precedenceOf(segments: readonly string[], others: readonly string[]): Precedence | undefined {
  if (segments.length !== others.length) return undefined
  let first: boolean | undefined
  let isCrossing = false
  for (let index = 1; index < segments.length; index += 1) {
    // A thousand templates make half a million pairs: destructuring a list would cost more than the rest.
    const a = segments[index] ?? ''
    const b = others[index] ?? ''
    if (a === b) continue
    const openness = opennessOf(a)
    const other = opennessOf(b)
    if (openness === 0 && other === 0) return undefined
    if (openness === other) continue
    const isMore = openness < other
    if ((openness === 0 || other === 0) && !couldBe(isMore ? b : a, isMore ? a : b)) return undefined
    first ??= isMore
    isCrossing ||= first !== isMore
  }
  return { isFirst: first, isCrossing }
}

/** 0 for text, 1 for text with parameters, 2 for only a parameter. The router tries them in this order. */
function opennessOf(segment: string): 0 | 1 | 2 {
  if (!segment.includes('{')) return 0
  return /^\{[^{}]*\}$/.test(segment) ? 2 : 1
}

/** Whether a segment with parameters may match a text. */
function couldBe(template: string, text: string): boolean {
  const [before = '', ...rest] = template.split(/\{[^}]*\}/)
  return text.startsWith(before) && text.endsWith(rest.at(-1) ?? '')
}

/** The path of JSON-RPC below the base path: `/`, or another one if the document has `POST /`. */
export function rpcPathOf(found: readonly Routed[], document: Document, diagnostics: Diagnostic[]): string {
  const posted = found.filter(({ verb }) => verb === 'post')
  const root = posted.find(({ path }) => path === '/')
  if (root === undefined) return '/'
  const taken = new Set(posted.map(({ path }) => path))
  const path = ['/rpc', '/jsonrpc'].find((one) => !taken.has(one)) ?? '/json-rpc'
  const { pointer } = root.operation
  const message = `${titleOf(root)} has the usual path of JSON-RPC, which moves to POST ${path}`
  diagnostics.push(diagnose('path-of-rpc', message, document.locate(pointer), { pointer }))
  return path
}
