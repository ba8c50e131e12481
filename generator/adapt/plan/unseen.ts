import type { Json, JsonObject } from '../../document/document.js'
import { isBinarySchema } from '../../model/content/binary.js'
import type { Model } from '../../model/model.js'
import { patternMatches } from '../../patterns/pattern-match.js'
import { fingerprint } from '../../schema/canonical.js'
import { type InstancePosition, positionsOf } from '../../schema/instance-positions.js'
import { isInt64 } from '../../schema/int64.js'
import { isSchema, type Schema } from '../../schema/schema.js'
import { textOf } from '../change-text.js'
import type { Obstacle } from '../derive.js'
import { comparedNotes, noteOf } from '../notes.js'
import type { Passage } from '../passage.js'
import type { VersionReading } from '../version-reading.js'
import { keep, type ObjectPlan, type Plan } from './plan.js'

/**
 * What no validator sees of the values on their way: notes of the receiver that say another thing, and values that code of
 * one version has in another form than code of the other.
 */
export function unseenObstacles(
  passage: Passage,
  [sent, received]: readonly [Schema, Schema],
  plan: Plan = keep,
  renamed: ReadonlyMap<string, string> = new Map(),
): readonly Obstacle[] {
  return new UnseenWalk(passage, sent, received).run(plan, renamed)
}

/** Whether code has values of a schema in another form than JSON: files, or int64 as bigint or text. */
export function hasOtherForms({ schemas }: Model, schema: Schema): boolean {
  const isOther = (part: JsonObject): boolean => isInt64(part) || isBinarySchema(part)
  return positionsOf(schemas, schema, isOther).some(({ marked }) => marked)
}

function isMarked(part: JsonObject): boolean {
  return (
    isInt64(part) ||
    isBinarySchema(part) ||
    [...comparedNotes].some((name) => noteOf(part, name) !== undefined)
  )
}

class UnseenWalk {
  readonly #from: readonly InstancePosition[]
  readonly #to: readonly InstancePosition[]
  readonly #found: Obstacle[] = []
  readonly #seen = new Set<string>()

  constructor(
    readonly passage: Passage,
    sent: Schema,
    received: Schema,
  ) {
    this.#from = positionsOf(passage.from.components, sent, isMarked)
    this.#to = positionsOf(passage.to.components, received, isMarked)
  }

  run(plan: Plan, renamed: ReadonlyMap<string, string>): readonly Obstacle[] {
    this.#pair(0, 0, '', plan, renamed)
    return this.#found
  }

