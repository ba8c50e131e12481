import { type Cursor, rootCursor, text } from '../../document/cursor.js'
import { isObject, own } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'
import type { ChangeId } from '../change/catalogue.js'
import type { Finding } from '../change/collector.js'
import type { Level } from '../change/level.js'
import { whereTexts } from '../change/protocol.js'
import { asObject, entriesOf, memberOf, type Side } from '../change/side.js'
import { namesOf } from '../same/within.js'
import type { Tools } from './parts/pair.js'

/** What operations require. */
export interface Asked {
  /** The schemes that operations of the old version require. */
  readonly used: ReadonlySet<string>
  /** The scopes that operations of each version require, prefixed with their scheme. */
  readonly wasAsked: ReadonlySet<string>
  readonly isAsked: ReadonlySet<string>
}

function schemesOf(side: Side): Map<string, Cursor> {
  const components = memberOf(side, rootCursor(side.document), 'components')
  return entriesOf(side, components, 'securitySchemes')
}

/** The new version's schemes that have another name in the old version and are otherwise equal. */
export function renamedSchemes(old: Side, new_: Side): Map<string, string> {
  const [olds, news] = [schemesOf(old), schemesOf(new_)]
  const free = new Map(
    [...olds].flatMap(([name, { value }]) => (news.has(name) ? [] : [[fingerprint(value), name] as const])),
  )
  const renamed = new Map<string, string>()
  for (const [name, { value }] of news) {
    const known = free.get(fingerprint(value))
    if (olds.has(name) || known === undefined) continue
    renamed.set(name, known)
    free.delete(fingerprint(value))
  }
  return renamed
}

/**
 * Compares the security schemes of the document. `used`, `wasAsked` and `isAsked`: what operations of both versions
 * require.
 */
export function securitySchemeFacts(
  old: Side,
  new_: Side,
  { used, wasAsked, isAsked }: Asked,
  { collector }: Tools,
): void {
  const [olds, news] = [schemesOf(old), schemesOf(new_)]
  const renamed = renamedSchemes(old, new_)
  const kept = new Set(renamed.values())
  for (const name of new Set([...olds.keys(), ...news.keys()])) {
    const [before, after] = [olds.get(name), news.get(name)]
    const add: Add = (what, message, values = [], level, protocols) =>
      collector.add({
        id: `api-security-component-${what}`,
        message: `the security scheme ${name} ${message}`,
        values: [name, ...values],
        old: before,
        new: after,
        ...(protocols !== undefined && { protocols }),
        // Callers do not have credentials that no operation requires.
        ...(level !== undefined && used.has(name) && { level }),
      })
    const lost = (scope: string): Level | undefined => {
      const asked = `${renamed.get(name) ?? name}:${scope}`
      if (!wasAsked.has(asked)) return undefined
      return isAsked.has(asked) ? 'breaking' : 'dangerous'
    }
    if (before !== undefined && after !== undefined) changed(before, after, add, lost)
    else if (before === undefined && !renamed.has(name)) add('added', 'was added')
    else if (after === undefined && !kept.has(name)) {
      const isRefused = text(before?.value, 'in') === 'query' && ![...news.values()].some(isLike(before))
      const [message, level, protocols] =
        isRefused && used.has(name) ? undeclaredNow : (['was removed'] as const)
      add('removed', message, [], level, protocols)
    }
  }
}

/** A service refuses query names that it does not declare. */
const undeclaredNow = [
  'was removed: its query parameter is an undeclared name now',
  'dangerous',
  whereTexts,
] as const

/** Whether a scheme has its key at the same place as another. */
function isLike(other: Cursor | undefined): (scheme: Cursor) => boolean {
  return ({ value }) =>
    text(value, 'in') === text(other?.value, 'in') && text(value, 'name') === text(other?.value, 'name')
}

/** `the header X-Key`, `the HTTP scheme bearer`. */
function credentialOf({ value }: Cursor): string {
  const place = text(value, 'in')
  if (place === undefined) return `the HTTP scheme ${text(value, 'scheme')}`
  return `the ${place === 'query' ? 'query parameter' : place} ${text(value, 'name')}`
}

