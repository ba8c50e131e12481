import type { Json } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { referenceOf, type Schema } from '../schema/schema.js'
import { changeText, textOf } from './change-text.js'
import type { Passage } from './passage.js'
import { partedBranches } from './plan/mixed.js'
import { keep, type ObjectPlan, type Plan, sameObject, settled, type TaggedBranch } from './plan/plan.js'
import { regrouped, wrapping } from './plan/regroup.js'
import { type ValueTest, valueTestOf } from './plan/value-test.js'
import { branchesOf, fixedValues, onlyType, type View } from './view.js'

/** Why no plan converts a value: at which path of it, and what a person has to decide. */
export interface Obstacle {
  readonly path: string
  readonly text: string
  /** A value there that the sender has and the receiver refuses. */
  readonly witness?: Json
  /** The same schemas have an obstacle at an earlier path. */
  readonly isRepeated?: true
}

export interface Derived {
  readonly plan: Plan
  /** Empty if the plan converts everything. */
  readonly obstacles: readonly Obstacle[]
  /** Members that validators of the receiver fill in: paths of defaults that the sender does not have. */
  readonly filled: readonly string[]
  /** Whether TypeScript refuses what the plan makes: an object and a type of only optional members that share no name. */
  readonly isWeak: boolean
}

/**
 * Looks for the steps from the values of one version to those of the other. Compares only what the
 * documents state of each part. The result needs a proof: the whole may refuse what each of its parts allows.
 *
 * @param renamed names of members of the whole value, by their names before
 * @param addressed names of members of the whole value that the receiver takes from elsewhere than a body
 */
export function derive(
  passage: Passage,
  sent: Schema,
  received: Schema,
  renamed: ReadonlyMap<string, string> = new Map(),
  addressed: ReadonlySet<string> = new Set(),
): Derived {
  const search = new Search(passage, addressed)
  const plan = search.between(sent, received, '', renamed)
  return { plan, obstacles: search.obstacles, filled: [...search.filled], isWeak: search.isWeak }
}

class Search {
  readonly obstacles: Obstacle[] = []
  readonly filled = new Set<string>()
  isWeak = false
  /** Pairs of schemas that were compared before. A pair on the way to itself keeps its values so far. */
  readonly #known = new Map<Schema, Map<Schema, Compared>>()

  constructor(
    readonly passage: Passage,
    readonly addressed: ReadonlySet<string>,
  ) {}

  between(sent: Schema, received: Schema, path: string, renamed: ReadonlyMap<string, string> = none): Plan {
    const { passage } = this
    if (passage.areSame(sent, received) && renamed.size === 0) return keep
    const [from, to] = [passage.viewOfSent(sent), passage.viewOfReceived(received)]
    if (from === undefined) return keep
    const byReceiver = this.#known.get(sent) ?? new Map<Schema, Compared>()
    this.#known.set(sent, byReceiver)
    const known = byReceiver.get(received)
    if (known !== undefined) return this.#again(known, path)
    const compared: Compared = { path, plan: undefined, isHard: false }
    byReceiver.set(received, compared)
    const before = this.obstacles.length
    const plan =
      to === undefined
        ? undefined
        : (this.#wrapped([sent, from], [received, to], path, renamed) ??
          this.#structural(from, to, path, renamed))
    compared.plan = plan ?? this.#asIs(sent, received, path)
    compared.isHard = this.obstacles.length > before
    if (compared.isRecursive === true && compared.plan.kind !== 'keep')
      this.obstacles.push({ path, text: 'it has itself as a part, which changes' })
    return compared.plan
  }

  #again(compared: Compared, path: string): Plan {
    const { plan, isHard } = compared
    if (plan === undefined) compared.isRecursive = true
    if (isHard) this.obstacles.push({ path, text: `as at ${compared.path || '/'}`, isRepeated: true })
    return plan ?? keep
  }

