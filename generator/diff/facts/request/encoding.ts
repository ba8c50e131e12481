import type { Protocol } from 'duet-runtime'
import { type Cursor, childPointer, text } from '../../../document/cursor.js'
import { own } from '../../../document/json.js'
import { essenceOf } from '../../../document/media-type.js'
import type { Carrier } from '../../../model/content/carrier.js'
import { encodingOf } from '../../../model/params/form-fields.js'
import { fingerprint } from '../../../schema/canonical.js'
import type { ChangeId } from '../../change/catalogue.js'
import type { Level } from '../../change/level.js'
import { whereTexts } from '../../change/protocol.js'
import { asObject } from '../../change/side.js'
import { saysNoType, typesOfText } from '../../texts/coerced.js'
import { isJson, isRange, type MediaPair, takes } from '../parts/media.js'
import { type OperationPair, report } from '../parts/pair.js'
import type { Form } from './form.js'
import { fieldOfOneItem } from './one-item.js'

/** The encoded part, and how to report its changes. */
interface Written {
  readonly id: ChangeId
  readonly title: string
  readonly path: string
  readonly protocols?: readonly Protocol[]
}

const ofBody: Written = {
  id: 'request-body-encoding-changed',
  title: 'the request body',
  path: '',
  protocols: whereTexts,
}

/**
 * Compares how the fields of a form or the parts of a multipart body are encoded. JSON-RPC always carries them as JSON.
 */
export function encodingFacts(
  pair: OperationPair,
  type: string,
  [old, was]: readonly [Cursor, Form],
  [fresh, is]: readonly [Cursor, Form],
  { id, title, path, protocols }: Written = ofBody,
): void {
  const isUndescribed = is.schema === undefined
  // The schema reports added and removed fields, if there is one.
  for (const name of was.names.filter((name) => isUndescribed || is.names.includes(name)).sort()) {
    const [a, b] = [was.carrierOf(name), is.carrierOf(name)]
    const [types, others] = [typesSaid(old, name), typesSaid(fresh, name)]
    const lost = isUndescribed ? levelOfLost(a) : undefined
    const isReported =
      isReportedBySchema(pair, was, is, name) || fieldOfOneItem(pair, was, is, name) !== undefined
    const carried = lost ?? (isReported ? undefined : levelOf(a, b, is.takesTexts(name)))
    const typed = levelOfTypes(types ?? usualTypes(a), others ?? usualTypes(b))
    const isTyped = types !== undefined || others !== undefined
    const level = carried ?? (isTyped ? typed : undefined)
    if (level === undefined) continue
    const [shown, other] = [[a, ...(types ?? [])].join(', '), [b, ...(others ?? [])].join(', ')]
    report(pair, {
      id,
      level,
      message: `the field ${name} of ${title} is written another way: ${shown} to ${other}`,
      ...{ old, new: fresh, path: path + childPointer('', name) },
      values: [type, shown, other],
      ...(protocols && { protocols }),
    })
  }
}

/**
 * Compares the encoding of multipart parts that have a position and no name (OpenAPI 3.2). A Duet service does not read
 * them: over each protocol the body is bytes.
 */
export function positionFacts(
  pair: OperationPair,
  old: Cursor,
  fresh: Cursor,
  { id, title, path }: Written,
): void {
  for (const key of ['prefixEncoding', 'itemEncoding']) {
    const [was, is] = [old, fresh].map(({ value }) => own(asObject(value), key) ?? null)
    if (was === undefined || is === undefined || fingerprint(was) === fingerprint(is)) continue
    const message = `parts of ${title} are written another way: ${key} differs`
    report(pair, { id, message, level: 'dangerous', old, new: fresh, path, values: [key, was, is] })
  }
}

/**
 * Whether both versions say how the fields of a form in a response are written. Before OpenAPI 3.2 an encoding only
 * applies to requests (3.1.1 section 4.8.14.1).
 */
export function isEncodedForm({ old, new: fresh }: OperationPair, { was, type }: MediaPair): boolean {
  const isOfForm = [was, type].every((one) => essenceOf(one) === 'application/x-www-form-urlencoded')
  return isOfForm && [old, fresh].every(({ document }) => String(document.root.openapi).startsWith('3.2'))
}

/** The level of a list that is no longer declared as one: its name may be sent only once. */
function levelOfLost(was: Carrier): Level | undefined {
  if (was === 'repeated') return 'breaking'
  return was.startsWith('joined') ? 'dangerous' : undefined
}

/** The level of a field's new carrier. Undefined if its schema reports the change. */
function levelOf(was: Carrier, is: Carrier, takesTexts: boolean): Level | undefined {
  if (was === is || (isFile(was) && isFile(is))) return undefined
  if (isFile(was) || isFile(is))
    return isOfTexts(was) || isOfTexts(is) || was === 'JSON' ? 'dangerous' : 'breaking'
  // A text that becomes a list or an object, or a list that becomes a text, is a change of type.
  if ((was === 'text' && is !== 'JSON') || (is === 'text' && isOfTexts(was))) return undefined
  return was === 'JSON' && takesTexts ? 'dangerous' : 'breaking'
}

function isFile(carrier: Carrier): boolean {
  return carrier === 'file' || carrier === 'repeated files'
}

function isOfTexts(carrier: Carrier): boolean {
  return carrier === 'text' || carrier === 'repeated' || carrier.startsWith('joined')
}

/**
 * Whether no value has the types of both versions. A schema without types accepts every value, which forms send as
 * text.
 */
function isReportedBySchema({ tools }: OperationPair, was: Form, is: Form, name: string): boolean {
  if ([was, is].every((form) => /^(text|file)$/.test(form.carrierOf(name)))) return false
  const [old, fresh] = [was, is].map((form) => {
    const schema = form.memberOf(tools.reach.graph.judgement, name) ?? true
    return saysNoType(form.side, schema) ? undefined : typesOfText(form.side, schema)
  })
  if (old === undefined || fresh === undefined) return false
  return !old.some((type) => type !== 'null' && fresh.includes(type))
}

/** The media types that a field's encoding names, except text and JSON, which are carriers. */
function typesSaid(media: Cursor, name: string): readonly string[] | undefined {
  const encoding = asObject(encodingOf({ cursor: media }, name)?.value)
  // `style` takes precedence over `contentType` (OpenAPI 3.1.1 section 4.8.15.1).
  if (['style', 'explode', 'allowReserved'].some((key) => own(encoding, key) !== undefined)) return undefined
  const types = text(encoding, 'contentType')?.split(',')
  return types
    ?.map((type) => type.trim().toLowerCase())
    .filter((type) => isRange(type) || (!isJson(type) && type !== 'text/plain'))
}

function usualTypes(carrier: Carrier): readonly string[] {
  return isFile(carrier) ? ['application/octet-stream'] : []
}

/** A Duet service does not read the media type of a part. Others may refuse one that is not listed. */
function levelOfTypes(olds: readonly string[], news: readonly string[]): Level | undefined {
  if (olds.some((type) => !covers(news, type))) return 'dangerous'
  return news.some((type) => !covers(olds, type)) ? 'compatible' : undefined
}

/** Whether a list has a media type or range, or a range around it. */
export function covers(types: readonly string[], type: string): boolean {
  return types.some((one) => takes(one, type))
}
