import type { Cursor } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { unevaluatedKeywords } from '../../document/vocabulary.js'
import { isNullImplied } from '../../load/upgrade.js'
import { type ChangeId, catalogueEntry } from '../change/catalogue.js'
import { wayOf } from '../change/place.js'
import { whereJson, whereTexts } from '../change/protocol.js'
import { asObject, type Side } from '../change/side.js'
import { changeId, ofText, type Traits } from '../change/subject.js'
import type { SchemaAction } from '../change/table/schema-actions.js'
import { harmless, isBad, type Judged, type Judgement, judge, worse } from '../decide/judgement.js'
import { isOfPattern, refusal } from '../decide/obstacle.js'
import type { Sameness } from '../same/same.js'
import { dereferencedBoth, isOutside, pick, refusesAll } from '../same/within.js'
import { haveOneText } from '../texts/as-texts.js'
import { typeActions } from '../texts/types.js'
import { annotationBranchChanges } from './annotation-branches.js'
import { compositionChanges, wraps } from './composition.js'
import { discriminatorChanges } from './discriminators.js'
import type { SchemaGraph } from './graph.js'
import { conventionsOn, type DescribedNames, namesOnlyIn } from './in-place.js'
import { decidedBy, isIgnoredDefault, type KeywordChange, keywordChanges, partOf } from './keywords.js'
import { leftOutOfParts, sentBy } from './left-out.js'
import { lifecycleChanges } from './lifecycle-changes.js'
import { differingParts, isRefactored } from './merged.js'
import type { DecidedBy, Edge, SchemaNode } from './node.js'
import { propertyChanges } from './properties.js'
import { concernOf, isOfChangedType, saysTheSame } from './respelled.js'
import type { Difference, SchemaPair, SchemaWalk } from './schema-walk.js'
import { TextVerdicts } from './text-verdicts.js'
import { typeChange } from './type-changes.js'
import { refuseUncompared } from './uncompared.js'
import { judgeWritten } from './unwritten.js'

const ofTypes: ReadonlySet<SchemaAction | undefined> = new Set([
  'list-of-types-narrowed',
  'list-of-types-widened',
  'any-of-removed',
])

/** Compares the schemas of one node. */
export class NodeWalk implements SchemaWalk {
  readonly old: Side
  readonly new_: Side
  readonly sameness: Sameness
  readonly judgement: Judgement
  readonly traits: Traits
  readonly sender: Json
  readonly receiver: Json
  readonly #decided = new Map<string, Judged>()
  readonly #isEntire: boolean
  /** The sender's schema in its own words. */
  readonly #stated: Json
  readonly #texts = new TextVerdicts(this)

  constructor(
    readonly graph: SchemaGraph,
    readonly node: SchemaNode,
    a: Cursor,
    b: Cursor,
  ) {
    this.old = graph.old
    this.new_ = graph.new_
    this.sameness = graph.sameness
    this.judgement = graph.judgement
    this.traits = node.traits
    const schemas = [a.value, b.value]
    if (!this.isRequest) schemas.reverse()
    const { from, to } = graph.judgement.readings(node.traits.direction)
    this.#stated = from.of(schemas[0] ?? null)
    this.sender = sentBy(node, this.#stated)
    this.receiver = to.of(schemas[1] ?? null)
    // Sibling keywords decide what is unevaluated.
    this.#isEntire = schemas.some((schema) =>
      unevaluatedKeywords.some((key) => (own(asObject(schema), key) ?? true) !== true),
    )
  }

  get isRequest(): boolean {
    return this.traits.direction === 'request'
  }

