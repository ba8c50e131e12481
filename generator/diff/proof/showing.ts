import type { Json } from '../../document/document.js'
import type { Operation } from '../../model/model.js'
import { type ChangeId, entryOf, hasTrait } from '../change/catalogue.js'
import type { Change } from '../change/change.js'
import { holding, lacking, type Met, placeAmong, type Way, wayOf } from '../change/place.js'
import { isOnly, whereTexts } from '../change/protocol.js'
import { asObject } from '../change/side.js'
import { takesUnnamed } from '../facts/request/params.js'
import { clashing, merging, withEmptyBody, withoutBody, withUndeclared } from './body-binding.js'
import { arrivalOf } from './calls/arrival.js'
import { claimOf } from './calls/attribution.js'
import { type Cause, causedAt, causedBy, causedByLoss, causedByRest, causedByTaker } from './calls/causes.js'
import type { Pair } from './calls/pair.js'
import type { Showing } from './calls/shown-by.js'
import { showingUndeclared } from './calls/undeclared.js'
import { noBase64, textForBytes } from './carrier.js'
import { withEmptyValue } from './empty-values.js'
import { ofMedia } from './media-type.js'
import { moved } from './moved.js'
import { asQueryName, unreadNames, withFullBody, withOtherName } from './query-names.js'

/**
 * How to show a change. Undefined if nothing that is sent can show it. A reason if no version has what would show it.
 * `rivals`: other changes in the operation.
 */
export function showingOf(
  change: Change,
  pair: Pair,
  rivals: readonly Met[] = [],
): Showing | string | undefined {
  const isOfForm = change.id === 'request-body-reading-changed'
  const hasBareCommas = isOfForm || change.id === 'request-parameter-reading-changed'
  const isOfMedia = isOfForm || change.id === 'request-body-media-type-removed'
  const sent = { ...pair, hasBareCommas, ...(isOfMedia && { before: ofMedia(pair, change) }) }
  const showing =
    aboutCalls(change, pair, rivals) ??
    (change.direction === null ? undefined : aboutValues(change, sent, rivals))
  return typeof showing === 'object' && showing.way.length > 0 ? arriving(change, showing) : showing
}

/** Adds values that arrive as different ones, in case the schemas' own values show nothing. */
function arriving(change: Change, showing: Showing): Showing {
  const { pair, way, conditions } = showing
  const arrival = arrivalOf(change, way, pair.after)
  if (arrival === undefined) return showing
  const isOfText = isOnly(change.protocols, whereTexts) && !isAboutAbsence(change.id)
  const texts = isOfText ? divided.map((value) => holding(way, value)) : []
  return { ...showing, arrival, conditions: [...conditions, ...texts] }
}

/** How whole calls show a change, whatever their values. Undefined for changes of values. */
function aboutCalls(change: Change, pair: Pair, rivals: readonly Met[]): Showing | undefined {
  const { id } = change
  const anyCall = { way: [], conditions: [true], isAnyCall: true }
  const lost = [404, 405, methodNotFound, unknownTool]
  if (id === 'endpoint-path-changed') return moved(pair, lost, rivals)
  if (hasTrait(id, 'move') || hasTrait(id, 'removal')) return { pair, ...anyCall, cause: causedByLoss(lost) }
  if (id === 'server-path-changed')
    return { pair: { ...pair, keeps: 'base path' }, ...anyCall, cause: causedByLoss([404, 405]) }
  if (id === 'rpc-path-changed')
    return { pair: { ...pair, keeps: 'path of JSON-RPC' }, ...anyCall, cause: causedByRest }
  if (hasTrait(id, 'credentials')) {
    const before = withAlternative(pair.before, change)
    const secured: Pair = { ...pair, before, credentials: 'old' }
    return { pair: secured, ...anyCall, cause: causedBy([401, 403]), remark: unseenScopes }
  }
  const scheme = schemeOf(change)
  if (scheme !== undefined) {
    const before = withScheme(pair.before, scheme)
    return { pair: { ...pair, before, credentials: 'old' }, ...anyCall, cause: causedBy([401, 403]) }
  }
  // With a witness, the type is read like another one, whose schema refuses the body.
  if (id === 'request-body-media-type-removed' && change.evidence?.witness === undefined) {
    const written = { ...pair, before: ofMedia(pair, change) }
    return { pair: written, ...anyCall, conditions: [withBody(pair.before), true], cause: causedBy([415]) }
  }
  if (id === 'request-parameter-empty-value-refused') return withEmptyValue(change, pair)
  if (id === 'request-body-member-clash') return clashing(change, pair)
  if (id === 'request-params-clash') return merging(change, pair)
  if (id === 'request-query-names-refused') return withUndeclared(pair)
  if (id === 'request-body-empty-value-refused') return withEmptyBody(pair)
  const undeclared = showingUndeclared(change, pair)
  if (undeclared !== undefined) return undeclared
  if (id === 'response-media-type-removed') return textForBytes(change, pair)
  if (id === 'endpoint-shadowed') return shadowed(change, pair)
  if (id === 'request-body-encoding-changed') {
    const written = { ...pair, before: ofMedia(pair, change) }
    const way = placeAmong(change, pair.before)
    const conditions = [holding(way, several), holding(way, true)]
    return { pair: written, way, conditions, cause: causedAt(way) }
  }
  return undefined
}

