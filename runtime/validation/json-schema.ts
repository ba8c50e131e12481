import { isJsonObject, type JsonObject, setMember } from '../values/object.js'

/**
 * The self-contained JSON Schema of an operation's params or result (draft 2020-12).
 *
 * @param openrpc the OpenRPC document of the service
 * @throws Error if the operation has no JSON-RPC method
 */
export function jsonSchemaOf(openrpc: unknown, operation: string, part: 'params' | 'result'): JsonObject {
  const { methods, components } = openrpc as OpenRpc
  const method = methods.find(({ name }) => name === operation)
  if (method === undefined)
    throw new Error(
      `The OpenRPC document has no method ${operation}, so it has no schema of its params and result`,
    )
  return bundled(part === 'result' ? method.result.schema : paramsOf(method), components?.schemas ?? {})
}

/** The part of a generated OpenRPC document that has the schemas. */
interface OpenRpc {
  readonly methods: readonly Method[]
  readonly components?: { readonly schemas?: JsonObject }
}

interface Method {
  readonly name: string
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: unknown }[]
  readonly result: { readonly schema: unknown }
  /** Present if the params have constraints in addition to those of each param. */
  readonly 'x-params-schema'?: unknown
}

function paramsOf({ params, 'x-params-schema': whole }: Method): unknown {
  if (whole !== undefined) return whole
  const own = params.filter(({ name }) => name !== '__tz')
  const properties: JsonObject = {}
  for (const { name, schema } of own) setMember(properties, name, schema)
  const required = own.filter((param) => param.required).map(({ name }) => name)
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

/** A schema with the components that it references, in `$defs`. */
function bundled(schema: unknown, components: JsonObject): JsonObject {
  const definitions = new Map<string, unknown>()
  const copyOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copyOf)
    if (!isJsonObject(value)) return value
    const copy: JsonObject = {}
    for (const key of Object.keys(value)) {
      const member = value[key]
      const isReference = key === '$ref' && typeof member === 'string' && member.startsWith(prefix)
      setMember(copy, key, isReference ? refer(member.slice(prefix.length)) : copyOf(member))
    }
    return copy
  }
  const refer = (pointer: string): string => {
    const [token = ''] = pointer.split('/')
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!definitions.has(name)) {
      definitions.set(name, true)
      definitions.set(name, copyOf(Object.hasOwn(components, name) ? components[name] : true))
    }
    return `#/$defs/${pointer}`
  }
  const copy = copyOf(schema)
  const root = isJsonObject(copy) ? copy : copy === false ? { not: {} } : {}
  const $defs = Object.fromEntries(definitions)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...root,
    ...(definitions.size > 0 && { $defs }),
  }
}

const prefix = '#/components/schemas/'