  /** `received` is undefined for a member that the receiver does not describe. */
  #pair(
    sent: number | undefined,
    received: number | undefined,
    path: string,
    plan: Plan,
    renamed?: ReadonlyMap<string, string>,
  ): void {
    const [from, to] = [this.#from[sent ?? -1], this.#to[received ?? -1]]
    const key = `${sent} ${received}`
    if (from === undefined || this.#seen.has(key)) return
    this.#seen.add(key)
    if (plan.kind === 'wrap') {
      this.#pair(sent, memberOf(to, plan.member), path, keep)
      return
    }
    if (plan.kind === 'unwrap') {
      this.#pair(memberOf(from, plan.member), received, `${path}/${plan.member}`, keep)
      return
    }
    this.#compare(from, to, path)
    if (plan.kind === 'object') this.#pairGroups(from, to, path, plan)
    for (const name of new Set([...from.properties.keys(), ...(to?.properties.keys() ?? [])])) {
      if (isDropped(plan, name)) continue
      const target = renamed?.get(name) ?? name
      this.#pair(memberOf(from, name), memberOf(to, target), `${path}/${name}`, planOf(plan, name))
    }
    for (const [pattern, index] of from.patterns)
      this.#pair(index, to?.patterns.get(pattern) ?? to?.values, `${path}/*`, keep)
    this.#pair(from.values, to?.values, `${path}/*`, keep)
    const items = plan.kind === 'list' ? plan.items : keep
    for (const index of new Set([...from.prefix.keys(), ...(to?.prefix.keys() ?? [])]))
      this.#pair(from.prefix[index] ?? from.items, to?.prefix[index] ?? to?.items, `${path}/${index}`, items)
    this.#pair(from.items, to?.items, `${path}/*`, items)
  }

  #pairGroups(
    from: InstancePosition,
    to: InstancePosition | undefined,
    path: string,
    plan: ObjectPlan,
  ): void {
    for (const [name, { members }] of plan.gather) {
      const group = this.#to[memberOf(to, name) ?? -1]
      for (const inner of members.keys())
        this.#pair(memberOf(from, inner), memberOf(group, inner), `${path}/${inner}`, keep)
    }
    for (const [name, { members }] of plan.spread) {
      const group = this.#from[memberOf(from, name) ?? -1]
      for (const inner of members.keys())
        this.#pair(memberOf(group, inner), memberOf(to, inner), `${path}/${name}/${inner}`, keep)
    }
  }

  #compare({ parts }: InstancePosition, to: InstancePosition | undefined, path: string): void {
    const { sender, receiver, from, to: reader } = this.passage
    const [has, gets] = [formOf(parts, from), formOf(to?.parts ?? [], reader)]
    if (has !== gets)
      this.#found.push({ path, text: `code of ${sender} has ${has} here, code of ${receiver} ${gets}` })
    if (to === undefined) return
    for (const name of comparedNotes) {
      const [ours, theirs] = [notesOf(parts, name), notesOf(to.parts, name)]
      if (!this.#agree(name, ours, theirs))
        this.#found.push({
          path,
          text: `${name} is ${listed(ours)} in ${sender}, ${listed(theirs)} in ${receiver}`,
        })
    }
  }

  #agree(name: string, ours: readonly Json[], theirs: readonly Json[]): boolean {
    if (fingerprint([...ours]) === fingerprint([...theirs])) return true
    const [one = true, other = true] = [ours[0], theirs[0]]
    const isSingle = ours.length <= 1 && theirs.length <= 1
    switch (name) {
      // It tells callers to expect other values of results.
      case 'x-extensible-enum': {
        if (this.passage.direction === 'result' || ours.length === 0 || theirs.length === 0) return true
        const known = new Set(theirs.flat().map(fingerprint))
        return ours.flat().every((value) => known.has(fingerprint(value)))
      }
      case 'contentSchema':
        return (
          isSingle &&
          isSchema(one) &&
          isSchema(other) &&
          this.passage.asIs(one, other).verdict === 'contained' &&
          unseenObstacles(this.passage, [one, other]).length === 0
        )
      default: {
        const all = new Set([...ours, ...theirs].map(fingerprint))
        return ours.length > 0 && theirs.length > 0 && all.size === 1
      }
    }
  }
}

function notesOf(parts: readonly JsonObject[], name: string): readonly Json[] {
  return parts.flatMap((part) => {
    const note = noteOf(part, name)
    return note === undefined ? [] : [note]
  })
}

function listed(values: readonly Json[]): string {
  const texts = new Set(values.map((value) => (typeof value === 'string' ? value : textOf(value))))
  return texts.size === 0 ? 'none' : [...texts].join(' or ')
}

/** What code gets where the parts apply. */
function formOf(parts: readonly JsonObject[], { model }: VersionReading): string {
  const forms = [
    ...(parts.some(isBinarySchema) ? ['a file'] : []),
    ...(parts.some(isInt64) ? [`an int64 as ${model.int64}`] : []),
  ]
  return forms.join(' or ') || 'plain JSON'
}

function memberOf(position: InstancePosition | undefined, name: string): number | undefined {
  if (position === undefined) return undefined
  const pattern = [...position.patterns.keys()].find((one) => patternMatches(one, name))
  return position.properties.get(name) ?? position.patterns.get(pattern ?? '') ?? position.values
}

function isDropped(plan: Plan, name: string): boolean {
  if (plan.kind === 'tagged') return plan.branches.every((branch) => isDropped(branch.plan, name))
  if (plan.kind !== 'object') return false
  const { drop, pass, gather, spread } = plan
  return (
    drop.includes(name) ||
    pass.has(name) ||
    spread.has(name) ||
    [...gather.values()].some(({ members }) => members.has(name))
  )
}

function planOf(plan: Plan, name: string): Plan {
  if (plan.kind !== 'tagged') return plan.kind === 'object' ? (plan.members.get(name)?.plan ?? keep) : keep
  const plans = plan.branches.map((branch) => planOf(branch.plan, name))
  return plans.find(({ kind }) => kind !== 'keep') ?? keep
}
