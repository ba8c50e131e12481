import { type Cursor, member } from '../../document/cursor.js'
import { own } from '../../document/json.js'
import { escaped } from '../../document/pointer.js'
import type { Finding } from '../change/collector.js'
import type { Level } from '../change/level.js'
import { asObject, entriesOf, type Side } from '../change/side.js'
import type { Traits } from '../change/subject.js'
import { compareSchemas, type OperationPair, report } from './parts/pair.js'
import { isOfType, type Parameter, parametersOf, schemaOf, spellingOf } from './request/parameter.js'
import { type Alternative, admits, alternativesOf, sameSchemes, titleOf } from './requirements.js'

/** Compares the header, query and path parameters of a message. Its receivers read them like responses. */
export function parametersOfMessage(pair: OperationPair, title: string, path: string): void {
  const [olds, news] = [parametersOf(pair.old, pair.before), parametersOf(pair.new, pair.after)]
  for (const key of new Set([...olds.keys(), ...news.keys()])) {
    const [old, fresh] = [olds.get(key), news.get(key)]
    const { in: place, name } = fresh ?? old ?? { in: '', name: '' }
    const what = `the ${place} parameter ${name} of ${title}`
    const at = `${path}/${place}/${escaped(name)}`
    const said = { path: at, old: old?.cursor, new: fresh?.cursor }
    if (old === undefined || fresh === undefined) {
      const how = old === undefined ? 'added' : 'removed'
      // Receivers could not rely on an optional value.
      const level = old !== undefined && !old.required ? ({ level: 'dangerous' } as const) : {}
      report(pair, { ...said, ...level, id: `message-parameter-${how}`, message: `${what} was ${how}` })
      continue
    }
    if (old.required !== fresh.required) {
      const how = fresh.required ? 'required' : 'optional'
      report(pair, { ...said, id: `message-parameter-became-${how}`, message: `${what} became ${how}` })
    }
    const [was, is] = [spellingOf(pair.old, old), spellingOf(pair.new, fresh)]
    if (was !== is && !isOfType(was, is)) {
      const message = `${what} is written another way: ${was} to ${is}`
      report(pair, { ...said, id: 'message-parameter-style-changed', message, values: [was, is] })
    }
    schemas(pair, what, at, old, fresh)
  }
}

type How = 'style-changed' | 'added' | 'removed' | 'became-required' | 'became-optional'

function schemas(
  pair: OperationPair,
  title: string,
  path: string,
  old: Parameter,
  fresh: Parameter,
  traits: Traits = { direction: 'response', holder: 'header' },
): void {
  const [a, b] = [schemaOf(pair.old, old), schemaOf(pair.new, fresh)]
  if (a === undefined || b === undefined) return
  const isLoose = [old, fresh].every(({ cursor }) => member(cursor, 'content') === undefined)
  compareSchemas(pair, { ...traits, title, path, isLoose, isOfHttp: true }, a, b)
}

/** Compares the headers of replies to a message. The service reads them. */
export function headersOfReply(
  pair: OperationPair,
  [old, fresh]: readonly [Cursor, Cursor],
  title: string,
  path: string,
): void {
  const [olds, news] = [headersOf(pair.old, old), headersOf(pair.new, fresh)]
  for (const key of new Set([...olds.keys(), ...news.keys()])) {
    const [a, b] = [olds.get(key), news.get(key)]
    const what = `the header ${b?.name ?? a?.name} of ${title}`
    const at = `${path}/${key}`
    const say = (how: How, said: string, level: Level): void =>
      report(pair, {
        ...{ id: `message-parameter-${how}`, level, message: `${what} ${said}`, path: at },
        ...{ old: a?.cursor, new: b?.cursor },
      })
    if (a === undefined) say('added', 'was added', b?.required ? 'breaking' : 'compatible')
    else if (b === undefined) say('removed', 'was removed', 'dangerous')
    else {
      if (a.required !== b.required && b.required) say('became-required', 'became required', 'breaking')
      else if (a.required !== b.required) say('became-optional', 'became optional', 'compatible')
      const [was, is] = [spellingOf(pair.old, a), spellingOf(pair.new, b)]
      if (was !== is && !isOfType(was, is))
        say('style-changed', `is written another way: ${was} to ${is}`, 'breaking')
      schemas(pair, what, at, a, b, { direction: 'request', holder: 'parameter', isHeader: true })
    }
  }
}

/** By name in lower case. */
function headersOf(side: Side, answer: Cursor): Map<string, Parameter> {
  return new Map(
    [...entriesOf(side, answer, 'headers')].map(([name, cursor]) => {
      const required = own(asObject(cursor.value), 'required') === true
      return [name.toLowerCase(), { name, param: name, in: 'header', required, shared: false, cursor }]
    }),
  )
}

/**
 * Compares how the service signs a message, if that is stated. A receiver that accepts one of the old alternatives must
 * accept each new one. These may give more credentials, not fewer.
 */
export function messageSecurity(pair: OperationPair, title: string, path: string): void {
  const [a, b] = [member(pair.before.operation, 'security'), member(pair.after.operation, 'security')]
  if (a === undefined && b === undefined) return
  const [olds, news] = [alternativesOf(a), alternativesOf(b)]
  const say = (finding: Finding): void => report(pair, { ...finding, path })
  for (const fresh of news) {
    const isTaken = olds.some((old) => admits(old, fresh))
    const level = isTaken ? 'compatible' : 'breaking'
    const alike = olds.filter((old) => sameSchemes(old, fresh))
    const known = alike.find((old) => old.scopes.join() === fresh.scopes.join()) ?? alike[0]
    const ends = { new: fresh.cursor ?? pair.after.operation, old: known?.cursor ?? pair.before.operation }
    if (known !== undefined) scopes(known, fresh, level, ends, title, say)
    else {
      const message = `${title} may come with the security ${titleOf(fresh)}`
      say({ ...ends, id: 'message-security-added', message, level, values: [fresh.schemes.join()] })
    }
  }
  for (const old of olds) {
    if (news.some((fresh) => sameSchemes(old, fresh))) continue
    const ends = { old: old.cursor ?? pair.before.operation, new: pair.after.operation }
    const message = `${title} no longer comes with the security ${titleOf(old)}`
    say({ ...ends, id: 'message-security-removed', message, values: [old.schemes.join()] })
  }
}

type Ends = { readonly old: Cursor; readonly new: Cursor }

function scopes(
  old: Alternative,
  fresh: Alternative,
  level: 'compatible' | 'breaking',
  ends: Ends,
  title: string,
  say: (finding: Finding) => void,
): void {
  for (const scope of old.scopes.filter((one) => !fresh.scopes.includes(one)))
    say({
      ...{ ...ends, level, values: [scope] },
      id: 'message-security-scope-removed',
      message: `${title} comes without the scope ${scope}`,
    })
  for (const scope of fresh.scopes.filter((one) => !old.scopes.includes(one)))
    say({
      ...{ ...ends, values: [scope] },
      id: 'message-security-scope-added',
      message: `${title} comes with the scope ${scope}`,
    })
}