function aboutValues(change: Change, pair: Pair, rivals: readonly Met[]): Showing | string | undefined {
  const { id, direction } = change
  const { holder, action } = entryOf(id)
  if (change.evidence?.isOfChild === true) return ofChild
  const isDecided = change.evidence?.witness !== undefined || change.evidence?.reason !== undefined
  if (holder === 'header')
    return isDecided ? 'no generated validator reads the headers of a response' : undefined
  const way = isRenamed(id) ? wayOf(change.evidence?.at ?? '') : placeAmong(change, pair.before)
  if (holder === 'body' && isOfPiece(change, pair.before, way)) return ofPiece
  // A removed value is refused at its own path. A body that becomes several params, or one, may be so at any of them.
  const asField = withFullBody(change, pair, way, rivals)
  const isNamed = isDecided || direction === 'response' || !isLoss(change) || asField.length > 0
  const needsBody = id === 'request-body-became-required' || id === 'request-body-added-required'
  // Without a body all of its fields are missing, and each may be the one that a violation names.
  const met = needsBody ? rivals.filter((rival) => entryOf(rival.id).holder === 'parameter') : rivals
  const claims = met.flatMap((rival) => claimOf(rival, placeAmong(rival, pair.before)) ?? [])
  const refused = causedAt(hasTrait(id, 'body form') ? [] : way, isNamed, claimOf(change, way), claims)
  const apart = losesName.has(id) ? asQueryName(pair.before, way) : undefined
  const refusedApart = apart
    ? causedAt(apart, isNamed, claimOf(change, apart), claims)
    : unreadNames(change, pair, way)
  // The new version may have the whole body as one param.
  const within = causedAt(placeAmong(change, pair.after), isNamed, claimOf(change, way), claims)
  const unchecked = uncheckedHeader(change, pair.before, way)
  const cause: Cause = (refusal) =>
    refused(refusal) ?? refusedApart?.(refusal) ?? within(refusal) ?? unchecked?.(refusal)
  const whole = pair.before.rest.body?.param ?? 'body'
  const isLost = id === 'rpc-body-taken-apart' && takesUnnamed(pair.after.params, whole)
  const lost = `the new version takes ${whole} for a field of that name, and what it holds does not arrive as the body`
  const remarkOfWitness = change.evidence?.witness === undefined ? undefined : untold
  const remark = isLost ? lost : hasTrait(id, 'other value') ? unseen : remarkOfWitness
  const found = { pair, way, cause, ...(remark !== undefined && { remark }) }
  if (needsBody) return { ...found, conditions: [withoutBody(pair.before)] }
  // A default that is filled in may be refused anywhere in the object.
  if (hasTrait(id, 'filled in') && change.evidence?.reason !== undefined) {
    const around = way.slice(0, -1)
    const conditions = [lacking(way), { allOf: [lacking(way), holding(around, { minProperties: 1 })] }]
    return { ...found, conditions, cause: causedAt(around) }
  }
  if (id === 'rpc-param-name-changed') {
    // An open body accepts both names. Old calls lack the new one.
    const fresh = wayOf(change.path)
    const missing = causedAt(fresh, isNamed, undefined, claims)
    const conditions = [{ allOf: [holding(way, true), lacking(fresh)] }, holding(way, true)]
    return { ...found, conditions, cause: (refusal) => cause(refusal) ?? missing(refusal) }
  }
  if (!isDecided && (isAboutAbsence(id) || action === 'default-value-changed'))
    // The old tool gives a value to a param that it fixes, so its params have one.
    return { ...found, conditions: id === 'tool-param-required' ? [lacking(way), true] : [lacking(way)] }
  const isOfContent = action === 'content-media-type-changed' || action === 'content-encoding-changed'
  if (!isDecided && isOfContent && direction === 'request')
    return { ...found, conditions: [holding(way, noBase64), holding(way, { type: 'string', minLength: 4 })] }
  if (hasTrait(id, 'other value') || hasTrait(id, 'body form'))
    return { ...found, conditions: [holding(way, several), holding(way, true)] }
  if (isDecided || isLoss(change) || id === 'request-body-media-type-schema-added') {
    const exact = paramsOf(change, pair.before)
    const others = withOtherName(change, pair, way)
    const conditions = [...conditionsOf(change, way, pair.before), ...others, ...asField]
    return { ...found, conditions, ...(exact !== undefined && { exact }) }
  }
  return undefined
}

