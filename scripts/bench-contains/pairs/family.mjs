/** Labelled pairs from lists of schemas. A pair is { kind, dialect, a, b, expected }. */

/** Each schema is contained in all later ones, and in no earlier one. */
export function chain(kind, dialect, ...schemas) {
  return each(schemas, (a, b, i, j) => pair(kind, dialect, a, b, i < j))
}

/** All are equivalent. */
export function same(kind, dialect, ...schemas) {
  return each(schemas, (a, b) => pair(kind, dialect, a, b, true))
}

/** None is contained in any other. */
export function apart(kind, dialect, ...schemas) {
  return each(schemas, (a, b) => pair(kind, dialect, a, b, false))
}

/** None has an instance. */
export function empty(kind, dialect, ...schemas) {
  return schemas.map((schema) => pair(kind, dialect, schema, { not: {} }, true))
}

export function pair(kind, dialect, a, b, contained) {
  return { kind, dialect, a, b, expected: contained ? 'contained' : 'not-contained' }
}

function each(schemas, make) {
  return schemas.flatMap((a, i) => schemas.flatMap((b, j) => (i === j ? [] : [make(a, b, i, j)])))
}

export const object = (properties, more = {}) => ({ type: 'object', properties, ...more })
export const closed = (properties, more = {}) => object(properties, { additionalProperties: false, ...more })
export const needs = (...required) => ({ required })
export const array = (items, more = {}) => ({ type: 'array', items, ...more })
export const string = { type: 'string' }
export const number = { type: 'number' }
export const integer = { type: 'integer' }
export const boolean = { type: 'boolean' }
export const nothing = { not: {} }
