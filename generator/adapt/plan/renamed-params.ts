import type { Operation } from '../../model/model.js'
import { requiredOf, schemaMap } from '../../schema/schema.js'

/** Params that REST callers send at the same place under both names, and a body that is the only field of the other. */
export function renamedParams(before: Operation, after: Operation): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>()
  for (const { name, in: place, param } of before.rest.parameters) {
    const twin =
      place === 'path'
        ? twinInPath(before, after, name)
        : after.rest.parameters.find((one) => one.in === place && one.name === name)
    if (twin !== undefined && twin.param !== param) renamed.set(param, twin.param)
  }
  const [body, other] = [before.rest.body?.param, after.rest.body?.param]
  if (body !== undefined && other !== undefined && body !== other) renamed.set(body, other)
  const [wrapped, unwrapped] = [onlyField(after), onlyField(before)]
  if (body !== undefined && other === undefined && wrapped !== undefined) renamed.set(body, wrapped)
  if (other !== undefined && body === undefined && unwrapped !== undefined) renamed.set(unwrapped, other)
  const [was, is] = [before.rest.body?.rename ?? {}, after.rest.body?.rename ?? {}]
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const [one, two] = [was[name] ?? name, is[name] ?? name]
    if (one !== two) renamed.set(one, two)
  }
  // Two params that swap their places keep their names: handlers know them by these.
  const knows = ({ rest: { parameters } }: Operation, name: string) =>
    parameters.some(({ param }) => param === name)
  for (const [from, to] of renamed) if (knows(after, from) || knows(before, to)) renamed.delete(from)
  return renamed
}

/** The only field that a body requires, if it has no others. */
function onlyField({ params, rest: { body, parameters } }: Operation): string | undefined {
  if (body?.kind !== 'fields' || !body.required) return undefined
  const [name, ...others] = schemaMap(params, 'properties').flatMap(([field]) =>
    parameters.some(({ param }) => param === field) ? [] : [field],
  )
  return others.length === 0 && name !== undefined && requiredOf(params).includes(name) ? name : undefined
}

/** Names of path parameters do not matter: their order decides. */
function twinInPath(before: Operation, after: Operation, name: string) {
  const at = namesIn(before.rest.path).indexOf(name)
  const other = namesIn(after.rest.path)[at]
  const isAlike = shapeOf(before.rest.path) === shapeOf(after.rest.path)
  return after.rest.parameters.find((one) => one.in === 'path' && one.name === (isAlike ? other : name))
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]+\}/g, '{}')
}
