import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Json } from '../document/document.js'
import { clone, isArray, isObject, type MutableObject, own, setOwn } from '../document/json.js'
import { parseFragment, valueAt } from '../document/pointer.js'
import type { Origins } from './origins.js'
import type { Source } from './source.js'
import { listFaults, verbs } from './swagger-lists.js'
import { moveReferences } from './swagger-references.js'
import { convertParameter, convertSchema, fieldOf, mediaTypes, styleOf } from './swagger-schemas.js'

/** Whether a value claims to be a Swagger 2.0 document. */
export function isSwagger(value: Json): boolean {
  return isObject(value) && /^2(\.0)?$/.test(String(own(value, 'swagger')))
}

/**
 * Converts a Swagger 2.0 document to OpenAPI 3.0, in place. Parts that move keep their positions in the file.
 * A value of the wrong type stays unchanged, and lint reports it.
 */
export function convertSwagger(source: Source, origins: Origins): Diagnostic[] {
  const lost = listFaults(source)
  const counts = new Converter(source, origins).run()
  const counted = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([noun, count]) => `${count} ${count === 1 ? noun : `${noun}s`}`)
  const message = `Swagger 2.0 is read as OpenAPI 3.0${counted.length === 0 ? '' : `: ${counted.join(', ')} converted`}`
  return [
    diagnose('swagger-converted', message, source.locate(['swagger']), { pointer: '#/openapi' }),
    ...lost,
  ]
}

class Converter {
  readonly #root: MutableObject
  readonly #counts = { operation: 0, 'body parameter': 0, form: 0, 'response schema': 0, definition: 0 }

  constructor(
    readonly source: Source,
    readonly origins: Origins,
  ) {
    this.#root = source.value as MutableObject
  }

  run(): Readonly<Record<string, number>> {
    const root = this.#root
    // References point to the original locations, so operations come first.
    this.#eachIn(root, 'paths', [], (item, at) => this.#pathItem(item, at))
    this.#components()
    this.#servers()
    for (const name of [
      'swagger',
      'consumes',
      'produces',
      'definitions',
      'parameters',
      'responses',
      'securityDefinitions',
    ])
      delete root[name]
    root.openapi = '3.0.4'
    moveReferences(root, this.origins)
    return this.#counts
  }

