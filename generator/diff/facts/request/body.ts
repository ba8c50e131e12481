import type { Protocol } from 'duet-runtime'
import { type Cursor, member, members } from '../../../document/cursor.js'
import type { Json, JsonObject } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import { carriesBytes, carriesText, mediaTypesOf } from '../../../model/content/content.js'
import type { Finding } from '../../change/collector.js'
import { whereJson, whereTexts } from '../../change/protocol.js'
import { asObject, type Endpoint, entriesOf, memberOf, type Side } from '../../change/side.js'
import { variantOf } from '../../change/subject.js'
import { harmless, isBad, type Judged, judge, worse } from '../../decide/judgement.js'
import { compareFiles } from '../parts/files.js'
import { isJson, isRange, mediaPairs, takes } from '../parts/media.js'
import { compareSchemas, type OperationPair, only, presence, report } from '../parts/pair.js'
import { isWrittenAsText, pieceFacts } from '../parts/pieces.js'
import { xmlFacts } from '../parts/xml.js'
import { areRead, isRefused, untypedChange } from './accepted.js'
import { encodingFacts, positionFacts } from './encoding.js'
import { Form, fieldTraits, isForm } from './form.js'
import { partFacts, partHeaderFacts } from './part-headers.js'

/** Compares the request's body: whether there is one, its media types, its schemas. */
export function bodyFacts(pair: OperationPair): void {
  const [was, is] = [bodyOf(pair.old, pair.before), bodyOf(pair.new, pair.after)]
  // A body without a media type is none where the other version's has one.
  const old = was?.isEmpty === true && is?.isEmpty === false ? undefined : was?.cursor
  const fresh = is?.isEmpty === true && was?.isEmpty === false ? undefined : is?.cursor
  if (old === undefined && fresh === undefined) return
  if (old === undefined || fresh === undefined) {
    existence(pair, old, fresh)
    return
  }
  if (isRequired(old) !== isRequired(fresh) && !(isOfFields(pair.old, old) && isOfFields(pair.new, fresh))) {
    const how = isRequired(fresh) ? 'required' : 'optional'
    // Over JSON-RPC a caller omits the fields of the body, or the param with the body, not the body itself.
    const isOfRest = how === 'required' && takesParams(pair)
    const protocols = isOfRest ? { protocols: whereTexts } : {}
    const message = `the request body became ${how}`
    report(pair, { id: `request-body-became-${how}`, message, old, new: fresh, ...protocols })
  }
  const news = entriesOf(pair.new, fresh, 'content')
  const { pairs, removed, added } = mediaPairs(entriesOf(pair.old, old, 'content'), news)
  const refuses = (type: string) => isRefused(pair.before, pair.after, type)
  for (const [type, cursor] of removed) gone(pair, type, cursor, news, readAsOthers(pair, type, cursor, news))
  for (const [type, cursor] of added) media(pair, 'added', type, { new: cursor })
  untyped(pair, fresh)
  for (const { was, type, a, b } of pairs) {
    if (!takes(type, was)) gone(pair, was, a, news)
    else if (refuses(was)) refused(pair, was, a, b)
    if (!takes(was, type)) media(pair, 'added', type, { new: b })
    const forms =
      isForm(was) && isForm(type)
        ? ([new Form(pair.old, pair.before, was, a), new Form(pair.new, pair.after, type, b)] as const)
        : undefined
    if (forms !== undefined) encodingFacts(pair, was, [a, forms[0]], [b, forms[1]])
    if (forms?.every(({ kind }) => kind === 'multipart'))
      partHeaderFacts(
        pair,
        forms[0].names.filter((name) => forms[1].names.includes(name)),
        a,
        b,
      )
    if (forms === undefined) partFacts(pair, { was, type, a, b }, { ...bytes, direction: 'request' })
    // All media types of the new version together define the params of JSON-RPC.
    const isTaken = news.size > 1 && takesParams(pair)
    const isOfJson = isJson(was) && isJson(type)
    const isNextToJson = !isJson(was) && !isJson(type) && pairs.some(({ type: one }) => isJson(one))
    const isOfRest = (isNextToJson && isTaken) || !areRead([pair.before, was], [pair.after, type])
    const isKnownToRpc = isOfJson && isTaken
    schemas(isOfRest ? only(pair, whereTexts) : pair, { was, type, forms, isKnownToRpc }, a, b)
  }
}

function bodyOf(side: Side, { operation }: Endpoint): { cursor: Cursor; isEmpty: boolean } | undefined {
  const cursor = memberOf(side, operation, 'requestBody')
  return cursor && { cursor, isEmpty: entriesOf(side, cursor, 'content').size === 0 }
}