  /** Undefined if the schemas have no members, items or branches that correspond. */
  #structural(from: View, to: View, path: string, renamed: ReadonlyMap<string, string>): Plan | undefined {
    const nullable = from.types?.has('null') === true
    const kind = onlyType(from)
    if (kind !== undefined && kind === onlyType(to) && !(nullable && to.types?.has('null') !== true)) {
      if (from.unions.length + to.unions.length === 0) {
        if (kind === 'object') return settled({ ...this.#object(from, to, path, renamed), nullable })
        if (
          kind === 'array' &&
          from.items !== undefined &&
          to.items !== undefined &&
          !from.rest.has('prefixItems')
        )
          return settled({ kind: 'list', items: this.#items(from.items, to, path), nullable })
        return undefined
      }
    }
    return this.#union(from, to, path)
  }

  #wrapped(
    sender: readonly [Schema, View],
    receiver: readonly [Schema, View],
    path: string,
    renamed: ReadonlyMap<string, string>,
  ): Plan | undefined {
    const plan = renamed.size > 0 ? undefined : wrapping(this.passage, sender, receiver)
    if (plan !== undefined) this.#noteAdded(sender[0], receiver[0], path)
    return plan
  }

  #asIs(sent: Schema, received: Schema, path: string): Plan {
    const verdict = this.passage.asIs(sent, received)
    this.#noteAdded(sent, received, path)
    if (verdict.verdict === 'not-contained')
      this.obstacles.push({ path, text: changeText(this.passage, sent, received), witness: verdict.witness })
    return keep
  }

  #items(sent: Schema, to: View, path: string): Plan {
    const plan = this.between(sent, to.items ?? true, `${path}/*`)
    const reading = ['uniqueItems', 'contains'].find((keyword) => to.rest.has(keyword))
    if (plan.kind !== 'keep' && reading !== undefined)
      this.obstacles.push({
        path,
        text: `${reading} of ${this.passage.receiver} may refuse what is left of the items`,
      })
    return plan
  }

  #object(from: View, to: View, path: string, renamed: ReadonlyMap<string, string>): ObjectPlan {
    const drop: string[] = []
    const pass = new Map<string, ValueTest | undefined>()
    const members = new Map<string, { plan: Plan; required: boolean }>()
    const set = new Map<string, Json>()
    const rename = new Map<string, { to: string; required: boolean }>()
    const { gather, spread, made, isMoved } = regrouped(this.passage, from, to, renamed)
    // The sender may have other members with these names.
    if (from.others !== false) drop.push(...made)
    for (const name of made)
      this.#noteAdded(from.properties.get(name) ?? true, to.properties.get(name) ?? true, `${path}/${name}`)
    for (const [name, schema] of from.properties) {
      if (schema === false || isMoved(name)) continue
      const target = renamed.get(name) ?? name
      if (target !== name) rename.set(name, { to: target, required: from.required.has(name) })
      const known = to.properties.get(target)
      const receiver = known ?? to.others
      if (receiver === true) continue
      const below = `${path}/${name}`
      if (receiver === false) {
        const [reading] = to.rest
        if (this.passage.direction === 'result' && reading === undefined) drop.push(name)
        else if (this.passage.direction === 'result')
          this.obstacles.push({ path: below, text: `${reading} of ${this.passage.receiver} may apply to it` })
        else this.obstacles.push({ path: below, text: this.#unknown(known !== undefined) })
        continue
      }
      this.#noteDefaults(schema, receiver, below)
      const plan = this.between(schema, receiver, below)
      if (plan.kind !== 'keep') members.set(name, { plan, required: from.required.has(name) })
    }
    const arriving = new Set(
      [...from.properties].flatMap(([name, schema]) => (schema === false ? [] : [renamed.get(name) ?? name])),
    )
    for (const [name, schema] of to.properties) {
      if (made.includes(name)) continue
      if (arriving.has(name)) {
        const before = [...rename].find(([, { to: target }]) => target === name)?.[0] ?? name
        if (to.required.has(name) && !from.required.has(before))
          this.obstacles.push({
            path: `${path}/${before}`,
            text: `${this.passage.sender} may omit it, ${this.passage.receiver} requires it`,
          })
        continue
      }
      this.#arrive(name, schema, from, to, { path, pass, set })
    }
    const all = [...arriving, ...set.keys(), ...made]
    if (to.required.size === 0 && to.properties.size > 0 && all.length > 0)
      this.isWeak ||= !all.some((name) => to.properties.has(name))
    return { ...sameObject, drop, pass, members, set, rename, gather, spread }
  }

  /** A member that only the receiver describes. */
  #arrive(
    name: string,
    schema: Schema,
    from: View,
    to: View,
    { path, pass, set }: { path: string; pass: Map<string, ValueTest | undefined>; set: Map<string, Json> },
  ): void {
    const { passage } = this
    if (to.required.has(name)) {
      const stated = passage.statedFor(schema)
      if (stated !== undefined) set.set(name, stated)
      else
        this.obstacles.push({
          path: `${path}/${name}`,
          text: `only ${passage.receiver} has it, and requires it`,
        })
      return
    }
    if (hasDefault(schema)) this.filled.add(`${path}/${name}`)
    // The sender may give such a member a meaning of its own.
    if (from.others === false || schema === true || passage.isSame(from.others, schema)) return
    if (from.others !== true) {
      this.obstacles.push({
        path: `${path}/${name}`,
        text: `${passage.sender} describes it as any other member, ${passage.receiver} gives it a meaning`,
      })
      return
    }
    // A pattern may describe the member.
    if (from.rest.has('patternProperties')) return
    const isElsewhere = path === '' && this.addressed.has(name)
    pass.set(name, isElsewhere ? undefined : valueTestOf(schema, passage.to.resolve))
  }

