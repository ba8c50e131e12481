import type { Operation, ParameterBinding } from '../../contract/operation.js'
import { pointerTo } from '../../contract/pointer.js'
import type { Violation } from '../../contract/problem-details.js'
import type { JsonObject } from '../../values/object.js'
import { pathParameters, readCookie, readHeader, readPath } from '../style/parameter.js'
import { valuesOf } from '../style/path-template.js'
import { QueryBinder } from '../style/query.js'
import { isCarried, notCarried, type Reading, refuseUncarried, writtenJson } from './carried.js'

/** The text parts of a request. */
interface Written {
  readonly path: string
  readonly query: string
  /** The params in the query. */
  readonly queried: ReadonlyMap<string, unknown>
  readonly headers: Readonly<Record<string, string>>
  /** The name and value of each param. */
  readonly cookies: ReadonlyMap<string, string>
}

/**
 * Reads the written request as the service will, and refuses params that the service would read as other values.
 * An empty list, for example, leaves no trace in a query. So a call means the same over both protocols, or is
 * not sent.
 *
 * @throws ProblemError `validation_failed` that names the params, with the keyword `rest`
 */
export function checkCarried(
  { rest }: Operation,
  given: ReadonlyMap<string, unknown>,
  written: Written,
): void {
  const { parameters } = rest
  const query = readQuery(parameters, Object.keys(rest.query ?? {}), written.query)
  const violations = [...written.queried].flatMap(([name, value]) => refusal(query, name, value))
  const check = ({ param }: ParameterBinding, read: (found: Violation[]) => unknown): void => {
    const value = given.get(param)
    if (value === undefined) return
    const found: Violation[] = []
    const known = read(found)
    const params = known === undefined ? {} : { [param]: known }
    violations.push(...refusal({ params, violations: found }, param, value))
  }
  const values = valuesOf(rest.path, written.path)
  const inPath = parameters.filter((binding) => binding.in === 'path')
  for (const parameter of pathParameters(rest.path, inPath)) {
    check(parameter.binding, (found) =>
      readPath(parameter, values[parameter.value] ?? '', written.path, writtenJson, found),
    )
  }
  for (const binding of parameters) {
    if (binding.in === 'header') {
      check(binding, (found) => {
        const text = framing.test(binding.name) ? undefined : written.headers[binding.name]
        return text === undefined ? undefined : readHeader(binding, text, writtenJson, found)
      })
    } else if (binding.in === 'cookie') {
      check(binding, (found) => {
        const pair = written.cookies.get(binding.param)
        const raw = pair?.slice(pair.indexOf('=') + 1)
        return raw === undefined ? undefined : readCookie(binding, raw, writtenJson, found)
      })
    }
  }
  refuseUncarried(violations)
}

/**
 * Headers of the message and its connection (RFC 9110 section 7.6.1, RFC 9112), which the HTTP client sets.
 */
const framing = /^(?:connection|content-length|expect|keep-alive|transfer-encoding|upgrade)$/i

function refusal(reading: Reading, name: string, value: unknown): Violation[] {
  return isCarried(reading, name, value) ? [] : [notCarried(reading, name, pointerTo('', name))]
}

function readQuery(
  parameters: readonly ParameterBinding[],
  fixed: readonly string[],
  query: string,
): Reading {
  const params: JsonObject = {}
  const violations: Violation[] = []
  const inQuery = parameters.filter((binding) => binding.in === 'query')
  new QueryBinder(inQuery, new Set(fixed), writtenJson).read(query, params, violations)
  return { params, violations }
}
