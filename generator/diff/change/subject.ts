import type { Protocol } from 'duet-runtime'
import { type ChangeId, catalogueEntry } from './catalogue.js'
import type { SentAs } from './change.js'
import { among, whereJson } from './protocol.js'
import type { SubjectName } from './subjects.js'
import type { SchemaAction } from './table/schema-actions.js'

/** The properties of a subject that the levels and ids of its schema changes depend on. */
export interface Traits {
  readonly direction: 'request' | 'response'
  readonly holder: 'body' | 'parameter' | 'header'
  /**
   * Whether values are written as text: a body that is not JSON, a header, and a parameter unless its content is JSON.
   */
  readonly isLoose?: boolean
  /** Whether the parameter is a header of the request. */
  readonly isHeader?: boolean
  /** Whether it is a list of preferences, such as `Accept-Language`: a value that is not listed counts as left out. */
  readonly isPreference?: boolean
  /** Whether the parameter is a whole segment of the path, without a prefix. */
  readonly isInPath?: boolean
  /** Whether the old version reads an empty text of the parameter as absent. */
  readonly isEmptyIgnored?: boolean
  /**
   * Whether an empty object counts as left out, which the new version accepts. For a parameter, that holds over REST,
   * and only the properties that it names arrive.
   */
  readonly isEmptyAbsent?: boolean
  /** Whether every old call has the parameter, so that a default only matters to new callers. */
  readonly isAlwaysSent?: boolean
  /** Members of an exploded object whose query names are parameters of their own in the new version. */
  readonly takenNames?: ReadonlySet<string>
  /** How the old and the new version write a list in the parameter or form field. Undefined if that does not matter. */
  readonly lists?: ListSpelling
  /** Whether both versions take it as a file, whose length a Duet service does not check. */
  readonly isFile?: boolean
  /** For a form as a whole: the fields that differ from `ofText`. */
  readonly fields?: ReadonlyMap<string, FieldTraits>
}

/** How a form field is written. */
export type FieldTraits = Required<Pick<Traits, 'isLoose' | 'lists' | 'isFile'>>

/** How most fields are written: as text, repeating the name for each item of a list. */
export const ofText: FieldTraits = { isLoose: true, lists: 'repeated repeated', isFile: false }

/**
 * `repeated`: the name once for each item. `joined`: one text with delimiters. `nested`: members in brackets after the
 * name, repeated as a whole for each item of a member's list.
 */
export type ListStyle = 'repeated' | 'joined' | 'nested'
type ListSpelling = `${ListStyle} ${ListStyle}`

/** A key that is equal for equal traits. */
export function traitsKey(traits: Traits): string {
  const { direction, holder, isLoose = false, isHeader = false, isAlwaysSent = false, lists = '' } = traits
  const { isInPath = false, isEmptyIgnored = false, isEmptyAbsent = false, isFile = false, fields } = traits
  const { isPreference = false } = traits
  const own = fields === undefined ? '' : JSON.stringify([...fields])
  return [
    direction,
    holder,
    isLoose,
    isHeader,
    isPreference,
    isInPath,
    isEmptyIgnored,
    isEmptyAbsent,
    isAlwaysSent,
    isFile,
    lists,
    own,
  ].join(' ')
}

/** What a schema describes. Comparisons start here. */
export interface Subject extends Traits {
  /** The name in messages: `the body`, `the query parameter limit`. */
  readonly title: string
  /** Its name among the params of JSON-RPC, if the title has another. */
  readonly param?: string
  /** The path of the whole within params or result. */
  readonly path: string
  /** Distinguishes it from others with the same path: media type and status, unless they are the usual ones. */
  readonly variant?: string
  readonly protocols?: readonly Protocol[]
  /** Whether it is sent over HTTP with either protocol. What holds over REST then holds for both. */
  readonly isOfHttp?: boolean
  /**
   * Whether nothing breaks over JSON-RPC, because another status had the same result or another media type accepts the
   * same params.
   */
  readonly isKnownToRpc?: boolean
  /** For a response or a message that is not a result of the operation. */
  readonly sent?: SentAs
}

/**
 * The title. For JSON-RPC callers it adds the name they know: `the header parameter If-Match (version over JSON-RPC)`.
 */
export function titleFor(
  protocols: readonly Protocol[],
  { title, param }: Pick<Subject, 'title' | 'param'>,
): string {
  return param === undefined || !among(protocols, whereJson) ? title : `${title} (${param} over JSON-RPC)`
}

/** The variant of a media type and status. Empty for JSON in a request or in a 200 response. */
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

/** The id of a schema change, specific to the property's kind if there is such an id. */
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
