import { own } from '../../document/json.js'
import type { Operation } from '../../model/model.js'
import { type ChangeId, hasTrait } from '../change/catalogue.js'
import { wayOf } from '../change/place.js'
import { asObject, type Endpoint } from '../change/side.js'
import type { Subject } from '../change/subject.js'
import { listOf } from '../same/within.js'

interface Entry {
  readonly before: Endpoint
  readonly after: Endpoint
  readonly subject: Subject
}

/**
 * Whether a change only asks for or drops a member of the body that is the same param as a parameter: a path parameter
 * whose name the body repeats. Over JSON-RPC calls have the param once, as before. Over REST a Duet service takes the
 * parameter's value, but other services may read the body. The change is in the body's own schema, not in a branch.
 */
export function isSentElsewhere(
  { before, after, subject }: Entry,
  { id, path }: { readonly id: ChangeId; readonly path: string },
): boolean {
  const [was, is] = [before.modelled, after.modelled]
  const [name = '', ...deeper] = wayOf(path)
  const isOfBody = subject.direction === 'request' && subject.holder === 'body' && subject.path === ''
  if (!isOfBody || deeper.length > 0 || was === undefined || is === undefined) return false
  if (![was, is].every((one) => isRepeated(one, name))) return false
  if (hasTrait(id, 'property removed')) return own(asObject(own(is.params, 'properties')), name) !== undefined
  return presence.test(id) && listOf(asObject(was.params), 'required').includes(name)
}

/**
 * Whether each call has the value of a parameter that becomes required: it is the same param as a member of the body,
 * which was required.
 */
export function isSentInBody({ before, after }: Pick<Entry, 'before' | 'after'>, param: string): boolean {
  const [was, is] = [before.modelled, after.modelled]
  if (was === undefined || is === undefined) return false
  return (
    [was, is].every((one) => isRepeated(one, param)) &&
    listOf(asObject(was.params), 'required').includes(param)
  )
}

/** Whether a member of the body and a parameter are the same param. */
function isRepeated({ rest: { body, parameters } }: Operation, name: string): boolean {
  return (
    body?.kind === 'fields' &&
    !Object.hasOwn(body.rename ?? {}, name) &&
    parameters.some(({ param }) => param === name)
  )
}

const presence = /^(new-required-request-property|request-property-became-required)(-with-default)?$/