  #servers(): void {
    const { host, basePath = '', schemes } = this.#root
    for (const name of ['host', 'basePath', 'schemes']) delete this.#root[name]
    if (typeof basePath !== 'string') return
    const path = basePath.replace(/\/$/, '')
    const named = isArray(schemes) ? schemes.filter((scheme) => typeof scheme === 'string') : []
    const urls =
      typeof host === 'string'
        ? (named.length > 0 ? named : ['https']).map((scheme) => `${scheme}://${host}${path}`)
        : [path]
    if (urls[0] !== '') this.#root.servers = urls.map((url) => ({ url }))
  }

  #components(): void {
    const root = this.#root
    const components: MutableObject = {}
    const move = (
      from: string,
      to: string,
      keep: (value: Json) => boolean,
      made: (value: Json, name: string) => Json,
    ): void => {
      const section = own(root, from)
      if (!isObject(section)) return
      const kept: MutableObject = {}
      for (const [name, value] of Object.entries(section)) {
        if (!keep(value)) continue
        const converted = made(value, name)
        setOwn(kept, name, converted)
        this.origins.set(converted, { source: this.source, segments: [from, name] })
      }
      this.origins.set(kept, { source: this.source, segments: [from] })
      if (Object.keys(kept).length > 0) components[to] = kept
    }
    const all = () => true
    move('definitions', 'schemas', all, (schema) => {
      this.#counts.definition += 1
      convertSchema(schema)
      return schema
    })
    move(
      'parameters',
      'parameters',
      (value) => !isBody(value),
      (value, name) => {
        if (isObject(value)) convertParameter(value, (made) => this.#note(made, ['parameters', name]))
        return value
      },
    )
    this.#eachIn(root, 'responses', [], (response, at) => this.#response(response, at, own(root, 'produces')))
    move('responses', 'responses', all, (value) => value)
    move('securityDefinitions', 'securitySchemes', all, securityScheme)
    root.components = components
  }

  #pathItem(item: MutableObject, at: readonly string[]): void {
    const shared = own(item, 'parameters')
    const { plain, body } = this.#split(shared, [...at, 'parameters'])
    if (isArray(shared)) item.parameters = plain
    for (const verb of verbs) {
      const operation = own(item, verb)
      if (!isObject(operation)) continue
      this.#counts.operation += 1
      this.#operation(operation, [...at, verb], body)
    }
  }

  #operation(operation: MutableObject, at: readonly string[], sharedBody: readonly LocatedParameter[]): void {
    const { consumes, produces } = operation
    delete operation.consumes
    delete operation.produces
    delete operation.schemes
    const listed = own(operation, 'parameters')
    const { plain, body } = this.#split(listed, [...at, 'parameters'])
    if (isArray(listed)) operation.parameters = plain
    const places = body.length > 0 ? body : sharedBody
    const requestBody =
      places.length === 0 ? undefined : this.#body(places, consumes ?? own(this.#root, 'consumes'))
    if (requestBody !== undefined) operation.requestBody = requestBody
    this.#eachIn(operation, 'responses', at, (response, place) =>
      this.#response(response, place, produces ?? own(this.#root, 'produces')),
    )
  }

  /** Separates parameters that OpenAPI 3 also has, converted, from those that form its request body. */
  #split(listed: Json | undefined, at: readonly string[]): { plain: Json[]; body: LocatedParameter[] } {
    const plain: Json[] = []
    const body: LocatedParameter[] = []
    for (const [index, item] of (isArray(listed) ? listed : []).entries()) {
      const segments = [...at, String(index)]
      const place = isObject(item) ? this.#followed(item, segments) : undefined
      if (place !== undefined && isBody(place.value)) body.push(place)
      else {
        if (isObject(item)) convertParameter(item, (made) => this.#note(made, segments))
        this.#note(item, segments)
        plain.push(item)
      }
    }
    return { plain, body }
  }

  #followed(item: MutableObject, segments: readonly string[]): LocatedParameter {
    const reference = own(item, '$ref')
    const target =
      typeof reference === 'string' && reference.startsWith('#/')
        ? parseFragment(reference.slice(1))
        : undefined
    const value = target && valueAt(this.#root, target)
    return target !== undefined && isObject(value) ? { value, segments: target } : { value: item, segments }
  }

  #body(places: readonly LocatedParameter[], consumes: Json | undefined): Json {
    const [first] = places
    const single = places.find(({ value }) => own(value, 'in') === 'body')
    const requestBody: MutableObject = {}
    const { value, segments } = single ?? (first as LocatedParameter)
    this.#note(requestBody, segments)
    if (single === undefined) {
      this.#counts.form += 1
      const form = this.#form(places)
      const isFile = places.some((place) => own(place.value, 'type') === 'file')
      const stated = mediaTypes(consumes).filter((type) =>
        /^(multipart\/|application\/x-www-form)/.test(type),
      )
      const types = stated.filter((type) => !isFile || type.startsWith('multipart/'))
      const fallback = isFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
      const content = this.#content(types.length > 0 ? types : [fallback], form, segments)
      const encoding = encodingOf(places)
      for (const media of Object.values(content)) if (isObject(media)) Object.assign(media, clone(encoding))
      requestBody.content = content
      const required = places.map((place) => own(place.value, 'required'))
      // Lint reports what is neither true nor false.
      const wrong = required.find((one) => one !== undefined && typeof one !== 'boolean')
      if (wrong !== undefined) requestBody.required = wrong
      else if (required.includes(true)) requestBody.required = true
      return requestBody
    }
    this.#counts['body parameter'] += 1
    const schema = clone(own(value, 'schema') ?? {})
    convertSchema(schema)
    for (const name of [
      'description',
      'required',
      ...Object.keys(value).filter((key) => key.startsWith('x-')),
    ]) {
      const kept = own(value, name)
      if (kept !== undefined) setOwn(requestBody, name, kept)
    }
    const types = mediaTypes(consumes)
    requestBody.content = this.#content(types.length > 0 ? types : ['application/json'], schema, [
      ...segments,
      'schema',
    ])
    return requestBody
  }

  #form(places: readonly LocatedParameter[]): MutableObject {
    const properties: MutableObject = {}
    const required: string[] = []
    for (const { value, segments } of places) {
      const name = own(value, 'name')
      if (typeof name !== 'string') continue
      const field = fieldOf(value)
      this.#note(field, segments)
      setOwn(properties, name, field)
      if (own(value, 'required') === true) required.push(name)
    }
    return { type: 'object', properties, ...(required.length > 0 && { required }) }
  }

  #content(types: readonly string[], schema: Json, segments: readonly string[]): MutableObject {
    const content: MutableObject = {}
    for (const [index, type] of types.entries()) {
      const own = index === 0 ? schema : clone(schema)
      this.#note(own, segments)
      setOwn(content, type, { schema: own })
    }
    return content
  }

  #response(response: MutableObject, at: readonly string[], produces: Json | undefined): void {
    const schema = own(response, 'schema')
    const examples = own(response, 'examples')
    delete response.schema
    delete response.examples
    const isFile = isObject(schema ?? null) && own(schema as MutableObject, 'type') === 'file'
    if (schema !== undefined) {
      this.#counts['response schema'] += 1
      convertSchema(schema)
      const types = mediaTypes(produces).filter((type) => !isFile || !/[/+]json$/.test(type))
      const fallback = isFile ? 'application/octet-stream' : 'application/json'
      response.content = this.#content(types.length > 0 ? types : [fallback], schema, [...at, 'schema'])
    }
    const content = own(response, 'content')
    for (const [type, example] of Object.entries(isObject(examples) ? examples : {})) {
      const media = isObject(content) ? own(content, type) : undefined
      if (isObject(media)) Object.assign<MutableObject, MutableObject>(media as MutableObject, { example })
    }
    this.#eachIn(response, 'headers', at, (header, place) =>
      convertParameter(header, (made) => this.#note(made, place)),
    )
  }

  #eachIn(
    holder: MutableObject,
    key: string,
    at: readonly string[],
    visit: (value: MutableObject, at: readonly string[]) => void,
  ): void {
    const map = own(holder, key)
    if (!isObject(map)) return
    for (const [name, value] of Object.entries(map))
      if (isObject(value) && !name.startsWith('x-')) visit(value as MutableObject, [...at, key, name])
  }

  #note(value: Json, segments: readonly string[]): void {
    this.origins.set(value, { source: this.source, segments })
  }
}