  /** Defaults anywhere in what the receiver gets. */
  #noteAdded(sent: Schema, received: Schema, path: string): void {
    if (this.passage.direction === 'params')
      for (const name of this.passage.addedDefaults(sent, received)) this.filled.add(`${path}/${name}`)
  }

  #noteDefaults(sent: Schema, received: Schema, path: string): void {
    if (this.passage.direction === 'params' && hasDefault(received) && !hasDefault(sent))
      this.filled.add(path)
  }

  #unknown(isForbidden: boolean): string {
    const { sender, receiver } = this.passage
    return isForbidden ? `${receiver} refuses what ${sender} accepts` : `${receiver} has no such member`
  }

  /** A union whose branches are told apart by a member. */
  #union(from: View, to: View, path: string): Plan | undefined {
    const [ours, theirs] = [branchesOf(from), branchesOf(to)]
    if (ours === undefined || theirs === undefined) return undefined
    if (ours.nullable && !theirs.nullable) return undefined
    const [one, other] = [ours.branches[0], theirs.branches[0]]
    if (
      ours.branches.length === 1 &&
      theirs.branches.length === 1 &&
      one !== undefined &&
      other !== undefined
    ) {
      const plan = this.between(one, other, path)
      return plan.kind === 'keep' || !ours.nullable ? plan : nullable(plan)
    }
    const mixed = this.#mixed(ours.branches, theirs.branches, path)
    if (mixed !== undefined) return mixed.kind === 'object' ? { ...mixed, nullable: ours.nullable } : mixed
    return this.#tagged(ours.branches, theirs.branches, path, ours.nullable)
  }

  #tagged(
    ours: readonly Schema[],
    theirs: readonly Schema[],
    path: string,
    nullable: boolean,
  ): Plan | undefined {
    const { from, to } = this.passage
    const tag = this.passage.tagOf(ours, theirs)
    if (tag === undefined) return this.#byName(ours, theirs, path)
    const branches: TaggedBranch[] = []
    for (const schema of ours) {
      const values = fixedValues(schema, tag, from.resolve) ?? []
      const receiver = theirs.find((one) => {
        const known = fixedValues(one, tag, to.resolve) ?? []
        return values.every((value) => known.includes(value))
      })
      if (receiver === undefined) {
        const text = `${this.passage.receiver} has no ${tag} ${values.map(textOf).join(', ')}`
        this.obstacles.push({ path, text })
        continue
      }
      branches.push({ values, plan: this.between(schema, receiver, path) })
    }
    return settled({ kind: 'tagged', tag, branches, nullable })
  }

  /** One branch for objects, next to texts, numbers and booleans. */
  #mixed(ours: readonly Schema[], theirs: readonly Schema[], path: string): Plan | undefined {
    const [from, to] = [partedBranches(this.passage, ours), partedBranches(this.passage, theirs)]
    if (from === undefined || to === undefined) return undefined
    for (const schema of from.scalars) {
      const isKnown = to.scalars.some((one) => this.passage.asIs(schema, one).verdict === 'contained')
      if (!isKnown)
        this.obstacles.push({ path, text: changeText(this.passage, schema, { anyOf: to.scalars }) })
    }
    const plan = this.between(from.object, to.object, path)
    return plan.kind === 'object' ? { ...plan, isMixed: true } : plan.kind === 'keep' ? plan : undefined
  }

  /** Branches that are the same components in both versions. Nothing tells their values apart, so none may change. */
  #byName(ours: readonly Schema[], theirs: readonly Schema[], path: string): Plan | undefined {
    const { passage } = this
    const before = this.obstacles.length
    for (const schema of ours) {
      const twin = theirs.find((one) => passage.areSame(schema, one) || haveOneName(schema, one))
      if (twin === undefined) return this.#undone(before)
      const plan = this.between(schema, twin, path)
      if (plan.kind !== 'keep')
        this.obstacles.push({ path, text: 'one of its alternatives changes, and no member tells them apart' })
    }
    return keep
  }

  #undone(length: number): undefined {
    this.obstacles.length = length
  }
}

function haveOneName(one: Schema, other: Schema): boolean {
  const name = referenceOf(one)
  return name !== undefined && name === referenceOf(other)
}

/** A pair of schemas. */
interface Compared {
  /** Where it was first. */
  readonly path: string
  /** Undefined while it is being compared. */
  plan: Plan | undefined
  isHard: boolean
  isRecursive?: boolean
}

const none: ReadonlyMap<string, string> = new Map()

function nullable(plan: Plan): Plan {
  return plan.kind === 'keep' ? plan : { ...plan, nullable: true }
}

function hasDefault(schema: Schema): boolean {
  return isObject(schema) && own(schema, 'default') !== undefined
}
