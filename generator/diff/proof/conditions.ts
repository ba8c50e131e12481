import type { Json, JsonObject } from '../../load/document.js'
import { objectOf } from '../../model/cursor.js'
import type { Operation } from '../../model/model.js'
import type { Change } from '../change.js'
import { holding, lacking, type Way, wayOf } from './place.js'

/** Where a change stands among the params or in the result of its operation. */
export function placeAmong({ id, path, direction }: Change, { rest }: Operation): Way {
  const way = wayOf(path)
  const [first, ...others] = way
  if (direction !== 'request') return way
  if (/request-(path-)?parameter|request-header/.test(id)) {
    const binding = rest.parameters.find(({ name }) => name.toLowerCase() === first?.toLowerCase())
    return binding === undefined ? way : [binding.param, ...others]
  }
  const { body } = rest
  if (body?.kind === 'param') return [body.param ?? 'body', ...way]
  if (first === undefined) return way
  const param = body?.rename !== undefined && Object.hasOwn(body.rename, first) ? body.rename[first] : first
  return [param ?? first, ...others]
}

/** What to look for in a whole that shows a change, the likeliest first. */
export function conditionsOf(change: Change, way: Way, before: Operation): readonly Json[] {
  const { id, evidence } = change
  if (/^request-body-(became|added)-required/.test(id)) return [withoutBody(before)]
  const witness = evidence?.witness
  const exact =
    witness === undefined
      ? []
      : [holding(way, { const: witness }), ...(way.length > 0 ? [holding(way.slice(0, -1), { const: witness })] : [])]
  const absent = isAboutAbsence(id) ? [lacking(way)] : []
  return [...absent, ...exact, holding(way, true), true]
}

/** Whether a change shows in what is missing. */
export function isAboutAbsence(id: string): boolean {
  return /became-(required|optional)|^new-(required-)?request|response-required-.*removed/.test(id)
}

/** Params that a request can carry outside of its body. */
export function carried({ rest }: Operation): Json {
  const full: JsonObject = { minLength: 1, minItems: 1, minProperties: 1, not: { enum: [null, '.', '..'] } }
  return { properties: objectOf(rest.parameters.map(({ param }) => [param, full])) }
}

function withoutBody({ rest }: Operation): Json {
  return { propertyNames: { enum: rest.parameters.map(({ param }) => param) } }
}
