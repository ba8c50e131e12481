import type { Cursor } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { isNullImplied } from '../../load/upgrade.js'
import { type ChangeId, catalogueEntry } from '../change/catalogue.js'
import { wayOf } from '../change/place.js'
import type { SchemaAction } from '../change/schema-actions.js'
import { asObject, type Side } from '../change/side.js'
import { changeId, ofText, type Traits } from '../change/subject.js'
import { refusal } from '../decide/extent.js'
import { harmless, isBad, type Judged, type Judgement, judge, worse } from '../decide/judgement.js'
import { childrenOf } from '../same/family.js'
import type { Sameness } from '../same/same.js'
import { behindBoth, leaves, pick } from '../same/within.js'
import { haveOneText } from '../texts/as-texts.js'
import { judgeTexts } from '../texts/texts.js'
import { typeActions } from '../texts/types.js'
import { annotationBranchChanges } from './annotation-branches.js'
import { refusingKeywords } from './beside-type.js'
import { compositionChanges, wraps } from './composition.js'
import { discriminatorChanges } from './discriminators.js'
import type { SchemaGraph } from './graph.js'
import { decidedBy, type KeywordChange, keywordChanges, partOf } from './keywords.js'
import { leftOutOfParts } from './left-out.js'
import { lifecycleChanges } from './lifecycle.js'
import { besideReference, isRefactored } from './merged.js'
import type { DecidedBy, Edge, SchemaNode } from './node.js'
import { propertyChanges } from './properties.js'
import { concernOf, saysTheSame } from './respelled.js'
import type { Difference, SchemaWalk, Stop } from './schema-walk.js'
import { textChange, typeChange } from './type-changes.js'
import { isTextAlone, undivided, unwritten } from './unwritten.js'

const ofTypes: ReadonlySet<SchemaAction | undefined> = new Set([
  'list-of-types-narrowed',
  'list-of-types-widened',
  'any-of-removed',
])