/** The styles of the lists in a form. */
function encodingOf(places: readonly LocatedParameter[]): MutableObject {
  const encoding: MutableObject = {}
  for (const { value } of places) {
    const name = own(value, 'name')
    if (typeof name !== 'string' || own(value, 'type') !== 'array') continue
    setOwn(encoding, name, styleOf(own(value, 'collectionFormat')))
  }
  return Object.keys(encoding).length > 0 ? { encoding } : {}
}

/** A parameter and its path. */
interface LocatedParameter {
  readonly value: MutableObject
  readonly segments: readonly string[]
}

function isBody(value: Json): boolean {
  const place = isObject(value) ? own(value, 'in') : undefined
  return place === 'body' || place === 'formData'
}

function securityScheme(value: Json): Json {
  if (!isObject(value)) return value
  const { type, flow, authorizationUrl, tokenUrl, scopes, ...rest } = value
  if (type === 'basic') return { ...rest, type: 'http', scheme: 'basic' }
  if (type !== 'oauth2') return value
  const named = { accessCode: 'authorizationCode', application: 'clientCredentials' } as const
  const name = flow === 'accessCode' || flow === 'application' ? named[flow] : flow
  const made: MutableObject = { scopes: scopes ?? {} }
  if (authorizationUrl !== undefined) made.authorizationUrl = authorizationUrl
  if (tokenUrl !== undefined) made.tokenUrl = tokenUrl
  return { ...rest, type, flows: typeof name === 'string' ? { [name]: made } : {} }
}
