import { childPointer, member } from '../../../document/cursor.js'
import type { JsonObject } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import { escaped } from '../../../document/pointer.js'
import { among, whereTexts } from '../../change/protocol.js'
import { asObject, entriesOf, memberOf } from '../../change/side.js'
import { isBad, judge } from '../../decide/judgement.js'
import { isJson, type MediaPair, mediaPairs } from '../parts/media.js'
import { type OperationPair, report, reportedIn } from '../parts/pair.js'
import { ExplodedObject } from './exploded.js'
import { type Parameter, parametersOf } from './parameter.js'
import { matched, pathOf, titleOf } from './parameters.js'

/**
 * Reports REST requests that break because the fields of a body become params next to the parameters, or because the
 * whole body becomes one param.
 */
export function bodyBindingFacts(pair: OperationPair): void {
  const [old, fresh] = [pair.before, pair.after].map(({ modelled }) => modelled?.rest.body?.kind)
  if (old === 'param' && fresh === 'fields') {
    clashes(pair)
    // The query has the body of a GET, whose texts are compared.
    if (pair.before.modelled?.rest.method !== 'GET') onlyObjects(pair)
  }
  if (old === 'fields' && fresh === 'param') {
    refusedNames(pair)
    emptyBody(pair)
  }
}

/** A body that is taken apart must be an object, although a schema without a type accepts other values, too. */
function onlyObjects(pair: OperationPair): void {
  const { judgement } = pair.tools.reach.graph
  for (const { was, a, b } of bodyPairs(pair)) {
    const [old, fresh] = [member(a, 'schema'), member(b, 'schema')]
    if (!isJson(was)) continue
    const other = judgement.passes(
      'request',
      { allOf: [old?.value ?? true, { not: { type: 'object' } }] },
      false,
    )
    // The comparison of the schemas reports what the new schema refuses.
    if (other.verdict !== 'not-contained') continue
    if (!judgement.isContained('request', { const: other.witness }, fresh?.value ?? true)) continue
    report(pair, {
      id: 'request-body-type-changed',
      message: 'the request body must be an object: its fields are params now',
      evidence: { witness: other.witness, at: '' },
      ...{ old: old ?? a, new: fresh ?? b, values: ['any', 'object'], protocols: whereTexts },
    })
    return
  }
}

function bodyPairs({ old, new: fresh, before, after }: OperationPair): readonly MediaPair[] {
  const [was, is] = [
    memberOf(old, before.operation, 'requestBody'),
    memberOf(fresh, after.operation, 'requestBody'),
  ]
  return mediaPairs(entriesOf(old, was, 'content'), entriesOf(fresh, is, 'content')).pairs
}

/** A field with the name of a parameter becomes the same param, and the two values rarely agree. */
function clashes(pair: OperationPair): void {
  const body = memberOf(pair.old, pair.before.operation, 'requestBody')
  const schemas = [...entriesOf(pair.old, body, 'content').values()].flatMap(
    (media) => member(media, 'schema') ?? [],
  )
  const objects = schemas.map(({ value }) => new ExplodedObject(pair.old, value))
  const renamed = pair.after.modelled?.rest.body?.rename ?? {}
  const { judgement } = pair.tools.reach.graph
  for (const { param, in: place, cursor } of parametersOf(pair.new, pair.after).values()) {
    if (Object.hasOwn(renamed, param)) continue
    const judged = objects
      .flatMap((object) => object.member(judgement, param) ?? [])
      .map((sent) => judge(judgement.passes('request', sent, { not: {} })))
      .find(isBad)
    if (judged === undefined) continue
    report(pair, {
      id: 'request-body-member-clash',
      message: `the member ${param} of the request body is now the same param as the ${place} parameter`,
      level: judged.level,
      path: `/${escaped(param)}`,
      ...{ old: body, new: cursor, values: [param], protocols: whereTexts },
    })
  }
}

/**
 * Reports names of params that two parts of a request share in one version only. This runs after all schema changes are
 * known, to report a break only once.
 */
export function sharedNameFacts(pairs: readonly OperationPair[]): void {
  for (const pair of pairs) {
    mergedParameters(pair)
    refusedMembers(pair)
  }
}

/**
 * Members of a body that REST refuses because they have the name of a header or a cookie: a body may have that name
 * only while its schema names it, too.
 */
