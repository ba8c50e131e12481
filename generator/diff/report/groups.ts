import { groupBy } from '../../document/grouping.js'
import { groupOf } from '../../document/vocabulary.js'
import type { Change } from '../change/change.js'
import { among, isOnly, namesOf, protocols, whereNames, whereOneAddress } from '../change/protocol.js'
import { readMessage } from './schema-message.js'
import { listed } from './words.js'

/** Changes that people read as one. It has the operations, protocols and message of all its parts. */
export interface Group extends Change {
  /** At least the change itself. The part with the proof is first. */
  readonly parts: readonly Change[]
  /** What happened to a member, if that is more than the message says. */
  readonly facts?: readonly string[]
  /** Other places with a copy of the schema: `/other/size of the request body`. */
  readonly copies?: readonly string[]
}

/** Changes as reports show them: grouped, and those of one member with one level in one row. */
export function rowGroups(changes: readonly Change[]): Group[] {
  const byMember = (group: Group): string | undefined => {
    const read = readMessage(group.message)
    return read && keyOf(group, read.title, read.path, group.operations, group.protocols, group.copies)
  }
  return joined(grouped(changes), byMember, (groups, { message }) => ({
    message,
    facts: groups.flatMap((group) => readMessage(group.message)?.what ?? []),
  }))
}

/**
 * Groups changes as people read them: one edit of the author is one line, at the position of its first part. An edit
 * may appear as one change for each protocol, for each value of a list, for each copy of an inline schema, for each
 * keyword of a condition, for each part of an operation that another one's JSON-RPC name leads to now, or for each
 * operation with the same message. Changes that are compatible only because a schema can hold no value are one line.
 */
export function grouped(changes: readonly Change[]): Group[] {
  const single = changes.map((change): Group => ({ ...change, parts: [change] }))
  const ofProtocols = joined(single, (group) => keyOf(group, group.operations, group.message))
  const ofValues = joined(ofProtocols, (group) => {
    const found = valueIn(group.message)
    return found && keyOf(group, group.id, group.operations, group.protocols, { ...found, value: '' })
  })
  const ofConditions = joined(
    ofValues,
    (group) => {
      const found = conditionIn(group.message)
      return found && keyOf(group, group.operations, group.protocols, found.place, found.how)
    },
    messageOfCondition,
  )
  const ofEmpty = joined(
    ofConditions,
    (group) =>
      group.level === 'compatible' && emptiness.test(group.message)
        ? JSON.stringify([group.operations, group.direction, group.waiver, group.adapter, group.protocols])
        : undefined,
    messageOfEmpty,
  )
  const moves = movesIn(changes)
  const ofMoves = joined(
    ofEmpty,
    (group) =>
      moves.has(movedBy(group))
        ? JSON.stringify([movedBy(group), group.level, group.waiver, group.adapter])
        : undefined,
    (groups, first) => ({
      message: `${moves.get(movedBy(first)) ?? ''}: ${groups.length} changes, such as ${first.message}`,
    }),
  )
  const ofCopies = joined(ofMoves, copyKey, withCopies)
  return joined(ofCopies, (group) =>
    group.operations.length === 1 ? keyOf(group, group.id, group.protocols, group.message) : undefined,
  )
}

/** What distinguishes a part from the others of its group. Empty if only the id does. */
export function distinctionOf(part: Change, { message, operations, protocols }: Group): string {
  return [
    ...(part.message === message ? [] : [part.message]),
    ...(part.operations.length === operations.length ? [] : [`in ${listed(part.operations, 2)}`]),
    ...(part.protocols.length === protocols.length ? [] : [namesOf(part.protocols)]),
  ].join(', ')
}

/** Undefined if a part is not a schema change. */
function copyKey({ level, direction, waiver, adapter, protocols, parts }: Group): string | undefined {
  const copies = parts.map(({ copy }) => copy)
  if (copies.includes(undefined)) return undefined
  return JSON.stringify([level, direction, waiver, adapter, protocols, [...new Set(copies)].sort()])
}

/** For each JSON-RPC name that leads to another operation, the message that says so. */
function movesIn(changes: readonly Change[]): ReadonlyMap<string | undefined, string> {
  const moves = changes.filter(({ id }) => id === 'rpc-method-moved')
  return new Map(moves.map(({ operations: [name = ''], message }) => [name, message]))
}

/** The JSON-RPC name whose new operation may explain a change. */
function movedBy({ id, operations, protocols }: Group): string | undefined {
  const isOfRpc = among(protocols, whereNames) && isOnly(protocols, whereOneAddress)
  return isOfRpc && operations.length === 1 && id !== 'rpc-method-moved' ? operations[0] : undefined
}

