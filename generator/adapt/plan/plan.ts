import { type ReplacedValues, replaceValues } from 'duet-runtime'
import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { textOf } from '../change-text.js'
import { passes, testWords, type ValueTest } from './value-test.js'

/**
 * How a value of one version becomes a value of the other. A plan names only what changes: everything else stays as it
 * is. It can be applied, written as code, and asked for the schema of what it makes.
 */
export type Plan =
  | { readonly kind: 'keep' }
  | ObjectPlan
  /** Makes an object that has the value as its member. `isWhole`: it can have no others. */
  | { readonly kind: 'wrap'; readonly member: string; readonly nullable: boolean; readonly isWhole: boolean }
  /** Takes a member out of an object. */
  | { readonly kind: 'unwrap'; readonly member: string; readonly nullable: boolean }
  /** Converts each item of a list. */
  | { readonly kind: 'list'; readonly items: Plan; readonly nullable: boolean }
  /** Converts by the value of one member, which it keeps. */
  | {
      readonly kind: 'tagged'
      readonly tag: string
      readonly branches: readonly TaggedBranch[]
      readonly nullable: boolean
    }

/** A plan for a whole value: it may first replace values that the receiver does not have. */
export type WholePlan = Plan | ReplacingPlan

export interface ReplacingPlan {
  readonly kind: 'replacing'
  /** The operation and part, as the graphs name it. */
  readonly name: string
  readonly replaced: readonly ReplacedValues[]
  /** Fallbacks by value. */
  readonly values: ReadonlyMap<string, string>
  readonly rest: Plan
}

export interface ObjectPlan {
  readonly kind: 'object'
  /** Members that the receiver does not know. */
  readonly drop: readonly string[]
  /** Members that only the receiver describes: they pass if it accepts their values. Undefined: code cannot test them. */
  readonly pass: ReadonlyMap<string, ValueTest | undefined>
  /** By old name. */
  readonly rename: ReadonlyMap<string, Renamed>
  /** Values that the receiver's document states, for members that the sender does not have. */
  readonly set: ReadonlyMap<string, Json>
  /** Members whose values change, by their names before. */
  readonly members: ReadonlyMap<string, MemberPlan>
  /** New members by name: objects of members that were next to them. */
  readonly gather: ReadonlyMap<string, Grouped>
  /** Members by name whose members take their places. */
  readonly spread: ReadonlyMap<string, Grouped>
  readonly nullable: boolean
  /** Texts, numbers and booleans may be in its place. */
  readonly isMixed?: true
}

interface Renamed {
  readonly to: string
  /** Whether every object has the member. */
  readonly required: boolean
}

export interface Grouped {
  /** Names in both versions, and whether every value has the member. */
  readonly members: ReadonlyMap<string, boolean>
  /** Whether every object has the group. */
  readonly required: boolean
}

interface MemberPlan {
  readonly plan: Plan
  /** Whether every object has the member. */
  readonly required: boolean
}

export interface TaggedBranch {
  readonly values: readonly Json[]
  readonly plan: Plan
}

export const keep: Plan = { kind: 'keep' }

/** Params, results, pieces of a stream, or error bodies of the document's own, of one operation. */
export type PartName = 'params' | 'result' | 'piece' | 'error'

/** What follows the replaced values. */
export function restOf(plan: WholePlan): Plan {
  return plan.kind === 'replacing' ? plan.rest : plan
}

/** An object of which nothing changes so far. */
export const sameObject: ObjectPlan = {
  kind: 'object',
  drop: [],
  pass: new Map(),
  rename: new Map(),
  set: new Map(),
  members: new Map(),
  gather: new Map(),
  spread: new Map(),
  nullable: false,
}

/** The plan, or `keep` if it changes nothing. */
export function settled(plan: Plan): Plan {
  switch (plan.kind) {
    case 'keep':
    case 'wrap':
    case 'unwrap':
      return plan
    case 'list':
      return plan.items.kind === 'keep' ? keep : plan
    case 'tagged':
      return plan.branches.every((branch) => branch.plan.kind === 'keep') ? keep : plan
    case 'object': {
      const { drop, pass, rename, set, members, gather, spread } = plan
      const isMoving = rename.size + gather.size + spread.size > 0
      return drop.length + pass.size + set.size + members.size === 0 && !isMoving ? keep : plan
    }
  }
}

/** The value that a plan makes of a value. Shares what it keeps. */
export function applied(plan: WholePlan, value: Json): Json {
  switch (plan.kind) {
    case 'keep':
      return value
    case 'wrap':
      return plan.nullable && value === null ? value : { [plan.member]: value }
    case 'unwrap':
      return isObject(value) ? (own(value, plan.member) ?? null) : value
    case 'list':
      return isArray(value) ? value.map((item) => applied(plan.items, item)) : value
    case 'tagged':
      return isObject(value) ? applied(branchOf(plan, own(value, plan.tag)), value) : value
    case 'object':
      return isObject(value) ? appliedToObject(plan, value) : value
    case 'replacing':
      return applied(plan.rest, replaceValues(value, plan.replaced, plan.name))
  }
}

