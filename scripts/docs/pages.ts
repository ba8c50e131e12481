import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalogue } from '../../generator/diagnostics/catalogue.js'
import type { CodeDefinition } from '../../generator/diagnostics/code-definition.js'
import { type CatalogueEntry, changeIds } from '../../generator/diff/change/catalogue.js'
import { sectionsOf } from '../../test/fences.js'
import { contentsOf, llmsText } from './contents.js'

// One page for each lint code and for each change id, from the tables that the commands use. Examples are the tests'
// own.

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Pages by their path in the repository.
 * @param help the output of `duet COMMAND --help`, by command; the empty name has the help of `duet`
 */
export function tablePages(help: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const contents = contentsOf(read(join(root, 'docs/README.md')) ?? '')
  const pages = [...lintPages(), ...changePages()]
  return new Map([
    ['llms.txt', llmsText(contents, (path) => path)],
    ['docs/commands.md', commandsPage(help)],
    ...pages.map(([path, text]): [string, string] => [`docs/${path}`, text]),
  ])
}

function commandsPage(help: ReadonlyMap<string, string>): string {
  const sections = Array.from(help, ([name, text]) => `## ${`duet ${name}`.trim()}\n\n${fence('text', text)}`)
  return `# Commands

What \`npx duet COMMAND --help\` prints. [Generate](generate.md), [Build a service](service.md) and [Review a version](review.md) explain the
commands with examples.

${sections.join('\n')}`
}

function lintPages(): [string, string][] {
  const examples = lintExamples()
  const codes = Object.entries<CodeDefinition>(catalogue).sort(byName)
  const rows = codes.map(
    ([code, { severity, title }]) => `| [${code}](${code}.md) | ${severity} | ${title} |`,
  )
  const index = `# Lint codes

Every code that \`duet lint\` and \`duet generate\` report, and those of [waivers](../review.md#waivers). \`npx duet lint --explain CODE\` prints
the same in a terminal.

| code | severity | what it says |
| --- | --- | --- |
${rows.join('\n')}
`
  return [
    ['lint/README.md', index],
    ...codes.map(([code, { severity, title, cause, fix }]): [string, string] => [
      `lint/${code}.md`,
      `# ${code}

**${title}** (${severity})

${markdown(cause)}

## What to do

${markdown(fix)}
${examples.get(code) ?? (code.startsWith('waiver') ? waivers : '')}
[All lint codes](README.md)
`,
    ]),
  ]
}

const waivers = '\n[Waivers](../review.md#waivers) shows a file of them.\n'

/** The document named after each code, or else the shortest, with duet's message. */
function lintExamples(): Map<string, string> {
  const folder = join(root, 'test/negative')
  const found = new Map<string, { length: number; text: string }>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.txt')) continue
    const document = read(join(folder, name.slice(0, -'.txt'.length)))
    if (document === undefined || document.includes('\uFFFD')) continue
    const entry = basename(name, '.txt')
    const config = read(join(folder, dirname(name), 'duet.config.mjs'))
    for (const said of read(join(folder, name))?.split('\n\n') ?? []) {
      const [, file = '', code] = /^(\S+):\d+:\d+ (?:error|warning) (\S+)/.exec(said) ?? []
      if (code === undefined) continue
      const other = file === entry ? undefined : read(join(folder, dirname(name), file))
      const title = basename(entry, extname(entry))
      const isNamed = title === code || `${dirname(name)}-${title}` === code
      const length = isNamed ? 0 : document.length + said.length + (other?.length ?? 0)
      if (length >= (found.get(code)?.length ?? 3000)) continue
      const shown = [
        fence(extname(entry).slice(1), document),
        ...(other === undefined ? [] : [`\`${file}\`:\n\n${fence(extname(file).slice(1), other)}`]),
        ...(config === undefined ? [] : [`\`duet.config.mjs\`:\n\n${fence('js', config)}`]),
        fence('text', said),
      ]
      found.set(code, { length, text: `\n## Example\n\n${shown.join('\n')}` })
    }
  }
  return new Map(Array.from(found, ([code, { text }]) => [code, text]))
}

/**
 * Ids of the same schema change share a page, with a heading each: separate pages would repeat each other.
 */
function changePages(): [string, string][] {
  const examples = changeExamples()
  const ids = [...changeIds.values()].sort((a, b) => byName([a.id], [b.id]))
  const pages = new Map<string, CatalogueEntry[]>()
  for (const entry of ids) pages.set(pageOf(entry), [...(pages.get(pageOf(entry)) ?? []), entry])
  const rows = ids.map((entry) => `| [${entry.id}](${changeAddress(entry)}) | ${entry.level} |`)
  const index = `# Change ids

Every change that \`duet diff\` reports. The table has the level of a change if no schema decides. A schema can make it
milder or worse, and so can a [proof](../review.md#proofs). Ids that oasdiff has too mean the same there.

| id | level |
| --- | --- |
${rows.join('\n')}
`
  return [
    ['changes/README.md', index],
    ...Array.from(pages, ([action, entries]): [string, string] => [
      `changes/${action}.md`,
      changePage(action, entries, examples),
    ]),
  ]
}

function pageOf({ id, action }: CatalogueEntry): string {
  return action ?? id
}

/** The address of a change id's explanation, below docs/changes. */
export function changeAddress(entry: CatalogueEntry): string {
  const { id } = entry
  const page = pageOf(entry)
  return page === id ? `${page}.md` : `${page}.md#${id}`
}

