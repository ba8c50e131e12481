import type { InputFile } from '../../../document/document.js'
import type { Change, Comparison, Proof } from '../../change/change.js'
import { inert } from '../../change/inert.js'
import { unitsOf } from '../../change/units.js'
import { isBad } from '../../decide/judgement.js'
import { distinctionOf, type Group } from '../groups.js'
import { callsOf, proofsOf } from '../proofs.js'
import { type References, referenceLinks } from '../references.js'
import { headline, rowOf, rowText } from '../rows.js'
import { readMessage } from '../schema-message.js'
import { usageTexts } from '../usage-texts.js'
import { listed, onlyText, outcomesOf, positionText, sideNames, unshown, waivedText } from '../words.js'
import { jsonTokens, shellTokens } from './code-tokens.js'
import { type Lines, type Snippet, sideBySide } from './side-by-side.js'

const mostNames = 40
const mostParts = 200

/** What all rows of a page share. */
export interface RowContext {
  readonly comparison: Comparison
  readonly references: References
  /** The groups that show lines of the documents. */
  readonly excerpts: ReadonlySet<Group>
  /** The groups that are unfolded at first. */
  readonly open: ReadonlySet<Group>
  /** What {@link operationsOfAlike} says of the groups. */
  readonly alike: ReadonlyMap<Group, readonly string[]>
  /** The sorted names of all operations with changes. */
  readonly operations: readonly string[]
}

/** Makes the rows of a page. */
export class RowView {
  readonly #lines: { readonly old: Map<string, Lines>; readonly new: Map<string, Lines> }
  readonly #anchors = new Set<string>()
  readonly #indexes: ReadonlyMap<string, number>

  constructor(
    readonly context: RowContext,
    texts: { readonly old: readonly InputFile[]; readonly new: readonly InputFile[] },
  ) {
    const lines = (files: readonly InputFile[]) =>
      new Map(files.map(({ path, text }) => [path, text.split(/\r?\n/)]))
    this.#lines = { old: lines(texts.old), new: lines(texts.new) }
    this.#indexes = new Map(context.operations.map((name, index) => [name, index]))
  }

  row(group: Group): object {
    const { level, id, fingerprint, operations, handlers, waiver, adapter, path, parts, copies = [] } = group
    const row = rowOf(group)
    const isShared = operations.length > 1
    const named = this.context.alike.get(group)
    return {
      anchor: this.#anchor(fingerprint),
      isOpen: this.context.open.has(group),
      level,
      id,
      fingerprint,
      fingerprints: parts.map((part) => part.fingerprint).join(' '),
      path: headline(group).includes(path) ? undefined : inert(path),
      protocols: group.protocols.join(' '),
      only: onlyText(group),
      name: inert(rowText(row)).replaceAll('`', ''),
      subject: inert(row.subject),
      message: inert(row.subject === '' ? rowText(row).replace(/^the /, 'The ') : row.fact),
      where: row.subject === '' ? undefined : inert(sentence(row.where)),
      reach: isShared ? operations.length : undefined,
      named: named && inert(listed(named, 2)),
      reached: isShared ? this.#ranges(operations) : undefined,
      operations: isShared ? operations.slice(0, mostNames).map((name) => this.#operation(name)) : [],
      moreOperations: Math.max(0, operations.length - mostNames),
      copies: copies.map(inert),
      handlers: handlers.length === 0 ? undefined : inert(listed(handlers, mostHandlers)),
      waiver: waiver === null ? undefined : inert(waivedText(waiver)),
      usage: usageTexts(group).map(inert),
      adapter: adapter === undefined ? undefined : inert(adapter),
      ...(this.context.excerpts.has(group) ? this.#sides(group) : this.#positions(group)),
      proofs: proofsOf(group).flatMap((proof) => this.#proof(proof, group) ?? []),
      waivable: isBad(group) && waiver === null ? this.#waivable(group) : undefined,
      references: this.#links(operations[0]),
      count: unitsOf(parts).length,
      parts:
        parts.length > 1
          ? parts
              .slice(0, mostParts)
              .map((part) => ({ fingerprint: part.fingerprint, what: inert(distinctionOf(part, group)) }))
          : [],
      moreParts: Math.max(0, parts.length - mostParts),
    }
  }

  /** The parts for entries of a file of waivers: fingerprint, id, message and operations. */
  #waivable({ parts }: Group): string {
    return JSON.stringify(
      parts
        .slice(0, mostParts)
        .map(({ fingerprint, id, message, operations }) => [
          fingerprint,
          id,
          inert(message),
          this.#ranges(operations),
        ]),
    )
  }

  /** The indexes of operations among all: `0-12 40`. */
  #ranges(names: readonly string[]): string {
    const ranges: { from: number; to: number }[] = []
    for (const index of names.map((name) => this.#indexes.get(name) ?? 0).sort((a, b) => a - b)) {
      const last = ranges.at(-1)
      if (last?.to === index - 1) last.to = index
      else ranges.push({ from: index, to: index })
    }
    return ranges.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(' ')
  }

  #operation(name: string): object {
    const { references } = this.context
    return { name: inert(name), href: references.new?.operation(name) ?? references.old?.operation(name) }
  }

  #links(operation: string | undefined): readonly object[] {
    const { comparison, references } = this.context
    if (operation === undefined) return []
    const links = referenceLinks(operation, references, comparison, sideNames(comparison))
    return links.map(({ version, href }) => ({ version: inert(version), href }))
  }

