import { isObject } from '../../document/json.js'
import type { Schema } from '../../schema/schema.js'
import type { Passage } from '../passage.js'
import { onlyType, type View } from '../view.js'
import { type Grouped, namesOf, type Plan } from './plan.js'

/**
 * The step from a value to an object with it as its only required member, or back. The documents decide it only where one
 * member alone can have the value, and where the objects share no name.
 */
export function wrapping(
  passage: Passage,
  [sent, from]: readonly [Schema, View],
  [received, to]: readonly [Schema, View],
): Plan | undefined {
  if ([...from.properties.keys()].some((name) => to.properties.has(name))) return undefined
  if (isPlainObject(to) && !(admitsNull(from) && admitsNull(to))) {
    const member = onlyMember(to, (part) => fits(passage, sent, part))
    if (member !== undefined)
      return { kind: 'wrap', member, nullable: false, isWhole: to.properties.size === 1 }
  }
  if (isPlainObject(from) && !admitsNull(from)) {
    const member = onlyMember(from, (part) => fits(passage, part, received))
    const isLossless = passage.direction === 'result' || from.properties.size === 1
    if (member !== undefined && isLossless) return { kind: 'unwrap', member, nullable: false }
  }
  return undefined
}

/** The only required member, if it is the only one that passes a test. */
function onlyMember({ properties, required }: View, test: (part: Schema) => boolean): string | undefined {
  const [member, ...others] = required
  if (member === undefined || others.length > 0) return undefined
  return [...properties].every(([name, part]) => test(part) === (name === member)) ? member : undefined
}

/** An object without alternatives, or null. */
function isPlainObject(view: View): boolean {
  return onlyType(view) === 'object' && view.unions.length === 0
}

/** Members that become the members of a new object next to them, and the members of an object that take its place. */
interface Regrouped {
  readonly gather: ReadonlyMap<string, Grouped>
  readonly spread: ReadonlyMap<string, Grouped>
  /** Names that these members have after it. */
  readonly made: readonly string[]
  /** Whether a name of the sender is one of these members. */
  isMoved(name: string): boolean
}

/**
 * Groups of at least two members that move together, all with the names that they had. The documents decide it only where
 * each name has one place before and one after.
 *
 * @param renamed members that have a counterpart already
 */
export function regrouped(
  passage: Passage,
  from: View,
  to: View,
  renamed: ReadonlyMap<string, string>,
): Regrouped {
  const targets = new Set(renamed.values())
  const isTaken = (name: string): boolean => renamed.has(name) || targets.has(name)
  const missingIn = (view: View, name: string): boolean => !view.properties.has(name) && !isTaken(name)
  const gather = new Map<string, Grouped>()
  for (const [group, schema] of to.properties) {
    const inner = groupOf(passage.viewOfReceived(schema))
    if (inner === undefined || !missingIn(from, group)) continue
    const names = [...inner.properties.keys()]
    const moves = (name: string): boolean =>
      missingIn(to, name) &&
      fits(passage, from.properties.get(name), inner.properties.get(name)) &&
      (from.required.has(name) || !inner.required.has(name))
    if (names.length < 2 || !names.every(moves)) continue
    const members = new Map(names.map((name) => [name, from.required.has(name)]))
    gather.set(group, {
      members,
      required: to.required.has(group) || [...members.values()].includes(true),
    })
  }
  const spread = new Map<string, Grouped>()
  for (const [group, schema] of from.properties) {
    const inner = groupOf(passage.viewOfSent(schema))
    if (inner === undefined || !missingIn(to, group)) continue
    const required = from.required.has(group)
    const isMade = (name: string): boolean => required && inner.required.has(name)
    const names = [...inner.properties.keys()].filter(
      (name) => missingIn(from, name) && to.properties.has(name),
    )
    const moves = (name: string): boolean =>
      fits(passage, inner.properties.get(name), to.properties.get(name)) &&
      (isMade(name) || !to.required.has(name))
    const isLossless = passage.direction === 'result' || names.length === inner.properties.size
    if (names.length < 2 || !isLossless || !names.every(moves)) continue
    spread.set(group, { members: new Map(names.map((name) => [name, isMade(name)])), required })
  }
  return movesOf(unambiguous(gather), unambiguous(spread))
}

function movesOf(gather: Regrouped['gather'], spread: Regrouped['spread']): Regrouped {
  const namesIn = (groups: Regrouped['gather']): string[] => [...groups.values()].flatMap(namesOf)
  const moved = new Set([...namesIn(gather), ...spread.keys()])
  return {
    gather,
    spread,
    made: [...gather.keys(), ...namesIn(spread)],
    isMoved: (name) => moved.has(name),
  }
}

function admitsNull({ types }: View): boolean {
  return types?.has('null') === true
}

/** A member that is a plain object, but never null. */
function groupOf(view: View | undefined): View | undefined {
  return view === undefined || !isPlainObject(view) || admitsNull(view) ? undefined : view
}

/** Whether each value of one part is one of another, and both say something. */
function fits(passage: Passage, sent: Schema | undefined, received: Schema | undefined): boolean {
  if (sent === undefined || received === undefined || !says(sent) || !says(received)) return false
  const [from, to] = [passage.viewOfSent(sent), passage.viewOfReceived(received)]
  if (from === undefined || to === undefined || !areAlike(from, to)) return false
  return passage.asIs(sent, received).verdict === 'contained'
}

/** Whether one of two objects describes all members of the other. An open one accepts what it does not describe. */
function areAlike({ properties: ours }: View, { properties: theirs }: View): boolean {
  const [less, more] = ours.size < theirs.size ? [ours, theirs] : [theirs, ours]
  return (less.size > 0 || more.size === 0) && [...less.keys()].every((name) => more.has(name))
}

/** Whether a schema limits values to some type. */
function says(schema: Schema): boolean {
  return isObject(schema) && Object.keys(schema).length > 0
}

/** Groups that share no name with others. */
function unambiguous(groups: ReadonlyMap<string, Grouped>): ReadonlyMap<string, Grouped> {
  const isShared = (name: string, group: Grouped): boolean =>
    [...groups.values()].some((other) => other !== group && other.members.has(name))
  return new Map([...groups].filter(([, group]) => !namesOf(group).some((name) => isShared(name, group))))
}
