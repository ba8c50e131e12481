import type { Operation } from 'duet-runtime'

export type Params = Readonly<Record<string, unknown>>

export interface HttpCall {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Params | undefined
}

/** The REST request for the params. Undefined if HTTP can't carry them: a path segment is non-empty text. */
export function restCall(
  operation: Operation,
  params: Params,
  timezone: string | undefined,
  via: 'query' | 'body',
): HttpCall | undefined {
  const all = new Map(Object.entries(params))
  if (timezone !== undefined) all.set('__tz', timezone)
  let path = operation.rest.path
  for (const binding of operation.rest.parameters.filter((parameter) => parameter.in === 'path')) {
    const value = all.get(binding.param)
    all.delete(binding.param)
    if (
      (typeof value !== 'number' && typeof value !== 'string') ||
      value === '' ||
      value === '.' ||
      value === '..'
    )
      return undefined
    if (typeof value === 'string' && !Number.isNaN(Number(value))) return undefined
    path = path.replace(`{${binding.name}}`, encodeURIComponent(String(value)))
  }
  const headers: Record<string, string> = {}
  for (const binding of operation.rest.parameters.filter((parameter) => parameter.in === 'header')) {
    const value = all.get(binding.param)
    all.delete(binding.param)
    if (value === undefined) continue
    // HTTP trims blanks around a header value.
    if (typeof value !== 'string' || !/^[!-~]*$/.test(value)) return undefined
    if (binding.entityTag === true && value.includes('"')) return undefined
    headers[binding.name] = binding.entityTag === true && value !== '*' ? `"${value}"` : value
  }
  const query = new URLSearchParams()
  const isQuery =
    via === 'query' &&
    operation.rest.method === 'GET' &&
    [...all].every(([name, value]) => keepsItsType(operation, name, value))
  if (!isQuery) return { path, headers, body: Object.fromEntries(all) }
  for (const [name, value] of all) for (const item of [value].flat()) query.append(name, String(item))
  return { path: `${path}${query.size > 0 ? '?' : ''}${query}`, headers, body: undefined }
}

/** Whether the text of a value is read back as the same value, since text has no type. */
function keepsItsType(operation: Operation, name: string, value: unknown): boolean {
  const types = operation.rest.parameters.find((parameter) => parameter.param === name)?.coerce.types ?? [
    'string',
  ]
  if (Array.isArray(value))
    return types.includes('array') && value.length > 0 && value.every((item) => typeof item === 'string')
  if (typeof value === 'number') return types.includes('integer') || types.includes('number')
  if (typeof value === 'boolean') return types.includes('boolean')
  return typeof value === 'string' && types.includes('string')
}
