import { type Cursor, childPointer } from '../../../document/cursor.js'
import { own } from '../../../document/json.js'
import { escaped } from '../../../document/pointer.js'
import { defaultOf } from '../../../schema/defaults/defaults.js'
import type { ChangeId } from '../../change/catalogue.js'
import type { Finding } from '../../change/collector.js'
import { isUnstable, lifecycleOf } from '../../change/lifecycle.js'
import { protocols, whereJson, wherePaths, whereTexts } from '../../change/protocol.js'
import { asObject, type Endpoint, type Side } from '../../change/side.js'
import { type Subject, titleFor } from '../../change/subject.js'
import { isBad } from '../../decide/judgement.js'
import { isSentInBody } from '../../decide/sent-elsewhere.js'
import { haveSamePath } from '../../pairing/pairing.js'
import { schemasOf } from '../../same/discrimination.js'
import { deprecation } from '../parts/lifecycle-facts.js'
import { compareSchemas, type OperationPair, report } from '../parts/pair.js'
import { lostIfEmpty, readIfEmpty } from './empty-values.js'
import { judgeFormerKey } from './former-key.js'
import { unmergedFact } from './merged-params.js'
import { ofOneItem } from './one-item.js'
import {
  isBareInPath,
  isNamedInPath,
  isOfType,
  isReadAsText,
  isReadIn,
  listStyleOf,
  type Parameter,
  parametersOf,
  schemaOf,
  spellingOf,
  writtenOut,
} from './parameter.js'
import {
  arrivesByNames,
  bindingOf,
  isAlwaysMember,
  isTakenApart,
  type Taken,
  takenAfter,
  takenBefore,
  takenMembers,
} from './query-names.js'

/**
 * Compares path, query, header and cookie parameters.
 *
 * @param isBodyTakenApart whether the body's own change tells JSON-RPC callers that their params are others
 */
export function parameterFacts(pair: OperationPair, isBodyTakenApart: boolean): void {
  const { kept, moves, gone, come } = matched(pair)
  for (const [old, fresh] of kept) {
    changed(pair, old, fresh)
    unmergedFact(pair, old, fresh, pathOf(fresh))
  }
  for (const [old, fresh] of moves) {
    moved(pair, old, fresh)
    changed(pair, old, fresh)
  }
  swapped(pair)
  const ofRest: OperationPair = { ...pair, before: { ...pair.before, rpc: false } }
  for (const old of gone) removed(isBodyTakenApart ? ofRest : pair, old)
  for (const fresh of come) added(pair, fresh)
}

type Both = readonly [old: Parameter, fresh: Parameter]

/**
 * Pairs the parameters of both versions with the same location and name (`kept`), and those that only keep their param
 * name (`moves`).
 */
export function matched(pair: OperationPair): {
  readonly kept: readonly Both[]
  readonly moves: readonly Both[]
  readonly gone: ReadonlySet<Parameter>
  readonly come: ReadonlySet<Parameter>
} {
  const [olds, news] = [parametersOf(pair.old, pair.before), parametersOf(pair.new, pair.after)]
  const renamed = renamedInPath(pair.before, pair.after)
  const [kept, moves]: [Both[], Both[]] = [[], []]
  const [gone, come] = [new Set<Parameter>(), new Set(news.values())]
  for (const [key, old] of olds) {
    // There is at most one `querystring`, and requests do not contain its name (OpenAPI 3.2.0 section 4.12.3).
    const fresh =
      old.in === 'querystring'
        ? [...news.values()].find((other) => other.in === 'querystring')
        : news.get(old.in === 'path' ? `path ${renamed.get(old.name) ?? old.name}` : key)
    if (fresh === undefined) gone.add(old)
    else {
      kept.push([old, fresh])
      come.delete(fresh)
    }
  }
  // A parameter that keeps its param name only changes its location over REST.
  for (const old of gone)
    for (const fresh of come)
      if (gone.has(old) && old.param === fresh.param) {
        moves.push([old, fresh])
        gone.delete(old)
        come.delete(fresh)
      }
  return { kept, moves, gone, come }
}

