import { own } from '../../load/json.js'
import { type Cursor, member, members, text } from '../../model/cursor.js'
import { isUnstable, lifecycleOf } from '../lifecycle.js'
import { shapeOf } from '../pairing/pairing.js'
import { asObject, type Endpoint, elementsOf, memberOf, type Side } from '../side.js'
import { deprecation } from './lifecycle.js'
import { compareSchemas, type OperationPair, report } from './pair.js'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly cursor: Cursor
}

/** Parameters of path, query, header and cookie. */
export function parameterFacts(pair: OperationPair): void {
  const [olds, news] = [parametersOf(pair.old, pair.before), parametersOf(pair.new, pair.after)]
  const renamed = renamedInPath(pair.before, pair.after)
  const matched = new Set<string>()
  for (const [key, old] of olds) {
    const freshKey = old.in === 'path' ? `path ${renamed.get(old.name) ?? old.name}` : key
    const fresh = news.get(freshKey)
    if (fresh === undefined) removed(pair, old)
    else {
      matched.add(freshKey)
      changed(pair, old, fresh)
    }
  }
  for (const [key, fresh] of news) if (!matched.has(key)) added(pair, fresh)
}

/** Of the path item and of the operation, which override those. */
function parametersOf(side: Side, { item, operation }: Endpoint): Map<string, Parameter> {
  const all = [item, operation].flatMap((holder) => elementsOf(side, holder, 'parameters'))
  return new Map(
    all.flatMap((cursor) => {
      const [name, place] = [text(cursor.value, 'name'), text(cursor.value, 'in')]
      if (name === undefined || place === undefined) return []
      const required = own(asObject(cursor.value), 'required') === true
      const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`
      return [[key, { name, in: place, required, cursor }] as const]
    }),
  )
}

/** Names of path parameters that stand where others stood. */
function renamedInPath(before: Endpoint, after: Endpoint): Map<string, string> {
  if (shapeOf(before.path) !== shapeOf(after.path)) return new Map()
  const names = ({ path }: Endpoint): string[] =>
    [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '')
  const fresh = names(after)
  return new Map(names(before).map((name, index) => [name, fresh[index] ?? name]))
}

function titleOf(parameter: Parameter): string {
  return `the ${parameter.in} parameter ${parameter.name}`
}

function pathOf({ name }: Parameter): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function removed(pair: OperationPair, old: Parameter): void {
  const { deprecated, sunset } = lifecycleOf(old.cursor.value)
  const early = deprecated && sunset !== undefined && sunset > pair.tools.notice.today
  const id = isUnstable(pair.before.operation.value)
    ? 'request-parameter-unstable-removed'
    : !deprecated
      ? 'request-parameter-removed'
      : sunset === 'invalid'
        ? 'request-parameter-sunset-parse'
        : early
          ? 'request-parameter-removed-before-sunset'
          : 'request-parameter-removed-with-deprecation'
  report(pair, {
    id,
    message: `${titleOf(old)} was removed`,
    path: pathOf(old),
    old: old.cursor,
    values: [old.in],
  })
}

function added(pair: OperationPair, fresh: Parameter): void {
  const id =
    fresh.in === 'path'
      ? 'new-request-path-parameter'
      : `new-${fresh.required ? 'required' : 'optional'}-request-parameter`
  const message = `${titleOf(fresh)} was added${fresh.required ? ' and is required' : ''}`
  report(pair, { id, message, path: pathOf(fresh), new: fresh.cursor, values: [fresh.in] })
}

function changed(pair: OperationPair, old: Parameter, fresh: Parameter): void {
  const ends = { old: old.cursor, new: fresh.cursor }
  const base = { ...ends, path: pathOf(fresh) }
  const title = titleOf(fresh)
  if (old.in === 'path' && old.name !== fresh.name)
    report(pair, {
      ...base,
      id: 'rpc-param-name-changed',
      message: `the param ${old.name} is now called ${fresh.name}`,
      values: [old.name, fresh.name],
      protocols: ['jsonrpc'],
    })
  if (old.in !== 'path' && old.required !== fresh.required)
    report(pair, {
      ...base,
      id: `request-parameter-became-${fresh.required ? 'required' : 'optional'}`,
      message: `${title} became ${fresh.required ? 'required' : 'optional'}`,
    })
  const [was, is] = [lifecycleOf(old.cursor.value), lifecycleOf(fresh.cursor.value)]
  deprecation(pair, ends, title, 'request-parameter', was, is, pathOf(fresh))
  style(pair, base, title, old, fresh)
  const [a, b] = [schemaOf(pair.old, old), schemaOf(pair.new, fresh)]
  if (a === undefined || b === undefined) return
  const isHeader = fresh.in === 'header'
  compareSchemas(
    pair,
    { direction: 'request', holder: 'parameter', title, path: pathOf(fresh), isHeader },
    a,
    b,
  )
}

function style(
  pair: OperationPair,
  base: { readonly old: Cursor; readonly new: Cursor; readonly path: string },
  title: string,
  old: Parameter,
  fresh: Parameter,
): void {
  const [was, is] = [spelling(old), spelling(fresh)]
  if (was === is) return
  const message = `${title} is written another way: ${was} to ${is}`
  report(pair, {
    ...base,
    id: 'request-parameter-style-changed',
    message,
    values: [was, is],
    protocols: ['rest'],
  })
}

/** Style and explode, their defaults filled in (OpenAPI 3.1.1 section 4.8.12.2). */
function spelling(parameter: Parameter): string {
  const object = asObject(parameter.cursor.value)
  const usual = parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple'
  const style = text(object, 'style') ?? usual
  const explode = own(object, 'explode')
  return `${style} ${(typeof explode === 'boolean' ? explode : style === 'form') ? 'exploded' : 'joined'}`
}

/** The schema of a parameter, which may stand under its only media type. */
function schemaOf(side: Side, { cursor }: Pick<Parameter, 'cursor'>): Cursor | undefined {
  const schema = member(cursor, 'schema')
  if (schema !== undefined) return schema
  const [media] = members(memberOf(side, cursor, 'content'))
  return media && member(media, 'schema')
}
