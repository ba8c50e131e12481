import { inert, inertJson } from '../change/inert.js'
import { verdictRows } from '../change/protocol.js'
import { markdownCode, markdownText } from '../report/markdown-text.js'
import { page } from '../report/page.js'
import { onlyText } from '../report/words.js'
import { type Entry, type Kind, kinds, type Release } from './history.js'

export type ChangelogFormat = 'text' | 'markdown' | 'json' | 'html'

/** The history of an API's versions, newest first. */
export function renderChangelog(
  title: string,
  releases: readonly Release[],
  format: ChangelogFormat,
): string {
  switch (format) {
    case 'text':
      return `${releases.map(text).join('\n\n')}\n`
    case 'markdown':
      return `${[`# Changes of ${markdownText(title)}`, ...releases.map(markdown)].join('\n\n')}\n`
    case 'json':
      return `${inertJson({ title, releases }, 2)}\n`
    case 'html':
      return page('changelog', {
        title: inert(`Changes of ${title}`),
        releases: releases.map((release, index) => view(release, index)),
      })
  }
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

function text(release: Release): string {
  const lines = groups(release).flatMap(({ title, entries }) => [
    `  ${title}`,
    ...entries.map((entry) => {
      const tag = protocolTag(entry)
      const subject = entry.operation === null ? '' : `${entry.operation}: `
      return `    ${inert(`${subject}${entry.message}`)}${tag === '' ? '' : ` [${tag}]`}`
    }),
  ])
  return [
    inert(`${release.version} (${sinceText(release)})`),
    ...(lines.length === 0 ? ['  no changes'] : lines),
  ].join('\n')
}

function markdown(release: Release): string {
  const parts = groups(release).map(({ title, entries }) => {
    const items = entries.map((entry) => {
      const tag = protocolTag(entry)
      const subject = entry.operation === null ? '' : `${markdownCode(entry.operation)}: `
      return `- ${subject}${markdownText(entry.message)}${tag === '' ? '' : ` (${tag})`}`
    })
    return `### ${title}\n\n${items.join('\n')}`
  })
  return [
    `## ${markdownText(release.version)}`,
    `${markdownText(sinceText(release).replace(/^./, (sign) => sign.toUpperCase()))}.`,
    ...(parts.length === 0 ? ['No changes.'] : parts),
  ].join('\n\n')
}

function view(release: Release, index: number): object {
  return {
    anchor: `release-${index + 1}`,
    version: inert(release.version),
    since: release.since === null ? undefined : inert(release.since),
    verdicts: release.verdict === null ? [] : verdictRows(release.verdict),
    groups: groups(release).map(({ kind, title, entries }) => ({
      kind,
      title,
      entries: entries.map((entry) => ({
        operation: entry.operation === null ? undefined : inert(entry.operation),
        message: inert(entry.message),
        only: protocolTag(entry),
      })),
    })),
  }
}