/** The new names of path parameters that were renamed in place. */
function renamedInPath(before: Endpoint, after: Endpoint): Map<string, string> {
  if (!haveSamePath(before, after)) return new Map()
  const [olds, news] = [namesIn(before.path), namesIn(after.path)]
  // A name that exists in both versions was not renamed.
  return new Map(
    olds.map((name, index) => {
      const other = news[index] ?? name
      return [name, news.includes(name) || olds.includes(other) ? name : other]
    }),
  )
}

/** Reports path parameters that swapped positions, so that one gets the other's value. */
function swapped(pair: OperationPair): void {
  const { before, after } = pair
  const [olds, news] = [before, after].map(({ path }) => namesIn(path))
  const [params, others] = [parametersOf(pair.old, before), parametersOf(pair.new, after)]
  for (const [was, is] of renamedInPath(before, after)) {
    const [old, fresh] = [params.get(`path ${was}`), others.get(`path ${is}`)]
    const [index, other] = [olds?.indexOf(was), news?.indexOf(is)]
    if (old === undefined || fresh === undefined || index === other) continue
    report(pair, {
      id: 'request-parameter-location-changed',
      message: `${titleOf(fresh)} moved within the path`,
      ...{ old: old.cursor, new: fresh.cursor, path: pathOf(fresh) },
      values: [before.path, after.path],
      protocols: whereTexts,
    })
  }
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '')
}

export function titleOf(parameter: Parameter): string {
  return `the ${parameter.in} parameter ${parameter.name}`
}

/** The title with its name over JSON-RPC, if that is different. */
function titleOfBoth({ rpc }: Endpoint, parameter: Parameter): string {
  return titleFor(rpc === false ? wherePaths : protocols, subjectOf(parameter))
}

function subjectOf(parameter: Parameter): Pick<Subject, 'title' | 'param'> {
  const { name, param } = parameter
  return { title: titleOf(parameter), ...(param !== name && { param }) }
}

export function pathOf({ param }: Parameter): string {
  return `/${escaped(param)}`
}

function moved(pair: OperationPair, old: Parameter, fresh: Parameter): void {
  const message = `${titleOf(old)} is now ${titleOf(fresh)}`
  const ends = { old: old.cursor, new: fresh.cursor, path: pathOf(fresh) }
  const values = [old.in, old.name, fresh.in, fresh.name]
  const id = `request-parameter-${old.in === fresh.in ? 'renamed' : 'location-changed'}` as const
  const evidence = { at: childPointer('', old.param) }
  report(pair, { ...ends, id, message, values, evidence, protocols: whereTexts })
}

function removed(pair: OperationPair, old: Parameter): void {
  const { deprecated, sunset } = lifecycleOf(old.cursor.value)
  const early = deprecated && sunset !== undefined && sunset > pair.tools.notice.today
  const id = isUnstable(pair.before.operation.value)
    ? 'request-parameter-unstable-removed'
    : !deprecated
      ? 'request-parameter-removed'
      : sunset === 'invalid'
        ? 'request-parameter-sunset-parse'
        : early
          ? 'request-parameter-removed-before-sunset'
          : 'request-parameter-removed-with-deprecation'
  const message = `${titleOfBoth(pair.before, old)} was removed`
  const finding: Finding = { id, message, path: pathOf(old), old: old.cursor, values: [old.in] }
  const taken = takenAfter(pair, old)
  if (taken !== undefined) reportTaken(pair, finding, taken)
  else if (isTakenApart(pair, old) || (old.in === 'path' && writtenOut(pair)?.has(old.name)))
    reportApart(pair, finding, { level: 'compatible' })
  else report(pair, finding)
}