  #anchor(fingerprint: string): string {
    let anchor = `change-${fingerprint}`
    for (let count = 2; this.#anchors.has(anchor); count++) anchor = `change-${fingerprint}-${count}`
    this.#anchors.add(anchor)
    return anchor
  }

  #positions({ old, new: fresh }: Change): object {
    const places = [old, fresh].flatMap((place) => (place === null ? [] : [inert(positionText(place))]))
    return { places }
  }

  #sides(change: Change): object {
    const { old, new: fresh } = change
    const lines = sideBySide(
      old,
      this.#lines.old.get(old?.file ?? ''),
      fresh,
      this.#lines.new.get(fresh?.file ?? ''),
      soleIn(change),
    )
    if (lines.old.length + lines.new.length === 0) return this.#positions(change)
    const side = (name: 'old' | 'new', snippet: Snippet) => ({
      isOld: name === 'old',
      version: inert(sideNames(this.context.comparison)[name]),
      place: change[name] === null ? undefined : inert(positionText(change[name])),
      lines: snippet,
    })
    return { sides: [side('old', lines.old), side('new', lines.new)] }
  }

  #proof(proof: Proof, { level }: Group): object | undefined {
    const reason = unshown(proof)
    if (reason !== undefined) return { reason: `${sentence(inert(reason))}.` }
    if (proof.status !== 'verified')
      return level === 'breaking' || level === 'dangerous' ? { reason: 'No call can show it.' } : undefined
    return {
      outcomes: outcomesOf(proof, this.context.comparison).map(({ version, answer }) => ({
        version: inert(version),
        answer: inert(answer),
        isFine: answer.startsWith('accepts'),
      })),
      calls: callsOf(proof, { indent: 2, between: ' \\\n  ' }).map(({ title, text, isCommand }) => ({
        title,
        tokens: isCommand ? shellTokens(text) : jsonTokens(text),
        isJson: !isCommand,
      })),
    }
  }
}

/** The version that alone has what changed, if that does not follow from the positions. */
function soleIn({ id, message }: Change): 'old' | 'new' | undefined {
  // The old operation is as it was. Another one takes its calls.
  if (id === 'endpoint-shadowed') return 'new'
  const { how } = ofProperty.exec(readMessage(message)?.what ?? '')?.groups ?? {}
  return how === undefined ? undefined : how === 'added' ? 'new' : 'old'
}

const ofProperty = /^this [^;]*property(?: with a default)? was (?<how>added|removed)/

const mostHandlers = 6

/** `the response 200` as `Response 200`. */
function sentence(title: string): string {
  return title.replace(/^the /, '').replace(/^./, (sign) => sign.toUpperCase())
}
