import type { Comparison } from '../change/change.js'
import { handlersLine } from '../change/handlers.js'
import { inert } from '../change/inert.js'
import { type Level, levels } from '../change/level.js'
import { verdictRows } from '../change/protocol.js'
import { unitsOf } from '../change/units.js'
import type { Gate } from '../gate/gate.js'
import { type Group, rowGroups } from './groups.js'
import { markdownCode, markdownFence, markdownText } from './markdown-text.js'
import { callsOf } from './proofs.js'
import { headline } from './rows.js'
import { usageTexts } from './usage-texts.js'
import {
  bumpText,
  copiesText,
  countsOf,
  leadText,
  meaningOf,
  onlyText,
  outcomesOf,
  positionText,
  remarks,
  unshown,
  waivedText,
} from './words.js'

/** Automation finds its earlier comment by this marker. */
const marker = '<!-- duet-diff -->'

/** GitHub allows 65,536 characters in a comment. We count bytes, and leave room for the comment's end. */
const limit = 65_000

/**
 * A comment for a pull request: verdicts first, then what breaks, with proof, then the rest, collapsed. If room is
 * short, proofs are omitted before changes, and breaking changes last.
 */
export function comparisonMarkdown(comparison: Comparison, gate?: Gate): string {
  const groups = rowGroups(comparison.changes)
  const open = groups.filter(({ waiver, adapter }) => waiver === null && adapter === undefined)
  const lists: List[] = [
    ...levels.map((level) => {
      const isFolded = level === 'compatible' || level === 'info'
      return { title: titles[level], isFolded, groups: open.filter((group) => group.level === level) }
    }),
    { title: 'Waived', isFolded: true, groups: groups.filter(({ waiver }) => waiver !== null) },
    {
      title: 'Adapted',
      isFolded: true,
      groups: groups.filter(({ waiver, adapter }) => waiver === null && adapter !== undefined),
    },
  ]
  return pageOf(
    head(comparison, gate),
    lists.filter((list) => list.groups.length > 0),
    comparison,
  )
}

interface List {
  readonly title: string
  readonly isFolded: boolean
  readonly groups: readonly Group[]
}

/** In characters. A few longer ones would leave no room for other changes. */
const longestProof = 1500

const titles: { readonly [level in Level]: string } = {
  breaking: 'Breaking',
  dangerous: 'Dangerous',
  compatible: 'Compatible',
  info: 'For information',
}

function head(comparison: Comparison, gate: Gate | undefined): string {
  const { title, old, new: fresh, verdict, bump, changes } = comparison
  const rows = verdictRows(verdict).map(({ protocol, name, verdict: found }) => {
    const counts = countsOf(changes, protocol)
    const cells = (['breaking', 'dangerous', 'compatible', 'info'] as const).map(
      (level) => counts.find((count) => count.level === level)?.count ?? 0,
    )
    return `| ${name} | **${found}** | ${cells.join(' | ')} | ${meaningOf(found, counts)} |`
  })
  const look = handlersLine(changes)
  return [
    marker,
    `## API review: ${title === '' ? '' : `${markdownText(title)} `}${markdownText(old.version)} to ${markdownText(fresh.version)}`,
    '',
    markdownText(leadText(comparison)),
    '',
    '| protocol | verdict | breaking | dangerous | compatible | info | |',
    '| --- | --- | ---: | ---: | ---: | ---: | --- |',
    ...rows,
    '',
    `Version bump: ${bumpText(comparison)}${bump.ok ? '' : ' (**not enough**)'}. ` +
      `Compared: ${markdownCode(old.file)} with ${markdownCode(fresh.file)}.`,
    ...(gate === undefined || gate.ok
      ? []
      : ['', `**Check failed**: ${markdownText(gate.reasons.join(', '))}.`]),
    ...(look === undefined ? [] : ['', markdownText(look.replace(/^a/, 'A'))]),
    ...remarks(comparison).flatMap((remark) => ['', `> ${markdownText(remark)}`]),
    '',
  ].join('\n')
}

