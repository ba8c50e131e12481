import type { Json, JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { type Choice, choices } from '../../document/vocabulary.js'
import { asObject, referenced } from '../change/side.js'
import type { Differing } from '../decide/apart.js'
import { harmless, type Judged } from '../decide/judgement.js'
import { discriminationBy } from '../same/discrimination.js'
import { labelOf, listOf, pick, within } from '../same/within.js'
import { isAnnotation } from './annotation-branches.js'
import { matchBranches } from './branches.js'
import { outline } from './outline.js'
import type { SchemaPair, SchemaWalk } from './schema-walk.js'

/** Compares `allOf` branches. A removed branch breaks nothing. An added branch must accept what is sent. */
export function allOfChanges(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): void {
  const judged = (branch: Json, isSent: boolean): Judged =>
    isSent ? harmless : walk.passes(walk.sender, { allOf: [branch] })
  branchChanges(walk, pair, a, b, 'allOf', judged)
}

/** Compares the branches of `anyOf` or `oneOf`. */
export function alternativeChanges(
  walk: SchemaWalk,
  pair: SchemaPair,
  a: JsonObject,
  b: JsonObject,
  keyword: Choice,
): void {
  const [sender, receiver] = [asObject(walk.sender), asObject(walk.receiver)]
  const accepted = listOf(receiver, keyword)
  // If no value matches both a changed branch and another one, `oneOf` acts like `anyOf`.
  let areDisjoint: boolean | undefined
  const isPlain = (): boolean => {
    areDisjoint ??=
      keyword === 'anyOf' ||
      (Object.hasOwn(receiver, keyword) &&
        walk.judgement.areApart(walk.traits.direction, accepted, changed()))
    return areDisjoint
  }
  const changed = (): ReadonlyMap<number, Differing> => {
    const { pairs, removed, added } = matchBranches(walk, listOf(a, keyword), listOf(b, keyword))
    const { isRequest, sameness } = walk
    const isSame = (sent: Json, taken: Json): boolean =>
      isRequest ? sameness.of(sent, taken) : sameness.of(taken, sent)
    const matched = pairs.map(([one, other]): [number, Differing] => {
      const [mine, theirs] = isRequest ? [other, one] : [one, other]
      return [mine, { sent: listOf(sender, keyword)[theirs], isSame }]
    })
    const others = (isRequest ? added : removed).map((index) => [index, { sent: undefined, isSame }] as const)
    return new Map([...matched, ...others])
  }
  const whole = (): Judged => walk.decide([keyword])
  const isSplit = Object.hasOwn(sender, keyword) && Object.hasOwn(receiver, keyword)
  const judged = (branch: Json, isSent: boolean): Judged => {
    if (!isSplit || !isPlain()) return whole()
    return isSent ? walk.passes({ ...sender, [keyword]: [branch] }, { anyOf: accepted }) : harmless
  }
  const surrounding = (): Judged | undefined =>
    areChosen(walk, a, b, keyword) || isPlain() ? undefined : whole()
  branchChanges(walk, pair, a, b, keyword, judged, surrounding)
}

/** Whether the discriminators of both versions select the branch of a value, so that validators try no other branch. */
function areChosen({ old, new_ }: SchemaWalk, a: JsonObject, b: JsonObject, ...keywords: string[]): boolean {
  const [was, is] = [discriminationBy(old, a)?.keyword, discriminationBy(new_, b)?.keyword]
  return was === keywords[0] && is === keywords.at(-1)
}

/**
 * Reports that the same branches moved from `oneOf` to `anyOf` or back, and what changed in them. False if they did
 * not.
 */
export function keywordSwap(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): boolean {
  const [was, is] = [a, b].map((schema) => choices.filter((keyword) => listOf(schema, keyword).length > 0))
  const [[old], [fresh]] = [was ?? [], is ?? []]
  if (was?.length !== 1 || is?.length !== 1 || old === undefined || fresh === undefined || old === fresh)
    return false
  const [olds, news] = [listOf(a, old), listOf(b, fresh)]
  const { pairs, removed, added } = matchBranches(walk, olds, news)
  if (removed.length > 0 || added.length > 0) return false
  const [from, to] = walk.isRequest ? [old, fresh] : [fresh, old]
  const [sent, taken] = [pick(asObject(walk.sender), [from]), walk.taken([to])]
  const whole = (): Judged => walk.passes(sent, taken, walk.sender)
  // Each pair of branches is judged alone and reports its own breaks.
  const isPlain = pairs.length > 0 && (to === 'anyOf' || areChosen(walk, a, b, old, fresh))
  const judged = isPlain ? harmless : whole()
  walk.report(pair, {
    action: `${names[fresh]}-added`,
    keywords: choices,
    old,
    new: fresh,
    judged,
  })
  const { [from]: _, ...others } = asObject(walk.sender)
  for (const [one, other] of pairs) {
    const [was, is] = [
      within(pair.a, olds[one] ?? null, old, one),
      within(pair.b, news[other] ?? null, fresh, other),
    ]
    walk.visit({ ...pair, a: was, b: is }, isPlain ? undefined : whole, others)
  }
  return true
}

const names = { allOf: 'all-of', anyOf: 'any-of', oneOf: 'one-of' } as const

/** `judged`: judges a branch that only one version has. */
function branchChanges(
  walk: SchemaWalk,
  pair: SchemaPair,
  a: JsonObject,
  b: JsonObject,
  keyword: keyof typeof names,
  judged: (branch: Json, isSent: boolean) => Judged,
  surrounding?: () => Judged | undefined,
): void {
  const [olds, news] = [listOf(a, keyword), listOf(b, keyword)]
  if (olds.length === 0 && news.length === 0) return
  const { pairs, removed, added } = matchBranches(walk, olds, news)
  // The other alternatives do not constrain the values of a branch.
  const { [keyword]: _, ...others } = asObject(walk.sender)
  for (const [one, other] of pairs)
    walk.visit(
      {
        ...pair,
        a: within(pair.a, olds[one] ?? null, keyword, one),
        b: within(pair.b, news[other] ?? null, keyword, other),
      },
      surrounding,
      keyword === 'allOf' ? walk.sender : others,
      keyword === 'allOf' ? 'base' : undefined,
    )
  const name = names[keyword]
  for (const index of removed) {
    const branch = olds[index] ?? null
    if (keyword === 'allOf' && isAnnotation(walk.old, branch)) continue
    walk.report(
      { ...pair, a: within(pair.a, branch, keyword, index) },
      {
        action: `${name}-removed`,
        keywords: [],
        old: labelOf(branch),
        values: [outline(walk.old, branch), null],
        judged: judged(branch, walk.isRequest),
      },
    )
  }
  for (const index of added) {
    const branch = news[index] ?? null
    if (keyword === 'allOf' && isAnnotation(walk.new_, branch)) continue
    walk.report(
      { ...pair, b: within(pair.b, branch, keyword, index) },
      {
        action: `${name}-added`,
        keywords: [],
        new: labelOf(branch),
        values: [null, outline(walk.new_, branch)],
        judged: judged(branch, !walk.isRequest),
      },
    )
  }
}

/** A reference with sibling keywords means the same as a branch of `allOf`. */
export function reference(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): void {
  const [old, fresh] = [own(a, '$ref'), own(b, '$ref')]
  const [one, other] = [referenced(walk.old, old), referenced(walk.new_, fresh)]
  if (one !== undefined && other !== undefined) {
    walk.visit({ ...pair, a: one, b: other })
    return
  }
  if (one === undefined && other === undefined) return
  const isSent = (one !== undefined) === walk.isRequest
  walk.report(pair, {
    action: `all-of-${one === undefined ? 'added' : 'removed'}`,
    keywords: [],
    old,
    new: fresh,
    values: [outline(walk.old, one?.value), outline(walk.new_, other?.value)],
    judged: isSent ? harmless : walk.passes(walk.sender, { $ref: (walk.isRequest ? fresh : old) ?? '' }),
  })
}
