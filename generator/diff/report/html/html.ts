import type { InputFile } from '../../../document/document.js'
import type { Comparison } from '../../change/change.js'
import { inert } from '../../change/inert.js'
import { levels } from '../../change/level.js'
import { verdictRows } from '../../change/protocol.js'
import { unitsOf } from '../../change/units.js'
import type { Gate } from '../../gate/gate.js'
import { type Group, rowGroups } from '../groups.js'
import type { References } from '../references.js'
import { operationsOfAlike } from '../rows.js'
import { type Section, sectionsOf, worstFirst } from '../sections.js'
import { countsOf } from '../words.js'
import { RowView } from './html-row.js'
import { summaryView } from './html-summary.js'
import { page } from './page.js'

/** The files of both documents, for the excerpts. */
export interface Texts {
  readonly old: readonly InputFile[]
  readonly new: readonly InputFile[]
}

/** More is too long to read, and browsers are slow to open it. The worst changes are kept. */
const mostChanges = 1500
const mostExcerpts = 400
/** Up to this number of breaking changes, they are unfolded at first. Otherwise the first one is. */
const mostOpen = 12

/** One self-contained page. Without scripts, everything can still be read and unfolded. */
export function comparisonHtml(
  comparison: Comparison,
  texts: Texts = { old: [], new: [] },
  gate?: Gate,
  references: References = {},
): string {
  const { changes } = comparison
  const groups = rowGroups(changes)
  const kept = new Set(worstFirst(groups).slice(0, mostChanges))
  const excerpts = new Set(worstFirst(groups).slice(0, mostExcerpts))
  const shown = unitsOf([...kept].flatMap(({ parts }) => parts)).length
  const total = unitsOf(changes).length
  const sections = worstSectionFirst(sectionsOf(groups.filter((group) => kept.has(group))))
  const operations = [...new Set(changes.flatMap((change) => change.operations))].sort()
  const open = openAtFirst(sections.flatMap((section) => section.changes))
  const alike = operationsOfAlike(groups)
  const view = new RowView({ comparison, references, excerpts, open, alike, operations }, texts)
  return page('report', {
    title: `${inert(comparison.title)} ${inert(comparison.old.version)} to ${inert(comparison.new.version)}: API review`,
    ...summaryView(comparison, gate, references),
    levels: countsOf(changes),
    protocols: verdictRows(comparison.verdict).map(({ protocol, name }) => ({
      value: protocol,
      name,
      count: unitsOf(changes.filter((change) => change.protocols.includes(protocol))).length,
    })),
    total,
    operations: operations.map(inert),
    hasWaived: changes.some(({ waiver }) => waiver !== null),
    shown,
    leftOut: total - shown,
    withExcerpt: excerpts.size,
    withoutExcerpt: kept.size - excerpts.size,
    isLong: kept.size > 200,
    sections: sections.map((section, index) => sectionView(section, index, view)),
  })
}

/** What breaks and nobody has accepted, unless that is much. */
function openAtFirst(groups: readonly Group[]): ReadonlySet<Group> {
  const breaking = groups.filter(
    ({ level, waiver, adapter }) => level === 'breaking' && waiver === null && adapter === undefined,
  )
  return new Set(breaking.slice(0, breaking.length > mostOpen ? 1 : mostOpen))
}

function worstSectionFirst(sections: readonly Section<Group>[]): Section<Group>[] {
  const rank = ({ changes }: Section<Group>): number =>
    Math.min(...changes.map(({ level }) => levels.indexOf(level)))
  return sections
    .map((section) => ({ section, rank: rank(section) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ section }) => section)
}

function sectionView({ kind, title, changes }: Section<Group>, index: number, view: RowView): object {
  const found = new Set(changes.map(({ level }) => level))
  return {
    anchor: `section-${index + 1}`,
    title: kind === 'operation' ? inert(title) : title.replace(/^./, (sign) => sign.toUpperCase()),
    isName: kind === 'operation',
    worst: levels.find((level) => found.has(level)),
    count: unitsOf(changes.flatMap(({ parts }) => parts)).length,
    rows: changes.map((change) => view.row(change)),
  }
}