function changePage(action: string, entries: readonly CatalogueEntry[], examples: Examples): string {
  const groups = new Map<string, CatalogueEntry[]>()
  for (const entry of entries) {
    const key = `${entry.direction} ${entry.level} ${isDecided(entry)}`
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return `# ${action}
${[...groups.values()].map((group) => groupText(group, action)).join('')}
${exampleOf(entries, examples)}[All change ids](README.md). The guide explains [levels](../review.md#what-counts) and [proofs](../review.md#proofs).
`
}

/** Whether what schemas accept can decide the level. No schema shows an announcement or words. */
function isDecided({ action, level, section, handlers }: CatalogueEntry): boolean {
  return action !== undefined && level !== 'info' && section !== 'deprecated' && handlers !== 'never'
}

/** Ids of one direction and level. */
function groupText(group: readonly CatalogueEntry[], action: string): string {
  const [first] = group
  if (first === undefined) return ''
  const { level, direction } = first
  const where = direction === null ? 'In the document' : `In a ${direction}`
  const isOpen = isDecided(first)
  const lines = group.map(({ id, words, shared }) => {
    const heading = id === action ? '' : `### ${id}\n\n`
    return `${heading}${words}${shared ? ' oasdiff has the same id.' : ''}\n`
  })
  return `
## ${where}: ${level}${isOpen ? ', unless the schemas decide' : ''}

${isOpen ? decisionOf(level, direction) : meanings[level](direction)}

${isOpen ? `If it is breaking, k${remedies.breaking(direction).slice(1)}` : remedies[level](direction)}

${lines.join('\n')}`
}

function decisionOf(level: CatalogueEntry['level'], direction: Direction): string {
  const [breaks, keeps] =
    direction === 'request'
      ? ['the new version refuses a call that the old version accepts', 'it refuses none']
      : ['the new version may send a response that the old version never sends', 'it sends none']
  return `Duet compares what the schemas of both versions accept. The change is breaking if ${breaks}, and compatible if ${keeps}. If the schemas leave that open, it is ${level}.`
}

type Direction = CatalogueEntry['direction']
type ByLevel = { readonly [level in CatalogueEntry['level']]: (direction: Direction) => string }

const meanings: ByLevel = {
  breaking: (direction) =>
    direction === 'request'
      ? 'The new version may refuse a call that the old version accepts.'
      : direction === 'response'
        ? 'The new version may send a response that callers of the old version do not expect.'
        : 'Callers of the old version may fail, or stop finding what they call.',
  dangerous: () => 'Some callers may have to change. The documents alone do not decide which.',
  compatible: (direction) =>
    direction === 'response'
      ? 'Callers of the old version expect every response of the new version.'
      : direction === 'request'
        ? 'The new version accepts every call that the old version accepts.'
        : 'Callers of the old version keep working.',
  info: () => 'No call and no response depends on it.',
}

const remedies: ByLevel = {
  breaking: (direction) =>
    direction === 'request'
      ? 'Keep accepting what the old version accepted, or release the change in a new major version. `duet diff --verbose` shows a call that breaks, if there is one. To accept the change in a review, add a [waiver](../review.md#waivers).'
      : 'Keep the promise of the old version, or release the change in a new major version. `duet diff --verbose` shows the proof, if there is one. To accept the change in a review, add a [waiver](../review.md#waivers).',
  dangerous: () =>
    'Find out whether callers depend on it. If they do, treat it as breaking. If not, add a [waiver](../review.md#waivers) that says why.',
  compatible: () => 'There is nothing to do. If it adds something, release it with at least a minor version.',
  info: () => 'There is nothing to do.',
}

interface Example {
  readonly old: string
  readonly fresh: string
  readonly changes: string
}
/** By id. */
type Examples = ReadonlyMap<string, Example>

function exampleOf(entries: readonly CatalogueEntry[], examples: Examples): string {
  const [shortest] = entries
    .flatMap(({ id }) => examples.get(id) ?? [])
    .sort((one, other) => lengthOf(one) - lengthOf(other))
  if (shortest === undefined) return ''
  const { old, fresh, changes } = shortest
  return `## Example

Before:

${fence('yaml', old)}
After:

${fence('yaml', fresh)}
\`duet diff\` finds:

${fence('text', changes)}
`
}

/** Fewer changes matter more than a shorter document. */
function lengthOf({ old, fresh, changes }: Example): number {
  return changes.length * 10 + old.length + fresh.length
}

/** The shortest test scenario of each id. */
function changeExamples(): Examples {
  const folder = join(root, 'test/diff')
  const found = new Map<string, Example>()
  for (const page of readdirSync(folder).sort()) {
    if (!page.endsWith('.md')) continue
    for (const { fences } of sectionsOf(read(join(folder, page)) ?? '')) {
      const [old = '', fresh = '', changes = ''] = fences.map(({ text }) => text)
      const example = { old, fresh, changes }
      for (const [, id = ''] of changes.matchAll(/^(?:breaking|dangerous|compatible|info) {2}([\w-]+)/gm)) {
        const known = found.get(id)
        if (known === undefined || lengthOf(example) < lengthOf(known)) found.set(id, example)
      }
    }
  }
  return found
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`
}

/** Text of a table, with braces and angle brackets as the reader should see them. */
function markdown(text: string): string {
  return text.replaceAll(/[<>*_]/g, '\\$&')
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function byName([one]: readonly [string, ...unknown[]], [other]: readonly [string, ...unknown[]]): number {
  return one < other ? -1 : 1
}
