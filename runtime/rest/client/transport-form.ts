import { blobOf, isBinary } from '../../contract/binaries.js'
import type { BodyMedia, ParameterBinding } from '../../contract/operation.js'
import { ProblemError } from '../../contract/problem.js'
import type { Violation } from '../../contract/problem-details.js'
import type { JsonObject } from '../../values/object.js'
import { QueryBinder } from '../style/query.js'
import { isCarried, notCarried, type Reading, refuseUncarried, writtenJson } from './carried.js'
import { queryPairs } from './transport-style.js'

/**
 * Fields as `application/x-www-form-urlencoded`. Writes each in its style, or in brackets (`a[b][0]=…`) if
 * the service would read the style as another value.
 *
 * @param pointerOf pointer of a field in the params
 * @throws ProblemError `validation_failed` for fields that neither form carries unchanged
 */
export function formText(fields: JsonObject, media: BodyMedia, pointerOf: (field: string) => string): string {
  const binder = binderOf(media)
  const read = (pairs: readonly string[]): Reading => {
    const params: JsonObject = {}
    const violations: Violation[] = []
    binder.read(pairs.join('&'), params, violations)
    return { params, violations }
  }
  return written(fields, media, { write: queryPairs, read }, pointerOf).join('&')
}

/** Fields as `multipart/form-data`, by the same rules; files are parts. */
export function formData(
  fields: JsonObject,
  media: BodyMedia,
  pointerOf: (field: string) => string,
): FormData {
  const binder = binderOf(media)
  const read = (parts: readonly Part[]): Reading => {
    const params: JsonObject = {}
    const violations: Violation[] = []
    for (const [name, value] of parts) binder.set(name, value, params, violations)
    return { params, violations }
  }
  const form = new FormData()
  for (const [name, value] of written(withBlobs(fields), media, { write: partsOf, read }, pointerOf)) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value)
  }
  return form
}

type Part = readonly [name: string, value: string | Blob]

/** How to write a form's fields, and how the service reads them. */
interface Form<Piece> {
  readonly write: (binding: ParameterBinding, value: unknown) => readonly Piece[]
  readonly read: (pieces: readonly Piece[]) => Reading
}

function written<Piece>(
  fields: JsonObject,
  media: BodyMedia,
  form: Form<Piece>,
  pointerOf: (field: string) => string,
): readonly Piece[] {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const pieces = given.flatMap(([name, value]) => fitting(bindingOf(media, name), value, form))
  const reading = form.read(pieces)
  refuseUncarried(
    given.flatMap(([name, value]) =>
      isCarried(reading, name, value) ? [] : [notCarried(reading, name, pointerOf(name))],
    ),
  )
  return pieces
}

/** A field in its own style if the style carries it, else in brackets. */
function fitting<Piece>(
  binding: ParameterBinding,
  value: unknown,
  { write, read }: Form<Piece>,
): readonly Piece[] {
  if (binding.json === true || binding.style === 'deepObject') return write(binding, value)
  const own = attempt(() => write(binding, value))
  if (own !== undefined && isCarried(read(own), binding.name, value)) return own
  return write({ ...binding, style: 'deepObject' }, value)
}

/** Undefined if the style cannot carry the value. */
function attempt<T>(write: () => T): T | undefined {
  try {
    return write()
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

function binderOf(media: BodyMedia): QueryBinder {
  return new QueryBinder(media.fields ?? [], new Set(), writtenJson, true)
}

/** A field that the document does not declare is text. */
function bindingOf(media: BodyMedia, name: string): ParameterBinding {
  const known = media.fields?.find((field) => field.name === name)
  if (known !== undefined) return known
  const coerce = { types: ['string'] } as const
  return { name, param: name, in: 'query', required: false, style: 'form', explode: true, coerce }
}

function withBlobs(fields: JsonObject): JsonObject {
  const blobs = (value: unknown): unknown => (Array.isArray(value) ? value.map(blobs) : blobOf(value))
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, blobs(value)]))
}

function partsOf(binding: ParameterBinding, value: unknown): readonly Part[] {
  if (value instanceof Blob) return [[binding.name, value]]
  if (Array.isArray(value) && value.some(isBinary)) return value.flatMap((item) => partsOf(binding, item))
  return queryPairs(binding, value).map(decoded)
}

/** Form parts are not percent-encoded. */
function decoded(pair: string): Part {
  const equals = pair.indexOf('=')
  return [decodeURIComponent(pair.slice(0, equals)), decodeURIComponent(pair.slice(equals + 1))]
}
