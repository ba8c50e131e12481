import { isDeepStrictEqual } from 'node:util'
import type { ParameterBinding } from 'duet-runtime'
import { type ParameterReading, readForm, readParameter } from 'duet-runtime/parameter'
import { type Cursor, childPointer } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import { carrierOf } from '../../../model/content/carrier.js'
import { entryOf } from '../../change/catalogue.js'
import type { Finding } from '../../change/collector.js'
import { among, isOnly, whereTexts } from '../../change/protocol.js'
import { asObject, type Endpoint, type Side } from '../../change/side.js'
import { isBad } from '../../decide/judgement.js'
import { asTexts } from '../../texts/as-texts.js'
import { cut, shortly } from '../../texts/shortly.js'
import { splitText } from '../../texts/texts.js'
import { type OperationPair, report, reportedIn } from '../parts/pair.js'
import { type Division, divisions } from './divisions.js'
import { type Form, formPairs } from './form.js'
import { fieldOfOneItem, ofOneItem } from './one-item.js'
import { type Parameter, parametersOf, schemaOf } from './parameter.js'
import { matched, pathOf, titleOf } from './parameters.js'
import { takesUnnamed } from './params.js'
import { bindingOf, isExploded, lostMembers } from './query-names.js'
import { jsonSamples, memberSamples, refusedLists, samplesOf } from './samples.js'

/**
 * Compares how the text of a parameter or of a form's field is split: as one text, a list, or an object. A schema that
 * accepts more values may split the same text differently, which containment does not show. So this reads sample texts
 * with both versions. It runs after all schema changes are known, to report each change only once.
 */
export function readingFacts(pairs: readonly OperationPair[]): void {
  for (const pair of pairs)
    for (const text of [...parameterTexts(pair), ...formTexts(pair).filter(isText), ...queryTexts(pair)])
      for (const division of text.divisions) tell(pair, text, division)
}

function isText({ was, is }: Pick<Text, 'was' | 'is'>): boolean {
  return was.binding.json !== true && is.binding.json !== true
}

/** A text that both versions read. */
interface Text extends Pick<Finding, 'id'> {
  readonly title: string
  readonly path: string
  /** What distinguishes its changes, besides the division. */
  readonly values: readonly string[]
  readonly was: Reading
  readonly is: Reading
  readonly divisions: readonly Division[]
}

/** How one version reads a text. */
interface Reading {
  readonly binding: ParameterBinding
  readonly schema: Json
  readonly cursor: Cursor
  readonly read: (text: string) => ParameterReading
  /** Whether a call is refused if no value arrives. */
  readonly isNeeded: boolean
}

function parameterTexts(pair: OperationPair): Text[] {
  return matched(pair).kept.flatMap(([old, fresh]): Text[] => {
    const [was, is] = [bindingOf(pair.before, old), bindingOf(pair.after, fresh)]
    if (was === undefined || is === undefined) return []
    const isNeeded = !takesUnnamed(pair.after.modelled?.params ?? {}, '')
    const readingOf = (side: Side, parameter: Parameter, binding: ParameterBinding): Reading => ({
      binding,
      schema: schemaOf(side, parameter)?.value ?? true,
      cursor: parameter.cursor,
      read: (text) => readParameter(binding, text),
      isNeeded,
    })
    const both = { was: readingOf(pair.old, old, was), is: readingOf(pair.new, fresh, is) }
    const split = isText(both) ? divisions(was, is, isExploded) : otherForm(pair, both)
    const ofOne = ofOneItem(pair, old, fresh)
    return [
      {
        id: 'request-parameter-reading-changed',
        title: titleOf(fresh),
        path: pathOf(fresh),
        values: [],
        ...both,
        // Every caller writes a semicolon in the item as %3B.
        divisions: [
          ...split,
          ...(ofOne && was.style !== 'matrix' ? [ofOne] : []),
          ...undeclared(pair, old, fresh),
        ],
      },
    ]
  })
}

/** JSON that is read as plain text, or plain text that is read as JSON. */
function otherForm({ tools }: OperationPair, { was, is }: Pick<Text, 'was' | 'is'>): Division[] {
  if (was.binding.json === is.binding.json) return []
  const { judgement } = tools.reach.graph
  const texts = was.binding.json === true ? jsonSamples(judgement, was.schema, was.binding) : []
  return [{ at: '', kinds: [writtenAs(was.binding), writtenAs(is.binding)], texts }]
}

function undeclared(pair: OperationPair, old: Parameter, fresh: Parameter): Division[] {
  const schema = schemaOf(pair.old, old)?.value ?? true
  return lostMembers(pair, old, fresh).map((name) => ({
    at: childPointer('', name),
    kinds: [`a member of ${old.name}`, 'an undeclared name'],
    texts: memberSamples(pair.tools.reach.graph.judgement, schema, name),
    isUndeclared: true,
  }))
}

