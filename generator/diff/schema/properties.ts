import type { Json, JsonObject } from '../../load/document.js'
import { isArray, isObject, own } from '../../load/json.js'
import type { Judged } from '../decide/judgement.js'
import { asObject } from '../side.js'
import { changeId, subjectName } from './subject.js'
import { behind, namesOf, once, type SchemaWalk, type Stop, within } from './walk.js'

/** Properties that came, went, became required or optional, or changed within. */
export function propertyChanges(walk: SchemaWalk, stop: Stop, a: JsonObject, b: JsonObject): void {
  const [olds, news] = [asObject(own(a, 'properties')), asObject(own(b, 'properties'))]
  for (const name of walk.sameness.differing(a, b, () => differing(walk, a, b, olds, news))) {
    const [old, fresh] = [own(olds, name), own(news, name)]
    const path = `${stop.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const at = {
      ...stop,
      path,
      a: old === undefined ? stop.a : within(stop.a, old, 'properties', name),
      b: fresh === undefined ? stop.b : within(stop.b, fresh, 'properties', name),
    }
    if (old === undefined && fresh !== undefined)
      added(walk, at, stop, name, behind(walk.new_, at.b).value, b)
    else if (fresh === undefined && old !== undefined)
      removed(walk, at, stop, name, behind(walk.old, at.a).value, a)
    else changed(walk, at, stop, name, a, b)
  }
  requiredWithoutProperty(walk, stop, a, b, olds, news)
}

/** Names of properties that are not the same, required or not, in both. */
function differing(
  walk: SchemaWalk,
  a: JsonObject,
  b: JsonObject,
  olds: JsonObject,
  news: JsonObject,
): string[] {
  const [was, is] = [new Set(names(a)), new Set(names(b))]
  return namesOf(olds, news).filter((name) => {
    const [old, fresh] = [own(olds, name), own(news, name)]
    if (old === undefined || fresh === undefined || was.has(name) !== is.has(name)) return true
    return !walk.sameness.of(old, fresh)
  })
}

function added(walk: SchemaWalk, at: Stop, outer: Stop, name: string, schema: Json, b: JsonObject): void {
  const { direction } = walk.subject
  const required = isRequired(b, name)
  const closed = direction === 'response' && own(asObject(outer.a.value), 'additionalProperties') === false
  const [readOnly, writeOnly] = [has(schema, 'readOnly'), has(schema, 'writeOnly')]
  if (direction === 'request') {
    const isParameter = walk.subject.holder === 'parameter'
    const must = required && !readOnly
    const header = isParameter && walk.subject.isHeader === true
    const noun = header && must ? 'header-property' : isParameter ? 'parameter-property' : 'property'
    const withDefault = must && !isParameter && own(asObject(schema), 'default') !== undefined
    const id = must
      ? isParameter && !header
        ? 'request-parameter-property-became-required'
        : `new-required-request-${noun}${withDefault ? '-with-default' : ''}`
      : `new-optional-request-${isParameter ? 'parameter-property' : 'property'}`
    const judged = must ? requirement(walk, outer, name) : undefined
    const unseen = must ? {} : { unseen: true as const }
    walk.put({ ...at, a: outer.a }, { id, action: '', keywords: [], new: name, judged, ...unseen })
    return
  }
  if (walk.subject.holder === 'header') return
  const id = `response-${required ? 'required' : 'optional'}-${writeOnly ? 'write-only-' : ''}property-added`
  const judged: Judged | undefined = closed
    ? walk.judgement.judge(walk.judgement.holds('response', outer.a.value, outer.b.value))
    : undefined
  walk.put(at, {
    id,
    action: '',
    keywords: [],
    new: name,
    ...(judged ? { judged } : { unseen: true as const }),
  })
}

function removed(walk: SchemaWalk, at: Stop, outer: Stop, name: string, schema: Json, a: JsonObject): void {
  const { direction, holder } = walk.subject
  const change = { action: '', keywords: [], old: name }
  const closed = own(asObject(outer.b.value), 'additionalProperties') === false
  if (direction === 'request') {
    const id = `${subjectName(walk.subject, false)}-removed`
    const judged = closed
      ? walk.judgement.judge(walk.judgement.holds('request', outer.a.value, outer.b.value))
      : undefined
    walk.put(at, { ...change, id, ...(judged ? { judged } : { unseen: true as const }) })
    return
  }
  if (holder === 'header') {
    walk.put(at, { ...change, id: 'response-header-property-removed', unseen: true })
    return
  }
  const [required, writeOnly] = [isRequired(a, name), has(schema, 'writeOnly')]
  const id = `response-${required ? 'required' : 'optional'}-${writeOnly ? 'write-only-' : ''}property-removed`
  walk.put(at, { ...change, id, unseen: true })
}

function changed(walk: SchemaWalk, at: Stop, outer: Stop, name: string, a: JsonObject, b: JsonObject): void {
  const { direction, holder } = walk.subject
  const [old, fresh] = [behind(walk.old, at.a).value, behind(walk.new_, at.b).value]
  const both = (key: string): boolean => has(old, key) && has(fresh, key)
  const unsent = direction === 'request' ? 'readOnly' : 'writeOnly'
  const kind = (direction === 'request' ? has(fresh, unsent) : both(unsent))
    ? `${unsent === 'readOnly' ? 'read' : 'write'}-only-`
    : at.kind
  const [was, is] = [isRequired(a, name), isRequired(b, name)]
  if (was !== is) {
    const withDefault = is && direction === 'request' && own(asObject(fresh), 'default') !== undefined
    const action = is
      ? `became-required${withDefault && holder === 'body' ? '-with-default' : ''}`
      : 'became-optional'
    const id = changeId(walk.subject, false, action, kind)
    walk.put({ ...at, kind }, { id, action, keywords: [], judged: requirement(walk, outer, name) })
  }
  if (holder === 'body') mutability(walk, at, old, fresh, is)
  walk.visit({ ...at, kind })
}

/** Whether a property's requirement alone is kept to: the old schema against itself with the new requirement. */
function requirement(walk: SchemaWalk, outer: Stop, name: string): Judged {
  const [a, b] = [asObject(outer.a.value), asObject(outer.b.value)]
  const others = names(a).filter((one) => one !== name)
  const { type = 'object' } = a
  const old = { type, required: names(a) }
  const fresh = { type, required: isRequired(b, name) ? [...others, name] : others }
  return once(walk, outer, `required ${name}`, () =>
    walk.judgement.judge(walk.judgement.holds(walk.subject.direction, old, fresh, walk.old)),
  )
}

function mutability(walk: SchemaWalk, at: Stop, old: Json, fresh: Json, required: boolean): void {
  for (const [key, name] of [
    ['readOnly', 'read-only'],
    ['writeOnly', 'write-only'],
  ] as const) {
    const [was, is] = [has(old, key), has(fresh, key)]
    if (was === is) continue
    const id = `${walk.subject.direction}-${required ? 'required' : 'optional'}-property-became-${is ? '' : 'not-'}${name}`
    walk.put(at, { id, action: '', keywords: [], unseen: true })
  }
}

/** Names that are required, or no longer, and that no version has among its properties. */
function requiredWithoutProperty(
  walk: SchemaWalk,
  stop: Stop,
  a: JsonObject,
  b: JsonObject,
  olds: JsonObject,
  news: JsonObject,
): void {
  for (const name of new Set([...names(a), ...names(b)])) {
    if (Object.hasOwn(olds, name) || Object.hasOwn(news, name)) continue
    const [was, is] = [isRequired(a, name), isRequired(b, name)]
    if (was === is) continue
    const id = changeId(walk.subject, false, is ? 'became-required' : 'became-optional')
    const at = { ...stop, path: `${stop.path}/${name}` }
    walk.put(at, { id, action: '', keywords: [], judged: requirement(walk, stop, name) })
  }
}

function names(schema: JsonObject): string[] {
  const required = own(schema, 'required')
  return isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

function isRequired(schema: JsonObject, name: string): boolean {
  return names(schema).includes(name)
}

function has(schema: Json, key: string): boolean {
  return isObject(schema) && own(schema, key) === true
}
