import type { InputFile } from '../../document/document.js'
import type { Bump, Change, Comparison, Verdict } from '../change/change.js'
import { inert } from '../change/inert.js'
import type { Level } from '../change/level.js'
import { levels } from '../change/level.js'
import { verdictRows } from '../change/protocol.js'
import type { Gate } from '../gate/gate.js'
import { distinctionOf, type Group, grouped } from './groups.js'
import { page } from './page.js'
import { shownJson } from './runs.js'
import { headline, type Section, sectionsOf, worstFirst } from './sections.js'
import { type Lines, type Snippet, sideBySide } from './side-by-side.js'
import { callsOf, waivedText } from './text.js'
import { usageTexts } from './usage-texts.js'
import {
  bumpText,
  countsOf,
  countsText,
  onlyText,
  outcomesOf,
  positionText,
  remarks,
  sideNames,
  verdictMeanings,
} from './words.js'

/** The files of both documents, for the excerpts. */
export interface Texts {
  readonly old: readonly InputFile[]
  readonly new: readonly InputFile[]
}

/** More is too long to read, and browsers are slow to open it. The worst changes are kept. */
const mostChanges = 2500
const mostExcerpts = 400
const mostNames = 40
const mostParts = 200
/** Up to this number of breaking changes, they are unfolded at first. */
const mostOpen = 12

/** One self-contained page. Without scripts, everything can still be read and unfolded. */
export function comparisonHtml(
  comparison: Comparison,
  texts: Texts = { old: [], new: [] },
  gate?: Gate,
): string {
  const { changes } = comparison
  const groups = grouped(changes)
  const kept = new Set(worstFirst(groups).slice(0, mostChanges))
  const excerpts = new Set(worstFirst(groups).slice(0, mostExcerpts))
  const shown = [...kept].reduce((sum, { parts }) => sum + parts.length, 0)
  const view = new View(comparison, texts, excerpts)
  const sections = worstSectionFirst(sectionsOf(groups.filter((group) => kept.has(group))))
  return page('report', {
    title: `API review: ${comparison.old.version} to ${comparison.new.version}`,
    ...header(comparison),
    failing: gate === undefined || gate.ok ? undefined : inert(gate.reasons.join(', ')),
    levels: countsOf(changes),
    total: changes.length,
    operations: view.operations.map(inert),
    hasWaived: changes.some(({ waiver }) => waiver !== null),
    shown,
    leftOut: changes.length - shown,
    withExcerpt: excerpts.size,
    withoutExcerpt: kept.size - excerpts.size,
    isLong: kept.size > 200,
    sections: sections.map((section, index) => view.section(section, index)),
  })
}

function worstSectionFirst(sections: readonly Section<Group>[]): Section<Group>[] {
  const rank = ({ changes }: Section<Group>): number =>
    Math.min(...changes.map(({ level }) => levels.indexOf(level)))
  return sections
    .map((section) => ({ section, rank: rank(section) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ section }) => section)
}

function header(comparison: Comparison): object {
  const { old, new: fresh, verdict, bump, changes } = comparison
  const handlers = [...new Set(changes.flatMap((change) => change.handlers))].sort()
  return {
    old,
    new: fresh,
    verdicts: verdictRows(verdict).map(({ protocol, name, verdict: found }) => ({
      protocol,
      name,
      verdict: found,
      meaning: verdictMeanings[found],
      counts: countsText(countsOf(changes, protocol)),
    })),
    bump: { text: bumpText(comparison), ...bumpOutcome(bump) },
    remarks: remarks(comparison).map(inert),
    handlers: handlers.slice(0, mostNames).map(inert),
    handlerCount: handlers.length,
    moreHandlers: Math.max(0, handlers.length - mostNames),
  }
}

/** A version that is not a semantic version neither makes a promise nor keeps one. */
function bumpOutcome({ ok, required, declared }: Bump): { answer: string; tone: Verdict } {
  if (!ok) return { answer: 'not enough', tone: 'breaking' }
  const isSilent = declared === 'none' && required !== 'none'
  return isSilent ? { answer: 'not declared', tone: 'identical' } : { answer: 'fits', tone: 'compatible' }
}

