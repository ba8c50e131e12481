import { type Cursor, childPointer } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import { fingerprint } from '../../../schema/canonical.js'
import { whereJson, whereTexts } from '../../change/protocol.js'
import { asObject, type Endpoint, type Side } from '../../change/side.js'
import { namesOf } from '../../same/within.js'
import { compareSchemas, type OperationPair, only, report } from '../parts/pair.js'
import { bodyFacts, takesParams } from './body.js'
import { bodyBindingFacts } from './body-binding.js'
import { parametersOf } from './parameter.js'
import { parameterFacts } from './parameters.js'

/**
 * Compares what a call accepts. Over JSON-RPC that is one object of params, whichever part REST has in the body. If a
 * param moves between body and parameters, each protocol is compared separately.
 */
export function requestFacts(pair: OperationPair): void {
  const { before, after } = pair
  const isCalled = before.rpc !== false && after.rpc !== false
  const isApart = isCalled && (movesToOrFromBody(pair) || (isBoundOtherwise(pair) && takesParams(pair)))
  const ofRest = isApart ? only(pair, whereTexts) : pair
  parameterFacts(ofRest, isBodyTakenApart(pair))
  bodyFacts(ofRest)
  bodyBindingFacts(ofRest)
  const hasFields = [before, after].every(({ modelled }) => modelled?.rest.body?.kind === 'fields')
  if (!isApart || hasFields) bodyNames(pair)
  if (!isApart) return
  const [a, b] = [paramsOf(before), paramsOf(after)]
  if (a === undefined || b === undefined) return
  const subject = { direction: 'request', holder: 'body', title: 'the params', path: '' } as const
  compareSchemas(only(pair, whereJson), subject, a, b)
}

/** Whether the fields of a body that was one param are params now, as when the only other parameter is removed. */
function isBodyTakenApart({ before, after }: OperationPair): boolean {
  return before.modelled?.rest.body?.kind === 'param' && after.modelled?.rest.body?.kind === 'fields'
}

/** The params of a JSON-RPC call, as if the operation contained them. */
function paramsOf({ operation, modelled }: Endpoint): Cursor | undefined {
  return modelled && { value: modelled.params, pointer: childPointer(operation.pointer, 'params') }
}

function movesToOrFromBody(pair: OperationPair): boolean {
  const [olds, news] = [placesOf(pair.old, pair.before), placesOf(pair.new, pair.after)]
  return [...olds].some(([param, inBody]) => news.has(param) && news.get(param) !== inBody)
}

/** Whether params keep their names, but the body binds them differently. */
function isBoundOtherwise({ before, after }: OperationPair): boolean {
  const [old, fresh] = [before, after].map(({ modelled }) => modelled?.rest.body)
  if (old === undefined || fresh === undefined) return false
  const [names, others] = [before, after].map(({ modelled }) =>
    namesOf(own(modelled?.params ?? {}, 'properties'), {}),
  )
  if (!names?.every((name) => others?.includes(name))) return false
  return old.kind !== fresh.kind || fingerprint(old.rename ?? {}) !== fingerprint(fresh.rename ?? {})
}

/** The names of all params, and whether the body carries them. */
function placesOf(side: Side, endpoint: Endpoint): Map<string, boolean> {
  const names = [...parametersOf(side, endpoint).values()].map(({ param }) => param)
  const all = Object.keys(asObject(own(endpoint.modelled?.params ?? {}, 'properties')))
  return new Map([
    ...all.map((name) => [name, true] as const),
    ...names.map((name) => [name, false] as const),
  ])
}

/** Compares the param names of the body's fields, or of the whole body. */
function bodyNames(pair: OperationPair): void {
  const [old, fresh] = [pair.before, pair.after].map(({ modelled }) => modelled?.rest.body)
  if (old === undefined || fresh === undefined) return
  const ends = { old: pair.before.operation, new: pair.after.operation, protocols: whereJson }
  if (old.kind !== fresh.kind) {
    const whole = fresh.kind === 'param'
    const name = (whole ? fresh.param : old.param) ?? 'body'
    const isLost = takesUnnamed(pair.after.modelled?.params ?? {}, name)
    const lost = isLost ? `, and what is still sent as ${name} is taken for a field of that name` : ''
    const message = whole
      ? `the whole request body is now the param ${name}: its fields are no longer params`
      : `each field of the request body is now a param: the param ${name} was removed${lost}`
    report(pair, { ...ends, id: `rpc-body-${whole ? 'kept-whole' : 'taken-apart'}`, message, values: [name] })
    return
  }
  const names = old.kind === 'param' ? [[old.param ?? 'body', fresh.param ?? 'body'] as const] : renamed(pair)
  for (const [was, is] of names) {
    if (was === is) continue
    const message = `the param ${was} is now called ${is}`
    report(pair, {
      ...{ ...ends, id: 'rpc-param-name-changed', message, path: `/${is}`, values: [was, is] },
      evidence: { at: childPointer('', was) },
    })
  }
}

/** Whether params accept a member that they do not name. */
export function takesUnnamed(params: Json, name: string): boolean {
  const { properties, additionalProperties, unevaluatedProperties } = asObject(params)
  const isOpen = additionalProperties !== false && unevaluatedProperties !== false
  return isOpen && !Object.hasOwn(asObject(properties), name)
}

/** The old and new param names of body fields that have the same name in requests. */
function renamed(pair: OperationPair): (readonly [string, string])[] {
  const { described } = pair.tools.reach.graph
  const fieldsOf = (which: 'old' | 'new', endpoint: Endpoint): Map<string, string> => {
    const { modelled } = endpoint
    const wire = new Map(
      Object.entries(modelled?.rest.body?.rename ?? {}).map(([name, param]) => [param, name]),
    )
    const params = [...described[which].of(modelled?.params ?? {})]
    const others = new Set([...parametersOf(pair[which], endpoint).values()].map(({ param }) => param))
    return new Map(
      params.filter((param) => !others.has(param)).map((param) => [wire.get(param) ?? param, param]),
    )
  }
  const [olds, news] = [fieldsOf('old', pair.before), fieldsOf('new', pair.after)]
  return [...olds].flatMap(([name, was]) => {
    const is = news.get(name)
    return is === undefined ? [] : [[was, is] as const]
  })
}
