import { groupOf } from '../../document/vocabulary.js'
import type { Change } from '../change/change.js'
import { among, isOnly, namesOf, protocols, whereNames, whereOneAddress } from '../change/protocol.js'
import { listed } from './words.js'

/** Changes that people read as one. It has the operations, protocols and message of all its parts. */
export interface Group extends Change {
  /** At least the change itself. The part with the proof is first. */
  readonly parts: readonly Change[]
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
    (groups, first) =>
      `${moves.get(movedBy(first)) ?? ''}: ${groups.length} changes, such as ${first.message}`,
  )
  const ofCopies = joined(ofMoves, copyKey, messageWithCopies)
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

/** Reads a message about a keyword of a condition: `the body: then added ({"required":["b"]})`. */
function conditionIn(message: string): { place: string; what: string; how: string } | undefined {
  const found = /^(?<place>.*?: )(?<what>(?:if|then|else) (?<how>added|removed).*)$/s.exec(message)?.groups
  const { place = '', what = '', how = '' } = found ?? {}
  return found && { place, what, how }
}

/** `the body: if added ({"required":["a"]}), then added ({"required":["b"]})`. */
function messageOfCondition(groups: readonly Group[], first: Group): string {
  const found = groups.flatMap(({ message }) => conditionIn(message) ?? [])
  const [{ place = '' } = {}] = found
  const order = groupOf('if')
  const rank = (what: string): number => order.indexOf(what.slice(0, what.indexOf(' ')))
  const parts = found.map(({ what }) => what).sort((a, b) => rank(a) - rank(b))
  return parts.length === 0 ? first.message : place + parts.join(', ')
}

/** The end of the message of a change in a schema without values. */
const emptiness = /; (?:the (?:old|new) schema can hold no|neither schema can hold a) value$/

/** `the answer 200: 4 changes; the new schema can hold no value`. */
function messageOfEmpty(groups: readonly Group[], first: Group): string {
  const outermost = groups.reduce((one, other) => (other.path.length < one.path.length ? other : one), first)
  return `${labelOf(outermost)}: ${groups.length} changes${emptiness.exec(first.message)?.[0] ?? ''}`
}

/** `/size of the body: enum value removed (was "xs"); 2 copies: /other/size, /more/size`. */
function messageWithCopies(groups: readonly Group[], first: Group): string {
  const others = new Set(groups.map(labelOf))
  others.delete(labelOf(first))
  if (others.size === 0) return first.message
  const copies = others.size === 1 ? 'a copy' : `${others.size} copies`
  return `${first.message}; ${copies}: ${listed([...others], 2)}`
}

/** `/size of the body`. */
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
  message: (groups: readonly Group[], first: Group) => string = messageOf,
): Group[] {
  const found = new Map<unknown, Group[]>()
  for (const group of groups) {
    const one = key(group) ?? group
    const known = found.get(one)
    if (known === undefined) found.set(one, [group])
    else known.push(group)
  }
  return [...found.values()].map((group) => joinedOf(group, message))
}

function joinedOf(
  groups: readonly Group[],
  message: (groups: readonly Group[], first: Group) => string,
): Group {
  const isProven = ({ proof }: Change): boolean => proof.status === 'verified'
  const [first, ...others] = groups.toSorted((a, b) => Number(isProven(b)) - Number(isProven(a)))
  if (first === undefined) throw new TypeError('A group has a change')
  if (others.length === 0) return first
  const union = <T>(of: (group: Group) => readonly T[]): T[] => [...new Set(groups.flatMap(of))]
  return {
    ...first,
    message: message(groups, first),
    protocols: protocols.filter((name) => union((one) => one.protocols).includes(name)),
    operations: union(({ operations }) => operations),
    handlers: union(({ handlers }) => handlers),
    parts: [first, ...others].flatMap(({ parts }) => parts),
  }
}

/** `/size of the body: 3 enum values removed (was "xs", "xl" and 1 more)`. */
function messageOf(groups: readonly Group[]): string {
  const [first = ''] = groups.map(({ message }) => message)
  if (groups.every(({ message }) => message === first)) return first
  const values = groups.flatMap(({ message }) => valueIn(message) ?? [])
  const [{ place = '', what = '', how = '', was = '', doubt = '' } = {}] = values
  const texts = listed(
    values.map(({ value }) => value),
    mostValues,
  )
  return `${place}${values.length} ${what}s ${how} (${was}${texts})${doubt}`
}

const mostValues = 5

interface OneValue {
  readonly place: string
  readonly what: string
  readonly how: string
  readonly was: string
  readonly value: string
  readonly doubt: string
}

/** Reads a message about one value of a list: `/size of the body: enum value removed (was "xs")`. */
function valueIn(message: string): OneValue | undefined {
  const pattern =
    /^(?<place>.*: )(?<what>enum value|discriminator mapping) (?<how>added|removed|deleted) \((?<was>was )?(?<value>.*)\)(?<doubt>; (?:cannot be decided: |the |neither ).*)?$/s
  const found = pattern.exec(message)?.groups
  if (found === undefined) return undefined
  const { place = '', what = '', how = '', was = '', value = '', doubt = '' } = found
  return { place, what, how, was, value, doubt }
}
