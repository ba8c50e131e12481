import type { BodyMedia, ParameterBinding } from 'duet-runtime'
import { type Cursor, member, objectOf } from '../../../document/cursor.js'
import type { Json, JsonObject } from '../../../document/document.js'
import { isObject, own } from '../../../document/json.js'
import { essenceOf } from '../../../document/media-type.js'
import { type Carrier, carrierOf } from '../../../model/content/carrier.js'
import { formFields } from '../../../model/params/form-fields.js'
import { isSchema, type Schema } from '../../../schema/schema.js'
import { type Endpoint, entriesOf, memberOf, type Side } from '../../change/side.js'
import type { FieldTraits } from '../../change/subject.js'
import type { Judgement } from '../../decide/judgement.js'
import { schemasOf } from '../../same/discrimination.js'
import { dereferenced } from '../../same/within.js'
import { coercedBy } from '../../texts/coerced.js'
import { asFile } from '../parts/files.js'
import { mediaPairs } from '../parts/media.js'
import type { OperationPair } from '../parts/pair.js'
import { ExplodedObject } from './exploded.js'

/** A body with fields, as one version reads it. */
export class Form {
  readonly kind: BodyMedia['kind']
  /** The names in its schema. */
  readonly names: readonly string[]
  /** The fields that are not plain text. */
  readonly fields: readonly ParameterBinding[]
  readonly #schema: Cursor | undefined
  readonly #fields: ReadonlyMap<string, ParameterBinding>

  constructor(
    readonly side: Side,
    endpoint: Endpoint,
    type: string,
    media: Cursor,
  ) {
    this.kind = essenceOf(type) === 'multipart/form-data' ? 'multipart' : 'form'
    this.#schema = member(media, 'schema')
    const schema = asSchema(this.#schema?.value)
    this.names = Object.keys(coercedBy(side, schema).properties ?? {})
    const modelled = endpoint.modelled?.rest.body?.media?.find((one) => one.type === essenceOf(type))
    // A document with errors has no model.
    this.fields =
      modelled === undefined
        ? formFields(schemasOf(side), schema, { cursor: media, kind: this.kind })
        : (modelled.fields ?? [])
    this.#fields = new Map(this.fields.map((field) => [field.name, field]))
  }

  carrierOf(name: string): Carrier {
    return carrierOf(this.kind, this.#fields.get(name))
  }

  bindingOf(name: string): ParameterBinding {
    const plain = { style: 'form', explode: true, coerce: { types: ['string'] } } as const
    return this.#fields.get(name) ?? { name, param: name, in: 'query', required: false, ...plain }
  }

  /** The field that the name of a member belongs to. Undefined if none has it. */
  ownerOf(member: string): string | undefined {
    if (this.names.includes(member)) return member
    const isOwner = ({ name, coerce }: ParameterBinding): boolean =>
      this.carrierOf(name) === 'members' && Object.hasOwn(coerce.properties ?? {}, member)
    return this.fields.find(isOwner)?.name
  }

  /** Whether a field must be sent. Validators fill in one that has a default. */
  needs(name: string): boolean {
    return new ExplodedObject(this.side, this.#schema?.value ?? true).needed.has(name)
  }

  /** Whether a field accepts any text, so that a value in another encoding arrives as one. */
  takesTexts(name: string): boolean {
    const { types, binary } = this.#fields.get(name)?.coerce ?? { types: ['string'] as const }
    return binary === true || types.includes('string')
  }

  /** The schema of a field. */
  memberOf(judgement: Judgement, name: string): Json | undefined {
    return new ExplodedObject(this.side, this.#schema?.value ?? true).member(judgement, name)
  }

  /** The schema with all files spelled alike: a file is a part without a type, or a string with format `binary`. */
  get schema(): Cursor | undefined {
    if (this.#schema === undefined) return undefined
    const at = dereferenced(this.side, this.#schema)
    const properties = own(isObject(at.value) ? at.value : {}, 'properties')
    if (!isObject(at.value) || !isObject(properties)) return this.#schema
    const known = Object.entries(properties)
    const spelled = known.map(([name, schema]) => [name, this.#spelled(name, schema)] as const)
    if (spelled.every(([, schema], index) => schema === known[index]?.[1])) return this.#schema
    return { ...at, value: unique(at.value, { ...at.value, properties: objectOf(spelled) }) }
  }

  #spelled(name: string, schema: Json): Json {
    const carrier = this.carrierOf(name)
    if (carrier === 'file') return asFile(schema)
    if (carrier !== 'repeated files' || !isObject(schema)) return schema
    const items = own(schema, 'items')
    const file = items === undefined ? undefined : asFile(items)
    return file === undefined || file === items ? schema : { ...schema, items: file }
  }
}

function asSchema(value: Json | undefined): Schema {
  return value !== undefined && isSchema(value) ? value : true
}

/** The traits for comparing the fields of a form, from the carriers of both versions. */
export function fieldTraits(old: Form, fresh: Form): ReadonlyMap<string, FieldTraits> {
  const names = new Set([...old.names, ...fresh.names])
  return new Map(
    [...names].map((name) => {
      const carriers = [old.carrierOf(name), fresh.carrierOf(name)]
      const [was, is] = carriers.map((carrier) => (carrier.startsWith('joined') ? 'joined' : 'repeated'))
      // JSON carries values with their types.
      const isLoose = !carriers.includes('JSON')
      const isFile = carriers.every((carrier) => carrier === 'file' || carrier === 'repeated files')
      return [name, { isLoose, isFile, lists: `${was ?? 'repeated'} ${is ?? 'repeated'}` }] as const
    }),
  )
}

/** The same form in both versions. */
export interface FormPair {
  readonly type: string
  readonly old: Form
  readonly new: Form
  readonly cursors: { readonly old: Cursor; readonly new: Cursor }
}

/** The media types of a request body, paired. */
export function requestMedia(pair: OperationPair) {
  const contents = (side: Side, { operation }: Endpoint) =>
    entriesOf(side, memberOf(side, operation, 'requestBody'), 'content')
  return mediaPairs(contents(pair.old, pair.before), contents(pair.new, pair.after))
}

/** The forms of a request body that both versions accept. */
export function formPairs(pair: OperationPair): FormPair[] {
  return requestMedia(pair)
    .pairs.filter(({ was, type }) => isForm(was) && isForm(type))
    .map(({ was, type, a, b }) => ({
      type: was,
      old: new Form(pair.old, pair.before, was, a),
      new: new Form(pair.new, pair.after, type, b),
      cursors: { old: a, new: b },
    }))
}

export function isForm(type: string): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)$/.test(essenceOf(type))
}

/** Returns the same object for equal spellings of a schema, because nodes are identified by their objects. */
function unique(of: JsonObject, schema: JsonObject): JsonObject {
  const known = spellings.get(of) ?? new Map<string, JsonObject>()
  spellings.set(of, known)
  const key = JSON.stringify(schema.properties)
  const one = known.get(key) ?? schema
  known.set(key, one)
  return one
}

const spellings = new WeakMap<JsonObject, Map<string, JsonObject>>()