function formTexts(pair: OperationPair): Text[] {
  const isClosed = !takesUnnamed(pair.after.modelled?.params ?? {}, '')
  return formPairs(pair).flatMap(({ type, old, new: fresh, cursors }) =>
    old.names
      .filter((name) => !isFile(old, name) && !isFile(fresh, name))
      .map((name): Text => {
        const readingOf = (form: Form, cursor: Cursor): Reading => ({
          binding: form.bindingOf(name),
          schema: form.memberOf(pair.tools.reach.graph.judgement, name) ?? true,
          cursor,
          read: (text) => {
            const { params, violations } = readForm(form, text)
            return { value: Object.hasOwn(params, name) ? params[name] : undefined, violations }
          },
          isNeeded: isClosed || form.needs(name),
        })
        const [was, is] = [readingOf(old, cursors.old), readingOf(fresh, cursors.new)]
        const isSpread = (binding: ParameterBinding) => carrierOf(old.kind, binding) === 'members'
        const ofOne = fieldOfOneItem(pair, old, fresh, name)
        return {
          id: 'request-body-reading-changed',
          title: `the field ${name} of the request body`,
          path: childPointer('', name),
          values: [type],
          was,
          is,
          divisions: [
            ...divisions(was.binding, is.binding, isSpread, true),
            ...(ofOne ? [ofOne] : []),
            ...(isSpread(was.binding) ? otherOwners(was.binding, old, fresh) : []),
          ],
        }
      }),
  )
}

/** The body of a GET, which callers may send in the query (`queryBindings`). */
function queryTexts(pair: OperationPair): Text[] {
  const { before, after, tools } = pair
  const isNeeded = !takesUnnamed(after.modelled?.params ?? {}, '')
  const news = bodyInQuery(pair.new, after)
  // Other methods do not read it there. A body that is removed is a change of its own.
  if (before.method !== after.method || after.modelled?.rest.body === undefined) return []
  return bodyInQuery(pair.old, before).flatMap((was): Text[] => {
    const is = news.find(({ name }) => name === was.name)
    const isJson = was.json === true && is?.json === true
    const isAlike = isJson || (is?.json === was.json && isDeepStrictEqual(was.coerce, is?.coerce))
    if (isAlike && !(isJson && breaksAsJson(pair))) return []
    const readingOf = ({ operation, modelled }: Endpoint, binding: ParameterBinding): Reading => ({
      binding,
      schema: own(asObject(own(modelled?.params ?? {}, 'properties')), binding.param) ?? true,
      cursor: operation,
      read: (text) => readParameter(binding, text),
      isNeeded,
    })
    const [old, fresh] = [readingOf(before, was), readingOf(after, is ?? was)]
    const isWhole = before.modelled?.rest.body?.kind === 'param'
    const kinds = [writtenAs(was), is === undefined ? 'an undeclared name' : writtenAs(is)] as const
    const { judgement } = tools.reach.graph
    const usual = [samplesOf(judgement, old.schema, was), jsonSamples(judgement, old.schema, was)]
    const taken = judgement.passes('request', old.schema, fresh.schema)
    const isRefused = was.json === true && taken.verdict === 'not-contained'
    const refused = isRefused ? jsonSamples(judgement, { const: taken.witness }, was) : []
    const texts = [...(was.json === true ? usual.toReversed() : usual).flat(), ...refused]
    return [
      {
        id: 'request-body-reading-changed',
        title: `${was.name} in the query`,
        path: isWhole ? '' : childPointer('', was.name),
        values: [was.name],
        ...{ was: old, is: fresh },
        divisions: [{ at: '', kinds, texts, isUndeclared: is === undefined, isSame: isAlike }],
      },
    ]
  })
}

/**
 * Whether the body changes for JSON alone. As JSON in the query, it changes for REST, too: the other texts are those of
 * a form.
 */
function breaksAsJson(pair: OperationPair): boolean {
  return reportedIn(pair).some(
    (change) =>
      isBad(change) &&
      !among(change.protocols, whereTexts) &&
      entryOf(change.id).holder === 'body' &&
      change.direction === 'request',
  )
}

/** The query parameters that are fields of a GET's body. */
export function bodyInQuery(side: Side, endpoint: Endpoint): ParameterBinding[] {
  const { body, parameters = [] } = endpoint.modelled?.rest ?? {}
  const known = parametersOf(side, endpoint)
  return body === undefined
    ? []
    : parameters.filter(({ in: place, name }) => place === 'query' && !known.has(`query ${name}`))
}

function writtenAs({ json, coerce: { types } }: ParameterBinding): string {
  return json === true ? 'JSON' : types.join(' or ')
}

function isFile(form: Form, name: string): boolean {
  return form.carrierOf(name).includes('file')
}