/** The params that are refused once a default is filled in, or no longer is. */
function paramsOf({ id, evidence }: Change, { rest: { body } }: Operation): Json | undefined {
  const { witness, at } = evidence ?? {}
  if (witness === undefined || at !== '' || !hasTrait(id, 'filled in')) return undefined
  const isWhole = entryOf(id).holder === 'body' && body?.kind === 'param'
  return isWhole ? { [body.param ?? 'body']: witness } : witness
}

/** Shows a call to the concrete path of another operation in the new version, which took it from the template. */
function shadowed({ new: place }: Change, pair: Pair): Showing | undefined {
  const taker = pair.new.model.operations.find(({ source }) => source.pointer === place?.pointer)
  if (taker === undefined) return undefined
  const { path, parameters } = pair.before.rest
  const concrete = (pair.new.model.basePath + taker.rest.path).split('/')
  const found = (pair.old.model.basePath + path).split('/').flatMap((part, index) => {
    const [, name] = /^\{([^{}]+)\}$/.exec(part) ?? []
    const text = concrete[index] ?? ''
    const binding = parameters.find((one) => one.in === 'path' && one.name === name)
    if (binding === undefined || text.includes('{')) return []
    const values: readonly Json[] = text === '' || Number.isNaN(Number(text)) ? [text] : [text, Number(text)]
    return holding([binding.param], { enum: values })
  })
  const { method } = taker.rest
  const written = { ...pair, before: { ...pair.before, rest: { ...pair.before.rest, method } } }
  return { pair: written, way: [], conditions: [{ allOf: found }], cause: causedByTaker(taker.name) }
}

/**
 * The same showing if a surrounding schema decided the level: any refusal within that schema then counts. If a rival
 * change is within it too, only the change's own path counts. Undefined if the change was decided by its own schema.
 */
export function showingAround(change: Change, showing: Showing, rivals: readonly Met[]): Showing | undefined {
  const at = change.evidence?.at
  if (at === undefined || change.evidence?.witness === undefined) return undefined
  const { way } = showing
  const { before } = showing.pair
  const around = placeAmong(change, before, at)
  const isWithin = (rival: Met): boolean =>
    around.every((name, index) => placeAmong(rival, before)[index] === name)
  return {
    ...showing,
    cause: causedAt(around, true, claimOf(change, way)),
    ...(rivals.some(isWithin) && { isAlone: true }),
  }
}

const losesName: ReadonlySet<ChangeId> = new Set([
  'request-parameter-property-removed',
  'request-parameter-reading-changed',
])

const unseenScopes = 'which scopes a credential was granted no call shows'
const untold = 'the schemas differ, but no request or response was found that shows it'
const ofChild =
  'validators check the base alone, whatever child its discriminator names, so no request or response shows the change'
const ofPiece =
  'a Duet service takes the body as one text and checks no piece of it. Another service may, and its callers see the change'
const unseen = 'what is sent as before does not arrive as the value that it was'