/** Fills a comment while there is room: lines of what may break, their proofs, then the other lines. */
function pageOf(top: string, lists: readonly List[], comparison: Comparison): string {
  let room = limit - Buffer.byteLength(top)
  const lines = new Map<Group, string>()
  const proofs = new Map<Group, string>()
  const addIfRoom = (kept: Map<Group, string>, group: Group, text: string): void => {
    if (Buffer.byteLength(text) > room) return
    kept.set(group, text)
    room -= Buffer.byteLength(text)
  }
  const put = (list: List): void => {
    room -= Buffer.byteLength(frameOf(list).join(''))
    for (const group of list.groups) addIfRoom(lines, group, lineOf(group))
  }
  const main = lists.filter(({ isFolded }) => !isFolded)
  for (const list of main) put(list)
  for (const group of main.flatMap(({ groups }) => groups))
    if (lines.has(group)) addIfRoom(proofs, group, proofOf(group, comparison))
  for (const list of lists.filter(({ isFolded }) => isFolded)) put(list)
  const texts = lists.flatMap((list) => {
    const items = list.groups.map((group) => (lines.get(group) ?? '') + (proofs.get(group) ?? ''))
    const [open, close] = frameOf(list)
    return items.join('') === '' ? [] : [open, ...items, close]
  })
  const all = lists.flatMap(({ groups }) => groups)
  return [top, ...texts, leftOut(all.filter((group) => !lines.has(group)))].join('')
}

function frameOf({ title, isFolded, groups }: List): readonly [open: string, close: string] {
  const count = countOf(groups)
  if (!isFolded) return [`\n### ${title} (${count})\n\n`, '']
  return [`\n<details><summary>${title} (${count})</summary>\n\n`, '\n</details>\n']
}

function leftOut(groups: readonly Group[]): string {
  const count = countOf(groups)
  if (count === 0) return ''
  const more = `${count} more ${count === 1 ? 'change is' : 'changes are'} left out`
  return `\n_${more}: a comment on GitHub holds 65,536 characters. \`duet diff\` with \`--format html\` shows all._\n`
}

function countOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { parts }) => sum + unitsOf(parts).length, 0)
}

function lineOf(change: Group): string {
  const { operation, operations, id, waiver, adapter, copies } = change
  const subject =
    operations.length > 1
      ? `in ${operations.length} operations (${operations.slice(0, 3).map(markdownCode).join(', ')}${operations.length > 3 ? ', …' : ''})`
      : operation === null
        ? 'the document'
        : markdownCode(operation)
  const only = onlyText(change)
  const tags = `${copiesText(copies)}${only === undefined ? '' : ` (${only})`}${waiver === null ? '' : `, waived ${markdownText(waivedText(waiver))}`}${adapter === undefined ? '' : `, adapted by ${markdownText(adapter)}`}`
  const use = usageTexts(change)
    .map((text) => `; **${markdownText(text)}**`)
    .join('')
  return `- ${subject}: ${markdownText(headline(change))}${tags}${use} ${markdownCode(id)}\n`
}

/** A waiver needs the fingerprint of each part. */
function fingerprintsText({ parts }: Group): string {
  const shown = parts.slice(0, mostFingerprints).map(({ fingerprint }) => markdownCode(fingerprint))
  const rest = parts.length - shown.length
  return `${parts.length === 1 ? 'fingerprint' : 'fingerprints'} ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const mostFingerprints = 20

/** Indented, because it belongs to its list item. */
function proofOf(change: Group, comparison: Comparison): string {
  const { proof } = change
  if (change.level !== 'breaking' && change.level !== 'dangerous') return ''
  const places = [change.old, change.new].flatMap((place) => (place === null ? [] : [positionText(place)]))
  const reason = unshown(proof)
  const outcome =
    reason !== undefined
      ? [`Proof ${markdownText(reason)}.`]
      : proof.status !== 'verified'
        ? []
        : [
            `${outcomesOf(proof, comparison)
              .map(({ version, answer }) => `${markdownText(version)} ${markdownText(answer)}`)
              .join('; ')}.`,
            ...callsOf(proof).map(({ title, text, isCommand }) =>
              text.length > longestProof
                ? `${title}: too long for a comment; other formats show it.`
                : markdownFence(inert(text), isCommand ? 'sh' : 'json'),
            ),
          ]
  const lines = [
    ...outcome,
    `${places.map(markdownCode).join(' to ')}${places.length > 0 ? ', ' : ''}${fingerprintsText(change)}`,
  ]
  const title = proof.status === 'verified' ? 'Proof' : 'Details'
  const block = [`<details><summary>${title}</summary>`, '', lines.join('\n\n'), '', '</details>', ''].join(
    '\n',
  )
  return block.replace(/^(?=.)/gm, '  ')
}