type Add = (
  what: Event,
  message: string,
  values?: NonNullable<Finding['values']>,
  level?: Level,
  protocols?: Finding['protocols'],
) => void

/** What happened to a security scheme: the end of the change id. */
type Event = ChangeId extends infer Id
  ? Id extends `api-security-component-${infer End}`
    ? End
    : never
  : never

/** The level of a removed scope: requests for it may be refused (RFC 6749 section 4.1.2.1). */
type Lost = (scope: string) => Level | undefined

function changed(old: Cursor, fresh: Cursor, add: Add, lost: Lost): void {
  const [was, is] = [text(old.value, 'type'), text(fresh.value, 'type')]
  if (was !== is) add('type-changed', `is ${is} instead of ${was}`, [was, is], 'breaking')
  else {
    const values = ['scheme', 'in', 'name'].flatMap((key) => {
      const [a, b] = [text(old.value, key), text(fresh.value, key)]
      // Names of schemes and header fields ignore case (RFC 9110 sections 5.1 and 11.1).
      const isFolded = key === 'scheme' || (key === 'name' && text(old.value, 'in') === 'header')
      const same = isFolded ? a?.toLowerCase() === b?.toLowerCase() : a === b
      return same ? [] : [key, a ?? '', b ?? '']
    })
    const message = `is ${credentialOf(fresh)} instead of ${credentialOf(old)}`
    if (values.length > 0) add('credential-changed', message, values, 'breaking')
  }
  for (const [key, what] of comparedFields) {
    const [a, b] = [text(old.value, key), text(fresh.value, key)]
    // No document says whether the old address still works. The format of a token is a hint (OpenAPI 3.1.1 section
    // 4.8.27.1).
    const level = key === 'bearerFormat' ? undefined : 'dangerous'
    if (was === is && a !== b)
      add(what, `has another ${key}: ${a ?? 'none'} to ${b ?? 'none'}`, [a, b], level)
  }
  if (was !== is) return
  const [olds, news] = [old, fresh].map(({ value }) => asObject(own(asObject(value), 'flows')))
  for (const flow of namesOf(olds, news)) {
    const [a, b] = [own(olds ?? {}, flow), own(news ?? {}, flow)]
    if (a === undefined) add('oauth-flow-added', `has the flow ${flow}, too`, [flow])
    else if (b === undefined) add('oauth-flow-removed', `has no flow ${flow} any more`, [flow], 'breaking')
    else flows(a, b, add, lost)
  }
}

const comparedFields = [
  ['openIdConnectUrl', 'openid-connect-url-changed'],
  ['oauth2MetadataUrl', 'oauth-metadata-url-changed'],
  ['bearerFormat', 'bearer-format-changed'],
] as const

function flows(a: unknown, b: unknown, add: Add, lost: Lost): void {
  if (!isObject(a) || !isObject(b)) return
  // No document says whether the old address still works.
  for (const [key, what] of [
    ['authorizationUrl', 'oauth-url-changed'],
    ['tokenUrl', 'oauth-token-url-changed'],
    ['refreshUrl', 'oauth-refresh-url-changed'],
    ['deviceAuthorizationUrl', 'oauth-device-url-changed'],
  ] as const)
    if (text(a, key) !== text(b, key))
      add(what, `has another ${key}`, [text(a, key), text(b, key)], 'dangerous')
  const [before, after] = [asObject(own(a, 'scopes')), asObject(own(b, 'scopes'))]
  for (const scope of namesOf(before, after)) {
    const [one, other] = [own(before, scope), own(after, scope)]
    if (one === undefined) add('oauth-scope-added', `has a new scope ${scope}`, [scope])
    else if (other === undefined)
      add('oauth-scope-removed', `has no scope ${scope} any more`, [scope], lost(scope))
    else if (one !== other) add('oauth-scope-changed', `describes its scope ${scope} another way`, [scope])
  }
}