/** The members of a field that have names of their own, which another field has in the new version. */
function otherOwners({ name, coerce }: ParameterBinding, old: Form, fresh: Form): Division[] {
  return Object.keys(coerce.properties ?? {}).flatMap((member) => {
    const [was, is] = [old.ownerOf(member), fresh.ownerOf(member)]
    if (was !== name || is === undefined || is === name) return []
    const kinds = [`a member of ${name}`, is === member ? `the field ${is}` : `a member of ${is}`] as const
    return [{ at: childPointer('', member), kinds, texts: [] }]
  })
}

function tell(pair: OperationPair, text: Text, division: Division): void {
  const { id, was, is } = text
  const { at, kinds } = division
  const shown = shownBy(pair, text, division)
  const path = text.path + at
  const title = at === '' ? text.title : `${at} of ${text.title}`
  const level = shown?.isRefused === true ? 'breaking' : 'dangerous'
  if (shown === undefined || isReported(pair, path, level)) return
  const { before, after } = shown
  const becomes = after === undefined ? '' : `becomes ${shortly(after)}`
  const refused = shown.isRefused ? 'is refused' : ''
  const how =
    kinds[0] === kinds[1]
      ? `as ${kinds[0]} takes other values`
      : `is read as ${kinds[1]}, no longer as ${kinds[0]}`
  if (shown.isRefused) withdrawSplit(pair, path)
  const outcome = [becomes, refused].filter((part) => part !== '').join(' and ')
  report(pair, {
    id,
    level,
    message: `${title} ${how}: ${cut(shown.text)}, which was ${shortly(before)}, ${outcome || 'does not arrive'}`,
    ...{ old: was.cursor, new: is.cursor, path, values: [...text.values, ...kinds], protocols: whereTexts },
    evidence: shown.isRefused
      ? { witness: before, at: text.path }
      : { reason: 'the same text arrives as another value' },
  })
}

/**
 * Whether a change at a path, inside it or around it is as bad for REST callers. A removed member breaks only if a call
 * shows it, which proofs find out.
 */
export function isReported(pair: OperationPair, path: string, level: Finding['level']): boolean {
  return reportedIn(pair).some(
    (change) =>
      (level === 'breaking' && change.id !== 'request-parameter-property-removed'
        ? change.level === level
        : isBad(change)) &&
      change.direction === 'request' &&
      among(change.protocols, whereTexts) &&
      (change.path === path ||
        change.path.startsWith(`${path}/`) ||
        (change.path !== '' && path.startsWith(`${change.path}/`))),
  )
}

/** The doubt that a text may be split says less than a text that is. */
function withdrawSplit({ tools, after }: OperationPair, path: string): void {
  tools.collector.withdraw(
    ({ evidence, protocols, operations, ...change }) =>
      evidence?.reason === splitText.evidence.reason &&
      change.path === path &&
      isOnly(protocols, whereTexts) &&
      operations.join() === after.name,
  )
}

interface Shown {
  readonly text: string
  readonly before: Json
  /** Undefined if no value arrives. */
  readonly after: Json | undefined
  readonly isRefused: boolean
}

/** The first text of old calls that is now refused, or else one that arrives as another value. */
function shownBy(
  pair: OperationPair,
  { was, is }: Text,
  { at, texts, isUndeclared = false, isSame = false }: Division,
): Shown | undefined {
  const { judgement } = pair.tools.reach.graph
  let other: Shown | undefined
  const usual = isUndeclared ? [] : samplesOf(judgement, was.schema, was.binding)
  const isList = at === '' && !isUndeclared && is.binding.coerce.types.includes('array')
  const refused = isList ? refusedLists(judgement, is.schema, is.binding) : []
  const names = at === '/*' && isExploded(was.binding) ? Object.keys(was.binding.coerce.properties ?? {}) : []
  const members = names.slice(0, mostNames).flatMap((name) => memberSamples(judgement, was.schema, name))
  for (const text of [...usual, ...texts, ...refused, ...members]) {
    const [before, after] = [was.read(text), is.read(text)].map(arrived)
    if (before === undefined || (!isUndeclared && !isSame && isDeepStrictEqual(before, after))) continue
    if (!judgement.isContained('request back', { const: before }, was.schema)) continue
    if (isUndeclared) return { text, before, after: undefined, isRefused: is.isNeeded }
    const isTaken = (): boolean =>
      after === undefined
        ? !is.isNeeded
        : judgement.passes('request', { const: after }, is.schema).verdict !== 'not-contained'
    const isRefused = is.read(text).violations.length > 0 || !isTaken()
    if (isRefused) return { text, before, after, isRefused }
    if (!isDeepStrictEqual(asTexts(before), asTexts(after ?? null)))
      other ??= { text, before, after, isRefused }
  }
  return other
}

/** Names of an object that are tried where all its other members are read another way. */
const mostNames = 3

function arrived({ value, violations }: ParameterReading): Json | undefined {
  return violations.length > 0 ? undefined : (value as Json | undefined)
}