class View {
  readonly #lines: { readonly old: Map<string, Lines>; readonly new: Map<string, Lines> }
  readonly #anchors = new Set<string>()
  readonly #isOpen: boolean
  /** The sorted names of all operations with changes. */
  readonly operations: readonly string[]
  readonly #indexes: ReadonlyMap<string, number>

  constructor(
    readonly comparison: Comparison,
    texts: Texts,
    readonly excerpts: ReadonlySet<Group>,
  ) {
    const lines = (files: readonly InputFile[]) =>
      new Map(files.map(({ path, text }) => [path, text.split(/\r?\n/)]))
    this.#lines = { old: lines(texts.old), new: lines(texts.new) }
    this.operations = [...new Set(comparison.changes.flatMap(({ operations }) => operations))].sort()
    this.#indexes = new Map(this.operations.map((name, index) => [name, index]))
    this.#isOpen = comparison.changes.filter(isBreaking).length <= mostOpen
  }

  section({ kind, title, changes }: Section<Group>, index: number): object {
    const found = new Set(changes.map(({ level }) => level))
    return {
      anchor: `section-${index + 1}`,
      title: kind === 'operation' ? inert(title) : title.replace(/^./, (sign) => sign.toUpperCase()),
      isName: kind === 'operation',
      worst: levels.find((level) => found.has(level)),
      count: changes.reduce((sum, { parts }) => sum + parts.length, 0),
      changes: changes.map((change) => this.#change(change)),
    }
  }

  #change(change: Group): object {
    const { level, id, fingerprint, operations, handlers, waiver, adapter, path, parts } = change
    return {
      anchor: this.#anchor(fingerprint),
      isOpen: this.#isOpen && isBreaking(change) && waiver === null && adapter === undefined,
      level,
      id,
      fingerprint,
      path: headline(change).includes(path) ? undefined : inert(path),
      protocols: change.protocols.join(' '),
      only: onlyText(change),
      message: inert(headline(change)),
      reach: operations.length > 1 ? operations.length : undefined,
      reached: operations.length > 1 ? this.#ranges(operations) : undefined,
      operations: operations.length > 1 ? operations.slice(0, mostNames).map(inert) : [],
      moreOperations: Math.max(0, operations.length - mostNames),
      handlers: handlers.length === 1 && handlers[0] !== change.operation ? handlers.map(inert) : [],
      waiver: waiver === null ? undefined : inert(waivedText(waiver)),
      usage: usageTexts(change).map(inert),
      adapter: adapter === undefined ? undefined : inert(adapter),
      ...(this.excerpts.has(change) ? this.#sides(change) : this.#positions(change)),
      proof: this.#proof(change),
      count: parts.length,
      parts:
        parts.length > 1
          ? parts
              .slice(0, mostParts)
              .map((part) => ({ fingerprint: part.fingerprint, what: inert(distinctionOf(part, change)) }))
          : [],
      moreParts: Math.max(0, parts.length - mostParts),
    }
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
    )
    if (lines.old.length + lines.new.length === 0) return this.#positions(change)
    const side = (name: 'old' | 'new', snippet: Snippet) => ({
      isOld: name === 'old',
      version: inert(sideNames(this.comparison)[name]),
      place: change[name] === null ? undefined : inert(positionText(change[name])),
      lines: snippet,
    })
    return { sides: [side('old', lines.old), side('new', lines.new)] }
  }

  #proof({ proof, level }: Change): object | undefined {
    if (proof.status === 'unproven') return { reason: `None: ${inert(proof.reason)}.` }
    if (proof.status === 'not-applicable')
      return isWorth(level) ? { reason: 'No call can show it.' } : undefined
    return {
      verified: outcomesOf(proof, this.comparison).map(({ version, answer }) => ({
        version: inert(version),
        answer: inert(answer),
      })),
      calls: callsOf(proof).map(({ title, text, value, isCommand }) => ({
        ...{ title, isCommand },
        // People read the JSON of a response and do not paste it, so it spans several lines.
        text: isCommand ? text : shownJson(value, 2),
      })),
    }
  }
}

function isBreaking({ level }: Change): boolean {
  return level === 'breaking'
}

function isWorth(level: Level): boolean {
  return level === 'breaking' || level === 'dangerous'
}