/**
 * Reports a media type that the new document no longer names. Services other than Duet's may have read it even if a
 * Duet service did not. `others`: the levels of schemas that are not compared elsewhere.
 */
function gone(pair: OperationPair, type: string, old: Cursor, news: Entries, others = harmless): void {
  const isKept = isRefused(pair.before, pair.after, type) === false
  if (!isKept) media(pair, 'removed', type, { old })
  else if (!areRead([pair.before, type]))
    media(pair, 'removed', type, { old, level: 'dangerous' }, ', which a Duet service never read')
  else {
    const isNarrowed = isRange(type) && ![...news.keys()].some((other) => takes(other, type))
    const notes = [
      isNarrowed ? ', of which a Duet service only read JSON' : '',
      isBad(others) ? ', and other JSON of the request body has another schema' : '',
    ]
    const judged = worse(others, isNarrowed ? { level: 'dangerous', evidence: {} } : harmless)
    media(pair, 'removed', type, { old, ...judged }, notes.join(''))
  }
}

type Entries = ReadonlyMap<string, Cursor>

/** Judges bodies of a JSON type that is removed: a Duet service reads them like the JSON types that stay. */
function readAsOthers(pair: OperationPair, type: string, media: Cursor, news: Entries): Judged {
  const { before, after, old, new: fresh, tools } = pair
  const others = [...news].filter(([other]) => isJson(other))
  const [was, is] = [before.modelled, after.modelled]
  if (was === undefined || is === undefined || old.model === undefined || fresh.model === undefined)
    return harmless
  if (!isJson(type) || others.length === 0) return harmless
  const schema = member(media, 'schema')?.value ?? true
  const schemas = others.map(([, other]) => member(other, 'schema')?.value ?? true)
  if (schemas.some((other) => tools.reach.graph.sameness.of(schema, other))) return harmless
  const found = tools.reach.wholes.passes(
    'request',
    { model: old.model, operation: { ...was, params: asBody(schema) } },
    { model: fresh.model, operation: { ...is, params: asBody({ anyOf: schemas }) } },
  )
  return judge(
    found.verdict === 'not-contained'
      ? { ...found, witness: own(asObject(found.witness), 'body') ?? null }
      : found,
  )
}

function asBody(schema: Json): JsonObject {
  return { type: 'object', properties: { body: schema }, required: ['body'], additionalProperties: false }
}

/** Whether the new version accepts all params that JSON-RPC calls may have had. */
export function takesParams({ before, after, old, new: fresh, tools }: OperationPair): boolean {
  const [was, is] = [before.modelled, after.modelled]
  if (was === undefined || is === undefined || old.model === undefined || fresh.model === undefined)
    return false
  const { graph, wholes } = tools.reach
  if (!graph.judgement.isContained('request', was.params, is.params)) return false
  // Only the whole reads files as texts: next to them, other branches would accept anything.
  const sides = [
    { model: old.model, operation: was },
    { model: fresh.model, operation: is },
  ] as const
  return wholes.passes('request', ...sides).verdict === 'contained'
}

function existence(pair: OperationPair, old: Cursor | undefined, fresh: Cursor | undefined): void {
  if (fresh === undefined) {
    if (old !== undefined) removed(pair, old)
    return
  }
  const say = (how: 'required' | 'optional', protocols?: readonly Protocol[]): void => {
    const message = `a body was added and is ${how}`
    report(pair, { id: `request-body-added-${how}`, message, new: fresh, ...(protocols && { protocols }) })
  }
  if (!isRequired(fresh)) say('optional')
  else if (!takesParams(pair)) say('required')
  else {
    // JSON-RPC has the body's fields, and none is required.
    say('required', whereTexts)
    say('optional', whereJson)
  }
}

/** Reports the removal of a body. Callers lose nothing if it was always empty. */
function removed(pair: OperationPair, old: Cursor): void {
  const finding = { id: 'request-body-removed', message: 'the request body was removed', old } as const
  if (!takesParams(pair)) report(pair, finding)
  else if (isAlwaysEmpty(pair, old)) report(pair, { ...finding, level: 'compatible' })
  else {
    report(pair, { ...finding, protocols: whereTexts })
    report(pair, { ...finding, level: 'compatible', protocols: whereJson })
  }
}

/** Whether a body is an object without members, in JSON or in the text of a form: it counts as left out. */
function isAlwaysEmpty({ old: { document }, tools }: OperationPair, body: Cursor): boolean {
  const { judgement } = tools.reach.graph
  return mediaTypesOf(document, body).every(
    ({ kind, schema }) =>
      (kind === 'json' || kind === 'form') &&
      judgement.isContained('request', schema?.value ?? true, { type: 'object', maxProperties: 0 }),
  )
}