/** REST callers still send the name, and its value arrives in another param. */
function reportTaken(
  pair: OperationPair,
  finding: Finding,
  { judged, holder, member, ...places }: Taken,
): void {
  if (!isBad(judged)) {
    reportApart(pair, finding, { level: 'compatible' })
    return
  }
  const evidence = { ...judged.evidence, at: places.old }
  const name = member === undefined ? 'its name' : `its member ${member}`
  const message = `${finding.message}, and ${name} is also a member of ${titleOf(holder)}`
  reportApart(pair, finding, { level: judged.level, message, evidence, path: places.new })
}

/** Reports a finding separately for REST and for JSON-RPC. */
function reportApart(pair: OperationPair, finding: Finding, ofRest: Partial<Finding>): void {
  if (pair.tools.collector.levelOf(finding) === ofRest.level) {
    report(pair, finding)
    return
  }
  report(pair, { ...finding, ...ofRest, protocols: whereTexts })
  report(pair, { ...finding, protocols: whereJson })
}

function added(pair: OperationPair, fresh: Parameter): void {
  const kind = `${fresh.required ? 'required' : 'optional'}-request` as const
  const id =
    fresh.in === 'path'
      ? 'new-request-path-parameter'
      : fresh.shared
        ? (`new-${kind}-default-parameter-to-existing-path` as const)
        : (`new-${kind}-parameter` as const)
  const message = `${titleOfBoth(pair.after, fresh)} was added${fresh.required ? ' and is required' : ''}`
  const judged = filled(pair, fresh)
  const finding: Finding = {
    ...judged,
    id,
    message,
    path: pathOf(fresh),
    new: fresh.cursor,
    values: [fresh.in],
  }
  const taken = takenBefore(pair, fresh)
  // A call without it is refused, whatever the name meant before.
  const isRefused = judged.level === undefined ? fresh.required : judged.level === 'breaking'
  const ofKey = judgeFormerKey(pair, fresh)
  if (isRefused && !isReadIn(pair, fresh) && !isAlwaysMember(pair, fresh)) report(pair, finding)
  else if (taken !== undefined) reportTaken(pair, finding, taken)
  else if (isReadIn(pair, fresh)) reportApart(pair, finding, { level: 'compatible' })
  else if (ofKey === undefined) report(pair, finding)
  else reportApart(pair, finding, { ...ofKey, message: `${finding.message} where calls carried their key` })
}

function changed(pair: OperationPair, old: Parameter, fresh: Parameter): void {
  const ends = { old: old.cursor, new: fresh.cursor }
  const base = { ...ends, path: pathOf(fresh) }
  const title = titleOfBoth(pair.after, fresh)
  if (old.param !== fresh.param)
    report(pair, {
      ...base,
      id: 'rpc-param-name-changed',
      message: `the param ${old.param} is now called ${fresh.param}`,
      values: [old.param, fresh.param],
      protocols: whereJson,
      evidence: { at: childPointer('', old.param) },
    })
  if (old.in === 'path' && old.name !== fresh.name)
    if (isNamedInPath(pair.old, old) && isNamedInPath(pair.new, fresh)) moved(pair, old, fresh)
  // Path parameters are always present.
  const [was, is] = [old, fresh].map((parameter) => parameter.required || parameter.in === 'path')
  if (was !== is) {
    const finding: Finding = {
      ...{ ...base, ...(is && filled(pair, fresh)) },
      id: `request-parameter-became-${is ? 'required' : 'optional'}`,
      message: `${title} became ${is ? 'required' : 'optional'}`,
    }
    // Other services than Duet's may not take the member of the body for the parameter.
    if (is && fresh.in === 'query' && old.param === fresh.param && isSentInBody(pair, fresh.param))
      reportApart(pair, { ...finding, level: 'compatible' }, { level: 'dangerous' })
    else report(pair, finding)
  }
  const [before, after] = [lifecycleOf(old.cursor.value), lifecycleOf(fresh.cursor.value)]
  deprecation(pair, ends, title, 'request-parameter', before, after, pathOf(fresh))
  if (old.in === fresh.in) spelling(pair, base, titleOf(fresh), old, fresh)
  const [a, b] = [schemaOf(pair.old, old), schemaOf(pair.new, fresh)]
  if (a === undefined || b === undefined) return
  const [isHeader, isInPath] = [
    fresh.in === 'header',
    isBareInPath(pair.old, old) && isBareInPath(pair.new, fresh),
  ]
  const isLoose = isReadAsText(pair.old, old) && isReadAsText(pair.new, fresh)
  const named = { ...subjectOf(fresh), path: pathOf(fresh) }
  const subject = { direction: 'request', holder: 'parameter', ...named } as const
  const lists = `${listStyleOf(old)} ${listStyleOf(fresh)}` as const
  const isAlwaysSent = was ?? false
  const isEmptyIgnored = takesEmpty(old)
  const isEmptyAbsent = [bindingOf(pair.before, old), bindingOf(pair.after, fresh)].every(arrivesByNames)
  const takenNames = takenMembers(pair, old)
  const isPreference = (bindingOf(pair.after, fresh)?.preferences ?? []).length > 0
  const traits = {
    isPreference,
    isHeader,
    isInPath,
    isLoose,
    isEmptyIgnored,
    isEmptyAbsent,
    isAlwaysSent,
    takenNames,
    lists,
  }
  compareSchemas(pair, { ...subject, ...traits }, a, b)
}

