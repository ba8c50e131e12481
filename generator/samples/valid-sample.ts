import type { Validator } from 'duet-runtime'
import type { Json } from '../document/document.js'
import { clone } from '../document/json.js'
import type { Schema } from '../schema/schema.js'
import { inside } from './place.js'
import type { Sampler } from './sampler.js'

/** A value that a validator accepts, or its verdict on the last attempt. */
export type Sample = { readonly value: Json } | { readonly reason: string }

/**
 * Generates values until one is valid. A refused part is generated again alone: first without the document's
 * examples, then with another alternative, and finally it is omitted.
 *
 * @param seed the same seed gives the same value
 */
export function validSample(sampler: Sampler, schema: Schema, validator: Validator, seed: string): Sample {
  const refused = new Map<string, number>()
  let reason = ''
  for (let attempt = 0; attempt < attempts; attempt++) {
    const value = sampler.sample(schema, { seed, refused, lean: attempt >= attempts / 2 })
    if (validator(clone(value))) return { value }
    const errors = validator.errors ?? []
    const [first] = errors
    reason = `${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`.trim()
    const places = new Set(errors.map(placeOf))
    for (const place of places) refuse(refused, place)
  }
  return { reason }
}

const attempts = 24

/** An excess property is itself at fault, not its object. */
function placeOf({ instancePath, params }: NonNullable<Validator['errors']>[number]): string {
  for (const name of ['additionalProperty', 'unevaluatedProperty', 'propertyName']) {
    const property = Object.hasOwn(params, name) ? params[name] : undefined
    if (typeof property === 'string') {
      return inside({ pointer: `#${instancePath}`, depth: 0 }, property).pointer
    }
  }
  return `#${instancePath}`
}

/** If a value is refused for the fourth time, its parent counts as refused too. */
function refuse(refused: Map<string, number>, place: string): void {
  const times = (refused.get(place) ?? 0) + 1
  refused.set(place, times)
  const end = place.lastIndexOf('/')
  if (times > 3 && end > 0) refuse(refused, place.slice(0, end))
}
