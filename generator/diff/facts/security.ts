import { canonical } from '../../contains/value.js'
import { isArray, isObject, own } from '../../load/json.js'
import { type Cursor, elements, member, rootCursor, text } from '../../model/cursor.js'
import type { Finding } from '../collector.js'
import { namesOf } from '../schema/within.js'
import { asObject, entriesOf, memberOf, type Side } from '../side.js'
import { type OperationPair, report, type Tools } from './pair.js'

/** Requirements of one operation, where it has its own. */
export function securityFacts(pair: OperationPair): void {
  const [old, fresh] = [pair.before.operation, pair.after.operation].map((cursor) =>
    member(cursor, 'security'),
  )
  requirements(old, fresh, 'api-security', (finding) =>
    report(pair, { old: pair.before.operation, new: pair.after.operation, ...finding }),
  )
}

/** Requirements and schemes of the whole document. */
export function documentSecurityFacts(old: Side, new_: Side, { collector }: Tools): void {
  const [a, b] = [old, new_].map(({ document }) => rootCursor(document))
  const [one, other] = [a, b].map((root) => root && member(root, 'security'))
  requirements(one, other, 'api-global-security', (finding) => collector.add(finding))
  const [olds, news] = [
    entriesOf(old, memberOf(old, a, 'components'), 'securitySchemes'),
    entriesOf(new_, memberOf(new_, b, 'components'), 'securitySchemes'),
  ]
  for (const name of new Set([...olds.keys(), ...news.keys()])) {
    const [before, after] = [olds.get(name), news.get(name)]
    const add = (what: string, message: string, values: Finding['values'] = []): void =>
      collector.add({
        id: `api-security-component-${what}`,
        message: `the security scheme ${name} ${message}`,
        values: [name, ...(values ?? [])],
        old: before,
        new: after,
      })
    if (before === undefined) add('added', 'was added')
    else if (after === undefined) add('removed', 'was removed')
    else scheme(before, after, add)
  }
}

/** Alternatives by the schemes they name; an alternative that only differs in scopes is the same one. */
function requirements(
  old: Cursor | undefined,
  fresh: Cursor | undefined,
  subject: string,
  add: (finding: Finding) => void,
): void {
  const [olds, news] = [alternatives(old), alternatives(fresh)]
  for (const [key, { title, cursor, scopes }] of olds) {
    const other = news.get(key)
    if (other === undefined) {
      add({
        id: `${subject}-removed`,
        message: `the security ${title} was removed`,
        old: cursor,
        values: [key],
      })
      continue
    }
    const ends = { old: cursor, new: other.cursor }
    for (const scope of scopes)
      if (!other.scopes.includes(scope))
        add({
          ...ends,
          id: `${subject}-scope-removed`,
          message: `the scope ${scope} was removed`,
          values: [scope],
        })
    for (const scope of other.scopes)
      if (!scopes.includes(scope))
        add({
          ...ends,
          id: `${subject}-scope-added`,
          message: `the scope ${scope} was added`,
          values: [scope],
        })
  }
  for (const [key, { title, cursor }] of news)
    if (!olds.has(key))
      add({ id: `${subject}-added`, message: `the security ${title} was added`, new: cursor, values: [key] })
}

interface Alternative {
  readonly title: string
  readonly cursor: Cursor
  /** Each after its scheme. */
  readonly scopes: readonly string[]
}

function alternatives(security: Cursor | undefined): Map<string, Alternative> {
  return new Map(
    elements(security).map((cursor) => {
      const schemes = namesOf(cursor.value, undefined)
      const scopes = schemes.flatMap((name) => {
        const list = own(asObject(cursor.value), name)
        return isArray(list) ? list.map((scope) => `${name}:${String(scope)}`) : []
      })
      const title = schemes.length === 0 ? 'none' : schemes.join(' and ')
      return [canonical(schemes), { title, cursor, scopes }]
    }),
  )
}

type Add = (what: string, message: string, values?: Finding['values']) => void

function scheme(old: Cursor, fresh: Cursor, add: Add): void {
  const [was, is] = [text(old.value, 'type'), text(fresh.value, 'type')]
  if (was !== is) add('type-changed', `is ${is} instead of ${was}`, [was, is])
  const [olds, news] = [old, fresh].map(({ value }) => asObject(own(asObject(value), 'flows')))
  for (const flow of namesOf(olds, news)) {
    const [a, b] = [own(olds ?? {}, flow), own(news ?? {}, flow)]
    if (!isObject(a) || !isObject(b)) continue
    for (const [key, what] of [
      ['authorizationUrl', 'oauth-url-changed'],
      ['tokenUrl', 'oauth-token-url-changed'],
    ] as const)
      if (text(a, key) !== text(b, key)) add(what, `has another ${key}`, [text(a, key), text(b, key)])
    const [before, after] = [asObject(own(a, 'scopes')), asObject(own(b, 'scopes'))]
    for (const scope of namesOf(before, after)) {
      const [one, other] = [own(before, scope), own(after, scope)]
      if (one === undefined) add('oauth-scope-added', `has a new scope ${scope}`, [scope])
      else if (other === undefined) add('oauth-scope-removed', `has no scope ${scope} any more`, [scope])
      else if (one !== other) add('oauth-scope-changed', `describes its scope ${scope} another way`, [scope])
    }
  }
}