/** The walk of one node's schemas. */
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
  #judgedTexts: { readonly judged: Judged | undefined } | undefined
  #refusing: ReadonlyMap<string, Judged> | undefined

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
    this.sender = from.of(schemas[0] ?? null)
    this.receiver = to.of(schemas[1] ?? null)
    // What is not evaluated depends on all that stands beside it.
    this.#isEntire = schemas.some((schema) =>
      ['unevaluatedProperties', 'unevaluatedItems'].some((key) => {
        const value = own(asObject(schema), key)
        return value !== undefined && value !== true
      }),
    )
  }

  get isRequest(): boolean {
    return this.traits.direction === 'request'
  }

  visit(stop: Stop, around?: Edge['around'], beside = this.sender, as?: Edge['as']): void {
    const [a, b] = behindBoth([this.old, stop.a], [this.new_, stop.b])
    if (this.sameness.of(a.value, b.value)) return
    const { node } = this
    const traits = this.#traitsAt(stop)
    const isNew = leaves(a, node.a) && leaves(b, node.b)
    const home = isNew ? this.graph.home(a, b) : node.home
    const place = isNew ? '' : node.place + stop.path
    const isRoot = node.isRoot && stop.path === ''
    const to = this.graph.node({ traits, a, b, kind: stop.kind, isRoot, home, place })
    const [sender, receiver] = this.isRequest ? [a, b] : [b, a]
    const isEntire =
      as !== 'child' &&
      (this.#isEntire || (stop.path === '' && this.#isEntangled(sender.value, receiver.value, beside)))
    const decides = isEntire ? () => this.entire() : around
    node.edges.push({ to, step: stop.path, around: decides, ...(as !== undefined && { as }) })
  }

  /** A field of a form is written in its own way; only fields repeat their names, not what is within them. */
  #traitsAt({ path }: Stop): Traits {
    const { lists, fields, ...others } = this.traits
    const isOfForm = lists !== undefined || fields !== undefined
    if (path === '' || this.traits.holder !== 'body' || !isOfForm) return this.traits
    if (!this.node.isRoot) return others
    return fields === undefined ? this.traits : { ...others, ...(fields.get(wayOf(path)[0] ?? '') ?? ofText) }
  }

  put(stop: Stop, change: Difference): void {
    const isRoot = this.node.isRoot && stop.path === ''
    const id = change.id ?? changeId(this.traits, isRoot, change.action, stop.kind)
    const level = catalogueEntry(id)?.level ?? 'dangerous'
    const flaw = this.#flaw(stop)
    const by = stop.kind !== '' || flaw !== undefined ? 'catalogue' : decidedBy(change)
    let judged: Judged = harmless
    if (flaw !== undefined) judged = { level: 'dangerous', evidence: { reason: flaw } }
    else if (change.unseen === true) judged = change.judged ?? { level, evidence: {} }
    // No schema around makes up for what a convention says.
    else if (by === 'convention') judged = worse({ level, evidence: {} }, change.judged ?? harmless)
    if (by === 'convention' && this.#isEntire) judged = worse(judged, this.entire())
    else if (by === 'schema') {
      judged = this.#isEntire ? this.entire() : (change.judged ?? this.decide(change.keywords))
      // Where nothing could be decided, what the catalogue takes for breaking is not called less.
      if (judged.evidence.reason !== undefined && level === 'breaking') judged = { ...judged, level }
    }
    if (flaw === undefined && judged.level === 'compatible' && saysTheSame(this, change)) return
    const isOfTexts = by !== 'catalogue' && stop.path === '' && change.protocols === undefined
    const refused = isOfTexts ? this.refusing.get(change.keywords.join()) : undefined
    if (refused !== undefined) {
      const told = worse(refused, this.texts ?? harmless)
      this.push(stop, { ...change, protocols: ['rest'] }, id, told, 'convention', flaw)
      if (isBad(judged)) this.push(stop, { ...change, protocols: ['jsonrpc'] }, id, judged, by, flaw)
      return
    }
    const written = isOfTexts && isBad(judged) ? this.#written(judged, change) : undefined
    const texts = isOfTexts && isBad(judged) ? (this.#textsOf(change) ?? written) : undefined
    if (texts === undefined || (texts.level === judged.level && this.#refuses(texts, change.keywords)))
      this.push(stop, change, id, texts ?? judged, by, flaw)
    else {
      // Types and branches that went are reported over REST too, even if every text is still accepted, and so are changes of values that REST cannot carry.
      const isOfTypes = ofTypes.has(change.action)
      if (isBad(texts) || isOfTypes || texts === written)
        this.push(stop, { ...change, protocols: ['rest'] }, id, texts, 'convention', flaw)
      this.push(stop, { ...change, protocols: ['jsonrpc'] }, id, judged, by, flaw)
    }
  }

  /** The verdict over REST, if REST cannot carry the refused value. Undefined if it can. */
  #written({ evidence: { witness } }: Judged, { action, keywords }: Difference): Judged | undefined {
    if (witness === undefined) return undefined
    const values = unwritten(this)
    const isText = typeof witness !== 'string' && isTextAlone(this)
    const parts = typeof witness === 'object' && witness !== null ? undivided(this) : undefined
    if (parts !== undefined) return this.#divided(parts, keywords)
    if (!isText && !values.includes(witness)) return undefined
    if (action === 'enum-value-removed') return harmless
    const receiver = asObject(this.receiver)
    const part = keywords.length === 0 ? receiver : pick(receiver, keywords)
    const sent = { ...(isText && { type: 'string' }), not: { enum: values } }
    return this.passes({ allOf: [this.sender, sent] }, part)
  }

  /** The verdict of what REST carries of lists and objects; undefined where it carries all that some schema has. */
  #divided(parts: Json, keywords: readonly string[]): Judged | undefined {
    if (this.judgement.isContained('request', this.sender, { not: parts })) return undefined
    const receiver = asObject(this.receiver)
    const part = keywords.length === 0 ? receiver : pick(receiver, keywords)
    return this.passes({ allOf: [this.sender, { not: parts }] }, part)
  }

  /** Whether the value that a text stands for is refused as a value, too. */
  #refuses({ evidence: { witness } }: Judged, keywords: readonly string[]): boolean {
    if (witness === undefined) return false
    const receiver = asObject(this.receiver)
    return isBad(this.passes({ const: witness }, keywords.length === 0 ? receiver : pick(receiver, keywords)))
  }

  push(
    stop: Stop,
    change: Difference,
    id: ChangeId,
    judged: Judged,
    by: DecidedBy,
    flaw: string | undefined,
  ): void {
    const { path, a, b } = stop
    const { old, new: fresh, values = [old ?? null, fresh ?? null], protocols } = change
    const at = this.#isEntire ? '' : change.at
    this.node.findings.push({
      ...{ id, path, a, b, old, new: fresh, values, judged, by },
      about: flaw === undefined ? concernOf(change, stop) : 'notes',
      ...(change.property !== undefined && { property: change.property }),
      ...(at !== undefined && at !== path && { at }),
      ...(protocols !== undefined && { protocols }),
      ...(flaw !== undefined && { undecided: flaw }),
    })
  }

  /** Why nothing can be said of the very schemas that changed. */
  #flaw({ a, b }: Stop): string | undefined {
    const flaw = this.old.flaws.at.get(a.pointer) ?? this.new_.flaws.at.get(b.pointer)
    return flaw === undefined ? undefined : refusal(flaw)
  }

  compare(stop: Stop, listed: boolean): void {
    const [a, b] = besideReference(this.sameness, stop.a, stop.b)
    for (const change of annotationBranchChanges(this.old, a, this.new_, b)) this.put(stop, change)
    if (isRefactored(this, a, b)) return
    if (!listed && wraps(a, b)) {
      this.put(stop, { action: 'wrapped-in-one-of', keywords: [], judged: this.entire() })
      // Validators fill in no default of a branch.
      for (const change of keywordChanges(a, b, this.isRequest))
        if (change.keywords.includes('default')) this.#putKeyword(stop, change)
      return
    }
    const manner = { listed, nested: this.traits.holder === 'parameter' && !this.node.isRoot }
    for (const action of typeActions(a, b, this.isRequest, manner)) typeChange(this, stop, action, a, b)
    for (const change of keywordChanges(a, b, this.isRequest)) this.#putKeyword(stop, change)
    for (const change of discriminatorChanges(this, a, b)) this.put(stop, change)
    if (!this.node.isRoot)
      for (const change of lifecycleChanges(a, b, this.graph.notice)) this.put(stop, change)
    propertyChanges(this, stop, a, b)
    leftOutOfParts(this, stop, a, b)
    compositionChanges(this, stop, a, b)
    visitChildren(this, stop)
    textChange(this, stop)
  }

  #putKeyword(stop: Stop, change: KeywordChange): void {
    const { action, unseen } = change
    const part = partOf(change, asObject(this.receiver))
    // No default stood in for what every call has.
    const isUnused =
      this.traits.isAlwaysSent === true &&
      (action === 'default-value-added' || action === 'default-value-changed')
    if (
      action === 'default-value-changed' &&
      this.traits.isLoose === true &&
      haveOneText(change.old, change.new)
    ) {
      this.put(stop, { ...change, protocols: ['jsonrpc'] })
      return
    }
    if (part !== undefined || (isUnused && this.node.isRoot)) {
      this.put(stop, { ...change, judged: part === undefined ? harmless : this.passes(this.sender, part) })
      return
    }
    const isValue = action === 'enum-value-added' || action === 'enum-value-removed'
    if (!isValue || unseen === true) {
      this.put(stop, change)
      return
    }
    const sent = this.isRequest ? change.old : change.new
    const judged =
      sent === undefined ? harmless : this.asked({ ...asObject(this.sender), enum: [sent] }, ['enum'])
    // Null that `nullable` alone lets into an `enum` may never have been sent, so that it is not certain to be missed.
    const isDoubtful = sent === null && isBad(judged) && isNullImplied(own(asObject(this.sender), 'enum'))
    this.put(stop, {
      ...change,
      ...(isDoubtful ? { judged: { level: 'dangerous', evidence: {} }, unseen: true } : { judged }),
    })
  }

  get texts(): Judged | undefined {
    this.#judgedTexts ??= { judged: this.#textsBy(this.receiver) }
    return this.#judgedTexts.judged
  }

  get refusing(): ReadonlyMap<string, Judged> {
    this.#refusing ??= refusingKeywords(this, this.texts, (receiver) => this.#textsBy(receiver))
    return this.#refusing
  }

  /** The same of the value alone that a change is about, where it is about one. */
  #textsOf({ action, old, new: fresh }: Difference): Judged | undefined {
    const value =
      action === 'enum-value-added' || action === 'enum-value-removed'
        ? this.isRequest
          ? old
          : fresh
        : undefined
    if (value === undefined || !isBad(this.texts ?? harmless)) return this.texts
    return this.#textsBy(this.receiver, { ...asObject(this.sender), enum: [value] })
  }

  #textsBy(receiver: Json, sender = this.sender): Judged | undefined {
    if (this.traits.isLoose !== true) return undefined
    const [from, to] = this.isRequest ? [this.old, this.new_] : [this.new_, this.old]
    return judgeTexts(this.judgement, this.traits, this.node.isRoot, [from, sender], [to, receiver])
  }

  describes(name: string): boolean {
    return this.graph.described[this.isRequest ? 'old' : 'new'].of(this.sender).has(name)
  }

  /**
   * Whether a part of the receiver's schema describes a property of which the sender's says something in another part, so that
   * the two parts do not stand for themselves.
   */
  #isEntangled(sender: Json, receiver: Json, beside: Json): boolean {
    const { old, new: fresh } = this.graph.described
    const [from, to] = this.isRequest ? [old, fresh] : [fresh, old]
    const known = from.of(sender)
    return [...to.of(receiver)].some((name) => !known.has(name) && from.of(beside).has(name))
  }

  decide(keywords: readonly string[]): Judged {
    if (keywords.length === 0) return this.entire()
    const key = keywords.join()
    const judged = this.#decided.get(key) ?? this.#decide(keywords)
    this.#decided.set(key, judged)
    return judged
  }

  #decide(keywords: readonly string[]): Judged {
    const [sender, receiver] = [asObject(this.sender), asObject(this.receiver)]
    const part = pick(receiver, keywords)
    return this.passes(pick(sender, [...keywords, 'type']), part, sender)
  }

  asked(sender: Json, keywords: readonly string[]): Judged {
    return this.passes(sender, pick(asObject(this.receiver), keywords))
  }

  passes(sender: Json, receiver: JsonObject, whole: Json = sender): Judged {
    if (Object.keys(receiver).length === 0) return harmless
    const { direction } = this.traits
    const apart = this.judgement.passes(direction, sender, receiver)
    if (apart.verdict === 'contained' || whole === sender) return judge(apart)
    const together = this.judgement.passes(direction, whole, receiver)
    return judge(together.verdict === 'unknown' ? apart : together)
  }

  entire(): Judged {
    const { traits, sender, receiver } = this
    const judged = this.#decided.get('') ?? judge(this.judgement.passes(traits.direction, sender, receiver))
    this.#decided.set('', judged)
    return judged
  }
}

/** Has the children compared that both versions have of a discriminated base. */
function visitChildren(walk: SchemaWalk, stop: Stop): void {
  const { old, new_, node } = walk
  const others = childrenOf(new_, node.b.value)
  for (const [name, a] of childrenOf(old, node.a.value)) {
    const b = others.get(name)
    if (b !== undefined) walk.visit({ ...stop, a, b }, undefined, undefined, 'child')
  }
}
