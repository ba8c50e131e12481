import type { Protocol } from 'duet-runtime'
import { type ChangeId, catalogueEntry } from './catalogue.js'
import type { SentAs } from './change.js'
import type { SchemaAction } from './schema-actions.js'
import type { SubjectName } from './subjects.js'

/** What of a subject the changes of its schemas are named by. */
export interface Traits {
  readonly direction: 'request' | 'response'
  readonly holder: 'body' | 'parameter' | 'header'
  /** Whether values are written as text: a body that is no JSON, a header, a parameter but for one that is JSON. */
  readonly isLoose?: boolean
  /** Whether the parameter is a header of the request. */
  readonly isHeader?: boolean
  /** Whether the parameter stands in a path. */
  readonly isInPath?: boolean
  /** Whether both versions read an empty text of the parameter as none. */
  readonly isEmptyIgnored?: boolean
  /** Whether every old call has the parameter, so that a default is for new callers alone. */
  readonly isAlwaysSent?: boolean
  /** How the old and the new version write a list of values of the parameter or of a form's field. Undefined if that does not matter. */
  readonly lists?: ListSpelling
  /** Of a form as a whole: what differs for single fields. Any other is a text, of which a list repeats the name. */
  readonly fields?: ReadonlyMap<string, FieldTraits>
}

/** How a field of a form is written. */
export type FieldTraits = Required<Pick<Traits, 'isLoose' | 'lists'>>

/** How most fields are written. */
export const ofText: FieldTraits = { isLoose: true, lists: 'repeated repeated' }

/**
 * `repeated`: the name once for each item. `joined`: one text with delimiters. `nested`: members stand in brackets behind the name,
 * and the whole repeats for each item of a member's list.
 */
export type ListStyle = 'repeated' | 'joined' | 'nested'
type ListSpelling = `${ListStyle} ${ListStyle}`

/** What tells traits from others. */
export function traitsKey(traits: Traits): string {
  const { direction, holder, isLoose = false, isHeader = false, isAlwaysSent = false, lists = '' } = traits
  const { isInPath = false, isEmptyIgnored = false, fields } = traits
  const own = fields === undefined ? '' : JSON.stringify([...fields])
  return [direction, holder, isLoose, isHeader, isInPath, isEmptyIgnored, isAlwaysSent, lists, own].join(' ')
}

/** What a schema describes: where walks begin. */
export interface Subject extends Traits {
  /** How messages call it: `the body`, `the query parameter limit`. */
  readonly title: string
  /** Its name among the params of JSON-RPC, where that is another than the title has. */
  readonly param?: string
  /** Path of the whole within params or result. */
  readonly path: string
  /** What tells it from others of the same path: media type and status, where they are not the usual ones. */
  readonly variant?: string
  readonly protocols?: readonly Protocol[]
  /** Whether it travels over HTTP whatever protocol its operation is called by: then what holds over REST holds for all. */
  readonly isOfHttp?: boolean
  /** Whether nothing breaks over JSON-RPC: another status gave the same results, another media type takes the same params. */
  readonly isKnownToRpc?: boolean
  /** Of an answer or a message that is no result of the operation. */
  readonly sent?: SentAs
}

/** The title, for callers of JSON-RPC with the name that they know: `the header parameter If-Match (version over JSON-RPC)`. */
export function titleFor(
  protocols: readonly Protocol[],
  { title, param }: Pick<Subject, 'title' | 'param'>,
): string {
  return param === undefined || !protocols.includes('jsonrpc') ? title : `${title} (${param} over JSON-RPC)`
}

/** The variant of a media type and a status; empty for JSON that is answered with 200, or sent. */
export function variantOf(type: string, status = '200'): string {
  const isUsual = type.trim().toLowerCase() === 'application/json'
  return [status === '200' ? '' : status, isUsual ? '' : type.toLowerCase()]
    .filter((part) => part !== '')
    .join(' ')
}

/** A property that the sender leaves out or the receiver refuses. */
export type UnsentKind = 'read-only' | 'write-only'

/** The start of a change's id: `request-property`, `response-body`, `request-parameter`. */
function subjectName({ direction, holder }: Traits, isRoot: boolean): SubjectName {
  if (holder === 'body') return `${direction}-${isRoot ? 'body' : 'property'}`
  if (holder === 'parameter') return isRoot ? 'request-parameter' : 'request-parameter-property'
  return isRoot ? 'response-header' : 'response-header-property'
}

/** Id of what happened to a schema; of the property's kind where there is an id for that. */
export function changeId(
  subject: Traits,
  isRoot: boolean,
  action: SchemaAction,
  kind: UnsentKind | '' = '',
): ChangeId {
  const plain = `${subjectName(subject, isRoot)}-${action}` as const
  if (plain === 'response-body-enum-value-removed') return 'response-mediatype-enum-value-removed'
  const header = `request-header-property-${action}` as const
  if (subject.isHeader === true && !isRoot && catalogueEntry(header) !== undefined) return header
  if (kind === '' || isRoot) return plain
  const own =
    subject.direction === 'request'
      ? (`request-read-only-property-${action}` as const)
      : (`response-write-only-property-${action}` as const)
  return catalogueEntry(own) !== undefined ? own : plain
}
