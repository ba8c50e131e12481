import type { ParameterBinding } from 'duet-runtime'
import type { Json, JsonObject } from '../../../document/document.js'
import { isArray, isObject } from '../../../document/json.js'
import type { Judgement } from '../../decide/judgement.js'

/**
 * Texts that callers of the old version may send for a parameter, the simplest first, as `text` of `readParameter`.
 * Some may not be values of the parameter.
 */
export function samplesOf(judgement: Judgement, schema: Json, binding: ParameterBinding): readonly string[] {
  const encode = binding.in === 'header' ? (text: string) => text : encodeURIComponent
  const { scalars, items, members } = witnessesOf(judgement, schema)
  const plain = [...new Set([...scalars, ...items, 'a', '1', 'true'])]
  const parts = plain.map(encode)
  if (binding.entityTag === true) return parts.map((part) => `"${part}"`)
  const lists = [
    items.map(encode),
    members.flat().map(encode),
    ...parts.map((part, index) => [part, parts[index + 1] ?? part]),
  ]
  const names = Object.keys(binding.coerce.properties ?? {}).slice(0, 3)
  const objects = [...members, ...names.flatMap((name) => plain.map((part) => [name, part] as const))]
  const pairs = objects.map(([name, part]) => [encode(name), encode(part)] as const)
  return spelled(binding, encode(binding.name), {
    parts,
    lists: lists.filter((list) => list.length > 1),
    pairs,
  })
}

/** Texts that are lists which a schema refuses, such as one with too many items. */
export function refusedLists(
  judgement: Judgement,
  schema: Json,
  binding: ParameterBinding,
): readonly string[] {
  const items = [
    { type: 'string', pattern: '^[a-z]$' },
    { type: 'integer', minimum: 1 },
  ]
  const lists = items.flatMap((item) => {
    const found = judgement.passes('request', { type: 'array', minItems: 2, items: item }, schema)
    const list = found.verdict === 'not-contained' && isArray(found.witness) ? found.witness : []
    return list.length > 0 && list.length <= longest ? [list.flatMap(textOf)] : []
  })
  const encode = binding.in === 'header' ? (text: string) => text : encodeURIComponent
  const parts = { parts: [], lists: lists.map((list) => list.map(encode)), pairs: [] }
  return spelled(binding, encode(binding.name), parts)
}

/** Nobody writes longer lists in one text. */
const longest = 1000

/** Queries with a property of an exploded object, and with what the object needs besides. */
export function memberSamples(judgement: Judgement, schema: Json, name: string): readonly string[] {
  const found = judgement.passes('request', { allOf: [schema, { type: 'object', required: [name] }] }, false)
  const members = found.verdict === 'not-contained' && isObject(found.witness) ? found.witness : {}
  const others = Object.entries(members).filter(([key]) => key !== name)
  const written = ([key, value]: readonly [string, Json]): string[] =>
    [value].flat().map((item) => `${encodeURIComponent(key)}=${encodeURIComponent(textOf(item)[0] ?? '')}`)
  return [members[name] ?? '', 'a', '1', 'true'].map((value) =>
    [[name, value] as const, ...others].flatMap(written).join('&'),
  )
}

/** Values as JSON, as `text` of `readParameter`. */
export function jsonSamples(
  judgement: Judgement,
  schema: Json,
  { in: place, name }: ParameterBinding,
): readonly string[] {
  const found = judgement.passes('request', schema, false)
  const value = found.verdict === 'not-contained' ? [found.witness] : []
  return [...value, {}, [], 1, true, 'a', null].map((one) => {
    const text = JSON.stringify(one)
    if (place === 'header') return text
    const encoded = encodeURIComponent(text)
    return place === 'query' ? `${encodeURIComponent(name)}=${encoded}` : encoded
  })
}

interface Texts {
  readonly parts: readonly string[]
  readonly lists: readonly (readonly string[])[]
  readonly pairs: readonly (readonly [string, string])[]
}

/** Writes texts in the style (RFC 6570 section 3.2). Delimiters of other styles are part of a text. */
function spelled(
  { in: place, style }: ParameterBinding,
  name: string,
  { parts, lists, pairs }: Texts,
): string[] {
  const delimiters = place === 'query' ? [',', '%20', '%7C'] : style === 'label' ? [',', '.'] : [',']
  const joined = delimiters.flatMap((delimiter) => lists.map((list) => list.join(delimiter)))
  const members = pairs.flatMap(([member, part]) => [`${member},${part}`, `${member}=${part}`])
  const values = [...parts, ...joined, ...members]
  if (style === 'label') return values.map((value) => `.${value}`)
  if (style === 'matrix')
    return [
      ...values.map((value) => `;${name}=${value}`),
      ...lists.map((list) => list.map((item) => `;${name}=${item}`).join('')),
      ...pairs.map(([member, part]) => `;${member}=${part}`),
    ]
  if (place !== 'query') return values
  return [
    ...values.map((value) => `${name}=${value}`),
    ...lists.map((list) => list.map((item) => `${name}=${item}`).join('&')),
    ...pairs
      .flatMap(([member, part]) => [`${member}=${part}`, `${name}[${member}]=${part}`])
      .flatMap((text) => [text, `${text}&${text}`]),
  ]
}

/** Non-empty values of a schema, as texts. */
function witnessesOf(judgement: Judgement, schema: Json) {
  const witness = (shape: Json): Json | undefined => {
    const verdict = judgement.passes('request', { allOf: [schema, shape] }, false)
    return verdict.verdict === 'not-contained' ? verdict.witness : undefined
  }
  const filled = { minLength: 1 }
  const scalars = ['string', 'integer', 'number', 'boolean'].map((type) => witness({ type, ...filled }))
  const list = witness({ type: 'array', minItems: 2, items: filled })
  const member = { ...filled, minItems: 1, items: filled }
  const shaped = (value: JsonObject): Json | undefined =>
    witness({ type: 'object', minProperties: 1, additionalProperties: value })
  // Null has no text.
  const object = shaped({ ...member, not: { type: 'null' } }) ?? shaped(member)
  return {
    scalars: scalars.flatMap(textOf),
    items: isArray(list) ? list.flatMap(textOf) : [],
    members: isObject(object)
      ? Object.entries(object).flatMap(([name, value]) =>
          [value]
            .flat()
            .flatMap(textOf)
            .map((text) => [name, text] as const),
        )
      : [],
  }
}

function textOf(value: Json | undefined): string[] {
  return value === undefined || value === null || typeof value === 'object' ? [] : [String(value)]
}