function refusedMembers(pair: OperationPair): void {
  const { before, after } = pair
  const [was, is] = [before, after].map(({ modelled }) => modelled?.rest.body)
  if (was?.kind !== 'fields' || is?.kind !== 'fields') return
  const body = memberOf(pair.old, before.operation, 'requestBody')
  for (const { name, param, in: place, cursor } of parametersOf(pair.new, after).values()) {
    const isField = place === 'header' || place === 'cookie'
    const isAlone = isField && is.shared?.includes(param) !== true
    if (!isAlone || !hasMember(pair, param) || Object.hasOwn(is.rename ?? {}, param)) continue
    const path = childPointer('', param)
    const isReported = reportedIn(pair).some(
      (change) =>
        change.level === 'breaking' &&
        change.direction === 'request' &&
        change.path === path &&
        among(change.protocols, whereTexts),
    )
    if (isReported) continue
    report(pair, {
      id: 'request-body-member-clash',
      message: `the member ${param} of the body is refused: it is the ${place} parameter ${name} alone`,
      ...{ old: body, new: cursor, path, values: [param], protocols: whereTexts },
    })
  }
}

/** Two parameters that are one param now, because they say the same: a call with two values is refused. */
function mergedParameters(pair: OperationPair): void {
  const { kept, moves } = matched(pair)
  const known = new Map<string, readonly [old: Parameter, fresh: Parameter]>()
  for (const [old, fresh] of [...kept, ...moves]) {
    const other = known.get(fresh.param)
    known.set(fresh.param, [old, fresh])
    if (other === undefined || other[0].param === old.param) continue
    report(pair, {
      id: 'request-params-clash',
      message: `${titleOf(other[1])} and ${titleOf(fresh)} are one param now, and must have the same value`,
      evidence: { reason: 'it is not decided whether a call has two values' },
      ...{ old: old.cursor, new: fresh.cursor, path: pathOf(fresh) },
      values: [other[0].param, old.param],
      protocols: whereTexts,
    })
  }
}

/** Whether the old version reads a member of the body under this name. */
function hasMember({ old, before }: OperationPair, name: string): boolean {
  const { params = {}, rest } = before.modelled ?? {}
  const { shared = [], rename = {} } = rest?.body ?? {}
  if (shared.includes(name) || Object.hasOwn(rename, name)) return true
  const isRenamed = Object.values(rename).includes(name)
  const others = [...parametersOf(old, before).values()].some(({ param }) => param === name)
  return Object.hasOwn(asObject(own(params, 'properties')), name) && !isRenamed && !others
}

/** An open body accepts undeclared query names as fields. Only Duet does so, and few callers rely on it. */
function refusedNames(pair: OperationPair): void {
  const [was, is] = [pair.before, pair.after].map(({ modelled }) => modelled)
  const isOpen = own(asObject(was?.params), 'additionalProperties') !== false
  const isTaken = [was, is].some((one) => one?.rest.parameters.some(({ open }) => open === true))
  if (!isOpen || isTaken) return
  report(pair, {
    id: 'request-query-names-refused',
    message: 'query names that no parameter declares, taken as fields of the body so far, are refused',
    ...{ old: pair.before.operation, new: pair.after.operation, protocols: whereTexts },
  })
}

/**
 * While the fields of an optional body are params, a Duet service cannot tell an empty object from no body. A body that
 * is one param is what its schema says.
 */
function emptyBody(pair: OperationPair): void {
  if (pair.before.modelled?.rest.body?.required === true) return
  const { judgement } = pair.tools.reach.graph
  for (const { was, type, a, b } of bodyPairs(pair)) {
    const [one, other] = [member(a, 'schema'), member(b, 'schema')]
    if (!isJson(was) || !isJson(type) || one === undefined || other === undefined) continue
    // The comparison of the schemas judges what the old schema accepts.
    if (judgement.isContained('request back', empty, one.value)) continue
    const judged = judge(judgement.passes('request', empty, other.value))
    if (!isBad(judged)) continue
    report(pair, {
      id: 'request-body-empty-value-refused',
      message: 'an empty object, which counted as no body, is now refused as a body',
      ...judged,
      ...{ old: one, new: other, values: [was], protocols: whereTexts },
    })
  }
}

const empty: JsonObject = { const: {} }
