import { canonical } from '../../contains/value.js'
import type { Json, JsonObject } from '../../load/document.js'
import { isArray, isObject, own } from '../../load/json.js'
import type { Judged } from '../decide/judgement.js'
import { asObject } from '../side.js'
import { isAnnotation } from './annotation-branches.js'
import { matchBranches } from './branches.js'
import { annotations } from './same.js'
import { namesOf, once, type SchemaWalk, type Stop, within } from './walk.js'

/** Schemas within a schema, other than its properties: branches, items, conditions. */
export function compositionChanges(walk: SchemaWalk, stop: Stop, a: JsonObject, b: JsonObject): void {
  for (const [keyword, name] of branches) branchChanges(walk, stop, a, b, keyword, name)
  for (const [keyword, name, step] of single) singleChanges(walk, stop, a, b, keyword, name, step)
  additional(walk, stop, a, b)
  for (const [keyword, name, step] of named) namedChanges(walk, stop, a, b, keyword, name, step)
  prefixItems(walk, stop, a, b)
}

const branches = [
  ['allOf', 'all-of'],
  ['anyOf', 'any-of'],
  ['oneOf', 'one-of'],
] as const

/** Keyword, its name in ids, and the step that its values are from the whole; empty where they are the whole. */
const single = [
  ['items', 'items', '/-'],
  ['not', 'not', ''],
  ['if', 'if', ''],
  ['then', 'then', ''],
  ['else', 'else', ''],
  ['contains', 'contains', '/-'],
  ['propertyNames', 'property-names', ''],
  ['unevaluatedItems', 'unevaluated-items', '/-'],
  ['unevaluatedProperties', 'unevaluated-properties', '/*'],
] as const

const named = [
  ['patternProperties', 'pattern-property', '/*'],
  ['dependentSchemas', 'dependent-schema', ''],
] as const

function branchChanges(
  walk: SchemaWalk,
  stop: Stop,
  a: JsonObject,
  b: JsonObject,
  keyword: string,
  name: string,
): void {
  const [olds, news] = [list(a, keyword), list(b, keyword)]
  if (olds.length === 0 && news.length === 0) return
  const { pairs, removed, added } = matchBranches(walk, olds, news)
  const judged = partial(walk, stop, keyword)
  for (const [one, other] of pairs)
    walk.visit({
      ...stop,
      a: within(stop.a, olds[one] ?? null, keyword, one),
      b: within(stop.b, news[other] ?? null, keyword, other),
    })
  for (const index of removed)
    if (!isAnnotation(walk.old, olds[index] ?? null))
      walk.put(
        { ...stop, a: within(stop.a, olds[index] ?? null, keyword, index) },
        { action: `${name}-removed`, keywords: [], old: shown(olds[index]), judged },
      )
  for (const index of added)
    if (!isAnnotation(walk.new_, news[index] ?? null))
      walk.put(
        { ...stop, b: within(stop.b, news[index] ?? null, keyword, index) },
        { action: `${name}-added`, keywords: [], new: shown(news[index]), judged },
      )
}

/** Whether a schema with keywords of its own is now one of several alternatives, and nothing else. */
export function wraps(a: JsonObject, b: JsonObject): boolean {
  const rest = (schema: JsonObject): string[] => Object.keys(schema).filter((key) => !annotations.has(key))
  const ours = rest(a)
  const isPlain = ours.length > 0 && !['oneOf', 'anyOf', 'allOf', '$ref'].some((key) => ours.includes(key))
  return (
    isPlain &&
    rest(b).every((key) => key === 'oneOf' || key === 'discriminator') &&
    list(b, 'oneOf').length > 1
  )
}

function singleChanges(
  walk: SchemaWalk,
  stop: Stop,
  a: JsonObject,
  b: JsonObject,
  keyword: string,
  name: string,
  step: string,
): void {
  const [old, fresh] = [own(a, keyword), own(b, keyword)]
  if (old === undefined && fresh === undefined) return
  if (old === undefined || fresh === undefined) {
    const action = `${name}-${old === undefined ? 'added' : 'removed'}`
    walk.put(stop, {
      action,
      keywords: [],
      old: shown(old),
      new: shown(fresh),
      judged: partial(walk, stop, keyword),
    })
    return
  }
  const at = { ...stop, a: within(stop.a, old, keyword), b: within(stop.b, fresh, keyword) }
  if (keyword !== 'not') {
    walk.visit({ ...at, path: stop.path + step })
    return
  }
  if (!walk.sameness.of(old, fresh))
    walk.put(at, { action: 'not-changed', keywords: [], judged: partial(walk, stop, keyword) })
}