  visit(pair: SchemaPair, surrounding?: Edge['surrounding'], siblings = this.sender, as?: Edge['as']): void {
    const [a, b] = dereferencedBoth([this.old, pair.a], [this.new_, pair.b])
    if (this.sameness.of(a.value, b.value)) return
    const { node } = this
    const traits = this.#traitsAt(pair)
    const isNew = isOutside(a, node.a) && isOutside(b, node.b)
    const owner = isNew ? this.graph.owner(a, b) : node.owner
    const place = isNew ? '' : node.place + pair.path
    const isRoot = node.isRoot && pair.path === ''
    const to = this.graph.node({ traits, a, b, kind: pair.kind, isRoot, owner, place })
    const [sender, receiver] = this.isRequest ? [a, b] : [b, a]
    const isEntire =
      as !== 'child' &&
      (this.#isEntire || (pair.path === '' && this.#isEntangled(sender.value, receiver.value, siblings)))
    const decides = isEntire ? () => this.judgeWhole() : surrounding
    node.edges.push({ to, step: pair.path, surrounding: decides, ...(as !== undefined && { as }) })
  }

  /** Each form field has its own style. Only fields repeat their names; the values inside them do not. */
  #traitsAt({ path }: SchemaPair): Traits {
    const { lists, fields, ...others } = this.traits
    const isOfForm = lists !== undefined || fields !== undefined
    if (path === '' || this.traits.holder !== 'body' || !isOfForm) return this.traits
    if (!this.node.isRoot) return others
    return fields === undefined ? this.traits : { ...others, ...(fields.get(wayOf(path)[0] ?? '') ?? ofText) }
  }