/** Reads a message about a keyword of a condition: ``the request body: `then` was added ({"required":["b"]})``. */
function conditionIn(message: string): { place: string; what: string; how: string } | undefined {
  const found = /^(?<place>.*?: )(?<what>`(?:if|then|else)` was (?<how>added|removed).*)$/s.exec(
    message,
  )?.groups
  const { place = '', what = '', how = '' } = found ?? {}
  return found && { place, what, how }
}

/** What a group of several groups says. */
type Summary = Pick<Group, 'message' | 'facts' | 'copies'>

/** ``the request body: `if` was added ({"required":["a"]}), `then` was added ({"required":["b"]})``. */
function messageOfCondition(groups: readonly Group[], first: Group): Summary {
  const found = groups.flatMap(({ message }) => conditionIn(message) ?? [])
  const [{ place = '' } = {}] = found
  const order = groupOf('if')
  const rank = (what: string): number => order.indexOf(what.split('`')[1] ?? '')
  const parts = found.map(({ what }) => what).sort((a, b) => rank(a) - rank(b))
  return { message: parts.length === 0 ? first.message : place + parts.join(', ') }
}

/** The end of the message of a change in a schema without values. */
const emptiness = /; (?:the (?:old|new) schema can hold no|neither schema can hold a) value$/

/** `the response 200: 4 changes; the new schema can hold no value`. */
function messageOfEmpty(groups: readonly Group[], first: Group): Summary {
  const outermost = groups.reduce((one, other) => (other.path.length < one.path.length ? other : one), first)
  const ending = emptiness.exec(first.message)?.[0] ?? ''
  return { message: `${labelOf(outermost)}: ${groups.length} changes${ending}` }
}

/** The message of the first, and where the others are. */
function withCopies(groups: readonly Group[], first: Group): Summary {
  const others = new Set(groups.map(labelOf))
  others.delete(labelOf(first))
  return { message: first.message, ...(others.size > 0 && { copies: [...others] }) }
}

/** `/size of the request body`. */
function labelOf({ message, path }: Change): string {
  const end = message.indexOf(': ', message.startsWith(path) ? path.length : 0)
  return end < 0 ? path : message.slice(0, end)
}

function keyOf({ level, path, direction, waiver, adapter }: Change, ...others: readonly unknown[]): string {
  return JSON.stringify([level, path, direction, waiver, adapter, ...others])
}

/** Merges groups with the same key. */
function joined(
  groups: readonly Group[],
  key: (group: Group) => string | undefined,
  summary: (groups: readonly Group[], first: Group) => Summary = messageOf,
): Group[] {
  return [...groupBy<unknown, Group>(groups, (group) => key(group) ?? group).values()].map((group) =>
    joinedOf(group, summary),
  )
}

function joinedOf(
  groups: readonly Group[],
  summary: (groups: readonly Group[], first: Group) => Summary,
): Group {
  const isProven = ({ proof }: Change): boolean => proof.status === 'verified'
  const [first, ...others] = groups.toSorted((a, b) => Number(isProven(b)) - Number(isProven(a)))
  if (first === undefined) throw new TypeError('A group has a change')
  if (others.length === 0) return first
  const union = <T>(of: (group: Group) => readonly T[]): T[] => [...new Set(groups.flatMap(of))]
  return {
    ...first,
    ...summary(groups, first),
    protocols: protocols.filter((name) => union((one) => one.protocols).includes(name)),
    operations: union(({ operations }) => operations),
    handlers: union(({ handlers }) => handlers),
    parts: [first, ...others].flatMap(({ parts }) => parts),
  }
}

/** ``/size of the request body: 3 values were removed from its `enum` (was "xs", "xl" and 1 more)``. */
function messageOf(groups: readonly Group[]): Summary {
  const [first = ''] = groups.map(({ message }) => message)
  if (groups.every(({ message }) => message === first)) return { message: first }
  const values = groups.flatMap(({ message }) => valueIn(message) ?? [])
  const [{ place = '', how = '', was = '', doubt = '' } = {}] = values
  const texts = listed(
    values.map(({ value }) => value),
    mostValues,
  )
  return { message: `${place}${values.length} values were ${how} (${was}${texts})${doubt}` }
}

const mostValues = 5

interface OneValue {
  readonly place: string
  /** ``removed from its `enum` ``. */
  readonly how: string
  readonly was: string
  readonly value: string
  readonly doubt: string
}

/** Reads a message about one value: ``/size of the request body: a value was removed from its `enum` (was "xs")``. */
function valueIn(message: string): OneValue | undefined {
  const pattern =
    /^(?<place>.*?: )a value was (?<how>(?:added to|removed from) [^(]*) \((?<was>was )?(?<value>.*)\)(?<doubt>; (?:cannot be decided: |the |neither ).*)?$/s
  const found = pattern.exec(message)?.groups
  if (found === undefined) return undefined
  const { place = '', how = '', was = '', value = '', doubt = '' } = found
  return { place, how, was, value, doubt }
}