function additional(walk: SchemaWalk, stop: Stop, a: JsonObject, b: JsonObject): void {
  const keyword = 'additionalProperties'
  const [old, fresh] = [own(a, keyword) ?? true, own(b, keyword) ?? true]
  if (isObject(old) && isObject(fresh)) {
    const at = { ...stop, a: within(stop.a, old, keyword), b: within(stop.b, fresh, keyword) }
    walk.visit({ ...at, path: `${stop.path}/*` })
    return
  }
  if (canonical(asSchema(old)) === canonical(asSchema(fresh))) return
  const how = fresh === false ? 'removed' : old === false ? 'added' : 'changed'
  walk.put(stop, {
    action: `additional-properties-${how}`,
    keywords: [],
    old: shown(old),
    new: shown(fresh),
    judged: walk.judgement.judge(
      walk.judgement.holds(walk.subject.direction, pick(a, [keyword, 'type']), pick(b, [keyword, 'type'])),
    ),
  })
}

function asSchema(value: Json): Json {
  return value === true ? {} : value
}

function namedChanges(
  walk: SchemaWalk,
  stop: Stop,
  a: JsonObject,
  b: JsonObject,
  keyword: string,
  name: string,
  step: string,
): void {
  const [olds, news] = [asObject(own(a, keyword)), asObject(own(b, keyword))]
  for (const key of namesOf(olds, news)) {
    const [old, fresh] = [own(olds, key), own(news, key)]
    if (old !== undefined && fresh !== undefined) {
      const at = { ...stop, a: within(stop.a, old, keyword, key), b: within(stop.b, fresh, keyword, key) }
      walk.visit({ ...at, path: stop.path + step })
    } else {
      const action = `${name}-${old === undefined ? 'added' : 'removed'}`
      const shownKey = { ...(old === undefined ? { new: key } : { old: key }) }
      walk.put(stop, { action, keywords: [], ...shownKey, judged: partial(walk, stop, keyword) })
    }
  }
}

function prefixItems(walk: SchemaWalk, stop: Stop, a: JsonObject, b: JsonObject): void {
  const [olds, news] = [list(a, 'prefixItems'), list(b, 'prefixItems')]
  for (let index = 0; index < Math.max(olds.length, news.length); index++) {
    const [old, fresh] = [olds[index], news[index]]
    const path = `${stop.path}/${index}`
    if (old !== undefined && fresh !== undefined) {
      const [one, other] = [
        within(stop.a, old, 'prefixItems', index),
        within(stop.b, fresh, 'prefixItems', index),
      ]
      walk.visit({ ...stop, a: one, b: other, path })
    } else {
      const action = `prefix-items-${old === undefined ? 'added' : 'removed'}`
      const judged = partial(walk, stop, 'prefixItems')
      walk.put(stop, { action, keywords: [], old: shown(old), new: shown(fresh), judged })
    }
  }
}

/** The keyword alone, with the type that it stands beside. */
function partial(walk: SchemaWalk, stop: Stop, keyword: string): Judged {
  return once(walk, stop, `with ${keyword}`, () => decidePartial(walk, stop, keyword))
}

function decidePartial(walk: SchemaWalk, stop: Stop, keyword: string): Judged {
  const related = ['if', 'then', 'else'].includes(keyword) ? ['if', 'then', 'else'] : [keyword]
  const more =
    keyword === 'prefixItems' ? ['items'] : keyword === 'contains' ? ['minContains', 'maxContains'] : []
  const keywords = [...related, ...more, 'type']
  const [a, b] = [asObject(stop.a.value), asObject(stop.b.value)]
  const { direction } = walk.subject
  const apart = walk.judgement.holds(direction, pick(a, keywords), pick(b, keywords))
  // What another keyword says may make up for it.
  return apart.verdict === 'contained' ? walk.judgement.judge(apart) : whole(walk, stop)
}

function whole(walk: SchemaWalk, stop: Stop): Judged {
  return once(walk, stop, 'whole', () =>
    walk.judgement.judge(walk.judgement.holds(walk.subject.direction, stop.a.value, stop.b.value)),
  )
}

function pick(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keywords.includes(key)))
}

function list(schema: JsonObject, keyword: string): readonly Json[] {
  const value = own(schema, keyword)
  return isArray(value) ? value : []
}

/** A schema as a message names it. */
function shown(schema: Json | undefined): Json | undefined {
  if (!isObject(schema)) return schema
  const reference = own(schema, '$ref') ?? own(schema, 'title')
  return typeof reference === 'string' ? reference : schema
}