/**
 * A caller that omits the parameter gets the default, if validators fill it in and the whole params accept it. A path
 * parameter always has a value.
 */
function filled(pair: OperationPair, fresh: Parameter): Pick<Finding, 'level' | 'evidence'> {
  if (!isFilled(pair.new, fresh) || fresh.in === 'path') return {}
  const judged = pair.tools.reach.filled(pair, [fresh.param])
  if (judged === undefined) return fresh.required ? { level: 'dangerous' } : {}
  return { level: judged.level, evidence: { ...judged.evidence, at: '' } }
}

/** Whether validators fill in a default. */
function isFilled(side: Side, parameter: Parameter): boolean {
  return defaultOf(schemasOf(side), asObject(schemaOf(side, parameter)?.value ?? true)) !== undefined
}

type Base = { readonly old: Cursor; readonly new: Cursor; readonly path: string }

/** Compares how requests encode the value. JSON-RPC always carries it as JSON. */
function spelling(pair: OperationPair, base: Base, title: string, old: Parameter, fresh: Parameter): void {
  const say = (
    id: ChangeId,
    message: string,
    values: readonly (string | boolean)[],
    judged: Pick<Finding, 'level' | 'evidence'> = {},
  ): void =>
    report(pair, { ...base, ...judged, id, message: `${title} ${message}`, values, protocols: whereTexts })
  const [was, is] = [spellingOf(pair.old, old), spellingOf(pair.new, fresh)]
  // A scalar that becomes a list is a change of type, which the schema reports.
  // Another delimiter of a list of at most one item changes only how an item with it is read, which its texts report.
  if (was !== is && !isOfType(was, is) && ofOneItem(pair, old, fresh) === undefined)
    say('request-parameter-style-changed', `is written another way: ${was} to ${is}`, [was, is])
  const [before, after] = [takesEmpty(old), takesEmpty(fresh)]
  if (before && !after) {
    // An empty value counted as left out, which the old version refused.
    const judged = readIfEmpty(pair, old, fresh, old.required && !isFilled(pair.old, old))
    say('request-parameter-empty-value-refused', 'may no longer be left empty', [before, after], judged)
  }
  if (after && !before) {
    const judged = lostIfEmpty(pair, old, fresh, !fresh.required || isFilled(pair.new, fresh))
    say('request-parameter-empty-value-allowed', 'may be left empty', [before, after], judged)
  }
}

function takesEmpty({ in: place, cursor }: Parameter): boolean {
  return place === 'query' && own(asObject(cursor.value), 'allowEmptyValue') === true
}
