import { essenceOf } from '../../../document/media-type.js'
import type { Operation } from '../../../model/model.js'
import { typesWithin } from '../../../samples/media-types.js'
import { hasTrait } from '../../change/catalogue.js'
import type { Change } from '../../change/change.js'
import { wayOf } from '../../change/place.js'
import { isOnly, whereStatuses } from '../../change/protocol.js'
import { takes } from '../../facts/parts/media.js'
import type { Undeclared } from './exchange.js'
import type { Pair } from './pair.js'
import type { Showing } from './shown-by.js'

/**
 * How to show a response of the new version that the old document does not declare. Undefined if the old document
 * declares the status, media types and headers of all new responses that the change is about.
 */
export function showingUndeclared(change: Change, pair: Pair): Showing | undefined {
  if (!isOnly(change.protocols, whereStatuses)) return undefined
  const undeclared = undeclaredBy(change, pair)
  const conditions = [{ type: 'string', minLength: 1 }, { not: { type: 'string' } }, true]
  const type = hasTrait(change.id, 'media type') ? undeclaredType(pair) : undefined
  return (
    undeclared && {
      ...{ pair, way: [], conditions, cause: () => undefined, undeclared },
      ...(type !== undefined && { type }),
    }
  )
}

/** A media type of the new version's files that the old document does not declare. */
function undeclaredType({ before, after: { rest } }: Pair): string | undefined {
  const known = typesOf(before)
  const files = (rest.answers ?? []).filter(({ kind }) => kind === 'binary')
  const sent = files.flatMap(({ type }) => typesWithin(type))
  return sent.find((type) => !known.some((one) => takes(one, type)))
}

function undeclaredBy({ id, old, path }: Change, { before, after }: Pair): Undeclared | undefined {
  if (id === 'response-success-status-removed') {
    const known = statusesOf(before)
    if (known.includes(after.rest.status)) return undefined
    return ({ status }) => (known.includes(status) ? undefined : `the status ${status} is not declared`)
  }
  const way = wayOf(old?.pointer ?? '')
  const [, , , , status = ''] = way
  const isOfAnswer = new RegExp(`^${status.replaceAll(/x/gi, '\\d')}$`).test(String(after.rest.status))
  if (!isOfAnswer) return undefined
  if (hasTrait(id, 'media type')) {
    // A service writes JSON under a range without a schema, while the document allows every type in the range.
    const ranges = way.slice(-1).filter((name) => name.endsWith('/*'))
    const known = [...typesOf(before), ...ranges]
    if (typesOf(after).every((type) => known.some((one) => takes(one, type)))) return undefined
    return ({ headers: { 'content-type': type } }) =>
      type === undefined || known.some((one) => takes(one, type))
        ? undefined
        : `the media type ${essenceOf(type)} is not declared`
  }
  if (id !== 'required-response-header-removed' && id !== 'response-header-became-optional') return undefined
  const name = wayOf(path).at(-1) ?? ''
  return ({ headers }) =>
    Object.hasOwn(headers, name.toLowerCase()) ? undefined : `the header ${name} is missing`
}

function statusesOf({ rest: { status, statuses = [], emptyStatus = status } }: Operation): readonly number[] {
  return [status, emptyStatus, ...statuses]
}

function typesOf({
  rest: { answers, jsonType = 'application/json', jsonTypes },
}: Operation): readonly string[] {
  return answers?.map(({ type }) => type) ?? jsonTypes ?? [jsonType]
}
