import type { BodyBinding, ParameterBinding } from 'duet-runtime'
import { readParameter } from 'duet-runtime/parameter'
import {
  type Cursor,
  compareText,
  elements,
  follow,
  member,
  members,
  objectOf,
} from '../../document/cursor.js'
import type { Document, Json, JsonObject } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { canonical } from '../../schema/canonical.js'
import { requiredOf } from '../../schema/schema.js'
import { mediaTypeOf } from '../content/content.js'
import { opaqueText } from '../content/entity-tag.js'
import type { ExampleText, Operation } from '../model.js'
import type { Parameter } from '../params/parameters.js'
import type { Result } from './result.js'

/**
 * Examples of whole calls, sorted by name. The name is that of an Example Object. `default` is the single
 * `example` of a parameter or media type, which also replaces a missing named one. A call without an example
 * for each required param has no params here, but only `some` of them.
 */
export function readExamples(
  document: Document,
  parameters: readonly Parameter[],
  requestBody: Cursor | undefined,
  binding: BodyBinding | undefined,
  params: JsonObject,
  result: Result,
): Operation['examples'] {
  const sources = parameters.map((parameter) => ({
    binding: parameter.binding,
    examples: examplesAt(document, parameter.content?.cursor ?? parameter.cursor),
  }))
  const media = requestBody && mediaTypeOf(document, requestBody)
  const asked = [media?.cursor, ...parameters.map(({ content, cursor }) => content?.cursor ?? cursor)]
  const bodies = media === undefined ? new Map<string, Json>() : examplesAt(document, media.cursor)
  const results =
    result.media === undefined ? new Map<string, Json>() : examplesAt(document, result.media.cursor)
  const names = new Set([
    ...sources.flatMap((source) => [...source.examples.keys()]),
    ...bodies.keys(),
    ...results.keys(),
  ])
  const named = [...names].sort(compareText)
  return named.flatMap((name) => {
    const entries = sources.flatMap(({ binding: to, examples }): [string, Json][] => {
      const value = examples.get(name) ?? examples.get('default')
      return value === undefined ? [] : [[to.param, exampleOf(to, value)]]
    })
    const body = bodies.get(name) ?? bodies.get('default')
    const shown = objectOf([...bodyEntries(body, binding), ...entries])
    const complete = requiredOf(params).every((param) => Object.hasOwn(shown, param))
    const answer = results.get(name) ?? results.get('default')
    const anything = entries.length > 0 || body !== undefined
    if (!anything && answer === undefined) return []
    return [
      {
        name,
        ...(complete ? { params: canonical(shown) } : anything && { some: canonical(shown) }),
        ...(answer !== undefined && { result: canonical(answer) }),
        ...textsOf(document, name, 'about', asked),
        ...textsOf(document, name, 'resultAbout', [result.media?.cursor]),
      },
    ]
  })
}

/** A parameter's example, which may be the text in the request: `a|b` for a list of texts. */
function exampleOf(binding: ParameterBinding, example: Json): Json {
  if (binding.entityTag === true) return opaqueText(example)
  const { types } = binding.coerce
  if (typeof example !== 'string' || types.length === 0 || types.includes('string')) return example
  try {
    const isNamed = binding.in !== 'query' || /^[^=&]+=/.test(example)
    const text = isNamed ? example : `${encodeURIComponent(binding.name)}=${example}`
    const { value, violations } = readParameter(binding, text)
    return value === undefined || violations.length > 0 ? example : (value as Json)
  } catch {
    // No request has this text: a path with a stray `%`.
    return example
  }
}

function bodyEntries(body: Json | undefined, binding: BodyBinding | undefined): [string, Json][] {
  if (body === undefined || binding === undefined) return []
  if (binding.kind === 'param') return [[binding.param ?? 'body', body]]
  if (!isObject(body)) return []
  const rename = binding.rename ?? {}
  return Object.entries(body)
    .filter(([key]) => key !== '__tz')
    .map(([key, value]) => [Object.hasOwn(rename, key) ? (rename[key] ?? key) : key, value])
}

/** What the first of some holders says of its example of a name. */
function textsOf(
  document: Document,
  name: string,
  key: 'about' | 'resultAbout',
  holders: readonly (Cursor | undefined)[],
): { readonly [key in 'about' | 'resultAbout']?: ExampleText } {
  for (const holder of holders) {
    const named = holder && member(holder, 'examples')
    const entry = named && member(named, name)
    const example = entry && follow(document, entry)
    const texts = ['summary', 'description'].flatMap((field) => {
      const text = isObject(example?.value) ? own(example.value, field) : undefined
      return typeof text === 'string' && text.trim() !== '' ? [[field, text] as const] : []
    })
    if (texts.length > 0) return { [key]: objectOf(texts) }
  }
  return {}
}

/** Values by the name of their Example Object. `default` for a value without a name. */
export function examplesAt(document: Document, holder: Cursor): Map<string, Json> {
  const found = new Map<string, Json>()
  const single = member(holder, 'example') ?? schemaExample(document, holder)
  if (single !== undefined) found.set('default', single.value)
  for (const entry of members(member(holder, 'examples'))) {
    const example = follow(document, entry)
    const shown = isObject(example?.value) ? example.value : {}
    // OpenAPI 3.2, Example Object: `dataValue` follows the schema; `value` may be in serialized form.
    const value = own(shown, 'dataValue') ?? own(shown, 'value')
    if (value !== undefined) found.set(entry.key, value)
  }
  return found
}

function schemaExample(document: Document, holder: Cursor): Cursor | undefined {
  const schema = member(holder, 'schema')
  const target = schema && follow(document, schema)
  return target && (member(target, 'example') ?? elements(member(target, 'examples'))[0])
}
