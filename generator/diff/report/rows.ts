import { groupBy } from '../../document/grouping.js'
import { unescaped } from '../../document/pointer.js'
import { holdingOf } from '../../document/vocabulary.js'
import type { Change } from '../change/change.js'
import type { Group } from './groups.js'
import { readMessage } from './schema-message.js'

/** A change as people read it: `payment_method.type` of `responses` `gains "paynow"`. */
export interface Row {
  /** What has the schema: `the request body`, `the response 200`, `responses`. Empty outside of schemas. */
  readonly where: string
  /** The member of a shared schema, `payment_method.type`, or of the whole, `data[].type`. Empty for the whole. */
  readonly subject: string
  /** What happened to it: `is now required`. Outside of schemas, the whole message. */
  readonly fact: string
}

/** Reads the message of a change, and names the member of its schema. */
export function rowOf(change: Change & Partial<Group>): Row {
  const { message, operations, direction, parts = [change], facts } = change
  const read = readMessage(message)
  if (read === undefined) return { where: '', subject: '', fact: message }
  const fact = (facts ?? [read.what]).map(factOf).join(', ')
  const component = sharedComponent(parts)
  if (component === undefined) return { where: read.title, subject: memberPath(read.path), fact }
  const isShared = operations.length > 1
  const where = isShared && direction !== null ? `${direction}s` : read.title
  if (isShared || /[.[]/.test(component)) return { where, subject: component, fact }
  const member = memberPath(read.path)
  return { where, subject: member === '' ? component : `${member} (${component})`, fact }
}

/** A row as text: `payment_method.type of responses gains "paynow"`. */
export function rowText({ where, subject, fact }: Row): string {
  if (where === '') return fact
  const whole = subject === '' ? where : `${subject} of ${where}`
  return whole + (isSentence.test(fact) ? ' ' : ': ') + fact
}

/** The change in one line. */
export function headline(change: Change & Partial<Group>): string {
  return rowText(rowOf(change))
}

/**
 * The operations of rows that read alike, to be named: those that no other such row has come first. Rows that differ
 * are absent.
 */
export function operationsOfAlike<T extends Change>(groups: readonly T[]): ReadonlyMap<T, readonly string[]> {
  const readings = groupBy(
    groups.filter(({ operations }) => operations.length > 1),
    (group) => JSON.stringify([headline(group), group.level, group.protocols, group.operations.length]),
  )
  const alike = [...readings.values()].filter((rows) => rows.length > 1)
  return new Map(
    alike.flatMap((rows) => {
      const counts = groupBy(
        rows.flatMap(({ operations }) => operations),
        (name) => name,
      )
      const count = (name: string): number => counts.get(name)?.length ?? 0
      return rows.map((row) => [row, row.operations.toSorted((a, b) => count(a) - count(b))] as const)
    }),
  )
}

/** Facts that continue a sentence. */
const isSentence = /^(?:gains|loses|became|was|is|may) /

/** What happened, as the end of a sentence. */
function factOf(what: string): string {
  const { how, values, rest = '' } = ofValues.exec(what)?.groups ?? {}
  if (values !== undefined) return `${how === 'added' ? 'gains' : 'loses'} ${values}${rest}`
  const property = ofProperty.exec(what)?.groups
  if (property !== undefined) {
    const { kind, addition = '', did = '', doubt = '' } = property
    return `${did}${kind === undefined ? '' : ` (${kind}${addition.replace(/^ /, ', ')})`}${doubt}`
  }
  return what.replace(/^it (?=is |became |was |may )/, '')
}

const ofValues =
  /^(?:a value was|\d+ values were) (?<how>added|removed) (?:to|from) its `enum` \((?:was )?(?<values>.*?)\)(?<rest>; (?:cannot be decided: |the |neither ).*)?$/s

const ofProperty =
  /^this (?:(?<kind>[\w -]+) )?property(?<addition> with a default)? (?<did>(?:was|became|is) [^;]*)(?<doubt>;.*)?$/s

/** `/data/-/type` as `data[].type`, `/-` as `items`. */
function memberPath(path: string): string {
  const member = path
    .split('/')
    .slice(1)
    .map(unescaped)
    .reduce((place, name) => place + (name === '-' ? '[]' : place === '' ? name : `.${name}`), '')
  return member.replace(/^\[\]/, 'items')
}

/** The member of a component that all parts have. Undefined if they differ in separate operations. */
function sharedComponent(parts: readonly Change[]): string | undefined {
  const [name, ...others] = new Set(parts.map(componentOf))
  const isOfEach = others.length > 0 && parts.every(({ operations }) => operations.length === 1)
  return isOfEach ? undefined : name
}

/** For a property that was added or removed, the version that has it gives the longer name. */
function componentOf({ old, new: fresh }: Change): string | undefined {
  const [was, is] = [componentPath(old?.pointer), componentPath(fresh?.pointer)]
  return is === undefined || was?.startsWith(is) === true ? was : is
}

/** `#/components/schemas/Customer/properties/email` as `Customer.email`. Undefined outside of component schemas. */
function componentPath(pointer: string | undefined): string | undefined {
  const [hash, components, kind, name, ...rest] = (pointer ?? '').split('/').map(unescaped)
  if (hash !== '#' || components !== 'components' || name === undefined || kind !== 'schemas')
    return undefined
  let place = name
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? ''
    const next = rest[index + 1]
    if (word === 'properties' && next !== undefined) place += `.${next}`
    else if (word === 'items') place += '[]'
    else if (word === 'additionalProperties') place += '.*'
    // A name or an index follows.
    if (!['schema', undefined].includes(holdingOf(word))) index++
  }
  return place
}