/** Values that show how lists and objects are written. */
const several: Json = { minItems: 2, minProperties: 1 }

/** The values that a text is split into, and those that it is as a whole. */
const divided: readonly Json[] = [
  { type: 'array', minItems: 2 },
  { type: 'object', minProperties: 1 },
  { type: ['string', 'number', 'boolean'], minLength: 1 },
]

/** JSON-RPC 2.0 section 5.1. */
const methodNotFound = -32601
/** MCP 2026-07-28, Tools: error handling. */
const unknownTool = -32602

function conditionsOf(change: Change, way: Way, before: Operation): readonly Json[] {
  const { witness, at } = change.evidence ?? {}
  const place = at === undefined ? way : placeAmong(change, before, at)
  const exact = witness === undefined ? [] : [holding(place, { const: witness })]
  // A list with nothing else may have no text of its own.
  if (witness === null && place.at(-1) === '-')
    exact.push(holding([...place.slice(0, -1), '1'], { const: null }))
  const absent = isAboutAbsence(change.id) ? [lacking(way)] : []
  return [...absent, ...exact, holding(way, true)]
}

/** Whether a change is in a piece of a body that the service reads as one text. */
function isOfPiece({ direction, old, new: fresh }: Change, { rest: { body } }: Operation, way: Way): boolean {
  if (direction !== 'request' || body?.kind !== 'param') return false
  const isText = body.media?.every(({ kind }) => kind === 'text') === true
  return isText && (way.length > 1 || /\/itemSchema(\/|$)/.test((old ?? fresh)?.pointer ?? ''))
}

/** Whether the new version no longer knows what was sent. */
function isLoss({ id, direction }: Change): boolean {
  return hasTrait(id, 'loss') && (direction === 'request' || entryOf(id).action === undefined)
}

/** A refusal of a precondition that no parameter declares any more: the service cannot check it (RFC 9110 section 13.1). */
function uncheckedHeader(change: Change, { rest }: Operation, [param]: Way): Cause | undefined {
  const header = rest.parameters.find((one) => one.in === 'header' && one.param === param)?.name
  if (header === undefined || !/^if-(none-)?match$/i.test(header) || !isLoss(change)) return undefined
  const refused = causedBy([412])
  const names = new RegExp(`: ${header} `, 'i')
  return (refusal) => (names.test(refusal.title ?? '') ? refused(refusal) : undefined)
}

/** Whether a change says where the value was. */
function isRenamed(id: ChangeId): boolean {
  return id === 'rpc-param-name-changed' || id === 'request-parameter-renamed'
}

/** Whether a change shows as a missing value. */
function isAboutAbsence(id: ChangeId): boolean {
  return hasTrait(id, 'absence') || entryOf(id).refusedBy.includes('required')
}

/** The runtime may read an empty text as a missing body, and an object without fields counts as missing. */
function withBody({ params, rest: { body, parameters } }: Operation): Json {
  if (body?.kind === 'param') return holding([body.param ?? 'body'], { minLength: 1 })
  const others = new Set(parameters.map(({ param }) => param))
  const fields = Object.keys(asObject(asObject(params).properties)).filter((name) => !others.has(name))
  return fields.length === 0 || body === undefined
    ? true
    : { anyOf: fields.slice(0, 10).map((name) => holding([name], { not: { const: null } })) }
}

/** The operation for a caller with the credentials that a change removes. */
function withAlternative(operation: Operation, { old }: Change): Operation {
  const [, index] = /\/security\/(\d+)$/.exec(old?.pointer ?? '') ?? []
  const alternative = index === undefined ? undefined : operation.security[Number(index)]
  return alternative === undefined ? operation : { ...operation, security: [alternative] }
}

/** The security scheme whose credentials a change replaces. */
export function schemeOf({ id, old }: Pick<Change, 'id' | 'old'>): string | undefined {
  return hasTrait(id, 'scheme') ? wayOf(old?.pointer ?? '').at(-1) : undefined
}

/** The operation for a caller with the credentials of a scheme. */
function withScheme(operation: Operation, scheme: string): Operation {
  const alternative = operation.security.find((one) => Object.hasOwn(one, scheme))
  return alternative === undefined ? operation : { ...operation, security: [alternative] }
}
