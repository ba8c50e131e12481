import type { Json, JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { type Choice, type Composition, choices } from '../../document/vocabulary.js'
import type { Discrimination } from '../../schema/discriminator.js'
import { asObject, referenced } from '../change/side.js'
import type { Differing } from '../decide/apart.js'
import { harmless, type Judged } from '../decide/judgement.js'
import { discriminationBy } from '../same/discrimination.js'
import { branchWithin, labelOf, listOf, pick } from '../same/within.js'
import { isAnnotation } from './annotation-branches.js'
import { matchBranches } from './branches.js'
import { judgeChosen } from './discriminators.js'
import { outline } from './outline.js'
import type { SchemaPair, SchemaWalk } from './schema-walk.js'

/** Compares `allOf` branches. A removed branch breaks nothing. An added branch must accept what is sent. */
export function allOfChanges(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): void {
  const judged = (branch: Json, isSent: boolean): Judged =>
    isSent ? harmless : walk.passes(walk.sender, { allOf: [branch] })
  branchChanges(walk, pair, [a, 'allOf'], [b, 'allOf'], judged)
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
  const both = discriminations(walk, a, b, [keyword, keyword])
  const judged = (branch: Json, isSent: boolean): Judged => {
    if (both !== undefined) return judgeChosen(walk, both, branch, isSent)
    if (!isSplit || !isPlain()) return whole()
    return isSent ? walk.passes({ ...sender, [keyword]: [branch] }, { anyOf: accepted }) : harmless
  }
  const surrounding = (): Judged | undefined => (both !== undefined || isPlain() ? undefined : whole())
  branchChanges(walk, pair, [a, keyword], [b, keyword], judged, surrounding)
}

/**
 * How discriminators select the branches, if they do in both versions, so that validators try no other branch.
 * `keywords`: those of the branches in the old and in the new version.
 */
function discriminations(
  { old, new_ }: SchemaWalk,
  a: JsonObject,
  b: JsonObject,
  keywords: readonly [Choice, Choice],
): readonly [Discrimination, Discrimination] | undefined {
  const [was, is] = [discriminationBy(old, a), discriminationBy(new_, b)]
  return was?.keyword === keywords[0] && is?.keyword === keywords[1] ? [was, is] : undefined
}

/**
 * Reports that the branches moved from `oneOf` to `anyOf` or back, and what changed in them. False if they did not, or
 * if no discriminator selects one and some were added or removed.
 */
export function keywordSwap(walk: SchemaWalk, pair: SchemaPair, a: JsonObject, b: JsonObject): boolean {
  const [was, is] = [a, b].map((schema) => choices.filter((keyword) => listOf(schema, keyword).length > 0))
  const [[old], [fresh]] = [was ?? [], is ?? []]
  if (was?.length !== 1 || is?.length !== 1 || old === undefined || fresh === undefined || old === fresh)
    return false
  const { pairs, removed, added } = matchBranches(walk, listOf(a, old), listOf(b, fresh))
  const both = discriminations(walk, a, b, [old, fresh])
  if (both === undefined && removed.length + added.length > 0) return false
  const [from, to] = walk.isRequest ? [old, fresh] : [fresh, old]
  const [sent, taken] = [pick(asObject(walk.sender), [from]), walk.taken([to])]
  const whole = (): Judged => walk.passes(sent, taken, walk.sender)
  // Each pair of branches is judged alone and reports its own breaks.
  const isPlain = both !== undefined || (pairs.length > 0 && to === 'anyOf')
  // If only one version has a discriminator that chooses, its line says what the keyword means without it.
  const isChosen = [discriminationBy(walk.old, a), discriminationBy(walk.new_, b)].some(
    (one) => one !== undefined,
  )
  walk.report(pair, {
    action: `${names[fresh]}-added`,
    words: 'the keyword of its branches changed',
    keywords: choices,
    old,
    new: fresh,
    judged: isPlain || isChosen ? harmless : whole(),
  })
  const judged = (branch: Json, isSent: boolean): Judged =>
    both === undefined ? whole() : judgeChosen(walk, both, branch, isSent)
  branchChanges(walk, pair, [a, old], [b, fresh], judged, isPlain ? undefined : whole)
  return true
}

const names = { allOf: 'all-of', anyOf: 'any-of', oneOf: 'one-of' } as const

/** `judged`: judges a branch that only one version has. */
function branchChanges(
  walk: SchemaWalk,
  pair: SchemaPair,
  ...[[a, was], [b, is], judged, surrounding]: readonly [
    readonly [JsonObject, Composition],
    readonly [JsonObject, Composition],
    (branch: Json, isSent: boolean) => Judged,
    (() => Judged | undefined)?,
  ]
): void {
  const [olds, news] = [listOf(a, was), listOf(b, is)]
  if (olds.length === 0 && news.length === 0) return
  const { pairs, removed, added } = matchBranches(walk, olds, news)
  const keyword = walk.isRequest ? was : is
  // The other alternatives do not constrain the values of a branch.
  const { [keyword]: _, ...others } = asObject(walk.sender)
  for (const [one, other] of pairs)
    walk.visit(
      {
        ...pair,
        a: branchWithin(pair.a, olds, was, one),
        b: branchWithin(pair.b, news, is, other),
      },
      surrounding,
      keyword === 'allOf' ? walk.sender : others,
      keyword === 'allOf' ? 'base' : undefined,
    )
  for (const index of removed) {
    const branch = olds[index] ?? null
    if (was === 'allOf' && isAnnotation(walk.old, branch)) continue
    walk.report(
      { ...pair, a: branchWithin(pair.a, olds, was, index) },
      {
        action: `${names[was]}-removed`,
        keywords: [],
        old: labelOf(branch),
        values: [outline(walk.old, branch), null],
        judged: judged(branch, walk.isRequest),
      },
    )
  }
  for (const index of added) {
    const branch = news[index] ?? null
    if (is === 'allOf' && isAnnotation(walk.new_, branch)) continue
    walk.report(
      { ...pair, b: branchWithin(pair.b, news, is, index) },
      {
        action: `${names[is]}-added`,
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