/**
 * Reports a media type that the document still names, but that is no longer read because one of another kind is.
 * Services other than Duet's may read both.
 */
function refused(pair: OperationPair, type: string, old: Cursor, fresh: Cursor): void {
  const { media = [{ type: 'application/json' }] } = pair.after.modelled?.rest.body ?? {}
  const others = media.map((one) => one.type).join(' or ')
  report(pair, {
    id: 'request-body-media-type-removed',
    level: 'dangerous',
    message: `a Duet service no longer reads the media type ${type} of the request body: only ${others}`,
    ...{ old, new: fresh, values: [type], protocols: whereTexts },
  })
}

/**
 * Reports bodies without a Content-Type, which documents do not describe: a Duet service reads them as the first of its
 * media types.
 */
function untyped(pair: OperationPair, fresh: Cursor): void {
  const values = untypedChange(pair.before, pair.after)
  if (values === undefined) return
  const [was, is] = values
  report(pair, {
    id: 'request-body-media-type-added',
    level: 'dangerous',
    message: `a body without a Content-Type is read as ${is}, no longer as ${was}`,
    ...{ new: fresh, values, protocols: whereTexts },
  })
}

function media(
  pair: OperationPair,
  how: 'added' | 'removed',
  type: string,
  ends: Pick<Finding, 'old' | 'new' | 'level' | 'evidence'>,
  note = '',
): void {
  const message = `the media type ${type} of the request body was ${how}${note}`
  report(pair, {
    ...ends,
    id: `request-body-media-type-${how}`,
    message,
    values: [type],
    protocols: whereTexts,
  })
}

interface Written {
  readonly was: string
  readonly type: string
  readonly forms: readonly [Form, Form] | undefined
  /** Whether JSON-RPC calls still work, whatever breaks in this media type. */
  readonly isKnownToRpc: boolean
}

function schemas(
  pair: OperationPair,
  { was, type, forms, isKnownToRpc }: Written,
  old: Cursor,
  fresh: Cursor,
): void {
  const [a, b] = forms?.map(({ schema }) => schema) ?? [member(old, 'schema'), member(fresh, 'schema')]
  const media = { was, type, a: old, b: fresh }
  const [isLoose, variant] = [isWrittenAsText(pair, media), variantOf(was)]
  // Over JSON-RPC a text is the same param as the body over REST.
  const isOfHttp = carriesText(pair.old.document, old, was) && carriesText(pair.new.document, fresh, type)
  const binding = pair.after.modelled?.rest.body
  const subject = {
    direction: 'request',
    holder: 'body',
    title: 'the request body',
    path: '',
    variant,
    isLoose,
    isOfHttp,
    ...(isKnownToRpc && { isKnownToRpc }),
    isEmptyAbsent: binding?.kind === 'fields' && !binding.required,
    ...(forms && { fields: fieldTraits(...forms) }),
  } as const
  pieceFacts(pair, subject, media)
  positionFacts(pair, old, fresh, bytes)
  xmlFacts(pair, media, { ...bytes, id: 'request-body-xml-changed' })
  if (carriesBytes(pair.old.document, old, was) && carriesBytes(pair.new.document, fresh, type)) {
    compareFiles(pair, subject, old, fresh)
    return
  }
  if (a !== undefined && b !== undefined) {
    compareSchemas(pair, subject, a, b)
    return
  }
  const judged = presence(pair, subject, a, b)
  if (judged === undefined) return
  const how = a === undefined ? 'added' : 'removed'
  const message = `the schema of the request body (${type}) was ${how}`
  report(pair, {
    ...judged,
    id: `request-body-media-type-schema-${how}`,
    message,
    old,
    new: fresh,
    values: [type],
  })
}

/** The parts of a multipart body that is bytes for a Duet service. */
const bytes = { id: 'request-body-encoding-changed', title: 'the request body', path: '' } as const

/**
 * Whether a body is the form parameters of Swagger 2.0, so that it is where its first field is. It is required if one of
 * them is, which their own changes say.
 */
function isOfFields({ document }: Side, body: Cursor): boolean {
  const [media] = mediaTypesOf(document, body)
  const [field] = members(media?.schema && member(media.schema, 'properties'))
  if (media?.kind !== 'form' && media?.kind !== 'multipart') return false
  const [at, first] = [body, field ?? body].map(({ pointer }) => JSON.stringify(document.locate(pointer)))
  return field !== undefined && at === first
}

function isRequired(body: Cursor): boolean {
  return own(asObject(body.value), 'required') === true
}