  report(pair: SchemaPair, change: Difference): void {
    const isRoot = this.node.isRoot && pair.path === ''
    const id = change.id ?? changeId(this.traits, isRoot, change.action, pair.kind)
    const level = catalogueEntry(id)?.level ?? 'dangerous'
    const flaw = this.#flaw(pair)
    const by = pair.kind !== '' || flaw !== undefined ? 'catalogue' : decidedBy(change)
    let judged: Judged = harmless
    if (flaw !== undefined) judged = { level: 'dangerous', evidence: { reason: flaw } }
    else if (change.unseen === true) judged = change.judged ?? { level, evidence: {} }
    // A surrounding schema does not make up for what a convention says.
    else if (by === 'convention') judged = worse({ level, evidence: {} }, change.judged ?? harmless)
    if (by === 'convention' && this.#isEntire) judged = worse(judged, this.judgeWhole())
    else if (by === 'schema') {
      judged = this.#isEntire ? this.judgeWhole() : (change.judged ?? this.decide(change.keywords))
      // If nothing could be decided, a change that the catalogue calls breaking stays breaking.
      const { reason } = judged.evidence
      if (reason !== undefined && level === 'breaking' && !isOfPattern(reason)) judged = { ...judged, level }
    }
    if (flaw === undefined && judged.level === 'compatible') {
      const { graph, traits, receiver } = this
      if (saysTheSame({ graph, traits, sender: this.#stated, receiver }, change)) return
    }
    const isOfTexts = by !== 'catalogue' && pair.path === '' && change.protocols === undefined
    const refused = isOfTexts ? this.refusing.get(change.keywords.join()) : undefined
    if (refused === undefined && judged === harmless && isOfChangedType(change, pair)) return
    if (refused !== undefined) {
      const combined = worse(refused, this.texts ?? harmless)
      if (combined.level === judged.level && this.#refuses(combined, change.keywords)) {
        this.reportAs(pair, change, id, combined, by, flaw)
        return
      }
      this.reportAs(pair, { ...change, protocols: whereTexts }, id, combined, 'convention', flaw)
      if (isBad(judged)) this.reportAs(pair, { ...change, protocols: whereJson }, id, judged, by, flaw)
      return
    }
    const written = isOfTexts && isBad(judged) ? judgeWritten(this, judged, change) : undefined
    const texts = isOfTexts && isBad(judged) ? (this.#texts.of(change) ?? written) : undefined
    if (texts === undefined || (texts.level === judged.level && this.#refuses(texts, change.keywords)))
      this.reportAs(pair, change, id, texts ?? judged, by, flaw)
    else {
      // Report removed types and branches over REST too, even if every text is still accepted, and changes of values
      // that REST cannot carry.
      const isOfTypes = ofTypes.has(change.action)
      if (isBad(texts) || isOfTypes || texts === written)
        this.reportAs(pair, { ...change, protocols: whereTexts }, id, texts, 'convention', flaw)
      this.reportAs(pair, { ...change, protocols: whereJson }, id, judged, by, flaw)
    }
  }

  /** Whether the receiver refuses the witness as a value, too. */
  #refuses({ evidence: { witness } }: Judged, keywords: readonly string[]): boolean {
    if (witness === undefined) return false
    const receiver = asObject(this.receiver)
    return isBad(this.passes({ const: witness }, keywords.length === 0 ? receiver : pick(receiver, keywords)))
  }

  reportAs(
    pair: SchemaPair,
    change: Difference,
    id: ChangeId,
    judged: Judged,
    by: DecidedBy,
    flaw: string | undefined,
  ): void {
    const { path, a, b } = pair
    const isOfLength = change.keywords.some((keyword) => keyword.endsWith('Length'))
    const isUnchecked = this.traits.isFile === true && isOfLength && judged.level === 'breaking'
    const { old, new: fresh, values = [old ?? null, fresh ?? null], protocols, inherited } = change
    const at = this.#isEntire ? '' : change.at
    this.node.findings.push({
      ...{ id, path, a, b, old, new: fresh, values, by },
      judged: isUnchecked ? { ...judged, level: 'dangerous' } : judged,
      about: flaw === undefined ? concernOf(change, pair) : 'notes',
      ...(change.words !== undefined && { words: change.words }),
      ...(change.property !== undefined && { property: change.property }),
      ...(change.ofAny !== undefined && { ofAny: change.ofAny }),
      ...(at !== undefined && at !== path && { at }),
      ...(protocols !== undefined && { protocols }),
      ...(inherited !== undefined && { inherited }),
      ...(flaw !== undefined && { undecided: flaw }),
    })
  }

  /** Why the changed schemas themselves cannot be analysed. */
  #flaw({ a, b }: SchemaPair): string | undefined {
    const flaw = this.old.flaws.at.get(a.pointer) ?? this.new_.flaws.at.get(b.pointer)
    return flaw === undefined ? undefined : refusal(flaw)
  }

  compare(pair: SchemaPair, listed: boolean): void {
    const [old, fresh] = differingParts(this.sameness, pair.a, pair.b)
    // What else a schema says that refuses every value does not count.
    const isRefused = refusesAll(old) || refusesAll(fresh)
    const [a, b] = isRefused ? [pick(old, ['not']), pick(fresh, ['not'])] : [old, fresh]
    refuseUncompared(a, b)
    for (const change of annotationBranchChanges(this.old, a, this.new_, b)) this.report(pair, change)
    if (isRefactored(this, a, b)) return
    if (!listed && wraps(a, b)) {
      // Validators fill in no default of a branch. For a whole parameter or body, that is the change if no other breaks.
      const all = keywordChanges(a, b, this.isRequest)
      const defaults = all.filter(({ keywords }) => keywords.includes('default'))
      const judged = this.judgeWhole()
      if (isBad(judged) || defaults.length === 0 || !this.node.isRoot)
        this.report(pair, { action: 'wrapped-in-one-of', keywords: [], judged })
      for (const change of defaults) this.#reportKeyword(pair, change)
      return
    }
    const manner = { listed, nested: this.traits.holder === 'parameter' && !this.node.isRoot }
    for (const action of typeActions(a, b, this.isRequest, manner)) typeChange(this, pair, action, a, b)
    for (const change of keywordChanges(a, b, this.isRequest)) this.#reportKeyword(pair, change)
    for (const change of discriminatorChanges(this, a, b)) this.report(pair, change)
    if (!this.node.isRoot)
      for (const change of lifecycleChanges(a, b, this.graph.notice)) this.report(pair, change)
    propertyChanges(this, pair, a, b)
    leftOutOfParts(this, pair, a, b)
    compositionChanges(this, pair, a, b)
  }

  #reportKeyword(pair: SchemaPair, change: KeywordChange): void {
    const { action, unseen } = change
    const part = partOf(change, asObject(this.receiver))
    // A default never replaces a value that every call has.
    const isUnused =
      this.traits.isAlwaysSent === true &&
      (action === 'default-value-added' || action === 'default-value-changed')
    if (
      action === 'default-value-changed' &&
      this.traits.isLoose === true &&
      haveOneText(change.old, change.new)
    ) {
      this.report(pair, { ...change, protocols: whereJson })
      return
    }
    const isNone = this.isRequest && isIgnoredDefault([this.old, pair.a], [this.new_, pair.b], change)
    if (part !== undefined || (isUnused && this.node.isRoot) || isNone) {
      this.report(pair, { ...change, judged: part === undefined ? harmless : this.passes(this.sender, part) })
      return
    }
    const isValue = action === 'enum-value-added' || action === 'enum-value-removed'
    if (!isValue || unseen === true) {
      this.report(pair, change)
      return
    }
    const sent = this.isRequest ? change.old : change.new
    const judged =
      sent === undefined ? harmless : this.judgeKeywords({ ...asObject(this.sender), enum: [sent] }, ['enum'])
    // Only `nullable` lets this null into the `enum`. Perhaps callers never sent it, so its removal is not certain to
    // break.
    const isDoubtful = sent === null && isBad(judged) && isNullImplied(own(asObject(this.sender), 'enum'))
    this.report(pair, {
      ...change,
      ...(isDoubtful ? { judged: { level: 'dangerous', evidence: {} }, unseen: true } : { judged }),
    })
  }

  get texts(): Judged | undefined {
    return this.#texts.all
  }

  get refusing(): ReadonlyMap<string, Judged> {
    return this.#texts.refusing
  }

  get #described(): readonly [DescribedNames, DescribedNames] {
    const { old, new: fresh } = this.graph.described
    return this.isRequest ? [old, fresh] : [fresh, old]
  }

  describes(name: string): boolean {
    return this.#described[0].of(this.sender).has(name)
  }

  /**
   * Whether this part of the receiver's schema describes a property that another part of the sender's describes, so
   * that the two parts cannot be judged alone.
   */
  #isEntangled(sender: Json, receiver: Json, siblings: Json): boolean {
    const [from, to] = this.#described
    return namesOnlyIn([to, receiver], [from, sender]).some((name) => from.of(siblings).has(name))
  }

  decide(keywords: readonly string[]): Judged {
    if (keywords.length === 0) return this.judgeWhole()
    const key = keywords.join()
    const judged = this.#decided.get(key) ?? this.#decide(keywords)
    this.#decided.set(key, judged)
    return judged
  }

  #decide(keywords: readonly string[]): Judged {
    const sender = asObject(this.sender)
    return this.passes(pick(sender, [...keywords, 'type']), this.taken(keywords), sender)
  }

  judgeKeywords(sender: Json, keywords: readonly string[]): Judged {
    return this.passes(sender, this.taken(keywords))
  }

  taken(keywords: readonly string[]): JsonObject {
    const [receiver, { value }] = [asObject(this.receiver), this.isRequest ? this.node.b : this.node.a]
    const isMoved = (key: string): boolean =>
      Object.hasOwn(asObject(value), key) && !Object.hasOwn(receiver, key)
    // A oneOf whose branches have defaults is read as a part of allOf (`eitherWay`).
    return pick(receiver, keywords.some(isMoved) ? [...keywords, 'allOf'] : keywords)
  }

  passes(sender: Json, receiver: JsonObject, whole: Json = sender): Judged {
    if (Object.keys(receiver).length === 0) return harmless
    const apart = this.#passes(sender, receiver)
    if (apart === harmless || whole === sender) return apart
    const together = this.#passes(whole, receiver)
    return together.level === 'dangerous' && !this.#isRefused(whole, apart) ? apart : together
  }

  /** Whether the sender's whole schema refuses a value that a part of it sends. */
  #isRefused(whole: Json, { evidence: { witness } }: Judged): boolean {
    if (witness === undefined) return false
    const sent = this.judgement.passes(`${this.traits.direction} back`, { const: witness }, whole)
    return sent.verdict === 'not-contained'
  }

  judgeWhole(): Judged {
    const judged = this.#decided.get('') ?? this.#passes(this.sender, this.receiver)
    this.#decided.set('', judged)
    return judged
  }

  /** Judges by the conventions on what is sent. An answer may have a property that only the receiver describes. */
  #passes(sender: Json, receiver: Json): Judged {
    const { direction } = this.traits
    const judged = judge(this.judgement.passes(direction, sender, receiver))
    if (judged === harmless) return judged
    const [from, to] = this.#described
    const conventions = conventionsOn([from, this.sender], [to, this.receiver], this.isRequest)
    if (conventions.length === 0) return judged
    const agreed = judge(this.judgement.passes(direction, { allOf: [sender, ...conventions] }, receiver))
    if (agreed.level === 'dangerous') return judged
    return agreed === harmless && !this.isRequest ? { ...judged, level: 'dangerous' } : agreed
  }
}
