import type { Json } from '../../document/document.js'
import { isObject, own } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'
import { asObject, referenced, type Side } from '../change/side.js'
import { areEqual } from '../same/unchanged.js'
import type { SchemaWalk } from './schema-walk.js'

export interface BranchMatch {
  readonly pairs: readonly (readonly [number, number])[]
  readonly removed: readonly number[]
  readonly added: readonly number[]
}

/**
 * Matches branches: equal ones first, then those with the same name or the same text, though what they refer to changed,
 * then the only renamed one, then nameless ones that are alike at one position, then the only one left.
 */
export function matchBranches(walk: SchemaWalk, olds: readonly Json[], news: readonly Json[]): BranchMatch {
  const pairs: [number, number][] = []
  const [removed, added] = [new Set(olds.keys()), new Set(news.keys())]
  const match = (isOne: (old: Json, fresh: Json) => boolean, keep: boolean): void => {
    for (const one of removed)
      for (const other of added)
        if (removed.has(one) && isOne(olds[one] ?? null, news[other] ?? null)) {
          removed.delete(one)
          added.delete(other)
          if (keep) pairs.push([one, other])
        }
  }
  match((old, fresh) => walk.sameness.of(old, fresh), false)
  match((old, fresh) => nameOf(old) !== undefined && nameOf(old) === nameOf(fresh), true)
  match((old, fresh) => areNameless(old, fresh) && areEqual(old, fresh), true)
  const isRenamed = (old: Json, fresh: Json): boolean =>
    isMissing(walk.new_, old) && isMissing(walk.old, fresh)
  if (count(removed, (index) => isMissing(walk.new_, olds[index])) === 1)
    if (count(added, (index) => isMissing(walk.old, news[index])) === 1) match(isRenamed, true)
  if (olds.length === news.length)
    for (const index of removed)
      if (added.has(index) && areNameless(olds[index], news[index]))
        if (removed.size === 1 || areAlike(olds[index], news[index])) {
          removed.delete(index)
          added.delete(index)
          pairs.push([index, index])
        }
  if (removed.size === 1 && added.size === 1 && olds.length === news.length) match(areNameless, true)
  return { pairs, removed: [...removed], added: [...added] }
}

function areNameless(old: Json | undefined, fresh: Json | undefined): boolean {
  return nameOf(old ?? null) === undefined && nameOf(fresh ?? null) === undefined
}

/** Whether two branches at one position require the same properties, and one describes those of the other. */
function areAlike(old: Json | undefined, fresh: Json | undefined): boolean {
  const [a, b] = [asObject(old ?? null), asObject(fresh ?? null)]
  const [ours, theirs] = [a, b].map((schema) => Object.keys(asObject(own(schema, 'properties'))))
  const covers = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
    one.length > 0 && one.every((name) => other.includes(name))
  const required = [a, b].map((schema) => fingerprint(own(schema, 'required') ?? []))
  return required[0] === required[1] && (covers(ours, theirs) || covers(theirs, ours))
}

/** Whether a branch refers to a name that the other version does not have. */
function isMissing(side: Side, schema: Json | undefined): boolean {
  const reference = isObject(schema) ? own(schema, '$ref') : undefined
  return typeof reference === 'string' && referenced(side, reference) === undefined
}

function count(indexes: ReadonlySet<number>, test: (index: number) => boolean): number {
  return [...indexes].filter(test).length
}

/** The name of a branch: its reference or its title. */
function nameOf(schema: Json): string | undefined {
  if (!isObject(schema)) return undefined
  const name = own(schema, '$ref') ?? own(schema, 'title')
  return typeof name === 'string' ? name : undefined
}