function branchOf({ branches }: Extract<Plan, { kind: 'tagged' }>, value: Json | undefined): Plan {
  return branches.find(({ values }) => values.some((one) => one === value))?.plan ?? keep
}

function appliedToObject(plan: ObjectPlan, value: JsonObject): JsonObject {
  const { drop, pass, rename, set, members, gather, spread } = plan
  const taken = new Set([
    ...drop,
    ...[...pass].flatMap(([name, test]) =>
      test !== undefined && passes(test, own(value, name) ?? null) ? [] : [name],
    ),
    ...Array.from(rename, ([from, { to }]) => [from, to]).flat(),
    ...[...gather.values()].flatMap(namesOf),
    ...spread.keys(),
  ])
  const made = new Map(Object.entries(value).filter(([name]) => !taken.has(name)))
  for (const [from, { to }] of rename) {
    const member = own(value, from)
    if (member !== undefined) made.set(to, member)
  }
  for (const [name, { plan }] of members) {
    const member = own(value, name)
    if (member !== undefined) made.set(rename.get(name)?.to ?? name, applied(plan, member))
  }
  for (const [name, { members: names, required }] of gather) {
    const group = membersOf(value, names)
    if (required || group.length > 0) made.set(name, objectOf(group))
  }
  for (const [name, { members: names }] of spread) {
    const group = own(value, name)
    if (isObject(group)) for (const [inner, member] of membersOf(group, names)) made.set(inner, member)
  }
  for (const [name, stated] of set) made.set(name, stated)
  return objectOf(made)
}

/** Names of the members of a group. */
export function namesOf({ members }: Grouped): string[] {
  return [...members.keys()]
}

function membersOf(value: JsonObject, names: Grouped['members']): readonly [string, Json][] {
  return [...names.keys()].flatMap((name): [string, Json][] => {
    const member = own(value, name)
    return member === undefined ? [] : [[name, member]]
  })
}

/** Whether a plan makes an object that may have more members than those that it gets. */
export function makesPartialObject(plan: Plan): boolean {
  switch (plan.kind) {
    case 'keep':
    case 'unwrap':
      return false
    case 'wrap':
      return !plan.isWhole
    case 'list':
      return makesPartialObject(plan.items)
    case 'tagged':
      return plan.branches.some((branch) => makesPartialObject(branch.plan))
    case 'object':
      return (
        [...plan.gather.values()].some(({ members }) => [...members.values()].includes(false)) ||
        [...plan.members.values()].some((member) => makesPartialObject(member.plan))
      )
  }
}

/** What a plan does, in a few words for each step: `drops version`. */
export function stepsOf(plan: WholePlan, path = ''): string[] {
  switch (plan.kind) {
    case 'keep':
      return []
    case 'wrap':
      return [`puts ${path || 'all'} into { ${plan.member} }`]
    case 'unwrap':
      return [`takes ${path || 'all'} out of { ${plan.member} }`]
    case 'list':
      return stepsOf(plan.items, `${path}/*`)
    case 'tagged':
      return [...new Set(plan.branches.flatMap((branch) => stepsOf(branch.plan, path)))]
    case 'object': {
      const made = new Set([...plan.gather.keys(), ...[...plan.spread.values()].flatMap(namesOf)])
      return [
        ...plan.drop.filter((name) => !made.has(name)).map((name) => `drops ${path}/${name}`),
        ...Array.from(plan.pass, ([name, test]) =>
          test === undefined ? `omits ${path}/${name}` : `keeps ${path}/${name} if it is ${testWords(test)}`,
        ),
        ...Array.from(plan.rename, ([from, { to }]) => `renames ${path}/${from} to ${to}`),
        ...Array.from(plan.gather, ([name, group]) => `puts ${namesIn(group, path)} into ${path}/${name}`),
        ...Array.from(plan.spread, ([name, group]) => `takes ${namesIn(group, path)} out of ${path}/${name}`),
        ...Array.from(plan.set, ([name, value]) => `sets ${path}/${name} to ${JSON.stringify(value)}`),
        ...Array.from(plan.members, ([name, member]) => stepsOf(member.plan, `${path}/${name}`)).flat(),
      ]
    }
    case 'replacing': {
      const values = Array.from(plan.values, ([value, fallback]) => `${textOf(value)} by ${textOf(fallback)}`)
      return [`replaces ${values.join(', ')}`, ...stepsOf(plan.rest, path)]
    }
  }
}

/** Those of the steps that lose a member that the sender's document does not describe, though it allows it. */
export function omitsOf(plan: WholePlan): string[] {
  return stepsOf(plan).filter((step) => step.startsWith('omits '))
}

function namesIn(group: Grouped, path: string): string {
  return namesOf(group)
    .map((name) => `${path}/${name}`)
    .join(', ')
}
