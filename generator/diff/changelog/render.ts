import { inert, inertJson } from '../change/inert.js'
import { verdictRows } from '../change/protocol.js'
import { page } from '../report/html/page.js'
import { markdownCode, markdownText } from '../report/markdown-text.js'
import type { Reference } from '../report/references.js'
import { asSentence, onlyText, reachText } from '../report/words.js'
import { type Entry, type Kind, kinds, type Release } from './history.js'

export type ChangelogFormat = 'text' | 'markdown' | 'json' | 'html'

/** What is known of versions besides their documents, by version. */
export interface Surroundings {
  /** The day on which a version came to the project: `2026-05-01`. */
  readonly days: ReadonlyMap<string, string>
  readonly references: ReadonlyMap<string, Reference>
}

/** The history of an API's versions, newest first. */
export function renderChangelog(
  title: string,
  releases: readonly Release[],
  format: ChangelogFormat,
  surroundings: Surroundings = { days: new Map(), references: new Map() },
): string {
  const { days } = surroundings
  switch (format) {
    case 'text':
      return `${releases.map((release) => text(release, days.get(release.version))).join('\n\n')}\n`
    case 'markdown': {
      const sections = releases.map((release) => markdown(release, days.get(release.version)))
      return `${[`# Changes of ${markdownText(title)}`, ...sections].join('\n\n')}\n`
    }
    case 'json':
      return `${inertJson({ title, releases: releases.map(json) }, 2)}\n`
    case 'html':
      return page('changelog', {
        title: inert(`Changes of ${title}`),
        releases: releases.map((release, index) => view(release, index, surroundings)),
      })
  }
}

/** A release with the members that are documented. */
function json({ entries, ...release }: Release): object {
  const shown = Object.entries(entries).map(([kind, list]: [string, readonly Entry[]]) => [
    kind,
    list.map(({ operation, message, protocols }) => ({ operation, message, protocols })),
  ])
  return { ...release, entries: Object.fromEntries(shown) }
}

const titles: { readonly [kind in Kind]: string } = {
  breaking: 'Breaking',
  lost: 'Lost by callers of the version before, whom an adapter serves',
  added: 'Added',
  changed: 'Changed',
  deprecated: 'Deprecated',
  removed: 'Removed',
}

interface Group {
  readonly kind: Kind
  readonly title: string
  readonly entries: readonly Entry[]
}

function groups({ entries }: Release): Group[] {
  return kinds
    .map((kind) => ({ kind, title: titles[kind], entries: entries[kind] ?? [] }))
    .filter((group) => group.entries.length > 0)
}

/** `since 1.0.0: REST compatible, JSON-RPC compatible`. */
function sinceText({ since, verdict }: Release): string {
  if (since === null || verdict === null) return 'the first version'
  return `since ${since}: ${verdictRows(verdict)
    .map(({ name, verdict: found }) => `${name} ${found}`)
    .join(', ')}`
}

function protocolTag({ protocols }: Entry): string {
  return onlyText({ protocols }) ?? ''
}

/** Who has the change: before what happened, or after it where the names of many would hide it. */
function subjectOf(
  { operation, operations }: Entry,
  name: (text: string) => string = (text) => text,
): { readonly subject: string; readonly reach: string } {
  if (operations.length >= mostOperations)
    return { subject: '', reach: ` ${reachText({ operations: operations.map(name) })}` }
  return { subject: operation === null ? '' : `${name(operation)}: `, reach: '' }
}

function text(release: Release, day: string | undefined): string {
  const lines = groups(release).flatMap(({ title, entries }) => [
    `  ${title}`,
    ...entries.map((entry) => {
      const tag = protocolTag(entry)
      const { subject, reach } = subjectOf(entry)
      const line = `    ${inert(`${subject}${entry.message}${reach}`)}${tag === '' ? '' : ` [${tag}]`}`
      return entry.advice === undefined ? line : `${line}\n      ${inert(entry.advice)}`
    }),
  ])
  return [
    inert(`${release.version} (${day === undefined ? '' : `${day}, `}${sinceText(release)})`),
    ...(lines.length === 0 ? ['  no changes'] : lines),
  ].join('\n')
}

function markdown(release: Release, day: string | undefined): string {
  const parts = groups(release).map(({ title, entries }) => {
    const items = entries.map((entry) => {
      const tag = protocolTag(entry)
      const { subject, reach } = subjectOf(entry, markdownCode)
      const advice = entry.advice === undefined ? '' : `. ${markdownText(entry.advice)}`
      return `- ${subject}${markdownText(entry.message)}${reach}${tag === '' ? '' : ` (${tag})`}${advice}`
    })
    return `### ${title}\n\n${items.join('\n')}`
  })
  return [
    `## ${markdownText(release.version)}${day === undefined ? '' : ` (${day})`}`,
    `${markdownText(sinceText(release).replace(/^./, (sign) => sign.toUpperCase()))}.`,
    ...(parts.length === 0 ? ['No changes.'] : parts),
  ].join('\n\n')
}

function view(release: Release, index: number, { days, references }: Surroundings): object {
  const { version, since } = release
  const reference = references.get(version)
  // An operation that was removed is in the reference before.
  const hrefOf = (name: string): string | undefined =>
    reference?.operation(name) ?? references.get(since ?? '')?.operation(name)
  return {
    // A version of a document may be any text.
    anchor: /^[\w.+-]+$/.test(version) ? `v${version}` : `release-${index + 1}`,
    version: inert(version),
    day: days.get(version),
    reference: reference?.index,
    since: release.since === null ? undefined : inert(release.since),
    verdicts: release.verdict === null ? [] : verdictRows(release.verdict),
    groups: groups(release).map(({ kind, title, entries }) => ({
      isBreaking: kind === 'breaking',
      title,
      entries: entries.map((entry) => ({
        operations: entry.operations
          .slice(0, mostOperations)
          .map((name) => ({ name: inert(name), href: hrefOf(name) })),
        others: Math.max(0, entry.operations.length - mostOperations),
        reach: entry.operations.length >= mostOperations ? entry.operations.length : undefined,
        message: inert(asSentence(entry.message)),
        advice: entry.advice && inert(entry.advice),
        only: protocolTag(entry),
      })),
    })),
  }
}

/** More names would hide what happened. */
const mostOperations = 3
